//go:build unix

package adaptertest

import (
	"fmt"
	"os"
	"regexp"
	"syscall"
)

var zombie = regexp.MustCompile(`\) [ZX]`)

// runs says whether a process is there. One that has ended and that nobody waits
// for, as in a container, stays in the table on Linux.
func runs(pid int) bool {
	if stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid)); err == nil && zombie.Match(stat) {
		return false
	}
	return syscall.Kill(pid, 0) == nil
}
