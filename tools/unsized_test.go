package tools

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestUnsized(t *testing.T) {
	text := strings.Repeat("x", 1000)
	file := func(max int64) *unsized {
		return &unsized{ReaderAt: strings.NewReader(text), name: "endless", most: max}
	}
	buf := make([]byte, 10)
	_, err := file(1000).ReadAt(buf, 990)
	require.NoError(t, err)
	_, err = file(999).ReadAt(buf, 990)
	require.Equal(t, CodeTooLarge, CodeOf(err))
	require.ErrorContains(t, err, "endless does not say how long it is")
}
