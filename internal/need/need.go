// Package need skips tests where the system lacks what they need. It tries the feature,
// because the system's name does not tell: wine claims to make symbolic links, and
// Windows makes them for some users.
package need

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
)

// Symlink makes a symbolic link, or skips the test.
func Symlink(t testing.TB, target, name string) {
	t.Helper()
	err := os.Symlink(target, name)
	if info, missing := os.Lstat(name); missing == nil && info.Mode()&fs.ModeSymlink != 0 {
		return
	}
	if err != nil && linksWork() {
		t.Fatal(err)
	}
	t.Skip("no symbolic links here")
}

// linksWork reports whether the system makes symbolic links, so that one which it does not
// make is the test's fault.
var linksWork = sync.OnceValue(func() bool {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		return true
	}
	defer os.RemoveAll(dir)
	link := filepath.Join(dir, "link")
	if os.Symlink("nowhere", link) != nil {
		return false
	}
	_, err = os.Lstat(link)
	return err == nil
})

// Shell skips tests whose commands are written for bash or sh.
func Shell(t testing.TB) {
	t.Helper()
	for _, shell := range []string{"bash", "sh"} {
		if _, err := exec.LookPath(shell); err == nil {
			return
		}
	}
	t.Skip("no POSIX shell here")
}

// Program skips tests that run a program, where it is missing.
func Program(t testing.TB, names ...string) {
	t.Helper()
	for _, name := range names {
		if _, err := exec.LookPath(name); err != nil {
			t.Skip(err)
		}
	}
}

// Modes skips tests that remove permissions, or check those of a new file.
func Modes(t testing.TB) {
	t.Helper()
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o700 {
		t.Skip("no permission bits here")
	}
}

// Name skips tests of a file name that the system does not accept.
func Name(t testing.TB, name string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(t.TempDir(), name), nil, 0o600); err != nil {
		t.Skipf("no file can be called %q here", name)
	}
}

// Proc skips tests of what Linux does with /proc alone, where .ci/run takes it away.
func Proc(t testing.TB) {
	t.Helper()
	if _, err := os.Stat("/proc/self"); err != nil && runtime.GOOS == "linux" {
		t.Skip("no /proc here")
	}
}

// Build skips tests that compile something: short ones, and those of a user who has no modules and has compiled
// nothing. .ci/run program runs the packages that call it whole, as a user who has.
func Build(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip("compiles; .ci/run program runs it")
	}
	if !ModulesHere() {
		t.Skip("no modules here")
	}
}

// ModulesHere reports whether the user has downloaded modules.
var ModulesHere = sync.OnceValue(func() bool {
	cache, err := exec.Command("go", "env", "GOMODCACHE").Output()
	if err != nil {
		return true // which fails the test
	}
	_, err = os.Stat(filepath.Join(strings.TrimSpace(string(cache)), "cache", "download"))
	return err == nil
})

// Sandbox skips tests of a sandbox that does not work here, for the reason that err gives. With
// SANDBOX_TESTS=required they fail.
func Sandbox(t testing.TB, err error) {
	t.Helper()
	switch {
	case err == nil:
	case os.Getenv("SANDBOX_TESTS") == "required":
		t.Fatal(err)
	default:
		t.Skip(err)
	}
}

// HasPart reports whether an optional part is there, as "tools/sandbox". Only TestWithout of internal/docs deletes parts,
// one at a time, and names it in the environment.
func HasPart(name string) bool { return name == "" || os.Getenv("WITHOUT_PART") != name }

// Part skips a test of what a part does where that was deleted.
func Part(t testing.TB, name string) {
	t.Helper()
	if !HasPart(name) {
		t.Skip("without ", name)
	}
}

// Built skips a test whose suite needs a part that was deleted, as tools.New has said.
func Built(t testing.TB, err error) {
	t.Helper()
	if err != nil && os.Getenv("WITHOUT_PART") != "" && strings.Contains(err.Error(), " without its part: import ") {
		t.Skip(err)
	}
}
