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
			return readState(file)
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
