package proc

import (
	"os/exec"
	"sync"
)

// findBash returns the path of bash, or "". It is looked up once: the suite's calls
// should not end in different shells.
var findBash = sync.OnceValue(func() string {
	path, err := exec.LookPath("bash")
	if err != nil {
		return ""
	}
	return path
})
