package testkit

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// IsolateGit gives the test a home of its own, for git and for what reads its configuration.
func IsolateGit(t *testing.T) (home string) {
	for _, variable := range os.Environ() {
		if name, _, _ := strings.Cut(variable, "="); strings.HasPrefix(name, "GIT_") {
			t.Setenv(name, "")
			os.Unsetenv(name)
		}
	}
	home = t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(home, "xdg"))
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	return home
}

// FakeRepository makes what git takes for a repository, without git.
func FakeRepository(t testing.TB, root string) {
	t.Helper()
	WriteFile(t, filepath.Join(root, ".git", "HEAD"), "ref: refs/heads/main\n")
	for _, dir := range []string{"objects", "refs"} {
		if err := os.MkdirAll(filepath.Join(root, ".git", dir), 0o777); err != nil {
			t.Fatal(err)
		}
	}
}

// WriteFile writes a file, and makes the directories that it is in.
func WriteFile(t testing.TB, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	// ext4 waits for the disk when a file is cut and written anew, ten
	// milliseconds each time; not so for a new file.
	os.Remove(path)
	if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
		t.Fatal(err)
	}
}

// Within fails the test if f takes longer than limit, which should be far more than it needs.
func Within(t *testing.T, limit time.Duration, f func()) {
	t.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		f()
	}()
	select {
	case <-done:
	case <-time.After(limit):
		t.Fatalf("still at work after %v", limit)
	}
}

// Git runs git in a directory, with nobody's configuration and a user of its own, and returns what it prints. Where git
// is missing, it skips the test.
func Git(t testing.TB, dir string, args ...string) string {
	t.Helper()
	out, err := TryGit(t, dir, args...)
	if err != nil {
		t.Fatalf("git %q: %v\n%s", args, err, out)
	}
	return out
}

// TryGit is Git for what may fail. After an error, it returns what git complains of.
func TryGit(t testing.TB, dir string, args ...string) (string, error) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip(err)
	}
	// A repository for a test needs no process after each commit that looks whether it is untidy, and no wait for the
	// disk.
	settings := []string{"-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false", "-c", "gc.auto=0",
		"-c", "maintenance.auto=false", "-c", "core.fsync=none"}
	cmd := exec.Command("git", append(settings, args...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1")
	var out, complaints strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &complaints
	if err := cmd.Run(); err != nil {
		return complaints.String(), err
	}
	return out.String(), nil
}
