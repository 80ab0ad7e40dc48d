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

// setup runs Bash.Setup before the first command, and again when one of Bash.SetupFiles has changed. It keeps the
// environment that the script leaves, as Bash.KeepState does. A suite shares it with its views.
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
	secrets [2][]string // from the last two runs
}

// setupRun is one run of Bash.Setup. The fields below ended are set before ended is closed.
type setupRun struct {
	stamp string // stamp of the files before the run
	again bool   // not the first run
	ended chan struct{}

	waiting   int                // calls that wait for the run; guarded by setup.mu
	abandoned bool               // every waiting call has left; guarded by setup.mu
	cancel    context.CancelFunc // ends the run

	state    *session.State  // the state in which commands start
	failed   string          // how the run failed; "" if it did not
	printed  []byte          // the end of its output
	notices  []notice.Notice // about what was not kept
	refused  []notice.Notice // about hosts
	canceled bool            // the suite was closed, or the run was abandoned
}

// newSetup returns nil if there is no Bash.Setup.
func newSetup(cfg config.Config, sh *shared) *setup {
	if cfg.Bash.Setup == "" || !selects(cfg, "bash") {
		return nil
	}
	return &setup{
		cfg: cfg.Bash, ws: sh.ws, procs: sh.procs, environ: sh.environ, sandbox: sh.sandbox, reader: sh.reader, tracker: sh.tracker,
	}
}

// current waits for the run whose environment is valid now. Concurrent calls share a run, which ends when no call
// waits for it. A call that finds a run under way may start another, because that run may have begun before a file
// changed.
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
		case abandoned && run.canceled: // this call joined just after the others left
		case started || !first || run.stamp == stamp:
			return run, nil
		}
	}
}

// join returns the valid run or the one under way, or starts one.
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

// leave is called when a call stops waiting for a run. The last one ends the run; abandoned reports that.
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

// stamp returns a text that differs whenever one of the files has changed.
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

// make runs the script, independent of the call that started it, because other calls may wait for it too.
func (u *setup) make(ctx context.Context, run *setupRun) {
	defer close(run.ended)
	defer run.cancel()
	defer u.tracker.Begin(ctx, part.Doing{Call: "Bash.Setup", About: "Bash.Setup"}).Ended()
	before := session.New(u.ws.Dir(), u.environ.Get())
	if err := u.runIn(ctx, before, run); err != nil { // there is no state if it failed
		run.failed = "could not be run: " + quote.Value(err.Error())
		run.state, run.notices = before.NewBase("", "", u.reader, nil)
	}
}

// runIn runs the script in a state. The error says that it could not start, or is a panic.
func (u *setup) runIn(ctx context.Context, before *session.State, run *setupRun) (err error) {
	defer recovered("Bash.Setup", &err)
	var printed tail
	text := terminal.NewFilter(&printed, "")
	confined := u.sandbox.Command(context.Background(), nil) // nobody asks about the host's own script
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

// remember keeps the credentials of the last two runs, because a command of the earlier one may still print its
// values.
func (u *setup) remember(values []string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.secrets = [2][]string{values, u.secrets[0]}
}

func (u *setup) credentials() []string {
	if u == nil {
		return nil
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	return slices.Concat(u.secrets[:]...)
}

func isClosed(c chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// said returns the notice about how the run ended; "" if it succeeded.
func (r *setupRun) said(files []string, secrets *mask.Masker) notice.Notice {
	failed := notice.Notice("")
	if r.failed != "" {
		failed = notice.SetupFailed(r.failed, lastWords(r.printed, secrets), shownFiles(files))
	}
	return notice.Join(failed, notice.OfSetup(notice.Join(append(r.notices, r.refused...)...)))
}

const maxSetupFiles = 3

func shownFiles(files []string) (names []string) {
	for _, name := range files[:min(len(files), maxSetupFiles)] {
		names = append(names, show(name))
	}
	return names
}

const (
	maxPrinted = 64 << 10 // bytes kept of the output of Bash.Setup
	maxWords   = 400      // characters of it in a notice
)

// lastWords returns the last lines of the output. Secrets are masked before the cut, because half a secret is not
// recognized.
func lastWords(printed []byte, r *mask.Masker) string {
	text, _ := r.String(strings.ToValidUTF8(string(printed), "\uFFFD"))
	last := []rune(strings.TrimSpace(text))
	last = last[max(len(last)-maxWords, 0):]
	for utf8.RuneCountInString(quote.Quoted(string(last))) > maxWords {
		last = last[1:]
	}
	if _, whole, more := strings.Cut(string(last), "\n"); more && len(last) < utf8.RuneCountInString(strings.TrimSpace(text)) {
		return whole // drops the line that was cut
	}
	return string(last)
}

type tail struct{ kept []byte }

func (t *tail) Write(p []byte) (int, error) {
	t.kept = append(t.kept, p[max(len(p)-maxPrinted, 0):]...)
	if len(t.kept) > 2*maxPrinted {
		t.kept = bytes.Clone(t.kept[len(t.kept)-maxPrinted:])
	}
	return len(p), nil
}
