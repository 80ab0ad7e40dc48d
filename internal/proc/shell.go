package proc

import (
	"sync"

	"github.com/spillway-go/spillway/internal/program"
)

// findBash returns the path of bash, or "". It looks only once, so that all calls use the same
// shell.
var findBash = sync.OnceValue(func() string {
	path, err := program.Find("bash")
	if err != nil {
		return ""
	}
	return path
})

// bashOptions keep bash from reading its startup files. Even bash -c reads .bashrc if it infers
// from its environment or its input that sshd or rshd runs it. The options do not affect
// BASH_ENV and exported functions.
var bashOptions = []string{"--norc", "--noprofile"}
