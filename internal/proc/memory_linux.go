package proc

import (
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// memoryGroup is a control group that limits memory. Its zero value is none.
//
// The kernel enforces the limit: it frees cached pages of files first and then kills, in version 2 all processes of
// the group, in version 1 the largest. What a file in a tmpfs holds cannot be freed, and counts until the file is
// removed.
type memoryGroup struct {
	dir   string
	limit int64
	old   bool // of version 1
}

var enableMemory = sync.OnceFunc(func() { enable(cgroupParent(), "memory") })

// limitMemory limits the memory of the group, swap included. It returns a nonzero memoryGroup if the kernel enforces
// the limit. That takes 50 µs.
func (c *cgroup) limitMemory(limit int64) (m memoryGroup) {
	enableMemory()
	text := strconv.FormatInt(limit, 10)
	if writeFile(filepath.Join(c.path, "memory.max"), text) == nil {
		c.spent = true // files left in a tmpfs would count against the next command
		writeFile(filepath.Join(c.path, "memory.swap.max"), "0")
		writeFile(filepath.Join(c.path, "memory.oom.group"), "1")
		return memoryGroup{c.path, limit, false}
	}
	parent := memoryParent()
	if parent == "" {
		return m
	}
	dir := filepath.Join(parent, filepath.Base(c.path))
	if unix.Mkdir(dir, 0o755) != nil {
		return m
	}
	c.memory, c.spent = dir, true
	if writeFile(filepath.Join(dir, "memory.limit_in_bytes"), text) != nil {
		return m
	}
	writeFile(filepath.Join(dir, "memory.memsw.limit_in_bytes"), text) // missing if swap is not counted
	return memoryGroup{dir, limit, true}
}

// ranOut reports whether the kernel killed a process because the tree had reached its own limit of memory, rather than
// because a group above or the whole machine was out of memory.
func (t *tree) ranOut() bool {
	m := t.memory
	if m.dir == "" {
		return false
	}
	number := func(file, name string) int64 { return readSum(filepath.Join(m.dir, file), name) }
	if m.old { // its failcnt stays 0 in Linux 6.18
		return number("memory.oom_control", "oom_kill ") > 0 && number("memory.max_usage_in_bytes", "") >= m.limit-m.limit/16
	}
	return number("memory.events", "oom_kill ") > 0 && number("memory.events.local", "oom ") > 0
}

// readSum returns the sum of the numbers behind names on lines of a file, or 0.
func readSum(path string, names ...string) (sum int64) {
	readProc(path, func(b []byte) {
		for line := range strings.Lines(string(b)) {
			for _, name := range names {
				if text, ok := strings.CutPrefix(line, name); ok {
					n, _ := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(text), " kB"), 10, 64)
					sum += n
				}
			}
		}
	})
	return sum
}

const (
	// groupLook is the time between looks at a memoryGroup, each of which takes 20 µs. Only in version 1 does anything
	// still run by then.
	groupLook = 100 * time.Millisecond
	// minLook is the shortest time between looks at the processes themselves. A look takes 0.3 ms on a machine with 90
	// processes, and 0.1 ms if a control group lists them.
	minLook = 50 * time.Millisecond
	// maxLook is the longest time between looks, even if the processes hold little.
	maxLook = time.Second
	// lookShare bounds the time spent looking to a twentieth, even if smaps_rollup, which takes 50 µs a megabyte, must
	// be read each time.
	lookShare = 20
	// fillRate is how many bytes a process can fill in a second: a core clears 4 to 8 GB.
	fillRate = 4 << 30
)

// watchMemory waits until the processes of the tree hold more than limit bytes, and returns true, or until gone is
// closed. Without a memoryGroup, it looks at the processes, and then waits for the time in which the rest of the limit
// can be filled. It needs a goroutine of its own, because a look waits for a process that changes its mappings, which
// may hang in a file system.
func (t *tree) watchMemory(limit int64, gone <-chan struct{}) bool {
	var s scanner
	pause := minLook
	timer := time.NewTimer(pause)
	defer timer.Stop()
	for {
		select {
		case <-gone:
			return false
		case <-timer.C:
		}
		if t.memory.dir != "" {
			if t.ranOut() {
				return true
			}
			timer.Reset(groupLook)
			continue
		}
		began := time.Now()
		held := t.held(&s, limit)
		if held > limit {
			return true
		}
		pause = time.Duration(float64(limit-held) / fillRate * float64(time.Second))
		timer.Reset(max(minLook, min(pause, maxLook), lookShare*time.Since(began)))
	}
}

// held returns how many bytes of memory the processes of the tree hold. It may return more if that is not over limit.
//
// Shared memory counts once. /proc/PID/status counts a page in each process: a shell of 40 MB and its eight forks show
// 362 MB, and so do the workers of Python or make, so a limit on that sum would kill a command that holds a tenth of
// it. Only smaps_rollup divides a page by the number of processes that share it. But for 400 MB that takes 20 ms where
// status takes 30 µs, so it is read only if the sum is over the limit. If the kernel has no smaps_rollup, the sum
// decides.
func (t *tree) held(s *scanner, limit int64) (sum int64) {
	holders := t.holders(s)
	for _, p := range holders {
		sum += readMemory(p.pid, "status", "RssAnon:", "RssShmem:", "VmSwap:")
	}
	if sum <= limit {
		return sum
	}
	shares := make(map[ident]int64)
	for _, p := range holders {
		if p.borrows() {
			continue
		}
		shares[p.ident] = readMemory(p.pid, "smaps_rollup", "Pss_Anon:", "Pss_Shmem:", "SwapPss:")
		if shares[p.ident] == 0 { // unknown: another user's process, or no such file
			shares[p.ident] = readMemory(p.pid, "status", "RssAnon:", "VmSwap:")
		}
	}
	// A process that ended during the look has left its share to others: those asked later have counted it, too.
	sum = 0
	for id, share := range shares {
		if now, ok := readStat(id.pid); ok && now.ident == id && now.stays() {
			sum += share
		}
	}
	return sum
}

// holders returns the processes of the tree that have memory. Unlike scan it leaves t.known alone, because others are
// using that.
func (t *tree) holders(s *scanner) (holders []stat) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.cgroup != nil {
		t.cgroup.pids(func(pid int) {
			if p, ok := readStat(pid); ok && p.stays() {
				holders = append(holders, p)
			}
		})
		return holders
	}
	pids, err := listAll()
	if err != nil {
		return nil
	}
	_, all, _ := s.find([]*tree{t}, pids, scanAll)
	for _, p := range all {
		if p.owner == t && p.stays() {
			holders = append(holders, p.stat)
		}
	}
	return holders
}

// readMemory returns the sum of some fields, in KiB, of a file of a process, in bytes.
func readMemory(pid int, file string, fields ...string) int64 {
	return readSum(procPath(pid, file), fields...) << 10
}

const (
	forkNoExec = 0x40 // PF_FORKNOEXEC of <linux/sched.h>
	kcmpVM     = 1    // KCMP_VM of <linux/kcmp.h>
	// spawnTime is more than a process needs from vfork to exec, even on a slow disk.
	spawnTime = time.Second
	// tick is the unit of start times.
	tick = 10 * time.Millisecond
)

// borrows reports whether a process uses its parent's memory, as between vfork and exec: each page would count twice.
// If a filter forbids kcmp, as Docker's does, it reports whether the process is young enough for that.
func (s stat) borrows() bool {
	if s.flags&forkNoExec == 0 {
		return false
	}
	differ, _, errno := unix.Syscall6(unix.SYS_KCMP, uintptr(s.parent), uintptr(s.pid), kcmpVM, 0, 0, 0)
	if errno == 0 {
		return differ == 0
	}
	var now unix.Timespec
	if unix.ClockGettime(unix.CLOCK_BOOTTIME, &now) != nil {
		return false
	}
	return time.Duration(now.Nano())-time.Duration(s.start)*tick < spawnTime
}
