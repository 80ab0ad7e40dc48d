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

	"github.com/spillway-go/spillway/internal/program"
)

// cgroup is the control group (v2) of one call. Only a control group can end processes that fork faster than they can
// be listed, because the kernel kills all of them in one step.
//
// It is made below the program's own group, whose limits thus apply to the command. That takes root, a delegated
// subtree (a systemd user session has one for some units), or a container with its own writable tree. Elsewhere
// commands run without control groups.
type cgroup struct {
	path    string
	pidsDir string // the directory with pids.max: path, or a group of version 1; "" if there is none
	memory  string // the directory of a version 1 group with limited memory, or ""
	entered bool   // the last process was started in memory
	dir     int    // descriptor of the directory
	events  int    // descriptor of cgroup.events
	// spent says that the group must not be reused, because it was killed, has reached its pids.max or has had a limit
	// of memory. Newer kernels (6.18, for example) kill a process that starts in a group that was killed more often
	// than its parent.
	spent bool
}

// cgroupParent returns the directory in which groups are made, or "". It looks only once.
var cgroupParent = sync.OnceValue(func() string {
	dir := ownCgroup("")
	if dir == "" {
		return ""
	}
	enable(dir, "pids")
	if sh, err := program.Find("sh"); err != nil || !survives(dir, sh) {
		return ""
	}
	return dir
})

// trialTime bounds the trial of control groups, which takes 1 to 2 ms.
const trialTime = 500 * time.Millisecond

// survives reports whether a process that starts in a new group survives. If the program's own group was killed before
// the program entered it, the kernel kills the process: see cgroup.spent.
func survives(parent, shell string) bool {
	c, err := newCgroup(parent, rand.Text()[:8])
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
		removeCgroups([]*cgroup{c})
	}()
	select {
	case lived := <-ended:
		return lived
	case <-time.After(trialTime):
		process.Kill()
		return false
	}
}

// ownCgroup returns the directory of the program's own group, or "": in version 2 if controller is "", else for that
// controller in version 1. It removes what killed programs have left there.
func ownCgroup(controller string) string {
	own, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		return ""
	}
	mounts, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return ""
	}
	dir := cgroupDir(string(own), string(mounts), controller)
	if dir != "" {
		removeStale(dir)
	}
	return dir
}

// cgroupDir is ownCgroup for the content of /proc/self/cgroup and /proc/self/mountinfo.
func cgroupDir(own, mounts, controller string) string {
	path, kind := "", "cgroup2 "
	if controller != "" {
		kind = "cgroup "
	}
	for line := range strings.Lines(own) {
		fields := strings.SplitN(strings.TrimSuffix(line, "\n"), ":", 3)
		if len(fields) == 3 && slices.Contains(strings.Split(fields[1], ","), controller) {
			path = fields[2]
		}
	}
	if path == "" || strings.Contains(path, "..") { // outside of the cgroup namespace
		return ""
	}
	for line := range strings.Lines(mounts) {
		mount, rest, ok := strings.Cut(line, " - ")
		fields := strings.Fields(mount)
		if !ok || !strings.HasPrefix(rest, kind) || len(fields) < 6 {
			continue
		}
		options := strings.Split(strings.TrimSpace(rest[strings.LastIndexByte(rest, ' ')+1:]), ",")
		if controller != "" && !slices.Contains(options, controller) {
			continue
		}
		root, point := fields[3], fields[4]
		if strings.Contains(point, `\`) || strings.HasPrefix(fields[5], "ro") {
			continue // names with escapes are not supported
		}
		if below, err := filepath.Rel(root, path); err == nil && filepath.IsLocal(below) {
			return filepath.Join(point, below)
		}
	}
	return ""
}

// cgroupPrefix begins the name of every group; the program's pid and pid namespace follow.
const cgroupPrefix = "spillway-"

// cgroupNames returns the prefix of the paths of the control groups of a [Group], by the number that its marks begin
// with. No other Group has these, nor an earlier program with the same pid: what ends one must not end another.
func cgroupNames(parent, marks string) string {
	return filepath.Join(parent, cgroupPrefix+strconv.Itoa(os.Getpid())+"-"+pidNamespace()+"-"+marks+"-")
}

var pidNamespace = sync.OnceValue(func() string {
	var namespace unix.Stat_t
	unix.Stat("/proc/self/ns/pid", &namespace) // there is no control group without /proc
	return strconv.FormatUint(namespace.Ino, 10)
})

// removeStale removes the groups of killed programs. A group that still has processes cannot be removed, and stays. A
// group of another pid namespace stays too, because its pid says nothing here: its program may be alive.
func removeStale(parent string) {
	groups, _ := filepath.Glob(filepath.Join(parent, cgroupPrefix+"*"))
	for _, group := range groups {
		name := strings.Split(strings.TrimPrefix(filepath.Base(group), cgroupPrefix), "-")
		if len(name) < 2 || name[1] != pidNamespace() {
			continue
		}
		if n, err := strconv.Atoi(name[0]); err == nil && errors.Is(unix.Kill(n, 0), unix.ESRCH) {
			removeCgroup(group)
		}
	}
}

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

func newCgroup(parent, marks string) (*cgroup, error) {
	path := cgroupNames(parent, marks) + strconv.FormatInt(cgroupCount.Add(1), 10)
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
	if unix.Access(filepath.Join(c.path, "pids.max"), unix.W_OK) == nil {
		c.pidsDir = c.path
	} else if parent := pidsParent(); parent != "" {
		if path = filepath.Join(parent, filepath.Base(path)); unix.Mkdir(path, 0o755) == nil {
			c.pidsDir = path
		}
	}
	return c, nil
}

// populated reports whether the group, or one below it, has a process. It costs one system
// call, about 1 µs.
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

// beside returns the directories of the version 1 groups that go with this one.
func (c *cgroup) beside() (dirs []string) {
	if c.pidsDir != c.path && c.pidsDir != "" {
		dirs = append(dirs, c.pidsDir)
	}
	if c.memory != "" {
		dirs = append(dirs, c.memory)
	}
	return dirs
}

// enter moves this thread into the groups beside, so that what it starts begins there, and leave moves it back, even if
// a sandbox was entered meanwhile. That takes 0.2 ms. To move a process from outside takes 5 to 15 ms, unless another
// was just moved: the kernel (6.18) waits until it knows that no process starts or ends.
func (c *cgroup) enter() (leave func()) {
	var back []int
	for _, dir := range c.beside() {
		parent, err := unix.Open(filepath.Join(filepath.Dir(dir), "tasks"), unix.O_WRONLY|unix.O_CLOEXEC, 0)
		if err != nil {
			continue
		}
		back = append(back, parent)
		c.entered = writeFile(filepath.Join(dir, "tasks"), "0") == nil && dir == c.memory
	}
	return func() {
		for _, fd := range back {
			unix.Write(fd, []byte("0"))
			unix.Close(fd)
		}
	}
}

func (c *cgroup) kill() {
	c.spent = true
	writeFile(filepath.Join(c.path, "cgroup.kill"), "1")
}

// remove removes the group. That fails while one of its processes hangs in the kernel; the next call of remove, for
// any group, tries again.
func (c *cgroup) remove() {
	if c.events >= 0 {
		unix.Close(c.events)
	}
	if c.dir >= 0 {
		unix.Close(c.dir)
	}
	stuckCgroups.Lock()
	defer stuckCgroups.Unlock()
	paths := append(append(stuckCgroups.paths, c.path), c.beside()...)
	stuckCgroups.paths = slices.DeleteFunc(paths, func(path string) bool {
		return !errors.Is(removeCgroup(path), unix.EBUSY)
	})
}

var stuckCgroups struct {
	sync.Mutex
	paths []string
}
