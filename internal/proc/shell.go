package proc

import (
	"context"
	"errors"
	"os/exec"
	"path/filepath"
	"sync"
	"time"

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

var (
	errNoProgram = errors.New("a program, by path or by its name in " + program.Where)
	errNoShell   = errors.New("a shell that runs commands as POSIX describes, such as bash, dash, ksh or zsh")
)

// FindShell returns the absolute path of a shell, given by name or path, after it has run a command with the Dir, Env
// and Sandbox of where.
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
