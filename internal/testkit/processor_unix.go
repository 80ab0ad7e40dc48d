//go:build unix

package testkit

import (
	"syscall"
	"time"
)

// Processor returns the processor time of this process so far. What else the machine does is not in it.
func Processor() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
