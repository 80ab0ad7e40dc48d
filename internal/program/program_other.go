//go:build !unix

package program

import (
	"os"
	"os/exec"
)

// Where says where a program is looked for by its name.
const Where = "PATH"

// Find returns the path of a program. Windows keeps bash nowhere of its own, and has no sandbox.
func Find(name string, _ ...string) (string, error) { return exec.LookPath(name) }

// Path returns the PATH of this program.
func Path() string { return os.Getenv("PATH") }
