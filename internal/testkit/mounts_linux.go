package testkit

import (
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

const mountsVariable = "SPILLWAY_TEST_MOUNTS"

// OwnNamespace starts this program again in a mount namespace of its own, where it may. It is for packages whose tests
// mount, and for those with sandboxes: bwrap fails to start a command if a mount vanishes while it binds the tree. With
// -short, /var/tmp and a directory for temporary files are in memory there, as InMemory has them, but where a sandbox,
// which has a /dev of its own, sees them too. It is called before testing.M's Run.
func OwnNamespace() {
	if os.Getenv(namespaceVariable) != "" {
		return
	}
	os.Setenv(namespaceVariable, "1") // also for what the tests start
	own, err := os.Executable()
	if err != nil {
		return // there is no /proc
	}
	runtime.LockOSThread() // the namespace is this thread's until the program is started again
	defer runtime.UnlockOSThread()
	if unix.Unshare(unix.CLONE_NEWNS) != nil {
		return // and what may not do this may not mount
	}
	err = unix.Mount("none", "/", "", unix.MS_REC|unix.MS_PRIVATE, "")
	if flag.Parse(); err == nil && testing.Short() && os.Getenv("TMPDIR") == "" && !strings.HasPrefix(own, "/var/tmp/") && memoryWorks() {
		temp := filepath.Join(os.TempDir(), "spillway-test-memory")
		for _, dir := range []string{"/var/tmp", temp} {
			if err = os.MkdirAll(dir, 0o755); err == nil {
				err = unix.Mount("spillway-test", dir, "tmpfs", unix.MS_NODEV, "mode=1777")
			}
		}
		if err == nil {
			os.Setenv("TMPDIR", temp)
		}
	}
	_ = syscall.Exec(own, os.Args, os.Environ())
}

// OwnMounts runs a test again, in a process with a mount namespace of its own, and reports whether
// this is that process: what it mounts, nobody else sees. It skips the test where that is refused.
func OwnMounts(t *testing.T) bool {
	t.Helper()
	if os.Getenv(mountsVariable) == t.Name() {
		if err := unix.Mount("none", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
			t.Fatal(err)
		}
		return true
	}
	cmd := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
	cmd.Env = append(os.Environ(), mountsVariable+"="+t.Name())
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: unix.CLONE_NEWNS}
	if os.Geteuid() != 0 {
		cmd.SysProcAttr.Cloneflags |= unix.CLONE_NEWUSER
		cmd.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{HostID: os.Geteuid(), Size: 1}}
		cmd.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{HostID: os.Getegid(), Size: 1}}
	}
	out, err := cmd.CombinedOutput()
	var failed *exec.ExitError
	if err != nil && !errors.As(err, &failed) {
		t.Skip("no mount namespace: ", err)
	}
	if t.Log(string(out)); err != nil {
		t.Fatal(err)
	}
	return false
}

// Bind shows a file or a directory in the place of another one. The test has OwnMounts.
func Bind(t *testing.T, from, to string) {
	t.Helper()
	if err := unix.Mount(from, to, "", unix.MS_BIND, ""); err != nil {
		t.Fatal(err)
	}
}
