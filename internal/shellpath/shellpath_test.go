package shellpath

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestFindWithoutPlace(t *testing.T) {
	require.Empty(t, New("", nil).Find("", "name"))
	require.Empty(t, New("", nil).Find("", "~/name"))
	abs, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	require.Equal(t, abs, New("", nil).Find(abs, ""))
}
