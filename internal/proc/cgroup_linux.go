package proc

import (
	"bytes"
	"crypto/rand"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// cgroup is a control group (v2) of a call's own. It is the one way to end processes
// that fork faster than they can be listed: the kernel ends all of them in one step.
//
// It is made below the group the program itself is in, so that all limits keep counting
// for the command. That takes root, a delegated subtree (a systemd user session has one
// for some units), or a container with its own writable tree. Elsewhere there is none.
type cgroup struct {
	path   string
	dir    int // descriptor of the directory
	events int // descriptor of cgroup.events, to be read at offset 0
	// killed says that processes were killed in it. Newer kernels compare how
	// often that happened with the number of the parent's group when a process is
	// started in it, and kill the new one (seen on Linux 6.18): it is not used again.
	killed bool
}

// cgroupParent returns the directory in which groups are made, or "". It is found once.
var cgroupParent = sync.OnceValue(func() string {
	own, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		return ""
	}
	mounts, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return ""
	}
	dir := cgroupDir(string(own), string(mounts))
	if dir == "" {
		return ""
	}
	removeStale(dir)
	if !survives(dir, "/bin/sh") {
		return ""
	}
	return dir
})

// trialTime bounds the trial of control groups, which takes 1 to 2 ms.
const trialTime = 500 * time.Millisecond

// survives reports whether a process that is started in a new group lives. It does not
// where the program's own group was killed once, before the program came to it: see
// cgroup.killed. That is tried once.
func survives(parent, shell string) bool {
	c, err := newCgroup(parent)
	if err != nil {
		return false
	}
	process, err := os.StartProcess(shell, []string{"sh", "-c", ":"}, &os.ProcAttr{
		Dir: "/", Sys: &syscall.SysProcAttr{UseCgroupFD: true, CgroupFD: c.dir},
	})
	if err != nil {
		c.remove()
		return false
	}
	ended := make(chan bool, 1)
	go func() {
		state, err := process.Wait()
		ended <- err == nil && state.Success()
		removeAll([]*cgroup{c})
	}()
	select {
	case lived := <-ended:
		return lived
	case <-time.After(trialTime):
		process.Kill()
		return false
	}
}

// cgroupDir returns the directory of the program's own group, from the content of
// /proc/self/cgroup and /proc/self/mountinfo.
func cgroupDir(own, mounts string) string {
	path := ""
	for line := range strings.Lines(own) {
		if p, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "0::"); ok {
			path = p
		}
	}
	if path == "" || strings.Contains(path, "..") { // outside of the cgroup namespace
		return ""
	}
	for line := range strings.Lines(mounts) {
		mount, rest, ok := strings.Cut(line, " - ")
		fields := strings.Fields(mount)
		if !ok || !strings.HasPrefix(rest, "cgroup2 ") || len(fields) < 6 {
			continue
		}
		root, point := fields[3], fields[4]
		if strings.Contains(point, `\`) || strings.HasPrefix(fields[5], "ro") {
			continue // an escaped name is not worth the code
		}
		if below, err := filepath.Rel(root, path); err == nil && filepath.IsLocal(below) {
			return filepath.Join(point, below)
		}
	}
	return ""
}

// cgroupPrefix starts the name of every group; the pid of its program follows.
const cgroupPrefix = "spillway-"

// cgroupNames returns what the paths of this program's groups begin with. A program in
// another pid namespace may have the same pid, and its groups in the same place.
func cgroupNames(parent string) string {
	return filepath.Join(parent, cgroupPrefix+strconv.Itoa(os.Getpid())+"-"+cgroupNonce+"-")
}

var cgroupNonce = rand.Text()[:8]

// removeStale removes the groups of programs that were killed. A group that still has
// processes cannot be removed, and stays.
func removeStale(parent string) {
	groups, _ := filepath.Glob(filepath.Join(parent, cgroupPrefix+"*"))
	for _, group := range groups {
		pid, _, _ := strings.Cut(strings.TrimPrefix(filepath.Base(group), cgroupPrefix), "-")
		if n, err := strconv.Atoi(pid); err == nil && errors.Is(unix.Kill(n, 0), unix.ESRCH) {
			removeCgroup(group)
		}
	}
}

// removeCgroup removes a group and the groups below it.
func removeCgroup(path string) error {
	err := unix.Rmdir(path)
	if !errors.Is(err, unix.EBUSY) {
		return err
	}
	entries, _ := os.ReadDir(path)
	for _, e := range entries {
		if e.IsDir() {
			removeCgroup(filepath.Join(path, e.Name()))
		}
	}
	return unix.Rmdir(path)
}

var cgroupCount atomic.Int64

// newCgroup makes a group below parent.
func newCgroup(parent string) (*cgroup, error) {
	path := cgroupNames(parent) + strconv.FormatInt(cgroupCount.Add(1), 10)
	c := &cgroup{path: path, dir: -1, events: -1}
	err := unix.Mkdir(c.path, 0o755)
	if err != nil {
		return nil, err
	}
	c.dir, err = unix.Open(c.path, unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err == nil {
		c.events, err = unix.Openat(c.dir, "cgroup.events", unix.O_RDONLY|unix.O_CLOEXEC, 0)
	}
	if err == nil { // Linux before 5.14 has no cgroup.kill
		err = unix.Faccessat(c.dir, "cgroup.kill", unix.W_OK, unix.AT_EACCESS)
	}
	if err != nil {
		c.remove()
		return nil, err
	}
	return c, nil
}

// populated reports whether there is a process in the group or below. It costs one
// system call, about 1 µs.
func (c *cgroup) populated() bool {
	var b [128]byte
	n, err := unix.Pread(c.events, b[:], 0)
	return err != nil || !bytes.Contains(b[:n], []byte("populated 0"))
}

// pids calls add for the processes of the group and of those below.
func (c *cgroup) pids(add func(pid int)) {
	filepath.WalkDir(c.path, func(path string, entry os.DirEntry, err error) error {
		if err != nil || !entry.IsDir() {
			return nil
		}
		list, _ := os.ReadFile(filepath.Join(path, "cgroup.procs"))
		for field := range bytes.FieldsSeq(list) {
			if pid, err := strconv.Atoi(string(field)); err == nil && pid > 0 {
				add(pid)
			}
		}
		return nil
	})
}

// kill ends every process of the group and of those below in one step.
func (c *cgroup) kill() {
	c.killed = true
	fd, err := unix.Openat(c.dir, "cgroup.kill", unix.O_WRONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return
	}
	defer unix.Close(fd)
	unix.Write(fd, []byte("1"))
}

// remove frees the group. One that cannot be removed, as a process of it hangs in the
// kernel, is tried again when another one is.
func (c *cgroup) remove() {
	if c.events >= 0 {
		unix.Close(c.events)
	}
	if c.dir >= 0 {
		unix.Close(c.dir)
	}
	stuckCgroups.Lock()
	defer stuckCgroups.Unlock()
	stuckCgroups.paths = slices.DeleteFunc(append(stuckCgroups.paths, c.path), func(path string) bool {
		return !errors.Is(removeCgroup(path), unix.EBUSY)
	})
}

// stuckCgroups are those that could not be removed yet.
var stuckCgroups struct {
	sync.Mutex
	paths []string
}
