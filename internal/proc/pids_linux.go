package proc

import (
	"bytes"
	"errors"
	"path/filepath"
	"strconv"
	"sync"

	"golang.org/x/sys/unix"
)

// pidsParent and memoryParent return the directory of the program's own group in a controller of version 1, or "".
// They look only once.
var (
	pidsParent   = sync.OnceValue(func() string { return ownCgroup("pids") })
	memoryParent = sync.OnceValue(func() string { return ownCgroup("memory") })
)

// enable enables a controller for the groups below parent if parent is the root of all groups.
// Any other group of this program has processes of its own, and so cannot pass on a controller.
func enable(parent, controller string) {
	if unix.Access(filepath.Join(parent, "cgroup.type"), unix.F_OK) != nil { // the root has no type
		writeFile(filepath.Join(parent, "cgroup.subtree_control"), "+"+controller)
	}
}

// setPidsMax sets how many processes and threads the group may hold; 0 is no limit. It returns
// the limit, which leaves a quarter of what the parents allow to the host program, or 0 if
// there is none. The shell must have been started: under a limit of 1, the thread that enters leaves no room for it.
func (c *cgroup) setPidsMax(limit int) int {
	if c.pidsDir == "" {
		return 0
	}
	text := "max"
	if limit > 0 {
		free := freePids(filepath.Dir(c.pidsDir))
		limit = min(limit, free-free/4)
		c.spent = c.spent || limit == 1
		text = strconv.Itoa(limit)
	}
	if writeFile(filepath.Join(c.pidsDir, "pids.max"), text) != nil {
		return 0
	}
	return limit
}

func freePids(dir string) int {
	free := 1 << 30
	for ; ; dir = filepath.Dir(dir) {
		limit, err := readNumber(filepath.Join(dir, "pids.max"))
		if errors.Is(err, strconv.ErrSyntax) { // "max"
			continue
		}
		current, failed := readNumber(filepath.Join(dir, "pids.current"))
		if err != nil || failed != nil { // dir is the root of all groups, or above it
			return free
		}
		free = min(free, max(limit-current, 1))
	}
}

// readNumber returns the number at the end of a file. A file without one, such as "max", is an
// error.
func readNumber(path string) (number int, err error) {
	err = unix.ENOENT
	readProc(path, func(text []byte) {
		text = bytes.TrimSpace(text)
		number, err = strconv.Atoi(string(text[bytes.LastIndexByte(text, ' ')+1:]))
	})
	return number, err
}

// writeFile writes to a file of a control group. Unlike os.WriteFile it never creates one.
func writeFile(path, text string) error {
	fd, err := unix.Open(path, unix.O_WRONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	_, err = unix.Write(fd, []byte(text))
	return err
}

func (t *tree) processLimit() int {
	if t.cgroup == nil || t.maxProcesses == 0 {
		return 0
	}
	if refused, err := readNumber(filepath.Join(t.cgroup.pidsDir, "pids.events")); err != nil || refused == 0 {
		return 0
	}
	t.cgroup.spent = true // otherwise the count would go on with the next command
	return t.maxProcesses
}
