package proc

import (
	"errors"
	"math"
	"os"
	"runtime"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/spillway-go/spillway/internal/sandbox"
)

// launch starts one process on a thread of its own, which ends with it. What is changed
// there before the process is forked (descriptors, the working directory) is inherited
// by the process and seen by nothing else of the host program.
type launch struct {
	path      string
	argv, env []string
	files     []*os.File // descriptors 0 and up, nil where there is none; it has no other
	dir       *os.File   // the working directory
	cgroup    *cgroup    // the control group to start in, or nil
	terminal  bool       // descriptor 0 is its controlling terminal
	sandbox   *sandbox.Sandbox
	rules     *os.File // of the sandbox, or nil
}

// start starts the process. It must be reaped unless there is an error.
func (l launch) start() (pid int, err error) {
	done := make(chan struct{})
	go onOwnThread(func() {
		defer close(done)
		pid, err = l.fork()
	})
	<-done
	runtime.KeepAlive(l) // and the files, of which fork uses the descriptors
	return pid, err
}

// onOwnThread runs f on a thread that ends with f.
func onOwnThread(f func()) {
	runtime.LockOSThread() // for good: a thread whose goroutine ends locked is ended
	if unix.Gettid() != os.Getpid() {
		f()
		return
	}
	// The main thread does not end, and what /proc/self shows is its: another one must
	// do it. That this one is locked meanwhile keeps the other goroutine off it.
	defer runtime.UnlockOSThread()
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread()
		f()
	}()
	<-done
}

// fork starts the process, on a thread of its own. The directory comes first: if its
// file system hangs, the thread does, and should hold nothing then.
func (l launch) fork() (pid int, err error) {
	attr := &syscall.ProcAttr{Env: l.env, Sys: &syscall.SysProcAttr{Setsid: true, Setctty: l.terminal}}
	for _, f := range l.files {
		attr.Files = append(attr.Files, f.Fd())
	}
	if l.cgroup != nil {
		attr.Sys.UseCgroupFD, attr.Sys.CgroupFD = true, l.cgroup.dir
	}
	if attr.Dir, err = enter(l.dir); err != nil {
		return 0, err
	}
	// The lock keeps this thread from a copy of the pipe by which another thread, that starts
	// a process, learns that it has been started.
	syscall.ForkLock.RLock()
	keepDescriptors()
	syscall.ForkLock.RUnlock()
	defer defaultSignals()()
	if err := l.sandbox.Enter(l.rules, l.cgroup != nil); err != nil {
		return 0, err
	}
	// Not os.StartProcess: its descriptor of the process would be this thread's alone.
	pid, err = syscall.ForkExec(l.path, l.argv, attr)
	if err != nil {
		return 0, &os.PathError{Op: "fork/exec", Path: l.path, Err: err}
	}
	return pid, nil
}

// enter makes dir the thread's working directory. Where a filter of system calls does
// not allow it one of its own, as Docker's does, it returns a name for the child to enter:
// one that stands for the descriptor, or without /proc that of the directory.
func enter(dir *os.File) (name string, err error) {
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

// keepDescriptors keeps what the host program has open from what the thread starts,
// whether it is close-on-exec or not. The thread gets descriptors of its own for that.
// They are not closed: the runtime uses some of them on any thread.
//
// Before Linux 5.11 it takes more than one call. Where a filter forbids that too, files
// that the host program has opened without close-on-exec are inherited.
func keepDescriptors() {
	if unix.CloseRange(3, math.MaxUint32, unix.CLOSE_RANGE_UNSHARE|unix.CLOSE_RANGE_CLOEXEC) == nil {
		return
	}
	if unix.Unshare(unix.CLONE_FILES) == nil {
		keepEachDescriptor()
	}
}

func keepEachDescriptor() {
	fds, _ := listNumbers("/proc/thread-self/fd", 0)
	for _, fd := range fds {
		if fd > 2 {
			unix.CloseOnExec(fd)
		}
	}
}

// childState reports whether a pid is that of a child that nobody has reaped, and whether
// it has ended. It is not reaped.
func childState(pid int) (child, ended bool) {
	var info unix.Siginfo
	err := unix.Waitid(unix.P_PID, pid, &info, unix.WEXITED|unix.WNOHANG|unix.WNOWAIT, nil)
	return !errors.Is(err, unix.ECHILD), err == nil && info.Signo != 0
}
