package record

import (
	"bytes"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spillway-go/spillway/internal/testkit"
)

// repeated is a reader of that many bytes.
type repeated struct{ left int }

func (r *repeated) Read(p []byte) (int, error) {
	if r.left == 0 {
		return 0, io.EOF
	}
	n := min(len(p), r.left)
	for i := range p[:n] {
		p[i] = 'x'
	}
	r.left -= n
	return n, nil
}

// A line over the limit is passed over, not held.
func TestLongLine(t *testing.T) {
	testkit.NotUnderRace(t)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	var got []int
	for line, err := range lines(io.MultiReader(&repeated{20 * maxLine}, strings.NewReader("\n\nshort\r\ntorn"))) {
		got = append(got, line.number)
		if line.number == 1 {
			require.ErrorContains(t, err, "the line has more than 16777216 bytes")
			continue
		}
		require.NoError(t, err)
		require.Equal(t, "short", string(line.text))
	}
	require.Equal(t, []int{1, 3}, got)
	runtime.ReadMemStats(&after)
	require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(6*maxLine), "as a slice that grows to the limit")
}

func TestLinesEnd(t *testing.T) {
	for range lines(bytes.NewReader([]byte("a\nb\n"))) {
		break
	}
	failing := io.MultiReader(strings.NewReader("a\n"), iotestErr{})
	var errs []error
	for _, err := range lines(failing) {
		errs = append(errs, err)
	}
	require.Equal(t, []error{nil, io.ErrNoProgress}, errs, "an error of the reader is the last")
}

type iotestErr struct{}

func (iotestErr) Read([]byte) (int, error) { return 0, io.ErrNoProgress }
