package testkit

import (
	"flag"
	"os"
	"runtime"
	"strconv"
	"syscall"
)

// Waiting lets more tests run at once than there are processors, unless -parallel says how many.
// It is for packages whose tests wait for processes, and is called before testing.M's Run.
func Waiting() {
	const perProcessor = 4
	flag.Set("test.parallel", strconv.Itoa(perProcessor*runtime.GOMAXPROCS(0)))
}

// WriteProgram writes a file that is to be run. No other test starts a process meanwhile: that would hold the file open
// for writing until it runs its own program, and a file that is open for writing cannot be run.
func WriteProgram(path string, data []byte, mode os.FileMode) error {
	syscall.ForkLock.Lock()
	defer syscall.ForkLock.Unlock()
	return os.WriteFile(path, data, mode)
}
