package tools

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/change"
	"github.com/spillway-go/spillway/internal/environ"
	"github.com/spillway-go/spillway/internal/hidden"
	"github.com/spillway-go/spillway/internal/job"
	"github.com/spillway-go/spillway/internal/mask"
	"github.com/spillway-go/spillway/internal/part"
	"github.com/spillway-go/spillway/internal/proc"
	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/internal/spill"
	"github.com/spillway-go/spillway/internal/textfile"
	"github.com/spillway-go/spillway/internal/tree"
	"github.com/spillway-go/spillway/internal/workspace"
)

type shared struct {
	ws      *workspace.Workspace
	paths   *paths
	redact  *mask.Masker
	spill   *spill.Dir
	journal change.Journal
	counts  textfile.Cache // line counts of large files
	scaling chan struct{}  // has a value while an image is decoded, which takes much memory
	environ *environ.Cache
	procs   *proc.Group
	parts   part.Set
	sandbox part.Confinement
	tracker part.Tracker
	reader  part.Shell
	setup   *setup        // or nil
	started *job.Registry // jobs, or nil

	calls   job.Calls // running calls, for Background; used only with jobs
	stats   stats
	made    atomic.Int64 // number of ids given to calls without one
	running atomic.Int64 // calls under way
}

// newShared makes what a suite shares with its views. It returns the configuration with what was found on this system.
func newShared(cfg config.Config, ws *workspace.Workspace, parts part.Set) (*shared, config.Config, error) {
	sh := &shared{
		ws: ws, spill: spill.NewDirBelow(ws.AllowOwn(cfg.Spill.Dir)), procs: proc.NewGroup(), scaling: make(chan struct{}, 1),
		parts: parts, sandbox: part.Unconfined{}, tracker: part.Untracked{},
	}
	cfg, err := sh.open(cfg)
	if err != nil {
		sh.close()
		return nil, cfg, err
	}
	sh.environ, sh.reader = environ.NewCache(cfg.Bash.Env), parts.Shell(cfg, ws, sh.sandbox.CoversHidden)
	sh.redact = parts.Masker(cfg, func() []string { return slices.Concat(sh.environ.Withheld(), sh.setup.credentials()) })
	sh.paths = &paths{tree.Place{Workspace: ws, Spills: sh.spill.Path(), Redact: sh.redact}}
	if err := sh.track(cfg); err != nil {
		sh.close()
		return nil, cfg, err
	}
	sh.setup = newSetup(cfg, sh)
	if selects(cfg, "bash") && selects(cfg, "job") {
		sh.started = job.New(job.Options{
			Procs: sh.procs, Max: cfg.Jobs.Max, Keep: cfg.Jobs.Keep, MaxBytes: cfg.Spill.MaxTotalBytes,
			Observe: cfg.Observe, Details: func(s job.State) any { return JobState(s) },
		})
	}
	return sh, cfg, nil
}

func (sh *shared) changing(cfg config.Config, m *memory) *change.Files {
	return &change.Files{
		Workspace: sh.ws, WritableRoots: cfg.WritableRoots, Seen: &m.files,
		Spill: sh.spill, SpillName: sh.paths.Workspace.Shown(sh.spill.Path()),
		MaxFileBytes: cfg.MaxFileBytes, RequireRead: cfg.Edit.RequireRead, NoCopies: cfg.Undo.Off,
		Redact: sh.redact, Form: sh.parts.Form, Journal: &sh.journal, Making: sh.making,
	}
}

// open checks the options against this workspace, and opens the sandbox and the shell. It returns the configuration
// with what was found.
func (sh *shared) open(cfg config.Config) (config.Config, error) {
	err := check(cfg, sh.ws, sh.spill.Path())
	if err == nil {
		err = hideFiles(cfg, sh.ws, sh.spill.Path())
	}
	if err == nil && selects(cfg, "bash") {
		var box part.Confinement
		if box, err = sh.parts.Confinement(part.Commands{Config: cfg, Workspace: sh.ws, Run: sh.procs.Run}); err == nil {
			sh.sandbox, cfg.Bash.Env = box, box.Environ(cfg.Bash.Env)
		}
	}
	if err == nil {
		cfg.Bash.Shell, err = findShell(cfg, sh.ws, sh.procs, sh.sandbox)
	}
	return cfg, err
}

// findShell returns the absolute path of Bash.Shell after it has run a command in the sandbox, so that New refuses
// what is not a shell, and not each call.
func findShell(cfg config.Config, ws *workspace.Workspace, procs *proc.Group, box part.Confinement) (string, error) {
	if cfg.Bash.KeepState && !proc.KeepsState {
		return "", refuse(&cfg, "Bash.KeepState", "true", "false on this system, where a shell cannot hand on its state")
	}
	if cfg.Bash.Setup != "" && !proc.KeepsState {
		return "", refuse(&cfg, "Bash.Setup", show(cfg.Bash.Setup), "empty on this system, where a shell cannot hand on its state")
	}
	if cfg.Bash.Shell == "" {
		return "", nil
	}
	env := environ.NewCache(cfg.Bash.Env).Get()
	path, err := procs.FindShell(cfg.Bash.Shell, proc.Command{
		Dir: ws.Dir(), Env: env, Sandbox: box.Command(context.Background(), nil).Sandbox(),
	})
	if err != nil {
		return "", refuse(&cfg, "Bash.Shell", show(cfg.Bash.Shell), err.Error())
	}
	return path, nil
}

func (sh *shared) close() error {
	err := sh.procs.Close()
	sh.started.Wait()
	sh.sandbox.Close()
	sh.tracker.Close()
	sh.spill.Close()
	sh.ws.Close()
	return err
}

// maxSpillPath bounds the path of the spill directory as shown, so that notices stay within their allowance.
const maxSpillPath = 256

func check(cfg config.Config, ws *workspace.Workspace, spills string) error {
	if workspace.Within(spills, ws.Dir()) {
		return refuse(&cfg, "Spill.Dir", show(cfg.Spill.Dir),
			"a directory for full outputs alone, not the workspace or one above it")
	}
	for _, root := range cfg.WritableRoots {
		dir, _ := ws.RealPath(root)
		if info, err := os.Stat(dir); err != nil || !info.IsDir() {
			return refuse(&cfg, "WritableRoots", show(root), "a directory that exists")
		}
	}
	if err := protect(cfg, ws, spills); err != nil {
		return err
	}
	if n := len(quote.Name(ws.Shown(spills))); n > maxSpillPath {
		value, want := fmt.Sprintf("a path of %d bytes", n), fmt.Sprintf("one of at most %d", maxSpillPath)
		return refuse(&cfg, "Spill.Dir", value, want)
	}
	if !slices.Contains(cfg.Tools, config.NoTools) && !slices.ContainsFunc(config.ToolNames(), func(name string) bool { return selects(cfg, name) }) {
		return refuse(&cfg, "Tools", strings.Join(cfg.Tools, ", "), "more than what ReadOnly leaves out")
	}
	return nil
}

func protect(cfg config.Config, ws *workspace.Workspace, spills string) error {
	for _, name := range cfg.ReadOnlyRoots {
		want := ""
		err := ws.Protect(name)
		switch {
		case errors.Is(err, workspace.ErrHoldsRoot):
			want = "a part of the workspace or of WritableRoots, not all of one (ReadOnly changes nothing at all)"
		case errors.Is(err, workspace.ErrNotInside):
			want = "inside of the workspace or of WritableRoots, as nothing is changed elsewhere"
		case err != nil:
			want = "a path that can be followed: " + quote.Inline(err.Error())
		}
		if want != "" {
			return refuse(&cfg, "ReadOnlyRoots", show(name), want)
		}
	}
	if by := ws.ProtectedBy(spills); by != "" {
		return refuse(&cfg, "Spill.Dir", show(cfg.Spill.Dir), "outside of ReadOnlyRoots, which have "+show(by))
	}
	return nil
}

const noHiddenFile = "-"

func hideFiles(cfg config.Config, ws *workspace.Workspace, spills string) error {
	name := cfg.HiddenFile
	if name == noHiddenFile {
		name = ""
	}
	if strings.ContainsAny(name, "/\\\x00") || name == "." || name == ".." {
		return refuse(&cfg, "HiddenFile", show(name), "the name of a file, without a directory, or -")
	}
	if name == "" && len(cfg.Hidden) == 0 {
		return nil
	}
	files, err := hidden.New(ws.Dir(), spills, cfg.Hidden, name)
	if err != nil {
		return refuse(&cfg, "Hidden", show(strings.Join(cfg.Hidden, ", ")), err.Error())
	}
	ws.Hide(files.Look)
	return nil
}
