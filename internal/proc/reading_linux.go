package proc

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

// maxReading is how many processes and threads Reading looks at. A command with more of them rarely asks questions.
var maxReading = 64 // smaller in tests

type doing int

const (
	busy    doing = iota // it computes, sleeps, waits for something else, or cannot be inspected
	idle                 // it waits for another process of the command: for its end, or for what it writes to a pipe
	locked               // it waits for another thread of its process
	reading              // it waits for input
)

// systemCall is a system call in which a thread may wait for input or for another thread.
type systemCall int

const (
	other systemCall = iota
	read
	selects
	waits
	locks
)

// systemCalls has the system calls of this architecture, by number. The 386 version adds those of 64-bit commands.
var systemCalls = map[int]systemCall{
	unix.SYS_READ: read, unix.SYS_READV: read, unix.SYS_PSELECT6: selects,
	unix.SYS_WAIT4: waits, unix.SYS_WAITID: waits, unix.SYS_FUTEX: locks,
}

// reading returns the thread that waits for input, if all other threads wait for it.
func (t *tree) reading(in *input) (found Reading, ok bool) {
	pids, ok := t.members()
	looked := 0
	for _, pid := range pids {
		if t.wrapped && pid == t.pid {
			continue
		}
		tids, err := listNumbers(procPath(pid, "task"), 0)
		if looked += len(tids); err != nil || looked > maxReading {
			return Reading{}, false
		}
		reads, isLocked := false, false
		for _, tid := range tids {
			thread := Reading{pid: pid, tid: tid}
			switch thread.look(in) {
			case busy:
				if s, ok := readStat(pid); ok && s.alive() {
					return Reading{}, false
				}
			case locked:
				isLocked = true
			case reading:
				reads, found = true, thread
			}
		}
		if isLocked && !reads {
			return Reading{}, false
		}
	}
	return found, ok && found.tid > 0
}

// members returns the processes of the tree, unless they cannot be listed.
func (t *tree) members() (pids []int, ok bool) {
	if t.cgroup != nil {
		t.cgroup.pids(func(pid int) { pids = append(pids, pid) })
		return pids, true
	}
	_, err := t.scan(scanAll)
	for _, id := range t.found() {
		pids = append(pids, id.pid)
	}
	return pids, err == nil
}

// look says what a thread does. If it reads, look also counts how often it has waited so far. A thread that may not be
// traced, such as another user's, is busy.
func (r *Reading) look(in *input) (does doing) {
	path := procPath(r.pid, "task/"+strconv.Itoa(r.tid)+"/")
	readProc(path+"syscall", func(b []byte) { // the number, six arguments, the stack pointer, the program counter
		fields := bytes.Fields(b)
		if len(fields) < 7 {
			return // "running", or no system call
		}
		number, err := strconv.Atoi(string(fields[0]))
		if err != nil {
			return
		}
		var args [6]uint64
		for i := range args {
			args[i], _ = strconv.ParseUint(string(fields[1+i]), 0, 64)
		}
		switch systemCalls[number] {
		case read:
			does = in.readBy(r.pid, args[0])
		case selects: // by readline: on descriptor 0 alone, for reading, without a timeout
			if args[0] == 1 && args[1] != 0 && args[2] == 0 && args[4] == 0 && in.readBy(r.pid, 0) == reading {
				does = reading
			}
		case waits:
			does = idle
		case locks:
			does = locked
		}
	})
	if does == reading && !r.readSwitches(path+"status") {
		return busy
	}
	return does
}

// readSwitches reads how often a thread has waited so far. It returns false if the thread is not asleep now.
func (r *Reading) readSwitches(path string) (asleep bool) {
	readProc(path, func(b []byte) {
		asleep = bytes.Contains(b, []byte("\nState:\tS"))
		_, count, ok := bytes.Cut(b, []byte("\nvoluntary_ctxt_switches:\t"))
		count, _, _ = bytes.Cut(count, []byte("\n"))
		n, err := strconv.ParseUint(string(count), 10, 64)
		r.switches, asleep = n, asleep && ok && err == nil
	})
	return asleep
}

// readBy says what a process does that is blocked in a read of a descriptor.
func (in *input) readBy(pid int, fd uint64) doing {
	path := procPath(pid, "fd/"+strconv.FormatUint(fd, 10))
	link, err := os.Readlink(path)
	stdin := in.reads.Sys().(*syscall.Stat_t)
	switch {
	case err != nil:
	case !in.terminal && link == fmt.Sprintf("pipe:[%d]", stdin.Ino):
		return reading
	case len(link) > 5 && link[:5] == "pipe:":
		return idle
	case in.terminal && link == "/dev/tty":
		if s, ok := readStat(pid); ok && s.terminal == int(stdin.Rdev) {
			return reading
		}
	case in.terminal && len(link) > 5 && link[:5] == "/dev/":
		if at := inodeAt(unix.AT_FDCWD, path); at.number == stdin.Ino && unix.Mkdev(at.major, at.minor) == stdin.Dev {
			return reading
		}
	}
	return busy
}

// unread reports whether there is output to read, or the pipe cannot be asked.
func (p *pipe) unread() (ready bool) {
	failed := p.raw.Control(func(fd uintptr) {
		fds := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}
		_, err := ignoringEINTR(func() (int, error) { return unix.Poll(fds, 0) })
		ready = err != nil || fds[0].Revents&unix.POLLIN != 0
	})
	return failed != nil || ready
}

// unread reports whether a pipe holds something, or cannot be asked.
func unread(f syscall.RawConn) bool {
	n, err := 0, error(nil)
	if failed := f.Control(func(fd uintptr) { n, err = unix.IoctlGetInt(int(fd), unix.TIOCINQ) }); failed != nil {
		return true
	}
	return err != nil || n > 0
}
