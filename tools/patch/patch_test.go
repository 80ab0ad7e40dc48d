package patch_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/patch"
)

// Without the part a suite has no apply_patch: New refuses one that names it, and calls of it say what there is.
func TestWithoutThePart(t *testing.T) {
	t.Setenv("SPILLWAY_TOOLS", "read,apply_patch")
	cfg, err := config.FromEnv(config.Config{Workspace: t.TempDir()})
	require.NoError(t, err)
	_, err = tools.New(cfg)
	require.EqualError(t, err, `config: SPILLWAY_TOOLS: Tools is apply_patch, but must be another without its part: `+
		`import github.com/spillway-go/spillway/tools/patch and give tools.New patch.Part() too`)

	for name, parts := range map[string][]tools.Part{"without": nil, "not named": {patch.Part()}} {
		suite, err := tools.New(config.Config{Workspace: t.TempDir()}, parts...)
		require.NoError(t, err, name)
		defer suite.Close()
		_, err = patch.Apply(t.Context(), suite, patch.Params{Patch: "*** Begin Patch\n*** Add File: a\n+a\n*** End Patch"})
		require.EqualError(t, err, "denied: this suite does not have the tool apply_patch; it has read, bash, grep, find, ls, "+
			"write, edit, job", name)
	}
}

// A typed call reports failures with their code and what was gathered, and refuses what JSON would change.
func TestApplyFails(t *testing.T) {
	suite, err := tools.New(config.Config{Workspace: t.TempDir(), Tools: []string{"write", "apply_patch"}}, patch.Part())
	require.NoError(t, err)
	defer suite.Close()
	_, err = suite.Write(t.Context(), tools.WriteParams{Path: "a", Content: "one\n"})
	require.NoError(t, err)
	update := func(old string) (tools.ChangeResult, error) {
		return patch.Apply(t.Context(), suite, patch.Params{Patch: "*** Begin Patch\n*** Update File: a\n-" + old + "\n+two\n*** End Patch"})
	}
	res, err := update("onee")
	require.Equal(t, tools.CodeNotFound, tools.CodeOf(err))
	require.Contains(t, res.Text, "one")
	_, err = update("one\xff")
	require.Equal(t, tools.CodeInvalidInput, tools.CodeOf(err))
	res, err = update("one")
	require.NoError(t, err)
	require.Equal(t, 1, res.Files[0].LinesAdded)
}
