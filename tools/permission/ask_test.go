package permission_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/all"
)

// The model reads why a call would fail that nobody need be asked about, and what an Ask says otherwise.
func TestErrorsOfAsk(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.txt"), []byte("one\n"), 0o644))
	suite, err := tools.New(config.Config{
		Workspace: dir, Rules: config.Rules{Ask: []string{"edit"}},
		Ask: func(ctx context.Context, call config.Call) (config.Answer, error) {
			if _, err := call.Preview(ctx); err != nil {
				return config.Answer{}, err
			}
			return config.Answer{}, errors.New("nobody is there\n" + strings.Repeat("x", 3000))
		},
	}, all.Parts()...)
	require.NoError(t, err)
	defer suite.Close()
	for args, want := range map[string]string{
		`{"path": "a.txt", "old_string": "two", "new_string": "x"}`: "not_found: old_string is not in a.txt",
		`{"path": "b.txt", "old_string": "two", "new_string": "x"}`: "not_found: b.txt does not exist",
		`{"path": "a.txt", "old_string": "one", "new_string": "x"}`: `denied: "nobody is there\\nx{600}x*\.\.\.$`,
	} {
		res, err := suite.Call(t.Context(), "edit", []byte(args))
		require.NoError(t, err)
		require.True(t, res.IsError)
		require.Regexp(t, "^"+want, res.Text)
	}
}
