//go:build unix

package proc

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
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
	filter *os.File // inherited as descriptor 5, or nil
	env    []string // further variables
}

// close closes the program's own copy of the script.
func (s *shell) close() {
	for _, f := range []*os.File{s.script, s.filter} {
		if f != nil {
			f.Close()
		}
	}
}

// discard frees what a shell that was not started would have used.
func (s *shell) discard() {}

// loadingShell returns a shell that reads script from descriptor 3 and runs it, after a
// command: forBash, or forSh where there is no bash.
func loadingShell(script, forBash, forSh string) (*shell, error) {
	path, name, err := findShell()
	if err != nil {
		return nil, err
	}
	file, err := scriptFile(script)
	if err != nil {
		return nil, fmt.Errorf("passing a command of %d bytes: %w", len(script), err)
	}
	loader := forBash + bashLoader
	if name != "bash" {
		loader = forSh + plainLoader
	}
	return &shell{path: path, argv: shellLine(name, loader), script: file}, nil
}

// plainShell returns the shell that runs script, without a gate.
func plainShell(script string) (*shell, error) {
	if len(script) > maxScriptArgument {
		return loadingShell(script, "", "")
	}
	path, name, err := findShell()
	if err != nil {
		return nil, err
	}
	return &shell{path: path, argv: shellLine(name, script)}, nil
}

// findShell returns the path of bash, or of sh where there is none, and which it is.
func findShell() (path, name string, err error) {
	if path = findBash(); path != "" {
		return path, "bash", nil
	}
	if path, err = exec.LookPath("sh"); err != nil {
		return "", "", fmt.Errorf("no shell: %w", err)
	}
	return path, "sh", nil
}

// shellLine returns the arguments of a shell that runs script.
func shellLine(name, script string) []string {
	if name == "bash" {
		return slices.Concat([]string{name}, bashOptions, []string{"-c", script})
	}
	return []string{name, "-c", script}
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
