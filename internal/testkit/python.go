package testkit

import (
	"os/exec"
	"strings"
	"sync"
)

// Python returns the path of Python's program, or "" without one. What is named python3 in PATH may be a script that
// looks for it, which takes a hundred processes.
var Python = sync.OnceValue(func() string {
	out, err := exec.Command("python3", "-c", "import sys; print(sys.executable)").Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
})
