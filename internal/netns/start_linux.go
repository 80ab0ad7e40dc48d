//go:build amd64 || arm64

package netns

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/spillway-go/spillway/internal/program"
)

// Enter puts this thread, and what it starts, into the namespace. It does nothing for a namespace that NeedsStart.
func (n *Namespace) Enter() error {
	if n == nil || n.user != nil {
		return nil
	}
	if err := unix.Setns(int(n.net.Fd()), unix.CLONE_NEWNET); err != nil {
		return fmt.Errorf("netns: entering a network namespace: %w", err)
	}
	return nil
}

// Start starts a process in a namespace that NeedsStart, as [syscall.ForkExec] would: with the descriptors, the working
// directory and the capabilities of this thread, which must be locked. Of attr.Sys, it knows Setsid, Setctty for
// descriptor 0, and UseCgroupFD. The filter of system calls, an array of struct sock_filter, is installed
// last; nil is none. The caller must reap the process.
func (n *Namespace) Start(path string, argv []string, attr *syscall.ProcAttr, filter []byte) (pid int, err error) {
	s, err := n.newStarting(path, argv, attr, filter)
	if err != nil {
		return 0, err
	}
	var child, errno uintptr
	syscall.ForkLock.Lock()
	err = unsignaled(func(mask uint64) {
		s.mask = mask
		child, errno = s.vfork()
	})
	syscall.ForkLock.Unlock()
	runtime.KeepAlive(s)
	runtime.KeepAlive(n)
	switch {
	case err != nil:
		return 0, err
	case errno != 0:
		return 0, unix.Errno(errno)
	case s.failed.errno == 0:
		return int(child), nil
	}
	reap(int(child), 0)
	err = unix.Errno(s.failed.errno)
	if s.failed.step == entering {
		err = fmt.Errorf("netns: entering namespaces: %w", err)
	}
	return 0, err
}

// originalFiles returns the limit of open files that processes start with. Go raises its own to the hard limit, and
// programs that go through all possible descriptors would take seconds.
var originalFiles = sync.OnceValue(func() uint64 {
	const usual = 1024
	shell, err := program.Find("sh")
	if err != nil {
		return usual
	}
	out, err := (&exec.Cmd{Path: shell, Args: []string{"sh", "-c", "ulimit -Sn"}, Env: []string{}}).Output()
	if err != nil {
		return usual
	}
	limit, err := strconv.ParseUint(strings.TrimSpace(string(out)), 10, 64)
	if err != nil { // "unlimited"
		return unix.RLIM_INFINITY
	}
	return limit
})

// The steps of starting a process.
const (
	_ = iota
	entering
	executing
)

// cloneArgs is struct clone_args.
type cloneArgs struct {
	flags, pidfd, childTID, parentTID, exitSignal, stack, stackSize, tls, setTID, setTIDSize, cgroup uint64
}

// starting is what the child that becomes a process reads, and what it writes, in memory that it shares.
type starting struct {
	clone     cloneArgs
	clone3    bool
	user, net int
	path, dir *byte
	argv, env []*byte
	files     []int // as Start was given them
	free      int   // a descriptor above all of them
	setsid    bool
	terminal  bool
	limit     unix.Rlimit // of open files
	header    unix.CapUserHeader
	caps      [2]unix.CapUserData
	mask      uint64 // of signals
	filter    *unix.SockFprog

	failed failure
}

func (n *Namespace) newStarting(path string, argv []string, attr *syscall.ProcAttr, filter []byte) (*starting, error) {
	s := &starting{
		user: int(n.user.Fd()), net: int(n.net.Fd()), setsid: attr.Sys.Setsid, terminal: attr.Sys.Setctty,
		header: unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3},
	}
	s.clone = cloneArgs{flags: unix.CLONE_VM | unix.CLONE_VFORK, exitSignal: uint64(unix.SIGCHLD)}
	if attr.Sys.UseCgroupFD {
		s.clone3 = true
		s.clone.flags |= unix.CLONE_INTO_CGROUP
		s.clone.cgroup = uint64(attr.Sys.CgroupFD)
	}
	var err error
	if s.path, err = syscall.BytePtrFromString(path); err != nil {
		return nil, err
	}
	if attr.Dir != "" {
		if s.dir, err = syscall.BytePtrFromString(attr.Dir); err != nil {
			return nil, err
		}
	}
	if s.argv, err = syscall.SlicePtrFromStrings(argv); err != nil {
		return nil, err
	}
	if s.env, err = syscall.SlicePtrFromStrings(attr.Env); err != nil {
		return nil, err
	}
	for _, fd := range attr.Files {
		s.files = append(s.files, int(fd))
		s.free = max(s.free, int(fd))
	}
	s.free = max(s.free, len(s.files)) + 1
	if len(filter) > 0 {
		size := int(unsafe.Sizeof(unix.SockFilter{}))
		s.filter = &unix.SockFprog{
			Len: uint16(len(filter) / size), Filter: (*unix.SockFilter)(unsafe.Pointer(unsafe.SliceData(filter))),
		}
	}
	if err := unix.Capget(&s.header, &s.caps[0]); err != nil {
		return nil, os.NewSyscallError("capget", err)
	}
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &s.limit); err != nil {
		return nil, os.NewSyscallError("getrlimit", err)
	}
	s.limit.Cur = min(originalFiles(), s.limit.Max)
	return s, nil
}

// vfork makes the child, which has executed the program or has ended when vfork returns.
//
//go:noinline
//go:norace
//go:nocheckptr
func (s *starting) vfork() (pid, errno uintptr) {
	if s.clone3 {
		pid, errno = rawVfork(unix.SYS_CLONE3, uintptr(unsafe.Pointer(&s.clone)), unsafe.Sizeof(s.clone))
	} else {
		pid, errno = rawVfork(unix.SYS_CLONE, uintptr(s.clone.flags|s.clone.exitSignal), 0)
	}
	if errno != 0 || pid != 0 {
		return pid, errno
	}
	s.failed.errno = s.child()
	for {
		syscall.RawSyscall(unix.SYS_EXIT_GROUP, 127, 0, 0)
	}
}

// child does the steps up to the first that fails. See rawVfork for what it must not do.
//
//go:noinline
//go:nosplit
//go:norace
//go:nocheckptr
func (s *starting) child() (errno uintptr) {
	resetHandlers()
	s.failed.step = entering
	// It has all capabilities in the user namespace then, whatever those of its thread were.
	if errno = call(unix.SYS_SETNS, uintptr(s.user), unix.CLONE_NEWUSER, 0); errno != 0 {
		return errno
	}
	if errno = call(unix.SYS_SETNS, uintptr(s.net), unix.CLONE_NEWNET, 0); errno != 0 {
		return errno
	}
	errno = call(unix.SYS_CAPSET, uintptr(unsafe.Pointer(&s.header)), uintptr(unsafe.Pointer(&s.caps)), 0)
	if errno != 0 {
		return errno
	}
	s.failed.step = executing
	if s.setsid {
		if errno = call(unix.SYS_SETSID, 0, 0, 0); errno != 0 {
			return errno
		}
	}
	if s.dir != nil {
		if errno = call(unix.SYS_CHDIR, uintptr(unsafe.Pointer(s.dir)), 0, 0); errno != 0 {
			return errno
		}
	}
	if errno = s.arrange(); errno != 0 {
		return errno
	}
	if s.terminal {
		if errno = call(unix.SYS_IOCTL, 0, unix.TIOCSCTTY, 1); errno != 0 {
			return errno
		}
	}
	call(unix.SYS_SETRLIMIT, unix.RLIMIT_NOFILE, uintptr(unsafe.Pointer(&s.limit)), 0)
	syscall.RawSyscall6(unix.SYS_RT_SIGPROCMASK,
		unix.SIG_SETMASK, uintptr(unsafe.Pointer(&s.mask)), 0, unsafe.Sizeof(s.mask), 0, 0)
	if s.filter != nil {
		errno = call(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, 0, uintptr(unsafe.Pointer(s.filter)))
		if errno != 0 {
			return errno
		}
	}
	return call(unix.SYS_EXECVE, uintptr(unsafe.Pointer(s.path)),
		uintptr(unsafe.Pointer(&s.argv[0])), uintptr(unsafe.Pointer(&s.env[0])))
}

// arrange gives the descriptors their numbers. It first moves those out of the way that would be overwritten.
//
//go:nosplit
//go:norace
//go:nocheckptr
func (s *starting) arrange() (errno uintptr) {
	for i := range s.files {
		if s.files[i] >= 0 && s.files[i] < i {
			if errno = call(unix.SYS_DUP3, uintptr(s.files[i]), uintptr(s.free), unix.O_CLOEXEC); errno != 0 {
				return errno
			}
			s.files[i] = s.free
			s.free++
		}
	}
	for i := range s.files {
		switch {
		case s.files[i] < 0:
			call(unix.SYS_CLOSE, uintptr(i), 0, 0)
			continue
		case s.files[i] == i:
			errno = call(unix.SYS_FCNTL, uintptr(i), unix.F_SETFD, 0)
		default:
			errno = call(unix.SYS_DUP3, uintptr(s.files[i]), uintptr(i), 0)
		}
		if errno != 0 {
			return errno
		}
	}
	return 0
}

// action is struct sigaction of the kernel.
type action struct{ handler, flags, restorer, mask uintptr }

// resetHandlers gives every signal that this program handles its default effect, in the child alone.
//
//go:nosplit
//go:norace
//go:nocheckptr
func resetHandlers() {
	const ignored, last = 1, 64
	var is, standard action
	for signal := uintptr(1); signal <= last; signal++ {
		_, _, e := syscall.RawSyscall6(unix.SYS_RT_SIGACTION,
			signal, 0, uintptr(unsafe.Pointer(&is)), unsafe.Sizeof(is.mask), 0, 0)
		if e == 0 && is.handler > ignored {
			syscall.RawSyscall6(unix.SYS_RT_SIGACTION,
				signal, uintptr(unsafe.Pointer(&standard)), 0, unsafe.Sizeof(is.mask), 0, 0)
		}
	}
}

//go:nosplit
//go:norace
//go:nocheckptr
func call(number, a, b, c uintptr) (errno uintptr) {
	_, _, e := syscall.RawSyscall(number, a, b, c)
	return uintptr(e)
}
