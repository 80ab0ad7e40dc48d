package proc

import (
	"sync"

	"github.com/spillway-go/spillway/internal/program"
)

// findBash returns the path of bash, or "". It is looked up once: the suite's calls
// should not end in different shells.
var findBash = sync.OnceValue(func() string {
	path, err := program.Find("bash")
	if err != nil {
		return ""
	}
	return path
})

// bashOptions keep bash from its startup files. Even bash -c reads .bashrc if it takes
// itself to be run by sshd or rshd, which it tells from its environment or its input.
// What is left is in the environment alone: BASH_ENV, and functions that are exported.
var bashOptions = []string{"--norc", "--noprofile"}
