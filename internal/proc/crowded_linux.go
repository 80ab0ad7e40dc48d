package proc

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/sys/unix"
)

// pidsParent returns the directory for groups that bound processes where the controller that
// does so is one of version 1, or "". It is found once.
var pidsParent = sync.OnceValue(func() string {
	dir := ownCgroup("pids")
	if dir != "" {
		removeStale(dir)
	}
	return dir
})

// enablePids has the groups below the root of all groups bound their processes. A group with
// processes of its own, as that of this program is elsewhere, cannot hand a controller on.
func enablePids(parent string) {
	if unix.Access(filepath.Join(parent, "cgroup.type"), unix.F_OK) != nil { // the root has no type
		writeFile(filepath.Join(parent, "cgroup.subtree_control"), "+pids")
	}
}

// findPids finds where the processes of the group can be bounded: in it, or in one of version 1
// of the same name.
func (c *cgroup) findPids() {
	if unix.Access(filepath.Join(c.path, "pids.max"), unix.W_OK) == nil {
		c.bounds = c.path
	} else if parent := pidsParent(); parent != "" {
		path := filepath.Join(parent, filepath.Base(c.path))
		if unix.Mkdir(path, 0o755) == nil {
			c.bounds = path
		}
	}
}

// bound sets how many processes and threads the group may hold, and returns that; 0 if there is
// no bound. A quarter of what the groups around it leave is not for the command.
func (c *cgroup) bound(most int) int {
	if c.bounds == "" {
		return 0
	}
	text := "max"
	if most > 0 {
		free := room(filepath.Dir(c.bounds))
		most = min(most, free-free/4)
		text = strconv.Itoa(most)
	}
	if writeFile(filepath.Join(c.bounds, "pids.max"), text) != nil {
		return 0
	}
	return most
}

// join puts a shell whose script has not begun into the group that bounds it, if that is not the one
// that it was started in. That takes 70 µs, and 0.2 ms on a machine whose processors are all busy.
func (c *cgroup) join(pid int) {
	if c.bounds != c.path && c.bounds != "" {
		writeFile(filepath.Join(c.bounds, "cgroup.procs"), strconv.Itoa(pid))
	}
}

// room returns how many processes and threads a group and those around it may still hold.
func room(dir string) int {
	free := 1 << 30
	for ; ; dir = filepath.Dir(dir) {
		most, err := readNumber(filepath.Join(dir, "pids.max"))
		if errors.Is(err, strconv.ErrSyntax) { // "max"
			continue
		}
		now, failed := readNumber(filepath.Join(dir, "pids.current"))
		if err != nil || failed != nil { // the root of all, or what is above it
			return free
		}
		free = min(free, max(most-now, 1))
	}
}

// readNumber returns the number at the end of a file. It is an error if there is none, as in "max".
func readNumber(path string) (int, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return 0, err
	}
	number := strings.TrimSpace(string(text))
	return strconv.Atoi(number[strings.LastIndexByte(number, ' ')+1:])
}

// writeFile writes to a file of a control group.
func writeFile(path, text string) error {
	fd, err := unix.Open(path, unix.O_WRONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	_, err = unix.Write(fd, []byte(text))
	return err
}

// crowded returns the bound of the tree's processes and threads if it was reached, else 0.
func (t *tree) crowded() int {
	if t.cgroup == nil || t.most == 0 {
		return 0
	}
	if refused, err := readNumber(filepath.Join(t.cgroup.bounds, "pids.events")); err != nil || refused == 0 {
		return 0
	}
	t.cgroup.killed = true // another command's count would begin here
	return t.most
}
