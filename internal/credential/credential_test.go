package credential_test

import (
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spillway-go/spillway/internal/credential"
)

// The rest of the library has no kind of its own: what one part knows and another does not is a leak.
func TestOneTable(t *testing.T) {
	const distinct = 5 // bytes; shorter ones are parts of other words
	var literals []string
	for _, k := range credential.Kinds {
		for _, l := range k.Literals {
			if len(l.Text) >= distinct && !k.Lines {
				literals = append(literals, l.Text)
			}
		}
	}
	for _, dir := range []string{"config", "internal", "spill", "tools", "truncation"} {
		require.NoError(t, fs.WalkDir(os.DirFS("../.."), dir, func(path string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case d.IsDir() && slices.Contains([]string{"credential", "bench", "quickjs", "suitetest"}, d.Name()):
				return fs.SkipDir
			case !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
				return nil
			}
			text, err := os.ReadFile("../../" + path)
			for _, l := range literals {
				require.NotContains(t, string(text), l, path)
			}
			return err
		}))
	}
}
