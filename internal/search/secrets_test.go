package search_test

import (
	"io"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/internal/mask"
	"github.com/spillway-go/spillway/internal/search"
	"github.com/stretchr/testify/require"
)

// counting is an engine that has masked a secret in lines 3 to 5, and counts how often that is asked for.
type counting struct {
	mask.Nothing
	asked, read int
}

type countingReader struct {
	io.Reader
	*counting
}

func (c *counting) Reader(r io.Reader, _ bool) mask.Reader { return countingReader{r, c} }

func (r countingReader) Read(p []byte) (int, error) {
	r.read++
	return r.Reader.Read(p)
}

func (r countingReader) Findings() []mask.Finding {
	r.asked++
	return []mask.Finding{{Kind: "token", Line: 3, LastLine: 5}}
}

// The secrets are asked for once a block, however many lines match: a list for each line made a search of a file with
// many secrets thirty times as slow.
func TestSecretsOfBlocks(t *testing.T) {
	text := strings.Repeat("x\n", 10_000)
	for _, multiline := range []bool{false, true} {
		engine := &counting{}
		q := query(t, "x")
		q.Redact, q.Multiline = mask.New(engine), multiline
		var redacted []int
		lines := 0
		_, err := q.File(t.Context(), io.MultiReader(strings.NewReader(text)), int64(len(text)), func(l search.Line) bool {
			if lines++; len(l.Redacted) > 0 {
				redacted = append(redacted, l.Number)
			}
			return true
		})
		require.NoError(t, err)
		require.Equal(t, []int{3, 4, 5}, redacted)
		require.Equal(t, 10_000, lines)
		require.Equal(t, engine.read, engine.asked)
	}
}
