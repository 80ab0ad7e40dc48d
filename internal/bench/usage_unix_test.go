//go:build unix

package bench_test

import (
	"syscall"
	"time"
)

// processors is the processor time of this process, and of the programs that it ran.
func processors() (self, programs time.Duration) {
	of := func(who int) time.Duration {
		var u syscall.Rusage
		syscall.Getrusage(who, &u)
		return time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	return of(syscall.RUSAGE_SELF), of(syscall.RUSAGE_CHILDREN)
}
