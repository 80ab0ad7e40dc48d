package tools

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/proc"
	"github.com/spillway-go/spillway/internal/program"
	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/internal/sandbox"
	"github.com/spillway-go/spillway/internal/workspace"
)

// Sandbox describes what confined a command.
type Sandbox struct {
	Engine      string   `json:"engine"`                // "landlock" or "bwrap"
	ABI         int      `json:"abi,omitempty"`         // the version of Landlock in the kernel
	NotEnforced []string `json:"notEnforced,omitempty"` // what is not prevented here
	Writable    []string `json:"writable,omitempty"`    // where it may write besides the workspace and $TMPDIR

	gitDir string // the workspace's git directory, if it is outside and not writable
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
			return refuse(s.cfg, "Bash.WriteGitDir", "true", "false in this workspace, as "+quote.Inline(err.Error()))
		}
		failed = append(failed, engine+": "+err.Error())
	}
	return fmt.Errorf("tools: Bash.Sandbox is %s, but no sandbox works here: %s", asked, strings.Join(failed, "; "))
}

func (s *shell) useSandbox(box *sandbox.Sandbox) {
	s.sandbox = box
	s.confined = &Sandbox{Engine: box.Engine, ABI: box.ABI, NotEnforced: box.NotEnforced, Writable: box.Writable, gitDir: box.GitDir}
	temp := box.TempDir()
	changes := []string{"TMPDIR=" + temp}
	if !s.cfg.Bash.WriteCaches {
		changes = append(changes, "XDG_CACHE_HOME="+filepath.Join(temp, "cache"), "npm_config_cache="+filepath.Join(temp, "npm"))
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
	resolve := func(option string, paths []string) (found []string) {
		for _, path := range paths {
			real, err := realPath(s.paths.ws.Dir(), path)
			if err != nil {
				errs = append(errs, refuse(s.cfg, option, show(path), "a path that exists"))
				continue
			}
			found = append(found, real)
		}
		return found
	}
	p.Writable = resolve("WritableRoots", s.cfg.WritableRoots)
	if cfg.WriteCaches {
		p.Writable = append(p.Writable, caches()...)
	}
	p.Readable = resolve("Bash.ReadableRoots", cfg.ReadableRoots)
	p.Services = resolve("Bash.Services", cfg.Services)
	for _, root := range s.cfg.AllowedRoots {
		if real, err := realPath(s.paths.ws.Dir(), root); err == nil {
			p.Visible = append(p.Visible, real)
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

// caches returns the caches of the build tools that are installed. Those that do not exist are
// made, as the tools do when they run first.
func caches() (dirs []string) {
	home, err := os.UserHomeDir()
	if err != nil {
		return nil
	}
	cache := cmp.Or(os.Getenv("XDG_CACHE_HOME"), filepath.Join(home, ".cache"))
	gopath, _, _ := strings.Cut(cmp.Or(os.Getenv("GOPATH"), filepath.Join(home, "go")), string(filepath.ListSeparator))
	cargo := cmp.Or(os.Getenv("CARGO_HOME"), filepath.Join(home, ".cargo"))
	for _, tool := range []struct {
		name string
		dirs []string
	}{
		{"go", []string{cmp.Or(os.Getenv("GOCACHE"), filepath.Join(cache, "go-build")), cmp.Or(os.Getenv("GOMODCACHE"), filepath.Join(gopath, "pkg", "mod"))}},
		{"npm", []string{cmp.Or(os.Getenv("npm_config_cache"), filepath.Join(home, ".npm"))}},
		{"cargo", []string{filepath.Join(cargo, "registry"), filepath.Join(cargo, "git"), filepath.Join(cargo, ".package-cache")}},
		{"pip", []string{cmp.Or(os.Getenv("PIP_CACHE_DIR"), filepath.Join(cache, "pip"))}},
	} {
		if _, err := exec.LookPath(tool.name); err != nil {
			continue
		}
		for _, dir := range tool.dirs {
			if filepath.Base(dir) != ".package-cache" { // cargo's lock, a file
				os.MkdirAll(dir, 0o755)
			}
			if real, err := filepath.EvalSymlinks(dir); err == nil {
				dirs = append(dirs, real)
			}
		}
	}
	return dirs
}

const (
	// probeTime bounds the trial of a sandbox, which takes a few milliseconds.
	probeTime = 10 * time.Second
	probeMax  = 64 << 10
	// probeScript fails where it cannot write to its own files, and where it can do anything
	// that it must not. OUTSIDE is a directory, PORT that of a server; each may be empty. The
	// status is read at once: bash seeks back after each line that it reads, and would miss
	// lines when a number grows meanwhile.
	probeScript = `
echo >"$TMPDIR/.probe" && rm "$TMPDIR/.probe" || { echo "nothing can be written to the private temporary directory"; exit 1; }
case $(cat /proc/self/status) in *NoNewPrivs:?0*) filtered= ;; *Seccomp:?2*) filtered=yes ;; esac
[ "$filtered" ] || { echo "system calls are not filtered"; exit 1; }
[ -z "$OUTSIDE" ] || ! (echo >"$OUTSIDE/written") 2>/dev/null || { echo "a file outside could be written"; exit 1; }
[ -z "$PORT$BASH_VERSION" ] || ! (exec 3<>"/dev/tcp/127.0.0.1/$PORT") 2>/dev/null || { echo "a server outside could be reached"; exit 1; }
exit 0`
)

// probe runs a command that tries what must fail. temp is the private temporary directory, and
// writable what the command may write to beside it.
func (s *shell) probe(box *sandbox.Sandbox, temp string, writable []string) error {
	outside, err := os.MkdirTemp("", "spillway-probe-")
	if err == nil {
		outside, err = filepath.EvalSymlinks(outside)
	}
	if err != nil {
		return err
	}
	defer os.RemoveAll(outside)
	env := []string{"PATH=" + program.Path(), "TMPDIR=" + temp, "OUTSIDE=", "PORT="}
	if !slices.ContainsFunc(writable, func(root string) bool { return workspace.Within(root, outside) }) {
		env[2] += outside
	}
	if server, err := net.Listen("tcp", "127.0.0.1:0"); err == nil && !s.cfg.Bash.Network {
		defer server.Close()
		env[3] += fmt.Sprint(server.Addr().(*net.TCPAddr).Port)
	}
	var out bytes.Buffer
	end, err := s.procs.Run(context.Background(), proc.Command{
		Script: probeScript, Dir: s.paths.ws.Dir(), Env: env, Sandbox: box,
		Timeout: probeTime, MaxOutput: probeMax, Output: &out,
	})
	said := strings.TrimSpace(out.String())
	switch {
	case err != nil:
		return err
	case end.Reason != proc.Exited:
		return fmt.Errorf("its trial %s after %v", end.Reason, probeTime)
	case end.ExitCode != 0:
		return fmt.Errorf("%s%s", cmp.Or(said, fmt.Sprintf("its trial ended with code %d %s", end.ExitCode, end.Signal)), namespaceAdvice(said))
	}
	return nil
}

// namespaceAdvice says what may keep bwrap from making namespaces.
func namespaceAdvice(said string) string {
	if !strings.Contains(said, "bwrap: ") {
		return ""
	}
	advice := " (see kernel.unprivileged_userns_clone, user.max_user_namespaces and, with AppArmor, kernel.apparmor_restrict_unprivileged_userns; in a container, its filter of system calls and its masks of /proc)"
	for _, control := range []struct{ file, value, says string }{
		{"kernel/unprivileged_userns_clone", "0", " (kernel.unprivileged_userns_clone is 0)"},
		{"user/max_user_namespaces", "0", " (user.max_user_namespaces is 0)"},
		{"kernel/apparmor_restrict_unprivileged_userns", "1", " (kernel.apparmor_restrict_unprivileged_userns is 1: give bwrap an AppArmor profile that allows userns)"},
	} {
		if value, err := os.ReadFile("/proc/sys/" + control.file); err == nil && strings.TrimSpace(string(value)) == control.value {
			return control.says
		}
	}
	return advice
}

// refusals are what programs say when the system refuses them something that a sandbox may
// be the reason for.
var refusals = regexp.MustCompile(`(?i)permission ?denied|not permitted|EACCES|EPERM|EROFS|read-only file system|device or resource busy|network is unreachable|ENETUNREACH|` +
	`could not resolve|name resolution|EAI_AGAIN|name or service not known|no such host|no new privileges|cross-device link|bad system call`)

// explain returns the notices for a command that failed in the sandbox at what may have been refused.
func (s *shell) explain(failed bool, shown ...string) (told []notice.Notice) {
	box := s.confined
	if box == nil || !failed || !slices.ContainsFunc(shown, refusals.MatchString) {
		return nil
	}
	told = []notice.Notice{notice.Sandboxed(box.Engine, s.cfg.Bash.Network, len(box.Writable), len(s.cfg.Bash.ReadableRoots) > 0)}
	if box.gitDir != "" && slices.ContainsFunc(shown, func(text string) bool { return strings.Contains(text, box.gitDir) }) {
		told = append(told, notice.GitDirReadOnly(show(box.gitDir)))
	}
	return told
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
	if !s.cfg.Bash.Network {
		text += ", and have no network"
	}
	return text + "."
}
