package terminal_test

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/spillway-go/spillway/internal/terminal"
	"github.com/stretchr/testify/require"
)

// A Reader reads what a Filter writes, however its raw output comes, and then the error of that.
func TestReader(t *testing.T) {
	raw := strings.Repeat("\x1b[1mone\x1b[0m\r\n10%\r100%\nn\x00l \xff \x1b]0;t\a界\n", 3000) + strings.Repeat("x\r", 100_000) + "end"
	var want strings.Builder
	f := terminal.NewFilter(&want, "_")
	f.Write([]byte(raw))
	require.NoError(t, f.Close())
	failed := errors.New("failed")
	for _, in := range []io.Reader{
		strings.NewReader(raw), iotest.OneByteReader(strings.NewReader(raw)), iotest.DataErrReader(strings.NewReader(raw)),
		io.MultiReader(strings.NewReader(raw), iotest.ErrReader(failed)),
	} {
		r := terminal.NewReader(in, "_")
		var got strings.Builder
		p := make([]byte, 1000)
		var err error
		for err == nil {
			var n int
			n, err = r.Read(p)
			got.Write(p[:n])
		}
		require.Equal(t, want.String(), got.String())
		require.True(t, err == io.EOF || err == failed)
		require.Equal(t, int64(3000), r.Met().Invalid)
	}
}
