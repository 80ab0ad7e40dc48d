package tools

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/environ"
	"github.com/spillway-go/spillway/internal/late"
	"github.com/spillway-go/spillway/internal/mask"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/part"
	"github.com/spillway-go/spillway/internal/proc"
	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/internal/session"
	"github.com/spillway-go/spillway/internal/size"
	"github.com/spillway-go/spillway/internal/terminal"
	"github.com/spillway-go/spillway/internal/workspace"
)

// setup runs Bash.Setup before the first command, and again when one of Bash.SetupFiles has changed. What it leaves is
// kept as Bash.KeepState keeps it. A suite shares it with its views.
type setup struct {
	cfg     config.Bash
	ws      *workspace.Workspace
	procs   *proc.Group
	environ *environ.Cache
	sandbox part.Confinement
	reader  part.Shell
	tracker part.Tracker

	mu      sync.Mutex
	last    *setupRun
	secrets [2][]string // that the last run and the one before it have set
}

// setupRun is one run of Bash.Setup. Its fields after ended are set when that is closed.
type setupRun struct {
	stamp string // of the files, before it
	again bool   // it is not the first
	ended chan struct{}

	waiting   int                // calls that wait for it, guarded by setup.mu
	abandoned bool               // the last of them has left; guarded as well
	cancel    context.CancelFunc // ends it

	state    *session.State  // in which commands start
	failed   string          // how it failed; "" if it did not
	printed  []byte          // the end of what it printed
	notices  []notice.Notice // about what was not kept
	refused  []notice.Notice // about hosts
	canceled bool            // the suite was closed, or it was abandoned
}

// newSetup returns what runs Bash.Setup, or nil if there is none.
func newSetup(cfg config.Config, sh *shared) *setup {
	if cfg.Bash.Setup == "" || !selects(cfg, "bash") {
		return nil
	}
	return &setup{
		cfg: cfg.Bash, ws: sh.ws, procs: sh.procs, environ: sh.environ, sandbox: sh.sandbox, reader: sh.reader, tracker: sh.tracker,
	}
}

// current returns the run whose environment holds now, and waits for it. Calls that come at the same time share a run,
// which ends when none of them waits any more; one that a call finds under way may have begun before a file changed, so
// that the call then starts another.
func (u *setup) current(ctx context.Context) (*setupRun, error) {
	for first := true; ; first = false {
		stamp, err := late.Leave(ctx, late.Patience, u.stamp)
		if err != nil {
			return nil, err
		}
		run, started := u.join(stamp)
		select {
		case <-run.ended:
		case <-ctx.Done():
		}
		switch abandoned := u.leave(run); {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case abandoned && run.canceled: // the call has joined it too late
		case started || !first || run.stamp == stamp:
			return run, nil
		}
	}
}

// join returns the run that holds or is under way, for a call that waits for it, or starts one.
func (u *setup) join(stamp string) (run *setupRun, started bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	run = u.last
	if run == nil || isClosed(run.ended) && (run.stamp != stamp || run.canceled) {
		ctx, cancel := context.WithCancel(context.Background())
		run, started = &setupRun{stamp: stamp, again: run != nil, ended: make(chan struct{}), cancel: cancel}, true
		u.last = run
		go u.make(ctx, run)
	}
	run.waiting++
	return run, started
}

// leave is called when a call no longer waits for a run, and ends it if it was the last. It reports whether the run was
// ended so.
func (u *setup) leave(run *setupRun) (abandoned bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	run.waiting--
	if run.waiting == 0 && !isClosed(run.ended) {
		run.abandoned = true
		run.cancel()
	}
	return run.abandoned
}

// stamp returns a text that is another one when one of the files has changed.
func (u *setup) stamp(context.Context) (string, error) {
	var b strings.Builder
	for _, name := range u.cfg.SetupFiles {
		if !filepath.IsAbs(name) {
			name = filepath.Join(u.ws.Dir(), name)
		}
		if info, err := os.Stat(name); err == nil {
			fmt.Fprintln(&b, info.Size(), info.ModTime().UnixNano(), info.Mode())
		} else {
			fmt.Fprintln(&b, errors.Is(err, os.ErrNotExist))
		}
	}
	return b.String(), nil
}

// make runs the script. The run is not bound to the call that started it: others may wait for it too.
func (u *setup) make(ctx context.Context, run *setupRun) {
	defer close(run.ended)
	defer run.cancel()
	defer u.tracker.Begin(ctx, part.Doing{Call: "Bash.Setup", About: "Bash.Setup"}).Ended()
	before := session.New(u.ws.Dir(), u.environ.Get())
	if err := u.runIn(ctx, before, run); err != nil { // there may be no state
		run.failed = "could not be run: " + quote.Value(err.Error())
		run.state, run.notices = before.NewBase("", "", u.reader, nil)
	}
}

// runIn runs the script in a state. The error says that it could not be started, or is a panic.
func (u *setup) runIn(ctx context.Context, before *session.State, run *setupRun) (err error) {
	defer recovered("Bash.Setup", &err)
	var printed tail
	text := terminal.NewFilter(&printed, "")
	confined := u.sandbox.Command(context.Background(), nil) // nobody is asked: it is the host's script
	script, err := u.procs.Start(ctx, proc.Command{
		Script: u.cfg.Setup, Shell: u.cfg.Shell, KeepState: true, Dir: before.Dir, Env: before.Env,
		Timeout: u.cfg.Timeout, MaxOutput: u.cfg.MaxCaptureBytes, MaxProcesses: u.cfg.MaxProcesses,
		MaxMemory: u.cfg.MaxMemory, Output: text, Sandbox: confined.Sandbox(),
	})
	if err != nil {
		text.Close()
		confined.Ended(true)
		run.canceled = true
		return err
	}
	end := script.Wait()
	text.Close()
	confined.Ended(true)
	run.canceled = end.Reason == proc.Canceled
	run.failed, run.printed, run.refused = u.failure(end), printed.kept, confined.Refused()
	left := end.State
	if left != nil {
		u.remember(environ.Credentials(left.Env, before.Env))
	}
	if run.failed != "" {
		left = nil
		script.EndLeft()
	}
	run.state, run.notices = before.NewBase(u.cfg.Setup, u.cfg.Shell, u.reader, left)
	return nil
}

// failure says how a run failed; "" if it did not.
func (u *setup) failure(end proc.Outcome) string {
	switch {
	case end.Reason == proc.TimedOut:
		return fmt.Sprintf("ran longer than %v (Bash.Timeout) and was ended", u.cfg.Timeout)
	case end.Reason == proc.OutputLimit:
		return fmt.Sprintf("printed more than %s and was ended", size.Format(u.cfg.MaxCaptureBytes))
	case end.Reason == proc.MemoryLimit:
		return fmt.Sprintf("held more than %s of memory (Bash.MaxMemory) and was ended", size.Format(u.cfg.MaxMemory))
	case end.Reason != proc.Exited:
		return "was ended"
	case end.Signal != "":
		return "was ended by signal " + end.Signal
	case end.ExitCode != 0:
		return fmt.Sprintf("exited with code %d", end.ExitCode)
	case end.State == nil:
		return fmt.Sprintf("left no environment: it replaced the shell (exec), set a trap for EXIT, removed its directory, "+
			"or exported more than %s", size.Format(proc.MaxState))
	}
	return ""
}

// remember keeps the values of the credentials that a run has set, and those of the run before it, which commands that
// still run may print.
func (u *setup) remember(values []string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.secrets = [2][]string{values, u.secrets[0]}
}

// credentials returns the values of the credentials that Bash.Setup has set. A nil u has none.
func (u *setup) credentials() []string {
	if u == nil {
		return nil
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	return slices.Concat(u.secrets[:]...)
}

// isClosed reports whether a channel that nothing is sent to is closed.
func isClosed(c chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// said returns the notice about how the run ended; "" if it left everything.
func (r *setupRun) said(files []string, secrets *mask.Masker) notice.Notice {
	failed := notice.Notice("")
	if r.failed != "" {
		failed = notice.SetupFailed(r.failed, lastWords(r.printed, secrets), shownFiles(files))
	}
	return notice.Join(failed, notice.OfSetup(notice.Join(append(r.notices, r.refused...)...)))
}

// maxSetupFiles is how many of Bash.SetupFiles a notice names.
const maxSetupFiles = 3

// shownFiles returns the first of the files as a notice shows them.
func shownFiles(files []string) (names []string) {
	for _, name := range files[:min(len(files), maxSetupFiles)] {
		names = append(names, show(name))
	}
	return names
}

const (
	maxPrinted = 64 << 10 // bytes that are kept of what Bash.Setup printed last
	maxWords   = 400      // characters of it in a notice
)

// lastWords returns the last lines of what was printed, without secrets. These are masked before anything is cut.
func lastWords(printed []byte, r *mask.Masker) string {
	text, _ := r.String(strings.ToValidUTF8(string(printed), "\uFFFD"))
	last := []rune(strings.TrimSpace(text))
	last = last[max(len(last)-maxWords, 0):]
	for utf8.RuneCountInString(quote.Quoted(string(last))) > maxWords {
		last = last[1:]
	}
	if _, whole, more := strings.Cut(string(last), "\n"); more && len(last) < utf8.RuneCountInString(strings.TrimSpace(text)) {
		return whole // without the line that was cut
	}
	return string(last)
}

// tail keeps the end of what is written to it.
type tail struct{ kept []byte }

func (t *tail) Write(p []byte) (int, error) {
	t.kept = append(t.kept, p[max(len(p)-maxPrinted, 0):]...)
	if len(t.kept) > 2*maxPrinted {
		t.kept = bytes.Clone(t.kept[len(t.kept)-maxPrinted:])
	}
	return len(p), nil
}
