package proc

import (
	"bytes"
	"errors"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// ident identifies a process even if its pid is reused: the next process with that pid has
// another start time (in clock ticks since boot).
type ident struct {
	pid   int
	start uint64
}

// stat holds fields of /proc/PID/stat.
type stat struct {
	ident
	parent   int
	session  int
	terminal int // the controlling terminal's device number, or 0
	threads  int
	state    byte
	flags    uint64
}

const exiting = 4 // PF_EXITING of <linux/sched.h>

// alive reports whether the process has not ended. If its main thread ended before the others, it looks like a zombie,
// but has several threads.
func (s stat) alive() bool { return s.state != 'Z' && s.state != 'X' || s.threads > 1 }

// stays reports whether the process is alive and not about to end. A process that is exiting may have closed its files
// already, and will be a zombie in a moment.
func (s stat) stays() bool { return s.alive() && (s.flags&exiting == 0 || s.threads > 1) }

var procBuffers = sync.Pool{New: func() any { return new([32 << 10]byte) }}

// openProc opens a file or a directory of /proc and calls use with its descriptor and a buffer. os.Open and
// os.ReadFile cost 3 times as much, because they add a stat, an allocation and an attempt to register the file with
// the poller.
func openProc(path string, use func(fd int, buffer []byte) error) error {
	fd, err := unix.Open(path, unix.O_RDONLY|unix.O_CLOEXEC|unix.O_NOCTTY, 0)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	buffer := procBuffers.Get().(*[32 << 10]byte)
	defer procBuffers.Put(buffer)
	return use(fd, buffer[:])
}

func readProc(path string, use func([]byte)) {
	openProc(path, func(fd int, buffer []byte) error {
		n, err := ignoringEINTR(func() (int, error) { return unix.Read(fd, buffer) })
		if n > 0 {
			use(buffer[:n])
		}
		return err
	})
}

// eachEntry calls visit for the entries of an open directory until it returns false.
func eachEntry(fd int, buffer []byte, visit func(name string) bool) error {
	var names []string
	for {
		n, err := ignoringEINTR(func() (int, error) { return unix.ReadDirent(fd, buffer) })
		if err != nil || n <= 0 {
			return err
		}
		_, _, names = unix.ParseDirent(buffer[:n], -1, names[:0])
		for _, name := range names {
			if !visit(name) {
				return nil
			}
		}
	}
}

func procPath(pid int, name string) string {
	return "/proc/" + strconv.Itoa(pid) + "/" + name
}

// readStat returns the state of a process, or false if there is no such process.
func readStat(pid int) (s stat, ok bool) {
	s.pid = pid
	readProc(procPath(pid, "stat"), func(b []byte) { ok = s.parse(b) })
	return s, ok
}

// parse reads the fields after the name of the command, which is in parentheses and may
// itself contain spaces and parentheses.
func (s *stat) parse(b []byte) bool {
	fields := bytes.Fields(b[bytes.LastIndexByte(b, ')')+1:])
	if len(fields) < 20 { // fields[0] is field 3 of proc(5); fields[19] is the start time
		return false
	}
	ok := true
	number := func(i int) int64 {
		n, err := strconv.ParseInt(string(fields[i]), 10, 64)
		ok = ok && err == nil
		return n
	}
	s.state, s.flags, s.start = fields[0][0], uint64(number(6)), uint64(number(19))
	s.parent, s.session, s.threads = int(number(1)), int(number(3)), int(number(17))
	s.terminal = int(number(4))
	return ok
}

// processorTime returns how long the main thread of a process has run, or false if Linux does not count that.
func processorTime(pid int) (t time.Duration, ok bool) {
	readProc(procPath(pid, "schedstat"), func(b []byte) {
		first, _, _ := bytes.Cut(b, []byte(" "))
		n, err := strconv.ParseInt(string(first), 10, 64)
		t, ok = time.Duration(n), err == nil
	})
	return t, ok
}

// procFirstPid is the largest offset that comes before pid 0 in a listing of /proc. 256 other
// entries, self and thread-self come first (fs/proc/base.c, TGID_OFFSET).
const procFirstPid = 256

// listPids returns all pids from a pid on, in ascending order. The kernel seeks to that pid, so
// only the processes listed cost time.
func listPids(from int) ([]int, error) {
	if from > 0 {
		from += procFirstPid
	}
	return listNumbers("/proc", int64(from))
}

// errNoProc says that /proc does not show the processes that can be signalled.
var errNoProc = errors.New("/proc is not there, or that of other processes")

// listAll returns the pids of all processes. An error other than errNoProc may be temporary,
// such as too many open files.
func listAll() ([]int, error) {
	pids, err := listPids(0)
	if errors.Is(err, unix.ENOENT) || err == nil && !slices.Contains(pids, os.Getpid()) {
		err = errNoProc
	}
	return pids, err
}

// listNumbers returns the numeric entries of a directory of /proc, from an offset on.
func listNumbers(dir string, offset int64) (numbers []int, err error) {
	err = openProc(dir, func(fd int, buffer []byte) error {
		if _, err := unix.Seek(fd, offset, 0); err != nil {
			return err
		}
		return eachEntry(fd, buffer, func(name string) bool {
			if number, err := strconv.Atoi(name); err == nil {
				numbers = append(numbers, number)
			}
			return true
		})
	})
	return numbers, err
}

// lastPid returns the newest pid of the system, which is the last field of /proc/loadavg, or 0.
func lastPid() (pid int) {
	readProc("/proc/loadavg", func(b []byte) {
		if fields := bytes.Fields(b); len(fields) > 0 {
			pid, _ = strconv.Atoi(string(fields[len(fields)-1]))
		}
	})
	return pid
}

// CommandLine returns the arguments of a process, separated by spaces, or "" if they are unknown. It leaves out
// bashOptions and what loads a script. A long line is cut.
func CommandLine(pid int) (line string) {
	readProc(procPath(pid, "cmdline"), func(b []byte) { line = string(bytes.TrimRight(b, "\x00")) })
	line = strings.Replace(strings.ReplaceAll(line, "\x00", " "), " "+strings.Join(bashOptions, " "), "", 1)
	for _, loader := range []string{bashLoader, lineLoader, plainLoader} {
		if strings.HasSuffix(line, loader) {
			line, _, _ = strings.Cut(line, " -c ")
		}
	}
	return strings.TrimSpace(line)
}

// envMarks returns the marks in the environment with which a process was started. It returns none if that may not be
// read; such a process cannot be ended either.
func envMarks(pid int) (marks []uint64) {
	openProc(procPath(pid, "environ"), func(fd int, buffer []byte) error {
		for held := 0; held < len(buffer); {
			n, err := ignoringEINTR(func() (int, error) { return unix.Read(fd, buffer[held:]) })
			if err != nil || n <= 0 {
				return err
			}
			rest, whole := findVariable(buffer[:held+n], []byte(callVariable))
			if !whole {
				held = copy(buffer, rest)
				continue
			}
			for field := range bytes.SplitSeq(rest, []byte(":")) {
				if mark, err := strconv.ParseUint(string(field), 10, 64); err == nil {
					marks = append(marks, mark)
				}
			}
			return nil
		}
		return nil
	})
	return marks
}

// findVariable returns the value of a variable in a piece of an environment. If the piece does
// not hold all of it, findVariable returns the end of the piece, which may be its beginning.
func findVariable(env, variable []byte) (value []byte, whole bool) {
	i := bytes.Index(env, variable)
	if i < 0 {
		return env[max(0, len(env)-len(variable)+1):], false
	}
	value, _, whole = bytes.Cut(env[i+len(variable):], []byte{0})
	if !whole {
		return env[i:], false
	}
	return value, true
}

// writesTo returns the tree whose output pipe a process has open for writing, or nil.
func writesTo(pid int, pipes map[string]*tree) (found *tree) {
	openProc(procPath(pid, "fd"), func(fd int, buffer []byte) error {
		var target [64]byte
		return eachEntry(fd, buffer, func(name string) bool {
			n, err := unix.Readlinkat(fd, name, target[:])
			if err != nil {
				return true
			}
			// The mode of the link says whether the file is open for writing.
			var info unix.Stat_t
			if t := pipes[string(target[:n])]; t != nil && (target[0] != '/' || t.terminal == inodeAt(fd, name)) &&
				unix.Fstatat(fd, name, &info, unix.AT_SYMLINK_NOFOLLOW) == nil && info.Mode&unix.S_IWUSR != 0 {
				found = t
			}
			return found == nil
		})
	})
	return found
}

// inode identifies a file. Its name may not: there may be a /dev/pts/0 in each container.
type inode struct {
	major, minor uint32 // of its file system
	number       uint64
}

// inodeAt returns the inode of a file, or zero. The name is relative to an open directory, as for openat. It does not
// ask a file system that may hang.
func inodeAt(dir int, name string) inode {
	var info unix.Statx_t
	unix.Statx(dir, name, unix.AT_STATX_DONT_SYNC, unix.STATX_INO, &info)
	return inode{info.Dev_major, info.Dev_minor, info.Ino}
}

var errGone = errors.New("process is gone")

// open returns a descriptor of the process, or errGone. It compares the start time after opening the descriptor, so
// that the descriptor cannot belong to a later process.
func (id ident) open() (int, error) {
	fd, err := unix.PidfdOpen(id.pid, unix.PIDFD_NONBLOCK)
	if errors.Is(err, unix.EINVAL) { // before Linux 5.10
		fd, err = unix.PidfdOpen(id.pid, 0)
	}
	if errors.Is(err, unix.ESRCH) {
		return -1, errGone
	}
	if err != nil {
		return -1, err
	}
	if !id.exists() {
		unix.Close(fd)
		return -1, errGone
	}
	return fd, nil
}

// exists reports whether the process has not been reaped.
func (id ident) exists() bool {
	s, ok := readStat(id.pid)
	return ok && s.ident == id
}

func (id ident) reap() {
	if fd, err := id.open(); err == nil {
		defer unix.Close(fd)
		unix.Waitid(unix.P_PIDFD, fd, nil, unix.WEXITED|unix.WNOHANG, nil)
	}
}

// adopts reports whether orphans become children of this program: it is process 1, as in a container, or a subreaper.
func adopts() bool {
	var set int32
	err := unix.Prctl(unix.PR_GET_CHILD_SUBREAPER, uintptr(unsafe.Pointer(&set)), 0, 0, 0)
	return os.Getpid() == 1 || err == nil && set != 0
}

// signal sends signals to this process and never to a later one with its pid.
func (id ident) signal(signals ...unix.Signal) error {
	fd, err := id.open()
	if errors.Is(err, errGone) {
		return err
	}
	send := func(s unix.Signal) error { return unix.PidfdSendSignal(fd, s, nil, 0) }
	if err == nil {
		defer unix.Close(fd)
	} else { // Linux before 5.3, or a seccomp filter, has no pidfds
		if !id.exists() {
			return errGone
		}
		send = func(s unix.Signal) error { return unix.Kill(id.pid, s) }
	}
	for _, s := range signals {
		if err := send(s); err != nil {
			return err
		}
	}
	return nil
}
