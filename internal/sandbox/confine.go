package sandbox

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/proc"
	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/internal/workspace"
)

// Runner runs a command, as [proc.Group.Run] does.
type Runner func(context.Context, proc.Command) (proc.Outcome, error)

// Confine makes the sandbox that Bash.Sandbox asks for, and tries it by run. It returns nil if that is off. The error
// joins a [*config.OptionError] for each option that is refused, or says why no sandbox works here.
func Confine(cfg config.Config, ws *workspace.Workspace, run Runner) (*Sandbox, error) {
	asked := cfg.Bash.Sandbox
	if asked == config.SandboxOff {
		if byName(cfg.Bash) {
			return nil, optionError(cfg, "Bash.Sandbox", string(asked),
				"auto, landlock or bwrap with Bash.Hosts or Bash.PrivateHosts: only a sandbox keeps commands to them")
		}
		return nil, nil
	}
	policy, err := policyOf(cfg, ws)
	if err != nil {
		return nil, err
	}
	if asked == config.SandboxLandlock && len(cfg.ReadOnlyRoots) > 0 {
		return nil, optionError(cfg, "Bash.Sandbox", string(asked), "bwrap or auto, as there are ReadOnlyRoots: "+
			"landlock cannot keep commands from changing a part of what they may change")
	}
	engines := []string{string(asked)}
	if asked == config.SandboxAuto {
		engines = []string{Bwrap, Landlock}
	}
	var failed []string
	for _, engine := range engines {
		box, err := tried(engine, policy, run)
		if err == nil {
			return box, nil
		}
		if errors.Is(err, errGitDir) {
			return nil, optionError(cfg, "Bash.WriteGitDir", "true", "false in this workspace, as "+quote.Inline(err.Error()))
		}
		failed = append(failed, engine+": "+err.Error())
	}
	without := ""
	if byName(cfg.Bash) {
		without = ". Hosts by name need namespaces: without Bash.Hosts and Bash.PrivateHosts, Bash.Network lets commands " +
			"reach every host"
	}
	return nil, fmt.Errorf("tools: Bash.Sandbox is %s, but no sandbox works here: %s%s", asked, strings.Join(failed, "; "), without)
}

// byName reports whether commands reach the hosts of a list, and no others.
func byName(b config.Bash) bool { return len(b.Hosts)+len(b.PrivateHosts) > 0 }

func optionError(cfg config.Config, option, value, want string) error {
	_, source, _ := cfg.Lookup(option)
	return &config.OptionError{Option: option, Value: value, Want: want, Source: source}
}

// policyOf resolves the options. A path that does not exist is refused: no rule could be made for it.
func policyOf(cfg config.Config, ws *workspace.Workspace) (p Policy, err error) {
	p = Policy{
		Workspace: ws.Dir(), Network: cfg.Bash.Network, OwnNetwork: byName(cfg.Bash),
		Hosts: slices.Concat(cfg.Bash.Hosts, cfg.Bash.PrivateHosts), WriteGitDir: cfg.Bash.WriteGitDir,
		WriteCaches: cfg.Bash.WriteCaches, ReadOnlyRoots: cfg.ReadOnlyRoots,
	}
	if ws.Hides() {
		p.Hides, p.Hidden = ws.HidesNow, ws.HiddenEntries
	}
	var errs []error
	resolve := func(option string, names []string) (found []string) {
		for _, name := range names {
			path, err := ws.RealPath(name)
			if err != nil {
				errs = append(errs, optionError(cfg, option, quote.Value(name), "a path that exists"))
				continue
			}
			found = append(found, path)
		}
		return found
	}
	p.Writable = resolve("WritableRoots", cfg.WritableRoots)
	if p.WriteCaches {
		p.Writable = append(p.Writable, caches()...)
	}
	p.Readable = resolve("Bash.ReadableRoots", cfg.Bash.ReadableRoots)
	p.Services = resolve("Bash.Services", cfg.Bash.Services)
	for dir, linked := range ws.Protected() {
		p.ReadOnly = append(p.ReadOnly, ReadOnly{Dir: dir, Linked: linked})
	}
	for _, root := range cfg.AllowedRoots {
		if path, err := ws.RealPath(root); err == nil {
			p.Visible = append(p.Visible, path)
		}
	}
	return p, errors.Join(errs...)
}

// tried returns a sandbox that confines what run runs in it.
func tried(engine string, p Policy, run Runner) (*Sandbox, error) {
	box, err := New(engine, p)
	if err != nil {
		return nil, err
	}
	defer os.Remove(filepath.Join(box.temp, probeFile))
	if err = try(box.TempDir(), p.writable(), p.Network, trial(run, box, p.Workspace)); err != nil {
		box.Close()
		return nil, err
	}
	return box, nil
}

const (
	// trialTime bounds the trial of a sandbox, which takes a few milliseconds.
	trialTime = 10 * time.Second
	trialMax  = 64 << 10
)

// trial returns a function that runs a script of try in a sandbox.
func trial(run Runner, box proc.Sandbox, dir string) func(script string, env []string) (string, error) {
	return func(script string, env []string) (string, error) {
		var out bytes.Buffer
		end, err := run(context.Background(), proc.Command{
			Script: script, Dir: dir, Env: env, Sandbox: box, Timeout: trialTime, MaxOutput: trialMax, Output: &out,
		})
		switch {
		case err != nil:
			return "", err
		case end.Reason != proc.Exited:
			return "", fmt.Errorf("its trial %s after %v", end.Reason, trialTime)
		case end.ExitCode != 0:
			err = fmt.Errorf("its trial ended with code %d %s", end.ExitCode, end.Signal)
		}
		return strings.TrimSpace(out.String()), err
	}
}

// Environ returns Bash.Env with the variables that commands in the sandbox need. A list that begins with "-" starts
// from nothing, and what the program's user says counts last.
func (s *Sandbox) Environ(changes []string) []string {
	temp := s.TempDir()
	own := []string{"TMPDIR=" + temp}
	if !s.policy.WriteCaches {
		own = append(own, "XDG_CACHE_HOME="+filepath.Join(temp, "cache"), "npm_config_cache="+filepath.Join(temp, "npm"))
	}
	if s.policy.OwnNetwork {
		own = append(own, proxyVariables(changes)...)
	}
	start := 0
	if len(changes) > 0 && changes[0] == "-" {
		start = 1
	}
	return slices.Concat(changes[:start], own, changes[start:])
}
