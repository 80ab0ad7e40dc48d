//go:build amd64 || arm64

package netns

import (
	"runtime"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// rawVfork makes a system call that makes a child with CLONE_VM and CLONE_VFORK. It returns twice, first in the child.
//
// The child runs in the caller's stack frame while this thread waits. So the caller returns at once in the parent, and
// never in the child, as in syscall.forkAndExecInChild. The child must not allocate, grow the stack, store a pointer or
// return: it makes raw system calls only, and writes what came of it where its parent reads it.
//
//go:noescape
func rawVfork(trap, a1, a2 uintptr) (r1, errno uintptr)

// failure is the step at which a child failed, and why. A child cannot store a string.
type failure struct {
	step  int
	errno uintptr
}

// unsignaled runs f on one thread, which gets no signal meanwhile: a handler of this program must not run in a child.
// It gives f the mask of the signals that the thread blocks otherwise.
func unsignaled(f func(mask uint64)) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	all, mask := ^uint64(0), uint64(0)
	if err := setMask(&all, &mask); err != nil {
		return err
	}
	defer setMask(&mask, nil)
	f(mask)
	return nil
}

func setMask(mask, old *uint64) error {
	_, _, errno := syscall.RawSyscall6(unix.SYS_RT_SIGPROCMASK,
		unix.SIG_SETMASK, uintptr(unsafe.Pointer(mask)), uintptr(unsafe.Pointer(old)), unsafe.Sizeof(*mask), 0, 0)
	if errno != 0 {
		return errno
	}
	return nil
}

// reap reaps a child. flags may be __WALL, for one that sends no signal when it ends.
func reap(pid int, flags int) {
	for {
		if _, err := unix.Wait4(pid, nil, flags, nil); err != unix.EINTR {
			return
		}
	}
}
