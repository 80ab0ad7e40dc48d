package testkit

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
)

// Build puts the program of one directory into another one, and returns its path. Unlike `go build`, `go run` keeps what
// it links, which takes a second of processor time: the packages that test a program, and later runs, share that.
func Build(source, into string, flags ...string) (program string, err error) {
	source, err = filepath.Abs(source)
	if err != nil {
		return "", err
	}
	program = filepath.Join(into, filepath.Base(source))
	command, rest := []string{"run", "-exec", "cp"}, []string{".", program}
	if runtime.GOOS == "windows" {
		program += ".exe"
		command, rest = []string{"build"}, []string{"-o", program, "."}
	}
	build := exec.Command("go", append(append(append(command, "-buildvcs=false"), flags...), rest...)...)
	build.Dir, build.Env = source, append(os.Environ(), "CGO_ENABLED=0", "GOWORK=off")
	if said, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%s: %w\n%s", build, err, said)
	}
	return program, nil
}
