package proc

import (
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/spillway-go/spillway/internal/testkit"
	"golang.org/x/sys/unix"
)

// refusals are system calls that a container's filter or an old kernel refuses.
var refusals = []struct {
	name    string
	calls   []uint32
	errno   unix.Errno
	inherit bool // descriptors cannot be kept from commands
}{
	{"docker", []uint32{unix.SYS_UNSHARE}, unix.EPERM, false},
	{"before close_range", []uint32{unix.SYS_CLOSE_RANGE}, unix.ENOSYS, false},
	{"before descriptors of processes", []uint32{unix.SYS_PIDFD_OPEN, unix.SYS_PIDFD_SEND_SIGNAL, unix.SYS_CLONE3}, unix.ENOSYS, false},
	{"everything", []uint32{unix.SYS_UNSHARE, unix.SYS_CLOSE_RANGE, unix.SYS_PIDFD_OPEN}, unix.ENOSYS, true},
}

// TestRefused runs this test again where system calls are refused.
func TestRefused(t *testing.T) {
	testkit.Raced(t)
	testkit.NeedProc(t)
	const variable = "SPILLWAY_TEST_REFUSED"
	for i, r := range refusals {
		t.Run(r.name, func(t *testing.T) {
			if os.Getenv(variable) != "" {
				if err := refuse(refusals[i].calls, r.errno); err != nil {
					t.Skip(err)
				}
				eachMode(t, func(t *testing.T, g *Group) { runRefused(t, g, r.inherit) })
				return
			}
			t.Parallel() // each has a program of its own
			cmd := exec.Command(os.Args[0], "-test.v", "-test.run=^TestRefused$/^"+strings.ReplaceAll(r.name, " ", "_")+"$")
			cmd.Env = append(os.Environ(), variable+"=1")
			out, err := cmd.CombinedOutput()
			if err != nil {
				t.Errorf("%v\n%s", err, out)
			} else if strings.Contains(string(out), "--- SKIP: TestRefused/"+strings.ReplaceAll(r.name, " ", "_")+" ") {
				t.Skipf("%s", out)
			}
		})
	}
}

func runRefused(t *testing.T, g *Group, inherit bool) {
	fd, err := unix.FcntlInt(0, unix.F_DUPFD, 77) // without close-on-exec
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(fd)
	b := newBench(t, g)
	before, _ := os.Getwd()
	defer func() {
		if after, err := os.Getwd(); after != before || err != nil {
			t.Errorf("the program's own directory is %q now: %v", after, err)
		}
	}()
	os.Mkdir(b.path("sub"), 0o700)
	os.WriteFile(b.path("sub/inside"), nil, 0o600)
	held, err := os.Open(b.path("sub"))
	if err != nil {
		t.Fatal(err)
	}
	os.Rename(b.path("sub"), b.path("moved"))
	c := b.command("echo *; cd /proc/self/fd; echo *")
	c.Dir, c.OpenDir = b.path("sub"), held
	if o, out := b.run(c); o.ExitCode != 0 || out != "inside\n0 1 2 3\n" && !inherit {
		t.Errorf("outcome %+v, output %q", o, out)
	}
	if o, out := b.run(b.command(`echo "$0 $# $-"; exit 3`)); o.ExitCode != 3 || out != "bash 0 hBc\n" {
		t.Errorf("outcome %+v, output %q", o, out)
	}
	for range 2 {
		b.run(b.command("env -i setsid sleep $LONG >/dev/null 2>&1 &"))
		c := b.command("env -i setsid sleep $LONG >/dev/null 2>&1 & sleep $LONG")
		c.Timeout = 20 * time.Millisecond
		b.run(c)
	}
	g.Close()
	b.noneLeft(0)
}

// refuse makes system calls fail for this program and all that it starts.
func refuse(calls []uint32, errno unix.Errno) error {
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return err
	}
	program := []unix.SockFilter{{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS}} // the number of the call
	for _, call := range calls {
		program = append(program,
			unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: call, Jf: 1},
			unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ERRNO | uint32(errno)})
	}
	program = append(program, unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ALLOW})
	filter := unix.SockFprog{Len: uint16(len(program)), Filter: &program[0]}
	_, _, failed := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_TSYNC, uintptr(unsafe.Pointer(&filter)))
	if failed != 0 {
		return failed
	}
	return nil
}
