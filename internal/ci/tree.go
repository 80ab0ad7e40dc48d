package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// tree is the checkout, with what is compiled from it.
type tree struct {
	root     string
	work     string   // a temporary directory, which others may look into
	packages []string // those with tests, relative to root
	modules  []string // the nested modules, relative to root

	mu       sync.Mutex
	binaries map[string]func() (string, error) // of tests, by mode and package
	made     string                            // what group made
	group    func() string                     // a control group for a user without rights, or ""
	copied   func() (string, error)            // the copy of the tree for a user without rights
}

func openTree(ctx context.Context) (*tree, error) {
	root, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	setGoEnvironment()
	t := &tree{root: root, binaries: map[string]func() (string, error){}}
	listed, err := lines(ctx, "go", "list", "-f", "{{if or .TestGoFiles .XTestGoFiles}}{{.Dir}}{{end}}", "./...")
	if err != nil {
		return nil, err
	}
	for _, dir := range listed {
		rel, err := filepath.Rel(root, dir)
		if err != nil {
			return nil, err
		}
		t.packages = append(t.packages, filepath.ToSlash(rel))
	}
	nested, err := lines(ctx, "git", "ls-files", "*/go.mod")
	if err != nil {
		return nil, err
	}
	for _, file := range nested {
		t.modules = append(t.modules, strings.TrimSuffix(file, "/go.mod"))
	}
	if t.work, err = os.MkdirTemp("", "spillway-ci-"); err != nil {
		return nil, err
	}
	t.group = sync.OnceValue(func() string { t.made = makeGroup(); return t.made })
	t.copied = sync.OnceValues(func() (string, error) { return t.copy(ctx) })
	return t, os.Chmod(t.work, 0o755)
}

func (t *tree) close() {
	if t.made != "" {
		os.Remove(t.made)
	}
	os.RemoveAll(t.work)
}

// setGoEnvironment has everything compiled as releases are, which then compile nothing anew. Two SDKs take longest
// to compile; nobody needs them to be fast.
func setGoEnvironment() {
	os.Setenv("GOWORK", "off")
	os.Setenv("CGO_ENABLED", "0") // but for the race detector
	os.Setenv("GOFLAGS", "-trimpath "+
		"'-gcflags=github.com/openai/...=-N -l -dwarf=false' '-gcflags=github.com/anthropics/...=-N -l -dwarf=false'")
	os.Setenv("GORACE", "atexit_sleep_ms=0") // tests start themselves again, which would sleep for a second each time
}

// lines returns the lines that a command prints to stdout.
func lines(ctx context.Context, args ...string) ([]string, error) {
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", strings.Join(args, " "), err)
	}
	return strings.FieldsFunc(string(out), func(r rune) bool { return r == '\n' }), nil
}

// How a package's tests are compiled.
const (
	plain = "plain"
	race  = "race"
	x386  = "386"
)

var modes = map[string]struct{ env, flags []string }{
	plain: {},
	race:  {env: []string{"CGO_ENABLED=1"}, flags: []string{"-race"}},
	x386:  {env: []string{"GOARCH=386"}},
}

// lean is for tests: they are vetted elsewhere, and link in three quarters of the time without what a debugger reads.
var lean = []string{"-vet=off", "-ldflags=-s -w"}

// binary returns the binary of a package's tests, which it compiles at the first call.
func (t *tree) binary(ctx context.Context, out *output, mode, pkg string) (string, error) {
	path := filepath.Join(t.work, mode, strings.ReplaceAll(pkg, "/", "-"))
	t.mu.Lock()
	compile := t.binaries[path]
	if compile == nil {
		compile = sync.OnceValues(func() (string, error) {
			args := append([]string{"go", "test", "-c", "-o", path}, lean...)
			args = append(append(args, modes[mode].flags...), "./"+pkg)
			return path, out.command(ctx, t.root, modes[mode].env, args...)
		})
		t.binaries[path] = compile
	}
	t.mu.Unlock()
	return compile()
}

// copy makes a copy of the tree for a user without rights: a checkout may lie where only its owner may look.
func (t *tree) copy(ctx context.Context) (string, error) {
	dir := filepath.Join(t.work, "copy")
	var out output
	err := out.command(ctx, t.root, nil, "sh", "-c", `mkdir -p "$1/tmp" && chmod 1777 "$1/tmp" &&
		git ls-files -z | tar -c --null -T - | tar -x -C "$1" && chmod -R a+rX "$1"`, "sh", dir)
	if err != nil {
		return "", fmt.Errorf("copying the tree: %w\n%s", err, out.Bytes())
	}
	return dir, nil
}

var shares = regexp.MustCompile(`"sync|\bgo func|\.Go\(`)

// concurrent reports whether the package in dir shares something between goroutines: in others the race detector has
// nothing to find.
func concurrent(dir string) bool { return contains(filepath.Join(dir, "*.go"), shares) }

// contains reports whether one of the files that a glob matches contains a match of pattern.
func contains(glob string, pattern *regexp.Regexp) bool {
	files, _ := filepath.Glob(glob)
	return slices.ContainsFunc(files, func(file string) bool {
		text, err := os.ReadFile(file)
		return err == nil && pattern.Match(text)
	})
}

// works reports whether a command can be run here.
func works(args ...string) bool { return exec.Command(args[0], args[1:]...).Run() == nil }

// hasLandlock reports whether the kernel can confine what the sandbox's tests start, for root and for others.
func hasLandlock() bool {
	symbols, err := os.ReadFile("/proc/kallsyms")
	return err == nil && bytes.Contains(symbols, []byte("landlock_create_ruleset")) &&
		works("setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups",
			"bwrap", "--unshare-all", "--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev", "true")
}
