//go:build unix

package proc

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spillway-go/spillway/internal/program"
)

// maxScriptArgument is the size up to which a script is an argument. Linux allows
// 128 KiB for one argument, including its NUL; what is left is room for no reason but
// doubt about others, which limit all arguments and the environment together.
const maxScriptArgument = 96 << 10

// A script that is too large for an argument is read from descriptor 3, which is closed
// before the script starts. To the script this is the same as bash -c: $0, $-, $LINENO,
// the exit codes, syntax errors (2) included, and what bash says about errors. A script
// that bash reads as a file (bash /dev/fd/3) has another $0, keeps the descriptor open
// in every child, and ends with another code under set -u; one that is sourced may
// return. The variable keeps trailing newlines, which $(cat) would drop.
const (
	bashLoader = `IFS= read -r -d '' -u 3 _spillway_script; exec 3<&-; eval "unset _spillway_script; $_spillway_script"`
	// plainLoader is for a sh without read -d.
	plainLoader = `eval "exec 3<&-; $(cat <&3)"`
)

// shell is how a script is given to a shell.
type shell struct {
	path   string
	argv   []string
	script *os.File // inherited as descriptor 3, or nil
	filter *os.File // inherited as descriptor 5, or nil: for the program that starts the shell
	vars   *os.File // inherited as descriptor 6, or nil: likewise
	env    []string // further variables
	state  *os.File // where the shell saves its state, or nil: if not asked for, or a Process has it
	save   int      // the descriptor by which it does
}

// close frees what the shell has got, or would have if it was not started.
func (s *shell) close() { closeAll([]*os.File{s.script, s.filter, s.vars, s.state}) }

// load has the shell read script from descriptor 3 and run it, after what comes before.
func (s *shell) load(before, script string) (err error) {
	if s.script, err = scriptFile(script); err != nil {
		return fmt.Errorf("passing a command of %d bytes: %w", len(script), err)
	}
	loader := bashLoader
	if s.argv[0] != "bash" {
		loader = plainLoader
	}
	s.run(before + loader)
	return nil
}

// run has the shell run a script that is its argument.
func (s *shell) run(script string) {
	s.argv = append(append(s.argv, startup[s.argv[0]]...), "-c", script)
}

// newShell returns the shell of a command. What it runs is not set yet.
func newShell(c Command) (*shell, error) {
	path, name, err := findShell(c.Shell)
	if err != nil {
		return nil, err
	}
	s := &shell{path: path, argv: []string{name}, save: saveBash}
	if name != "bash" {
		s.save = savePlain
	}
	if c.KeepState {
		if s.state, err = stateFile(); err != nil {
			return nil, fmt.Errorf("keeping the state of the shell: %w", err)
		}
	}
	return s, nil
}

// plain has the shell run a script after what comes before, which is on its first line.
func (s *shell) plain(before, script string) error {
	before += s.saveCommand()
	if len(before)+len(script) <= maxScriptArgument {
		s.run(before + script)
		return nil
	}
	return s.load(before, script)
}

// findShell returns the path of the shell asked for, else of bash, or of sh where there
// is none, and its name.
func findShell(asked string) (path, name string, err error) {
	if asked != "" {
		return asked, filepath.Base(asked), nil
	}
	if path = findBash(); path != "" {
		return path, "bash", nil
	}
	if path, err = program.Find("sh"); err != nil {
		return "", "", fmt.Errorf("no shell: %w", err)
	}
	return path, "sh", nil
}

// ShellName returns the name of the shell that runs commands which ask for that one, or
// for none.
func ShellName(asked string) string {
	_, name, _ := findShell(asked)
	return cmp.Or(name, "sh")
}

// startup are the options that keep shells from their startup files.
var startup = map[string][]string{"bash": bashOptions, "zsh": {"-f"}}

// KeepsState reports whether Command.KeepState is of use on this system.
const KeepsState = true

// The descriptors by which a shell saves its state: where bash and scripts have none of
// their own, and one of the few that other shells can name.
const (
	saveBash  = 147
	savePlain = 7
)

// saveCommand is the command by which a shell saves its state when it ends, as readState reads
// it; nothing if that is not asked for. A trace (set -x) does not show it.
func (s *shell) saveCommand() string {
	if s.state == nil {
		return ""
	}
	env, err := program.Find("env")
	if err != nil {
		return "" // nothing is saved
	}
	return fmt.Sprintf("trap '{ command %s -0 && command pwd -P; } 2>/dev/null >&%d || :' EXIT; ", env, s.save)
}

// withState adds the descriptor by which the shell saves its state to those that it gets.
func (s *shell) withState(files []*os.File) []*os.File {
	if s.state == nil {
		return files
	}
	files = append(files, make([]*os.File, s.save-len(files))...)
	return append(files, s.state)
}

// unlinkedFile returns a nameless temporary file that holds script, at its start.
func unlinkedFile(script string) (*os.File, error) {
	f, err := os.CreateTemp("", "spillway-*")
	if err != nil {
		return nil, err
	}
	os.Remove(f.Name())
	return filled(f, script)
}

func filled(f *os.File, script string) (*os.File, error) {
	_, err := f.WriteString(script)
	if err == nil {
		_, err = f.Seek(0, 0)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}
