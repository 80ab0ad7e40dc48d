package permission_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/tools"
)

// A suite without the part, with a hidden file.
func without(t *testing.T, cfg config.Config) *tools.Suite {
	cfg.Workspace = t.TempDir()
	for name, text := range map[string]string{".agentignore": ".env\nsecret/\n", ".env": "KEY=1\n", "a b": "x", "sub/f": "x", "secret/f": "x"} {
		path := filepath.Join(cfg.Workspace, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	}
	s, err := tools.New(cfg)
	require.NoError(t, err)
	t.Cleanup(func() { s.Close() })
	return s
}

// An ignore file holds without the part: a command that names a hidden file by a plain word is refused.
func TestHiddenWithoutPart(t *testing.T) {
	need.Program(t, "bash")
	s := without(t, config.Config{})
	for _, command := range []string{
		"cat .env", "cat './.env'", `cat "$PWD"/x .env`, "cat <.env", "cat sub/../.env", "cd sub && cat ../.env", "cd sub; cd ..; cat .env",
		"grep -r KEY --file=.env", "curl -d @.env x", "git show HEAD:.env", "cat secret/f", "ls secret", `cat .e\nv`, "x=1;cat .env|wc", "cat `echo .env`",
	} {
		_, err := s.Bash(t.Context(), tools.BashParams{Command: command})
		require.Equal(t, tools.CodeDenied, tools.CodeOf(err), "%s: %v", command, err)
		require.ErrorContains(t, err, "which is hidden from the tools", command)
	}
	for _, command := range []string{"echo env", "cat 'a b'", "echo x --exclude=.env", "echo x --exclude .env", "cat sub/f"} {
		_, err := s.Bash(t.Context(), tools.BashParams{Command: command})
		require.NoError(t, err, command)
	}
}

// Functions are not kept without a parser, and that is said.
func TestFunctionsWithoutPart(t *testing.T) {
	need.Program(t, "bash")
	s := without(t, config.Config{Bash: config.Bash{KeepState: true, Shell: "bash"}})
	res, err := s.Bash(t.Context(), tools.BashParams{Command: "f() { echo kept; }; export A=1; cd sub"})
	require.NoError(t, err)
	require.Contains(t, res.Text, "Not kept for the next command: the function f. Functions and aliases are not kept here")
	res, err = s.Bash(t.Context(), tools.BashParams{Command: `type f; echo "$A" "${PWD##*/}"`})
	require.NoError(t, err)
	require.Contains(t, res.Text, "1 sub\n")
	require.NotContains(t, res.Text, "Not kept")
}

// A guard is asked about a command, of which it then knows the text and the directory alone.
func TestGuardWithoutPart(t *testing.T) {
	need.Program(t, "bash")
	var seen config.Call
	s := without(t, config.Config{Guard: func(ctx context.Context, call config.Call) error {
		seen = call
		text, err := call.Preview(ctx)
		require.NoError(t, err)
		require.Equal(t, "Run in the workspace for at most 2m0s:\n  echo x >out", text)
		return nil
	}})
	_, err := s.Bash(t.Context(), tools.BashParams{Command: "echo x >out"})
	require.NoError(t, err)
	require.Empty(t, seen.Commands)
	require.Equal(t, []config.PathUse{{Name: ".", Path: s.Workspace(), Use: config.UseList}}, seen.Paths)
}
