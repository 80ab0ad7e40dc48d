package section_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/spillway-go/spillway/internal/docs/section"
	"github.com/stretchr/testify/require"
)

func TestSection(t *testing.T) {
	page := filepath.Join(t.TempDir(), "page.md")
	const before, after = "text\n<!-- a -->\n", "<!-- /a -->\n<!-- b -->\nmore\n"
	require.NoError(t, os.WriteFile(page, []byte(before+"old\n"+after), 0o644))
	got, err := section.Read(page, "a")
	require.NoError(t, err)
	require.Equal(t, "old\n", got)
	require.NoError(t, section.Write(page, "a", "new\n"))
	data, err := os.ReadFile(page)
	require.NoError(t, err)
	require.Equal(t, before+"new\n"+after, string(data))
	for _, name := range []string{"b", "c"} {
		require.ErrorContains(t, section.Write(page, name, ""), "has no section "+name)
	}
	_, err = section.Read(filepath.Join(t.TempDir(), "none.md"), "a")
	require.ErrorIs(t, err, os.ErrNotExist)
}
