//go:build !unix

package program

import (
	"os"
	"os/exec"
)

// Where names the places where Find looks.
const Where = "PATH"

// Find returns the path of a program. Windows has no directory for bash, and no sandbox.
func Find(name string, _ ...string) (string, error) { return exec.LookPath(name) }

// Path returns the PATH of this program.
func Path() string { return os.Getenv("PATH") }
