package testkit

import (
	"flag"
	"runtime"
	"strconv"
)

// Waiting lets more tests run at once than there are processors, unless -parallel says how many.
// It is for packages whose tests wait for processes, and is called before testing.M's Run.
func Waiting() {
	const perProcessor = 4
	flag.Set("test.parallel", strconv.Itoa(perProcessor*runtime.GOMAXPROCS(0)))
}
