package proc

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestReadState(t *testing.T) {
	const rest = "\x00/work\n"
	most := "A=" + strings.Repeat("x", MaxState-len("A="+rest))
	for name, test := range map[string]struct {
		saved string
		want  *State
	}{
		"whole":                      {"A=1\x00B=a\nb\xff" + rest, &State{Dir: "/work", Env: []string{"A=1", "B=a\nb\xff"}}},
		"a newline in the directory": {"A=1\x00/a\nb\n", &State{Dir: "/a\nb", Env: []string{"A=1"}}},
		"variables without a name":   {"=x\x00no\x00A=" + rest, &State{Dir: "/work", Env: []string{"A="}}},
		"no variable":                {rest, &State{Dir: "/work", Env: []string{}}},
		"room behind it":             {"A=1" + rest + "\x00\x00", &State{Dir: "/work", Env: []string{"A=1"}}},
		"as long as may be":          {most + rest, &State{Dir: "/work", Env: []string{most}}},
		"longer":                     {most + "x" + rest, nil},
		"cut off":                    {"A=1\x00/work", nil},
		"a relative directory":       {"A=1\x00work\n", nil},
		"no environment":             {"/work\n", nil},
		"nothing":                    {"", nil},
	} {
		file, err := os.Create(filepath.Join(t.TempDir(), "state"))
		require.NoError(t, err)
		_, err = file.WriteString(test.saved)
		require.NoError(t, err)
		require.Equal(t, test.want, readState(file, nil), name)
		file.Close()
	}
}

// FuzzReadState reads what any command may have written to the descriptor. What is taken is
// whole: it is the same when it is written again.
func FuzzReadState(f *testing.F) {
	f.Add([]byte("A=1\x00B=a\nb\xff\x00/work\n"), 0)
	f.Add([]byte("A=1\x00/a\nb\n"), 0)
	f.Add([]byte("A=1\x00=x\x00no\x00/\n"), 0)
	f.Add([]byte("A=1\x00/cut off"), 0)
	f.Add([]byte("A=1\x00relative\n"), 0)
	f.Add([]byte("/work\n"), 0)
	f.Add([]byte("A=1\x00/work\n"), MaxState-11)
	f.Add([]byte("A=1\x00/work\n"), MaxState-10)
	f.Add([]byte("A=1\x00/work\n\x00"), MaxState-10)
	f.Add([]byte("A=1\x00/work\n\x00\x00B"), MaxState-10)
	f.Add([]byte("A=1\x00/work\n"), MaxState)
	f.Fuzz(func(t *testing.T, data []byte, padding int) {
		file, err := os.Create(filepath.Join(t.TempDir(), "state"))
		require.NoError(t, err)
		defer file.Close()
		write := func(data []byte) *State {
			require.NoError(t, file.Truncate(0))
			_, err := file.WriteAt(data, 0)
			require.NoError(t, err)
			return readState(file, nil)
		}
		data = slices.Concat([]byte(strings.Repeat("x", min(max(padding, 0), MaxState))), data)
		state := write(data)
		if state == nil {
			return
		}
		written := bytes.TrimRight(data[:min(len(data), MaxState+1)], "\x00") // nothing behind it is read
		require.LessOrEqual(t, len(written), MaxState)
		require.True(t, strings.HasPrefix(state.Dir, "/"))
		if len(state.Env) > 0 {
			require.Equal(t, state, write([]byte(strings.Join(state.Env, "\x00")+"\x00"+state.Dir+"\n")))
		}
	})
}
