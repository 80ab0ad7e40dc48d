package tools

import (
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestUnsized(t *testing.T) {
	text := strings.Repeat("x", 1000)
	file := func(max int64) *unsized {
		r := strings.NewReader(text)
		return &unsized{Reader: r, ReaderAt: r, name: "endless", max: max}
	}
	data, err := io.ReadAll(file(1000))
	require.NoError(t, err)
	require.Equal(t, text, string(data))
	_, err = io.ReadAll(file(999))
	require.Equal(t, CodeTooLarge, CodeOf(err))
	require.ErrorContains(t, err, "endless does not say how long it is")
	buf := make([]byte, 10)
	_, err = file(1000).ReadAt(buf, 990)
	require.NoError(t, err)
	_, err = file(999).ReadAt(buf, 990)
	require.Equal(t, CodeTooLarge, CodeOf(err))
}
