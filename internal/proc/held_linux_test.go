package proc

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"golang.org/x/sys/unix"
)

// resources are what the program holds.
type resources struct {
	files, goroutines, cgroups int
	children                   bool
}

// held counts what the program holds, except for control groups.
func held() resources {
	defaultSignals()() // the first time starts a goroutine that stays
	var r resources
	fds, _ := os.ReadDir("/proc/self/fd")
	r.files = len(fds)
	r.goroutines = runtime.NumGoroutine()
	r.children = !errors.Is(unix.Waitid(unix.P_ALL, 0, nil, unix.WEXITED|unix.WNOHANG|unix.WNOWAIT, nil), unix.ECHILD)
	return r
}

// zombies counts the children of the program that are not reaped.
func zombies() (n int) {
	pids, _ := listPids(0)
	for _, pid := range pids {
		if s, ok := readStat(pid); ok && s.parent == os.Getpid() && !s.alive() {
			n++
		}
	}
	return n
}

// keeps returns a function that fails if the program comes to hold more than it does now. Tests run in parallel, so that
// what each of them leaves is counted when all have ended.
func keeps() func() error {
	before := held()
	return func() (err error) {
		for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
			now := held()
			if dir := cgroupParent(); dir != "" {
				own, _ := filepath.Glob(filepath.Join(dir, fmt.Sprintf("%s%d-*", cgroupPrefix, os.Getpid())))
				now.cgroups = len(own)
			}
			if err = now.more(before); err == nil {
				break
			}
		}
		return err
	}
}

// more says what r has that before had not.
func (r resources) more(before resources) error {
	if r.files <= before.files && r.goroutines <= before.goroutines &&
		(!r.children || before.children) && r.cgroups <= before.cgroups {
		return nil
	}
	stacks := make([]byte, 64<<10)
	stacks = stacks[:runtime.Stack(stacks, true)]
	return fmt.Errorf("the tests leave something: held before: %+v, now: %+v\n%s", before, r, stacks)
}
