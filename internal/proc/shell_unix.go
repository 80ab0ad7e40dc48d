//go:build unix

package proc

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spillway-go/spillway/internal/program"
)

// A script is read from descriptor 3, which is closed before the script starts. As an argument it would match its own
// searches: pgrep -f, pkill -f. To the script this looks like bash -c: $0, $-, $LINENO, the exit codes, those of
// syntax errors (2) included, and bash's error messages, except for "bash: eval: line 1: syntax error" and one more
// plus in a trace (set -x). A script that bash reads as a file (bash /dev/fd/3) has another $0, keeps the descriptor
// open in every child, and ends with another code under set -u; one that is sourced may return. The variable keeps
// trailing newlines, which $(cat) would drop.
//
// The cost is that bash forks for a script that is one program, where bash -c runs the program in its own process (0.3
// ms).
const (
	// The loaders of bash. If a command has a prelude, the file starts with it and a NUL byte. The ! is for set -e:
	// read fails at the end of the file, and unset fails because its second argument is not a name. But unset makes
	// that argument $_, so no variable holds the script, and no error shows the loader beside it.
	bashLoader  = `! IFS= read -rd '' -u 3 __;exec 3<&-;! builtin unset -v __ " $__" 2>/dev/null;eval "$_"`
	bashPrelude = `IFS= read -rd '' -u 3 __;eval "$__";`
	// lineLoader is for a short script and a sh without read -d. Unlike plainLoader it starts no process (0.7 ms), but
	// such a shell makes a system call for each byte.
	lineLoader = `___=;while IFS= read -r __;do ___=$___$__'
';done<&3;exec 3<&-;eval "unset __ ___;$___$__"`
	plainLoader = `eval "unset __;exec 3<&-;$(cat <&3)"`
	// maxLines is the size of the largest script for lineLoader.
	maxLines = 2 << 10
)

type shell struct {
	path   string
	argv   []string
	script *os.File // inherited as descriptor 3, or nil
	filter *os.File // descriptor 5 of the program that starts the shell, or nil
	vars   *os.File // descriptor 6 of that program, or nil
	state  *os.File // file for the shell's state; nil if it saves none, or if a Process owns the file
	save   int      // the shell's descriptor of state

	defined *os.File // file for bash's functions and aliases, like state
	define  string   // code that bash runs first
}

func (s *shell) close() { closeAll([]*os.File{s.script, s.filter, s.vars, s.state, s.defined}) }

// load makes the shell run the code gate, and then script, which it reads from descriptor 3.
func (s *shell) load(gate, script string) (err error) {
	prelude, loader := s.define, plainLoader
	if s.state != nil {
		prelude = s.saveCommand() + prelude
	}
	switch {
	case s.argv[0] == "bash" && prelude == "":
		loader = bashLoader
	case s.argv[0] == "bash":
		loader, prelude = bashPrelude+bashLoader, prelude+"\x00"
	case len(script) <= maxLines:
		loader = lineLoader
	}
	if s.script, err = scriptFile(prelude + script); err != nil {
		return fmt.Errorf("passing a command of %d bytes: %w", len(script), err)
	}
	s.argv = append(append(s.argv, startup[s.argv[0]]...), "-c", gate+loader)
	return nil
}

func newShell(c Command) (*shell, error) {
	path, name, err := findShell(c.Shell)
	if err != nil {
		return nil, err
	}
	s := &shell{path: path, argv: []string{name}, save: saveBash}
	if name != "bash" {
		s.save = savePlain
	}
	if name == "bash" {
		s.define = c.Define
	}
	if c.KeepState {
		if s.state, err = stateFile(MaxState); err == nil && name == "bash" {
			s.defined, err = stateFile(MaxDefined)
		}
		if err != nil {
			s.close()
			return nil, fmt.Errorf("keeping the state of the shell: %w", err)
		}
	}
	return s, nil
}

// findShell returns the path and the name of the shell asked for. The default is bash, or sh if there is no bash.
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

func ShellName(asked string) string {
	_, name, _ := findShell(asked)
	return cmp.Or(name, "sh")
}

// startup has the options that keep shells from reading their startup files.
var startup = map[string][]string{"bash": bashOptions, "zsh": {"-f"}}

// KeepsState reports whether this system supports Command.KeepState.
const KeepsState = true

// The descriptors for a shell's state, and for bash's functions and aliases. bash and scripts do not use 147 and 148;
// other shells support only single digits.
const (
	saveBash    = 147
	saveDefined = 148
	savePlain   = 7
)

// saveCommand returns the command that saves the shell's state when it ends, for readState, or "" if there is no env.
// A trace (set -x) does not show it.
func (s *shell) saveCommand() string {
	env, err := program.Find("env")
	if err != nil {
		return ""
	}
	own := ""
	if s.argv[0] == "bash" { // a subshell killed before it has forgotten the trap runs it too (bash 5.2)
		own = `\builtin test "$BASHPID" = "$$" && `
	}
	save := fmt.Sprintf("{ %scommand %s -0 && command pwd -P; } 2>/dev/null >&%d || :", own, env, s.save)
	if s.defined != nil {
		save += fmt.Sprintf("; { %s{ %s; }; } 2>/dev/null >&%d || :", own, strings.ReplaceAll(SaveDefinitions, "'", `'\''`), saveDefined)
	}
	return "trap '" + save + "' EXIT; "
}

func (s *shell) withState(files []*os.File) []*os.File {
	if s.state == nil {
		return files
	}
	files = append(files, make([]*os.File, s.save-len(files))...)
	if files = append(files, s.state); s.defined != nil {
		files = append(files, s.defined)
	}
	return files
}

// unlinkedFile returns a temporary file without a name that holds script, positioned at its start.
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

// SaveDefinitions makes bash print its functions and aliases. The names come first, so that functions are known by
// name even if their text does not fit.
const SaveDefinitions = `\builtin declare -F; \builtin printf '\0'; \builtin shopt expand_aliases; \builtin alias -p; ` +
	`\builtin printf '\0'; \builtin declare -f`
