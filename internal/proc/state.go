package proc

import (
	"bytes"
	"io"
	"os"
	"slices"
	"strings"
)

// State is what a shell passes on to the next one.
type State struct {
	Dir string   // the working directory, without symbolic links
	Env []string // the exported variables as "name=value", and functions in bash's format

	// Defined is the output of SaveDefinitions, up to MaxDefined; "" if the shell is not bash.
	Defined string
}

// MaxDefined is the largest size of State.Defined in bytes. A shell parses it before each command; nvm's takes 150 KB.
const MaxDefined = 256 << 10

// MaxState is the largest size of a State in bytes. On Linux the arguments and variables of a
// program may have 2 MiB together, or less with a small stack.
const MaxState = 256 << 10

// readState reads what the shell saved: its environment as env -0 prints it, a line with its directory, and the output
// of bash in defined, which is nil for another shell. It returns nil if the environment is incomplete.
func readState(f, defined *os.File) *State {
	data, err := io.ReadAll(io.NewSectionReader(f, 0, MaxState+1))
	data = bytes.TrimRight(data, "\x00") // the unused rest of the file
	end := bytes.LastIndexByte(data, 0)
	dir, whole := strings.CutSuffix(string(data[end+1:]), "\n")
	if err != nil || len(data) > MaxState || end < 0 || !whole || !strings.HasPrefix(dir, "/") {
		return nil
	}
	env := slices.DeleteFunc(strings.Split(string(data[:end]), "\x00"), func(v string) bool {
		return strings.IndexByte(v, '=') <= 0
	})
	s := &State{Dir: dir, Env: env}
	if defined != nil {
		data, _ = io.ReadAll(io.NewSectionReader(defined, 0, MaxDefined))
		s.Defined = string(bytes.TrimRight(data, "\x00"))
	}
	return s
}
