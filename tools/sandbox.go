package tools

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/proc"
	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/internal/sandbox"
)

// Sandbox describes what confined a command.
type Sandbox struct {
	Engine      string   `json:"engine"`                // "landlock" or "bwrap"
	ABI         int      `json:"abi,omitempty"`         // the version of Landlock in the kernel; 0 with bwrap
	NotEnforced []string `json:"notEnforced,omitempty"` // what it does not prevent on this system
	Writable    []string `json:"writable,omitempty"`    // where it may write besides the workspace and $TMPDIR

	gitDir string // the workspace's git directory, if it is outside and not writable
	shared string // what the worktrees share, if commands write only to parts of it
}

// maxReadOnly is how many of ReadOnlyRoots the model is told.
const maxReadOnly = 3

// readOnly names what commands cannot change, for the model.
func (s *shell) readOnly() (names []string) {
	roots := s.cfg.ReadOnlyRoots
	for _, root := range roots[:min(len(roots), maxReadOnly)] {
		names = append(names, show(root))
	}
	if n := len(roots) - len(names); n > 0 {
		names = append(names, fmt.Sprintf("%d more", n))
	}
	return names
}

// confinement describes what confines a command that starts now.
func (s *shell) confinement() *Sandbox {
	gaps := s.sandbox.Gaps()
	if len(gaps) == 0 {
		return s.confined
	}
	now := *s.confined
	now.NotEnforced = slices.Concat(now.NotEnforced, gaps)
	return &now
}

// openSandbox makes the sandbox that the configuration asks for, and tries it.
func (s *shell) openSandbox() error {
	asked := s.cfg.Bash.Sandbox
	if asked == config.SandboxOff {
		return nil
	}
	policy, err := s.sandboxPolicy()
	if err != nil {
		return err
	}
	if asked == config.SandboxLandlock && len(s.cfg.ReadOnlyRoots) > 0 {
		return refuse(&s.cfg, "Bash.Sandbox", string(asked), "bwrap or auto, as there are ReadOnlyRoots: "+
			"landlock cannot keep commands from changing a part of what they may change")
	}
	engines := []string{string(asked)}
	if asked == config.SandboxAuto {
		engines = []string{sandbox.Bwrap, sandbox.Landlock}
	}
	var failed []string
	for _, engine := range engines {
		box, err := sandbox.New(engine, policy)
		if err == nil {
			err = s.probe(box, box.TempDir(), append([]string{policy.Workspace}, policy.Writable...))
		}
		if err == nil {
			s.useSandbox(box)
			return nil
		}
		box.Close()
		if errors.Is(err, sandbox.ErrGitDir) {
			return refuse(&s.cfg, "Bash.WriteGitDir", "true", "false in this workspace, as "+quote.Inline(err.Error()))
		}
		failed = append(failed, engine+": "+err.Error())
	}
	return fmt.Errorf("tools: Bash.Sandbox is %s, but no sandbox works here: %s", asked, strings.Join(failed, "; "))
}

func (s *shell) useSandbox(box *sandbox.Sandbox) {
	s.sandbox = box
	s.confined = &Sandbox{
		Engine: box.Engine, ABI: box.ABI, NotEnforced: box.NotEnforced, Writable: box.Writable, gitDir: box.GitDir, shared: box.Shared,
	}
	temp := box.TempDir()
	changes := []string{"TMPDIR=" + temp}
	if !s.cfg.Bash.WriteCaches {
		changes = append(changes, "XDG_CACHE_HOME="+filepath.Join(temp, "cache"),
			"npm_config_cache="+filepath.Join(temp, "npm"))
	}
	// A list that begins with "-" starts from nothing, and what the program's user says counts last.
	start := 0
	if len(s.cfg.Bash.Env) > 0 && s.cfg.Bash.Env[0] == "-" {
		start = 1
	}
	s.cfg.Bash.Env = slices.Insert(s.cfg.Bash.Env, start, changes...)
}

// sandboxPolicy resolves the options. A path that does not exist is refused: no rule could
// be made for it.
func (s *shell) sandboxPolicy() (p sandbox.Policy, err error) {
	cfg := s.cfg.Bash
	p = sandbox.Policy{Workspace: s.paths.ws.Dir(), Network: cfg.Network, WriteGitDir: cfg.WriteGitDir}
	var errs []error
	resolve := func(option string, names []string) (found []string) {
		for _, name := range names {
			path, err := realPath(s.paths.ws.Dir(), name)
			if err != nil {
				errs = append(errs, refuse(&s.cfg, option, show(name), "a path that exists"))
				continue
			}
			found = append(found, path)
		}
		return found
	}
	p.Writable = resolve("WritableRoots", s.cfg.WritableRoots)
	if cfg.WriteCaches {
		p.Writable = append(p.Writable, sandbox.Caches()...)
	}
	p.Readable = resolve("Bash.ReadableRoots", cfg.ReadableRoots)
	p.Services = resolve("Bash.Services", cfg.Services)
	for dir, linked := range s.paths.ws.Protected() {
		p.ReadOnly = append(p.ReadOnly, sandbox.ReadOnly{Dir: dir, Linked: linked})
	}
	for _, root := range s.cfg.AllowedRoots {
		if path, err := realPath(s.paths.ws.Dir(), root); err == nil {
			p.Visible = append(p.Visible, path)
		}
	}
	return p, errors.Join(errs...)
}

// realPath returns the absolute path, without links, of one that may be relative to dir.
func realPath(dir, path string) (string, error) {
	if !filepath.IsAbs(path) {
		path = filepath.Join(dir, path)
	}
	return filepath.EvalSymlinks(path)
}

const (
	// probeTime bounds the trial of a sandbox, which takes a few milliseconds.
	probeTime = 10 * time.Second
	probeMax  = 64 << 10
)

// probe runs a command that tries what must fail. temp is the private temporary directory, and writable what the
// command may write to beside it.
func (s *shell) probe(box *sandbox.Sandbox, temp string, writable []string) error {
	return sandbox.Try(temp, writable, s.cfg.Bash.Network, func(script string, env []string) (string, error) {
		var out bytes.Buffer
		end, err := s.procs.Run(context.Background(), proc.Command{
			Script: script, Dir: s.paths.ws.Dir(), Env: env, Sandbox: box,
			Timeout: probeTime, MaxOutput: probeMax, Output: &out,
		})
		switch {
		case err != nil:
			return "", err
		case end.Reason != proc.Exited:
			return "", fmt.Errorf("its trial %s after %v", end.Reason, probeTime)
		case end.ExitCode != 0:
			err = fmt.Errorf("its trial ended with code %d %s", end.ExitCode, end.Signal)
		}
		return strings.TrimSpace(out.String()), err
	})
}

// explain returns the notices for a command that failed in the sandbox at what may have been refused, and for one that
// could not delete a ref: git goes on after that.
func (s *shell) explain(failed bool, shown ...string) (notices []notice.Notice) {
	box := s.confined
	if box == nil || !slices.ContainsFunc(shown, sandbox.Refused) {
		return nil
	}
	if box.shared != "" && slices.ContainsFunc(shown, func(text string) bool { return locks(box.shared, text) }) {
		defer func() { notices = append(notices, notice.RefsKept(show(box.shared))) }()
	}
	if !failed {
		return nil
	}
	cfg := s.cfg.Bash
	notices = []notice.Notice{notice.Sandboxed(box.Engine, cfg.Network, len(box.Writable), len(cfg.ReadableRoots) > 0)}
	if slices.ContainsFunc(shown, sandbox.RefusedReadOnly) {
		notices = append(notices, notice.ReadOnlyRoots(s.readOnly()))
	}
	if box.gitDir != "" && strings.Contains(strings.Join(shown, "\n"), box.gitDir) {
		notices = append(notices, notice.GitDirReadOnly(show(box.gitDir)))
	}
	return notices
}

// locks reports whether git says in a text that it could not make a lock right in a directory.
func locks(dir, text string) bool {
	for rest, found := text, true; found; {
		if _, rest, found = strings.Cut(rest, "Unable to create '"+dir+"/"); !found {
			break
		}
		if name, _, _ := strings.Cut(rest, "'"); strings.HasSuffix(name, ".lock") && !strings.Contains(name, "/") {
			return true
		}
	}
	return false
}

// undo removes what a command has made to lead git elsewhere, and says so.
func (s *shell) undo() notice.Notice {
	removed := s.sandbox.Undone()
	for i, path := range removed {
		removed[i] = show(s.paths.shown(path))
	}
	return notice.Undone(removed)
}

// describeSandbox returns what the model is told before it runs a command.
func (s *shell) describeSandbox() string {
	if s.confined == nil {
		return ""
	}
	places := []string{"the workspace", "$TMPDIR"}
	for _, path := range s.confined.Writable {
		places = append(places, show(path))
	}
	last := len(places) - 1
	text := " Commands are sandboxed: they write only in " + strings.Join(places[:last], ", ") + " and " + places[last]
	if names := s.readOnly(); len(names) > 0 {
		text += ", but not in " + strings.Join(names, " or ")
	}
	if !s.cfg.Bash.Network {
		text += ", and have no network"
	}
	return text + "."
}
