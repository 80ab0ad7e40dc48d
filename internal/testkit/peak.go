package testkit

import (
	"os"
	"strconv"
	"strings"
)

// Peak returns the most memory that this process has held, in bytes, or 0 where that is
// unknown. It is the high-water mark of the resident set (proc_pid_status(5)), which begins
// anew when a program is started.
func Peak() int64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	line, _, _ := strings.Cut(rest, "kB")
	kib, _ := strconv.ParseInt(strings.TrimSpace(line), 10, 64)
	return kib << 10
}
