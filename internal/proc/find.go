package proc

import (
	"context"
	"errors"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/spillway-go/spillway/internal/program"
)

// The errors of FindShell say what it wants instead.
var (
	errNoProgram = errors.New("a program, by path or by its name in " + program.Where)
	errNoShell   = errors.New("a shell that runs commands as POSIX describes, such as bash, dash, ksh or zsh")
)

// FindShell returns the absolute path of the shell that is given by its name or path, and that has run a command with
// the Dir, Env and Sandbox of where.
func (g *Group) FindShell(shell string, where Command) (path string, err error) {
	path = shell
	if filepath.Base(path) == path {
		path, err = program.Find(path)
	} else if path, err = exec.LookPath(path); err == nil {
		path, err = filepath.Abs(path)
	}
	if err != nil {
		return "", errNoProgram
	}
	where.Script = `if [ "${spillway-yes}" = yes ]; then exit 7; fi`
	if ShellName(path) == "cmd" {
		where.Script = "exit 7"
	}
	where.Shell, where.Timeout, where.MaxOutput = path, time.Minute, 1<<20
	end, err := g.Run(context.Background(), where)
	if err != nil || end.ExitCode != 7 {
		return "", errNoShell
	}
	return path, nil
}
