//go:build amd64 || arm64

package sandbox_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/spillway-go/spillway/config"
)

// ipc names what programs of a user share without a file.
type ipc struct {
	Memory, Semaphores, Messages uintptr
	Queue                        string
}

// share makes one of each.
func share(t *testing.T) (i ipc) {
	get := func(number, remove, a, b, c uintptr) uintptr {
		id, _, errno := unix.Syscall(number, a, b, c)
		require.Zero(t, errno, number)
		t.Cleanup(func() {
			unix.Syscall(remove, id, unix.IPC_RMID, 0)          // of memory and messages
			unix.Syscall(remove, id, 0, uintptr(unix.IPC_RMID)) // of semaphores
		})
		return id
	}
	i.Memory = get(unix.SYS_SHMGET, unix.SYS_SHMCTL, unix.IPC_PRIVATE, 4096, unix.IPC_CREAT|0o600)
	i.Semaphores = get(unix.SYS_SEMGET, unix.SYS_SEMCTL, unix.IPC_PRIVATE, 1, unix.IPC_CREAT|0o600)
	i.Messages = get(unix.SYS_MSGGET, unix.SYS_MSGCTL, unix.IPC_PRIVATE, unix.IPC_CREAT|0o600, 0)
	require.NoError(t, i.send())
	i.Queue = "spillway-test-" + tostring(os.Getpid()) + "-" + tostring(int(i.Messages))
	require.NoError(t, openQueue(i.Queue, unix.O_CREAT))
	t.Cleanup(func() { unlinkQueue(i.Queue) })
	return i
}

// send leaves a message in the queue of System V, if there is room.
func (i ipc) send() error {
	message := [2]uint64{1}
	_, _, errno := unix.Syscall6(unix.SYS_MSGSND, i.Messages, uintptr(unsafe.Pointer(&message)), 8, unix.IPC_NOWAIT, 0, 0)
	return unlessZero(errno)
}

func (i ipc) receive() error {
	var message [2]uint64
	_, _, errno := unix.Syscall6(unix.SYS_MSGRCV, i.Messages, uintptr(unsafe.Pointer(&message)), 8, 0, unix.IPC_NOWAIT, 0)
	return unlessZero(errno)
}

// operate adds 1 to the semaphore.
func (i ipc) operate(number uintptr) error {
	operation := [3]int16{0, 1, unix.IPC_NOWAIT}
	_, _, errno := unix.Syscall6(number, i.Semaphores, uintptr(unsafe.Pointer(&operation)), 1, 0, 0, 0)
	return unlessZero(errno)
}

func unlessZero(errno syscall.Errno) error {
	if errno != 0 {
		return errno
	}
	return nil
}

// openQueue opens a queue of POSIX, whose name has no slash in front for the system.
func openQueue(name string, flags uintptr) error {
	path, err := unix.BytePtrFromString(name)
	if err != nil {
		return err
	}
	fd, _, errno := unix.Syscall6(unix.SYS_MQ_OPEN, uintptr(unsafe.Pointer(path)), unix.O_RDWR|flags, 0o600, 0, 0, 0)
	if errno == 0 {
		unix.Close(int(fd))
	}
	return unlessZero(errno)
}

func unlinkQueue(name string) error {
	path, err := unix.BytePtrFromString(name)
	return first(err, call(unix.SYS_MQ_UNLINK, uintptr(unsafe.Pointer(path)), 0, 0))
}

// sharing are attempts at what other programs share, and at what commands are found by.
var sharing = []escape{
	{name: "FIFO", gap: "FIFOs", try: func(t target) error { return openFor(t.FIFO, os.O_WRONLY|unix.O_NONBLOCK) }},
	{name: "shared memory attached", try: func(t target) error { return call(unix.SYS_SHMAT, t.IPC.Memory, 0, 0) }},
	{name: "shared memory removed", try: func(t target) error { return call(unix.SYS_SHMCTL, t.IPC.Memory, unix.IPC_RMID, 0) }},
	{name: "semaphore", try: func(t target) error { return t.IPC.operate(unix.SYS_SEMOP) }},
	{name: "semaphore, timed", try: func(t target) error { return t.IPC.operate(unix.SYS_SEMTIMEDOP) }},
	{name: "semaphores removed", try: func(t target) error { return call(unix.SYS_SEMCTL, t.IPC.Semaphores, 0, unix.IPC_RMID) }},
	{name: "message sent", try: func(t target) error { return t.IPC.send() }},
	{name: "message received", try: func(t target) error { return t.IPC.receive() }},
	{name: "messages removed", try: func(t target) error { return call(unix.SYS_MSGCTL, t.IPC.Messages, unix.IPC_RMID, 0) }},
	{name: "queue opened", try: func(t target) error { return openQueue(t.IPC.Queue, 0) }},
	{name: "queue removed", try: func(t target) error { return unlinkQueue(t.IPC.Queue) }},

	{name: "limit that marks", try: func(target) error {
		return unix.Prlimit(0, unix.RLIMIT_RTTIME, &unix.Rlimit{Cur: 1 << 40, Max: unix.RLIM_INFINITY}, nil)
	}},
	{name: "limit that marks, by setrlimit", try: func(target) error {
		limit := unix.Rlimit{Cur: 1 << 40, Max: unix.RLIM_INFINITY}
		return call(unix.SYS_SETRLIMIT, unix.RLIMIT_RTTIME, uintptr(unsafe.Pointer(&limit)), 0)
	}},
	{name: "limit that marks, at an address whose lower half is 0", try: func(target) error {
		const at = 1 << 32
		mapped, _, errno := unix.Syscall6(unix.SYS_MMAP, at, 4096, unix.PROT_READ, unix.MAP_ANON|unix.MAP_PRIVATE|unix.MAP_FIXED_NOREPLACE, ^uintptr(0), 0)
		if errno != 0 || mapped != at {
			return fmt.Errorf("mapped at %x: %w", mapped, errno)
		}
		_, _, errno = unix.Syscall6(unix.SYS_PRLIMIT64, 0, unix.RLIMIT_RTTIME, at, 0, 0, 0)
		return unlessZero(errno)
	}},
	{name: "another control group", may: true, gap: "another control group", try: func(target) error { return inControlGroup() }},
}

func init() { escapes = append(escapes, sharing...) }

// inControlGroup starts a process in the topmost control group.
func inControlGroup() error {
	mounts, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(mounts)) {
		if fields := strings.Fields(line); strings.Contains(line, " - cgroup2 ") {
			group, err := os.Open(fields[4])
			if err != nil {
				return err
			}
			defer group.Close()
			cmd := exec.Command(os.Args[0])
			cmd.Env = append(os.Environ(), roleVariable+"=nothing")
			cmd.SysProcAttr = &syscall.SysProcAttr{UseCgroupFD: true, CgroupFD: int(group.Fd())}
			return cmd.Run()
		}
	}
	return errors.New("there are no control groups")
}

// TestLimits sets and reads limits as builds do.
func TestLimits(t *testing.T) {
	t.Parallel()
	for _, engine := range engines {
		s := newSuite(t, config.Config{Bash: config.Bash{Sandbox: config.Sandbox(engine)}})
		res := run(t, s, "ulimit -n 64; ulimit -n; ulimit -a >all && grep -c 'open files' all; ulimit -c 0 && echo set")
		require.Equal(t, "64\n1\nset\n", res.Output)
	}
}

// TestConfigurationReplaced has a job go on while git's configuration is replaced outside, as git
// does it. Binds do not last then, which the sandbox says.
func TestConfigurationReplaced(t *testing.T) {
	t.Parallel()
	ws := filepath.Join(outside(t), "workspace")
	require.NoError(t, os.Mkdir(ws, 0o700))
	git(t, ws, "init", "-q")
	s := newSuite(t, config.Config{Workspace: ws, Bash: config.Bash{Sandbox: "bwrap"}})
	require.NoError(t, unix.Mkfifo(filepath.Join(ws, "go-on"), 0o600))
	done := make(chan string)
	go func() {
		const try = "(echo '#' >>.git/config) 2>/dev/null && echo written || echo refused; "
		res := run(t, s, try+"read <go-on; "+try)
		done <- res.Output + fmt.Sprint(res.Sandbox.NotEnforced)
	}()
	goOn, err := os.OpenFile(filepath.Join(ws, "go-on"), os.O_WRONLY, 0) // when the command has come to it
	require.NoError(t, err)
	git(t, ws, "config", "user.name", "somebody")
	require.NoError(t, goOn.Close())
	said := <-done
	require.True(t, strings.HasPrefix(said, "refused\n"), said)
	require.Contains(t, said, "changing git's configuration while a program outside replaces it")
	require.Equal(t, "refused\n", run(t, s, "(echo '#' >>.git/config) 2>/dev/null && echo written || echo refused").Output)
	t.Log(said)
}
