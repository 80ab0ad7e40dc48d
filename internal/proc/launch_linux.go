package proc

import (
	"errors"
	"fmt"
	"math"
	"os"
	"runtime"
	"strconv"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// launch starts one process. It forks on a thread of its own, whose descriptors and working directory it changes
// first: the process inherits them, and the rest of the host program is not affected. Then the thread ends.
type launch struct {
	path      string
	argv, env []string
	files     []*os.File // all descriptors, from 0 up; nil means closed
	dir       *os.File   // the working directory
	cgroup    *cgroup    // the control group to start in, or nil
	terminal  bool       // descriptor 0 is the controlling terminal
	sandbox   Sandbox
	rules     *os.File // rules of the sandbox, or nil
	network   Network  // nil means the host's
}

// start starts the process. Unless start fails, the caller must reap it.
func (l launch) start() (pid int, err error) {
	done := make(chan struct{})
	go onOwnThread(func() {
		defer close(done)
		pid, err = l.fork()
	})
	<-done
	runtime.KeepAlive(l) // fork uses only the descriptors of its files
	return pid, err
}

// onOwnThread runs f on a thread that ends with f.
func onOwnThread(f func()) {
	runtime.LockOSThread() // the thread ends with a goroutine that does not unlock it
	if unix.Gettid() != os.Getpid() {
		f()
		return
	}
	// This must not happen on the main thread, which would not end and whose state /proc/self shows. Locking it makes
	// the goroutine below run on another thread.
	defer runtime.UnlockOSThread()
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread()
		f()
	}()
	<-done
}

// fork starts the process, on a thread of its own. It sets the directory first: if the file system hangs, so does the
// thread, which must hold nothing then.
func (l launch) fork() (pid int, err error) {
	attr := &syscall.ProcAttr{Env: l.env, Sys: &syscall.SysProcAttr{Setsid: true, Setctty: l.terminal}}
	for _, f := range l.files {
		attr.Files = append(attr.Files, f.Fd())
	}
	if l.cgroup != nil {
		attr.Sys.UseCgroupFD, attr.Sys.CgroupFD = true, l.cgroup.dir
	}
	if attr.Dir, err = changeDir(l.dir); err != nil {
		return 0, err
	}
	// Another thread that starts a process waits for the end of a pipe. The lock keeps that pipe
	// out of this thread's copy of the descriptors.
	syscall.ForkLock.RLock()
	closeOnExec()
	syscall.ForkLock.RUnlock()
	if l.cgroup != nil {
		defer l.cgroup.enter()()
	}
	defer defaultSignals()()
	start := forkExec
	if l.network != nil {
		if err := l.network.Enter(); err != nil { // before the filter, which forbids it
			return 0, err
		}
		if l.network.NeedsStart() {
			start = l.network.Start
		}
	}
	var filter []byte
	if l.rules != nil {
		if err := l.sandbox.Enter(l.rules); err != nil {
			return 0, err
		}
		filter = l.sandbox.Filter(l.cgroup != nil)
	}
	// os.StartProcess would open a descriptor of the process that only this thread has.
	pid, err = start(l.path, l.argv, attr, filter)
	if err != nil {
		return 0, &os.PathError{Op: "fork/exec", Path: l.path, Err: err}
	}
	return pid, nil
}

// forkExec is syscall.ForkExec on a thread whose system calls are filtered from now on, unless filter is nil.
func forkExec(path string, argv []string, attr *syscall.ProcAttr, filter []byte) (pid int, err error) {
	if filter != nil {
		size := int(unsafe.Sizeof(unix.SockFilter{}))
		program := unix.SockFprog{
			Len: uint16(len(filter) / size), Filter: (*unix.SockFilter)(unsafe.Pointer(unsafe.SliceData(filter))),
		}
		_, _, errno := unix.Syscall(
			unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, 0, uintptr(unsafe.Pointer(&program)))
		if errno != 0 {
			return 0, os.NewSyscallError("seccomp", errno)
		}
	}
	return syscall.ForkExec(path, argv, attr)
}

// changeDir makes dir the working directory of this thread alone. Where a system call filter
// such as Docker's forbids that, it returns a name for the child to change to instead: that of
// the descriptor in /proc, or without /proc that of the directory.
func changeDir(dir *os.File) (name string, err error) {
	fd := int(dir.Fd())
	if unix.Unshare(unix.CLONE_FS) == nil {
		return "", unix.Fchdir(fd)
	}
	name = "/proc/self/fd/" + strconv.Itoa(fd)
	if errors.Is(unix.Access(name, unix.F_OK), unix.ENOENT) {
		name = dir.Name()
	}
	return name, nil
}

// closeOnExec keeps the host program's open files from the processes that this thread starts,
// by setting close-on-exec in a copy of the descriptors for this thread. It does not close
// them, because the runtime uses some of them on any thread.
//
// Before Linux 5.11 that takes several calls. If a system call filter forbids these too,
// processes inherit the files that the host program opened without close-on-exec.
func closeOnExec() {
	if unix.CloseRange(3, math.MaxUint32, unix.CLOSE_RANGE_UNSHARE|unix.CLOSE_RANGE_CLOEXEC) == nil {
		return
	}
	if unix.Unshare(unix.CLONE_FILES) == nil {
		closeEachOnExec()
	}
}

func closeEachOnExec() {
	fds, _ := listNumbers("/proc/thread-self/fd", 0)
	for _, fd := range fds {
		if fd > 2 {
			unix.CloseOnExec(fd)
		}
	}
}

// childState reports whether a pid is that of a child that has not been reaped, and whether the
// child has ended. It does not reap it.
func childState(pid int) (child, ended bool) {
	var info unix.Siginfo
	err := unix.Waitid(unix.P_PID, pid, &info, unix.WEXITED|unix.WNOHANG|unix.WNOWAIT, nil)
	return !errors.Is(err, unix.ECHILD), err == nil && info.Signo != 0
}

// openDir returns OpenDir, or opens Dir.
func (c *Command) openDir() (*os.File, error) {
	dir := c.OpenDir
	if dir == nil {
		// O_PATH does not require the directory to be readable.
		fd, err := unix.Open(c.Dir, unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
		if err != nil {
			return nil, fmt.Errorf("%w %s: %w", ErrDir, c.Dir, err)
		}
		return os.NewFile(uintptr(fd), c.Dir), nil
	}
	var info unix.Stat_t
	err := unix.Fstat(int(dir.Fd()), &info)
	if err == nil && info.Nlink == 0 { // removed
		err = unix.ENOENT
	}
	if err != nil {
		return nil, fmt.Errorf("%w %s: %w", ErrDir, c.Dir, err)
	}
	return dir, nil
}
