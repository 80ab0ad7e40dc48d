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
	data, err := used(f, MaxState+1)
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
		data, _ = used(defined, MaxDefined)
		s.Defined = string(data)
	}
	return s
}

// used reads at most most bytes of a file, without the zeros that it ends with. It stops at a piece of nothing but
// zeros: most of a stateFile is unused, and reading all of it took as long as all else that a call does to keep state.
func used(f *os.File, most int) ([]byte, error) {
	var data []byte
	piece := make([]byte, 16<<10)
	for len(data) < most {
		n, err := f.ReadAt(piece, int64(len(data)))
		if err != nil && err != io.EOF {
			return nil, err
		}
		if len(bytes.TrimRight(piece[:n], "\x00")) == 0 {
			break
		}
		data = append(data, piece[:n]...)
	}
	return bytes.TrimRight(data[:min(len(data), most)], "\x00"), nil
}
