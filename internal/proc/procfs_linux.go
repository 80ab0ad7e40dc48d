package proc

import (
	"bytes"
	"errors"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unsafe"

	"golang.org/x/sys/unix"
)

// ident names a process for good: the system gives a pid to another process one day,
// but not with the same start time (in clock ticks since boot).
type ident struct {
	pid   int
	start uint64
}

// stat is what is needed of /proc/PID/stat.
type stat struct {
	ident
	parent  int
	session int
	threads int
	state   byte
	flags   uint64
}

const exiting = 4 // PF_EXITING of <linux/sched.h>

// alive reports whether the process has not ended, reaped or not. One whose main thread
// has ended before the others looks like a zombie, but with several threads.
func (s stat) alive() bool { return s.state != 'Z' && s.state != 'X' || s.threads > 1 }

// stays reports whether the process is alive and not about to end: it may have closed
// its files a moment ago, and be a zombie in another one.
func (s stat) stays() bool { return s.alive() && (s.flags&exiting == 0 || s.threads > 1) }

// procBuffers hold the content of small files of /proc.
var procBuffers = sync.Pool{New: func() any { return new([32 << 10]byte) }}

// readProc calls use with the first bytes of a file of /proc. os.ReadFile would add a
// stat, an allocation and an attempt to register the file with the poller: 3 times the cost.
func readProc(path string, use func([]byte)) bool {
	fd, err := unix.Open(path, unix.O_RDONLY|unix.O_CLOEXEC|unix.O_NOCTTY, 0)
	if err != nil {
		return false
	}
	defer unix.Close(fd)
	buffer := procBuffers.Get().(*[32 << 10]byte)
	defer procBuffers.Put(buffer)
	n, err := ignoringEINTR(func() (int, error) { return unix.Read(fd, buffer[:]) })
	if err != nil || n <= 0 {
		return false
	}
	use(buffer[:n])
	return true
}

func procPath(pid int, name string) string {
	return "/proc/" + strconv.Itoa(pid) + "/" + name
}

// readStat returns the state of a process; false if there is none with that pid.
func readStat(pid int) (s stat, ok bool) {
	s.pid = pid
	readProc(procPath(pid, "stat"), func(b []byte) { ok = s.parse(b) })
	return s, ok
}

// parse reads the fields after the name of the command, which is in parentheses and may
// itself contain spaces and parentheses.
func (s *stat) parse(b []byte) bool {
	fields := bytes.Fields(b[bytes.LastIndexByte(b, ')')+1:])
	if len(fields) < 20 { // field 3 of proc(5) is the first one here; 22 is the start time
		return false
	}
	s.state = fields[0][0]
	var err1, err2, err3, err4, err5 error
	s.parent, err1 = strconv.Atoi(string(fields[1]))
	s.session, err2 = strconv.Atoi(string(fields[3]))
	s.threads, err3 = strconv.Atoi(string(fields[17]))
	s.flags, err5 = strconv.ParseUint(string(fields[6]), 10, 64)
	s.start, err4 = strconv.ParseUint(string(fields[19]), 10, 64)
	return errors.Join(err1, err2, err3, err4, err5) == nil
}

// procFirstPid is the offset of pid 0 in a listing of /proc, at most: before the pids
// come 256 other entries, and self and thread-self (fs/proc/base.c, TGID_OFFSET).
const procFirstPid = 256

// listPids returns the pids of all processes from a pid on, in ascending order. The
// kernel seeks to that pid, so that the cost is that of the processes which are newer.
func listPids(from int) ([]int, error) {
	if from > 0 {
		from += procFirstPid
	}
	return listNumbers("/proc", int64(from))
}

// errNoProc says that /proc does not show the processes that can be signalled.
var errNoProc = errors.New("/proc is not there, or that of other processes")

// listAll returns the pids of all processes. An error other than errNoProc may pass: the
// program has too many files open, for example.
func listAll() ([]int, error) {
	pids, err := listPids(0)
	if errors.Is(err, unix.ENOENT) || err == nil && !slices.Contains(pids, os.Getpid()) {
		err = errNoProc
	}
	return pids, err
}

// listNumbers returns the entries of a directory of /proc that are numbers, from an
// offset on.
func listNumbers(dir string, offset int64) ([]int, error) {
	fd, err := unix.Open(dir, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	defer unix.Close(fd)
	if offset > 0 {
		if _, err := unix.Seek(fd, offset, 0); err != nil {
			return nil, err
		}
	}
	buffer := procBuffers.Get().(*[32 << 10]byte)
	defer procBuffers.Put(buffer)
	var names []string
	var numbers []int
	for {
		n, err := ignoringEINTR(func() (int, error) { return unix.ReadDirent(fd, buffer[:]) })
		if err != nil || n <= 0 {
			return numbers, err
		}
		_, _, names = unix.ParseDirent(buffer[:n], -1, names[:0])
		for _, name := range names {
			if number, err := strconv.Atoi(name); err == nil {
				numbers = append(numbers, number)
			}
		}
	}
}

// lastPid returns the newest pid of the system, the last field of /proc/loadavg; or 0.
func lastPid() (pid int) {
	readProc("/proc/loadavg", func(b []byte) {
		if fields := bytes.Fields(b); len(fields) > 0 {
			pid, _ = strconv.Atoi(string(fields[len(fields)-1]))
		}
	})
	return pid
}

// CommandLine returns the arguments with which a process was started, with spaces between,
// as far as they are known; "" if they are not.
func CommandLine(pid int) (line string) {
	readProc(procPath(pid, "cmdline"), func(b []byte) { line = string(bytes.TrimRight(b, "\x00")) })
	line = strings.Replace(strings.ReplaceAll(line, "\x00", " "), " "+strings.Join(bashOptions, " "), "", 1)
	return strings.TrimSpace(line)
}

// envMarks returns the marks that a process was started with in its environment. There
// are none in that of a process that may not be looked into: it cannot be ended either.
func envMarks(pid int) (marks []uint64) {
	fd, err := unix.Open(procPath(pid, "environ"), unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil
	}
	defer unix.Close(fd)
	buffer := procBuffers.Get().(*[32 << 10]byte)
	defer procBuffers.Put(buffer)
	for held := 0; held < len(buffer); {
		n, err := ignoringEINTR(func() (int, error) { return unix.Read(fd, buffer[held:]) })
		if err != nil || n <= 0 {
			return nil
		}
		rest, whole := findVariable(buffer[:held+n], []byte(callVariable))
		if whole {
			for field := range bytes.SplitSeq(rest, []byte(":")) {
				if mark, err := strconv.ParseUint(string(field), 10, 64); err == nil {
					marks = append(marks, mark)
				}
			}
			return marks
		}
		held = copy(buffer[:], rest)
	}
	return nil
}

// findVariable returns the value of a variable in a piece of an environment. If its end
// is not there, it returns the end of the piece, which may be the variable's beginning.
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

// writesTo returns the tree whose output pipe a process has open to write, or nil.
func writesTo(pid int, pipes map[string]*tree) *tree {
	dir := procPath(pid, "fd")
	fd, err := unix.Open(dir, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil
	}
	defer unix.Close(fd)
	buffer := procBuffers.Get().(*[32 << 10]byte)
	defer procBuffers.Put(buffer)
	var target [64]byte
	var names []string
	for {
		n, err := ignoringEINTR(func() (int, error) { return unix.ReadDirent(fd, buffer[:]) })
		if err != nil || n <= 0 {
			return nil
		}
		_, _, names = unix.ParseDirent(buffer[:n], -1, names[:0])
		for _, name := range names {
			n, err := unix.Readlinkat(fd, name, target[:])
			if err != nil || pipes[string(target[:n])] == nil {
				continue
			}
			// The mode of the link says how the file is open.
			var info unix.Stat_t
			if unix.Fstatat(fd, name, &info, unix.AT_SYMLINK_NOFOLLOW) == nil && info.Mode&unix.S_IWUSR != 0 {
				return pipes[string(target[:n])]
			}
		}
	}
}

// errGone says that the process has ended, whoever has its pid now.
var errGone = errors.New("process is gone")

// open returns a descriptor of the process, or errGone. Having matched the start time
// after the descriptor was opened, it cannot be that of a later process.
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
	if s, ok := readStat(id.pid); !ok || s.ident != id {
		unix.Close(fd)
		return -1, errGone
	}
	return fd, nil
}

// reap reaps the process, a child, if it has ended.
func (id ident) reap() {
	if fd, err := id.open(); err == nil {
		defer unix.Close(fd)
		unix.Waitid(unix.P_PIDFD, fd, nil, unix.WEXITED|unix.WNOHANG, nil)
	}
}

// adopts reports whether orphans become children of this program: if it is process 1, as
// in a container, or has made itself a subreaper.
func adopts() bool {
	var set int32
	err := unix.Prctl(unix.PR_GET_CHILD_SUBREAPER, uintptr(unsafe.Pointer(&set)), 0, 0, 0)
	return os.Getpid() == 1 || err == nil && set != 0
}

// signal sends signals to this process and to no other one.
func (id ident) signal(signals ...unix.Signal) error {
	fd, err := id.open()
	if errors.Is(err, errGone) {
		return err
	}
	send := func(s unix.Signal) error { return unix.PidfdSendSignal(fd, s, nil, 0) }
	if err == nil {
		defer unix.Close(fd)
	} else { // no pidfds: Linux before 5.3, or a seccomp filter
		if s, ok := readStat(id.pid); !ok || s.ident != id {
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
