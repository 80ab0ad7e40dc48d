//go:build amd64 || arm64

package netns

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// kinds are the ways to make a namespace that this program has: root has both.
func kinds() map[string]bool {
	withUser := map[string]bool{"with a user namespace": true}
	if mayMake() {
		withUser["without one"] = false
	}
	return withUser
}

// eachKind runs a test for each kind of namespace.
func eachKind(t *testing.T, test func(t *testing.T, with func(ports ...int) *Namespace)) {
	for name, withUser := range kinds() {
		t.Run(name, func(t *testing.T) {
			test(t, func(ports ...int) *Namespace {
				t.Helper()
				n, err := newNamespace(withUser, ports)
				if err != nil && os.Getenv("SANDBOX_TESTS") == "" {
					t.Skip(err)
				}
				require.NoError(t, err)
				t.Cleanup(n.Close)
				require.Equal(t, withUser, n.NeedsStart())
				return n
			})
		})
	}
}

// run runs a shell script in a namespace, and returns what it prints and its exit code.
func run(t *testing.T, n *Namespace, script string, filter []byte) (string, int) {
	t.Helper()
	out, in, err := os.Pipe()
	require.NoError(t, err)
	defer out.Close()
	type result struct {
		pid int
		err error
	}
	started := make(chan result)
	go func() {
		runtime.LockOSThread() // and end the thread
		var r result
		if r.err = n.Enter(); r.err == nil {
			attr := &syscall.ProcAttr{
				Env: []string{"PATH=" + os.Getenv("PATH")}, Files: []uintptr{^uintptr(0), in.Fd(), in.Fd()},
				Sys: &syscall.SysProcAttr{Setsid: true},
			}
			start := syscall.ForkExec
			if n.NeedsStart() {
				start = func(path string, argv []string, attr *syscall.ProcAttr) (int, error) {
					return n.Start(path, argv, attr, filter)
				}
			}
			r.pid, r.err = start("/bin/bash", []string{"bash", "-c", script}, attr)
		}
		started <- r
	}()
	r := <-started
	in.Close()
	require.NoError(t, r.err)
	text, err := io.ReadAll(out)
	require.NoError(t, err)
	var status syscall.WaitStatus
	_, err = syscall.Wait4(r.pid, &status, 0, nil)
	require.NoError(t, err)
	return string(text), status.ExitStatus()
}

func TestListenersServeTheNamespaceAlone(t *testing.T) {
	eachKind(t, func(t *testing.T, with func(...int) *Namespace) {
		n := with(61080, 0)
		require.Len(t, n.Listeners(), 2)
		for _, l := range n.Listeners() {
			testkit.Accept(l, func(c net.Conn) { fmt.Fprintf(c, "hello from %s\n", c.LocalAddr()) })
		}
		require.Equal(t, "127.0.0.1:61080", n.Listeners()[0].Addr().String())
		other := n.Listeners()[1].Addr().(*net.TCPAddr)
		out, code := run(t, n, fmt.Sprintf("cat </dev/tcp/127.0.0.1/61080; cat </dev/tcp/localhost/%d", other.Port), nil)
		require.Zero(t, code, out)
		require.Equal(t, fmt.Sprintf("hello from 127.0.0.1:61080\nhello from %s\n", other), out)
		for _, l := range n.Listeners() { // not on the host
			_, err := net.Dial("tcp", l.Addr().String())
			require.ErrorIs(t, err, unix.ECONNREFUSED)
		}
	})
}

func TestANamespaceReachesNothingElse(t *testing.T) {
	host := testkit.Listen(t)
	eachKind(t, func(t *testing.T, with func(...int) *Namespace) {
		n := with()
		out, code := run(t, n, fmt.Sprintf(`(exec 3<>/dev/tcp/127.0.0.1/%d) 2>&1`, host.Addr().(*net.TCPAddr).Port), nil)
		require.NotZero(t, code)
		require.Contains(t, out, "Connection refused")
		out, code = run(t, n, `(exec 3<>/dev/tcp/192.0.2.1/80) 2>&1`, nil)
		require.NotZero(t, code)
		require.Contains(t, out, "Network is unreachable")
		out, _ = run(t, n, `tail -n +3 /proc/net/dev | cut -d: -f1; wc -l </proc/net/route`, nil)
		require.Equal(t, []string{"lo", "1"}, strings.Fields(out))
	})
}

func TestProcessesKeepUserAndLimits(t *testing.T) {
	const script = `id -u; id -g; ulimit -Sn; grep -E '^(Sig(Blk|Ign)|ShdPnd)' /proc/self/status; ls /proc/self/fd; ps -o sid= -p $$`
	eachKind(t, func(t *testing.T, with func(...int) *Namespace) {
		strip := func(out string) string { // the session is the shell's own
			lines := strings.Fields(out)
			return strings.Join(lines[:len(lines)-1], " ")
		}
		out, code := run(t, with(), script, nil)
		require.Zero(t, code, out)
		want, _ := run(t, nil, script, nil)
		require.Equal(t, strip(want), strip(out))
	})
}

func TestFailuresToStart(t *testing.T) {
	eachKind(t, func(t *testing.T, with func(...int) *Namespace) {
		n := with()
		if !n.NeedsStart() {
			t.Skip("Start is not for it")
		}
		attr := &syscall.ProcAttr{Sys: &syscall.SysProcAttr{Setsid: true}}
		_, err := n.Start("/there/is/none", []string{"x"}, attr, nil)
		require.ErrorIs(t, err, unix.ENOENT)
		attr.Dir = "/there/is/none"
		_, err = n.Start("/bin/true", []string{"x"}, attr, nil)
		require.ErrorIs(t, err, unix.ENOENT)
		_, err = n.Start("/bin/true", []string{"x\x00"}, attr, nil)
		require.ErrorIs(t, err, unix.EINVAL)
		_, err = unix.Wait4(-1, nil, unix.WNOHANG|unix.WALL, nil)
		require.ErrorIs(t, err, unix.ECHILD, "every child was reaped")
	})
}

func TestPortsInUse(t *testing.T) {
	for name, withUser := range kinds() {
		t.Run(name, func(t *testing.T) {
			before := descriptors(t)
			_, err := newNamespace(withUser, []int{61080, 61080})
			require.ErrorIs(t, err, unix.EADDRINUSE)
			require.ErrorContains(t, err, "listening")
			_, err = newNamespace(withUser, []int{1, 2, 3, 4, 5})
			require.Error(t, err)
			require.Equal(t, before, descriptors(t))
		})
	}
}

// TestNothingIsLeft makes and closes many namespaces, some at the same time.
func TestNothingIsLeft(t *testing.T) {
	eachKind(t, func(t *testing.T, with func(...int) *Namespace) {
		with().Close() // what the runtime opens once
		before := descriptors(t)
		var done sync.WaitGroup
		for range 4 {
			done.Go(func() {
				for range 10 {
					n := with(61080, 61081)
					run(t, n, "exit", nil)
					n.Close()
					n.Close()
				}
			})
		}
		done.Wait()
		require.Equal(t, before, descriptors(t))
		_, err := unix.Wait4(-1, nil, unix.WNOHANG|unix.WALL, nil)
		require.ErrorIs(t, err, unix.ECHILD)
	})
}

func TestCloseEndsAccept(t *testing.T) {
	eachKind(t, func(t *testing.T, with func(...int) *Namespace) {
		n := with(0)
		ended := make(chan error)
		go func() {
			_, err := n.Listeners()[0].Accept()
			ended <- err
		}()
		n.Close()
		require.ErrorIs(t, <-ended, net.ErrClosed)
	})
	var none *Namespace
	none.Close()
	require.NoError(t, none.Enter())
	require.False(t, none.NeedsStart())
	require.Nil(t, none.Listeners())
}

// descriptors returns what the open descriptors of this program lead to, without those of the runtime.
func descriptors(t *testing.T) []string {
	t.Helper()
	var found []string
	entries := testkit.Must(t, os.ReadDir, "/proc/self/fd")
	for _, e := range entries {
		to, err := os.Readlink(filepath.Join("/proc/self/fd", e.Name()))
		if err == nil && !strings.HasPrefix(to, "/proc/") {
			found = append(found, e.Name()+" "+to)
		}
	}
	return found
}

// A program whose memory others cannot read makes a user namespace, and stays such a program.
func TestUndumpable(t *testing.T) {
	require.NoError(t, unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0))
	defer unix.Prctl(unix.PR_SET_DUMPABLE, 1, 0, 0, 0)
	n, err := newNamespace(true, nil)
	if n == nil {
		t.Skipf("no user namespaces here: %v", err)
	}
	n.Close()
	is, err := unix.PrctlRetInt(unix.PR_GET_DUMPABLE, 0, 0, 0, 0)
	require.NoError(t, err)
	require.Zero(t, is)
}

// Each step that is refused says what an administrator can change.
func TestRefusedIDs(t *testing.T) {
	for errno, want := range map[unix.Errno]string{
		unix.EACCES: "netns: writing the ids of a user namespace: permission denied (",
		unix.EPERM:  "netns: writing the ids of a user namespace: operation not permitted (",
	} {
		m := newMaking(true, nil)
		m.failed = failure{mapping, uintptr(errno)}
		err := m.explain()
		require.ErrorIs(t, err, errno)
		require.ErrorContains(t, err, want)
		require.ErrorContains(t, err, "an administrator can")
	}
}

func TestRefusing(t *testing.T) {
	name, value := Refusing()
	if name != "" {
		is, err := os.ReadFile("/proc/sys/" + strings.ReplaceAll(name, ".", "/"))
		require.NoError(t, err)
		require.Equal(t, value, string(bytes.TrimSpace(is)))
	}
}

func BenchmarkNew(b *testing.B) {
	for name, withUser := range kinds() {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				n, err := newNamespace(withUser, []int{61080, 61081})
				if err != nil {
					b.Fatal(err)
				}
				n.Close()
			}
		})
	}
}

// TestSettingsThatRefuse changes settings for a user namespace of its own.
func TestSettingsThatRefuse(t *testing.T) {
	const variable = "TEST_REFUSED"
	if name := os.Getenv(variable); name != "" {
		_, err := newNamespace(true, nil)
		require.ErrorIs(t, err, unix.ENOSPC)
		require.ErrorContains(t, err, "netns: making a network namespace: ")
		require.ErrorContains(t, err, "("+name+" is 0, which keeps programs without rights from making namespaces)")
		return
	}
	for _, name := range []string{"user.max_user_namespaces", "user.max_net_namespaces"} {
		script := `echo 0 >/proc/sys/` + strings.ReplaceAll(name, ".", "/") + ` && exec "$0" -test.run='^TestSettingsThatRefuse$' -test.v`
		cmd := exec.Command("unshare", "-Ur", "sh", "-c", script, os.Args[0])
		cmd.Env = append(os.Environ(), variable+"="+name)
		out, err := cmd.CombinedOutput()
		if err != nil && !strings.Contains(string(out), "=== RUN") {
			t.Skip(string(out))
		}
		require.NoError(t, err, string(out))
	}
}

// TestStartInControlGroup starts a process in a control group that this program makes.
func TestStartInControlGroup(t *testing.T) {
	is := testkit.ReadFile(t, "/proc/self/cgroup")
	_, path, found := strings.Cut(is, "0::")
	root := "/sys/fs/cgroup"
	if _, err := os.Stat(root + "/unified"); err == nil {
		root += "/unified"
	}
	dir := filepath.Join(root, strings.TrimSpace(path), "spillway-test")
	if err := os.Mkdir(dir, 0o700); !found || err != nil {
		t.Skip("no control groups here")
	}
	defer os.Remove(dir)
	group := testkit.Must(t, os.Open, dir)
	defer group.Close()
	eachKind(t, func(t *testing.T, with func(...int) *Namespace) {
		n := with()
		if !n.NeedsStart() {
			t.Skip("Start is not for it")
		}
		attr := &syscall.ProcAttr{Sys: &syscall.SysProcAttr{UseCgroupFD: true, CgroupFD: int(group.Fd())}}
		script := "grep -q '/spillway-test$' /proc/self/cgroup"
		pid, err := n.Start("/bin/sh", []string{"sh", "-c", script}, attr, nil)
		require.NoError(t, err)
		var status syscall.WaitStatus
		_, err = syscall.Wait4(pid, &status, 0, nil)
		require.NoError(t, err)
		require.Zero(t, status.ExitStatus())
	})
}
