package textfile

import (
	"strings"
	"testing"

	"github.com/spillway-go/spillway/internal/fault"
	"github.com/stretchr/testify/require"
)

func TestUnsized(t *testing.T) {
	text := strings.Repeat("x", 1000)
	file := func(most int64) *unsized {
		return &unsized{strings.NewReader(text), "endless", most}
	}
	buf := make([]byte, 10)
	_, err := file(1000).ReadAt(buf, 990)
	require.NoError(t, err)
	_, err = file(999).ReadAt(buf, 990)
	var e *fault.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, fault.TooLarge, e.Code)
	require.ErrorContains(t, err, "endless does not say how long it is")
}
