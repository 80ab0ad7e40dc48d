package access_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/all"
	"github.com/spillway-go/spillway/tools/internal/suitetest"
	"github.com/stretchr/testify/require"
)

const hiddenSecret = "hunter2-hidden"

// hidden is a suite in which .env and everything in secrets/ is hidden.
func hidden(t *testing.T, cfg config.Config) *tools.Suite {
	cfg.Hidden = append(cfg.Hidden, ".env", "secrets/")
	return suitetest.AllTools(t, cfg, map[string]string{
		".env": hiddenSecret, "sub/.env": hiddenSecret, "secrets/key.txt": hiddenSecret, "a.txt": "plain\n", "sub/b.txt": "plain\n",
		"nb/x.ipynb": `{"cells":[],"metadata":{},"nbformat":4,"nbformat_minor":5}`,
	})
}

// Whatever the tool, a hidden file is refused with one code and one text, whether it exists or not.
func TestHiddenFilesAreRefused(t *testing.T) {
	s := hidden(t, config.Config{Hidden: []string{"*.ipynb", "*.png"}})
	for _, name := range []string{
		".env", "./.env", "sub/../.env", ".ENV", "sub/.Env", "secrets/key.txt", "Secrets/key.txt", "secrets", "secrets/none",
		"none/.env", "sub/none/.env", "nb/x.ipynb", "none.png", ".env.", ".env ", "@.env", ".env:12", "`.env`", `"\056env"`,
		filepath.Join(s.Workspace(), ".env"), ".agentignore", "sub/.agentignore", ".env/x", "secrets/../secrets/key.txt",
	} {
		for tool, args := range map[string]map[string]any{
			"read":        {"path": name},
			"grep":        {"path": name, "pattern": "."},
			"find":        {"path": name, "pattern": "*"},
			"ls":          {"path": name},
			"write":       {"path": name, "content": "x"},
			"edit":        {"path": name, "old": "x", "new": "y"},
			"apply_patch": {"patch": "*** Begin Patch\n*** Add File: " + name + "\n+x\n*** End Patch"},
		} {
			if strings.ContainsAny(name, "@:` ") && (tool == "write" || tool == "apply_patch") {
				continue // a new file of that very name
			}
			res := suitetest.Call(t, s, tool, args)
			require.NotContains(t, res.Text, hiddenSecret)
			require.Equal(t, tools.CodeDenied, res.Code, "%s %q: %s", tool, name, res.Text)
			require.Contains(t, res.Text, "whether it exists or not")
		}
	}
	for _, name := range []string{".env", "secrets/key.txt", "sub/.env"} {
		data, err := os.ReadFile(filepath.Join(s.Workspace(), name))
		require.NoError(t, err)
		require.Equal(t, hiddenSecret, string(data))
	}
	require.NoFileExists(t, filepath.Join(s.Workspace(), "none.png"))
}

// The answer for a path that exists and for one that does not are the same but for the path.
func TestHiddenTellsNothingOfExistence(t *testing.T) {
	there, gone := hidden(t, config.Config{}), hidden(t, config.Config{})
	require.NoError(t, os.Remove(filepath.Join(gone.Workspace(), ".env")))
	require.NoError(t, os.RemoveAll(filepath.Join(gone.Workspace(), "secrets")))
	for _, name := range []string{
		".env", "secrets", "secrets/key.txt", "secrets/none", ".env/x", ".emv", ".env ", "‑env", "secret", "secrets/key.tx", "key.txt", "@secrets",
	} {
		for _, tool := range []string{"read", "ls", "grep", "write"} {
			args := map[string]any{"path": name}
			switch tool {
			case "grep":
				args["pattern"] = "x"
			case "write":
				if strings.HasSuffix(name, ".emv") || name == "key.txt" || name == "secret" {
					continue // creates a file of that name
				}
				args["content"] = "x"
			}
			a, b := suitetest.Call(t, there, tool, args), suitetest.Call(t, gone, tool, args)
			require.Equal(t, b.Text, a.Text, "%s %q", tool, name)
			require.NotContains(t, a.Text, "key.txt\"?", "no suggestion")
		}
	}
}

func TestHiddenIsCounted(t *testing.T) {
	s := hidden(t, config.Config{})
	for tool, want := range map[string]string{
		"ls": "2 entries are hidden here (Hidden or HiddenFile)", "find": "3 entries are hidden here", "grep": "3 entries are hidden here",
	} {
		res := suitetest.Call(t, s, tool, map[string]map[string]any{
			"ls": {}, "find": {"pattern": "*"}, "grep": {"pattern": "."},
		}[tool])
		require.False(t, res.IsError, res.Text)
		require.Contains(t, res.Text, want, tool)
		for _, name := range []string{".env", "secrets", "key.txt", hiddenSecret} {
			require.NotContains(t, res.Text, name, tool)
		}
	}
	ls, err := s.Ls(t.Context(), tools.LsParams{})
	require.NoError(t, err)
	require.Equal(t, 2, ls.Hidden)
	require.Equal(t, 3, ls.TotalEntries)
	ls, err = s.Ls(t.Context(), tools.LsParams{Path: "sub", Offset: 0, Limit: 1})
	require.NoError(t, err)
	require.Equal(t, []string{"b.txt"}, ls.Names)
	again := suitetest.Call(t, s, "find", map[string]any{"pattern": "`b.txt`"}) // which walks twice
	require.Contains(t, again.Text, "sub/b.txt")
	require.Contains(t, again.Text, "3 entries are hidden here")
	res, err := s.Grep(t.Context(), tools.GrepParams{Pattern: "hunter2", Ignored: true})
	require.NoError(t, err)
	require.Contains(t, res.Text, "3 entries are hidden here")
	require.Zero(t, res.Matches)
}

func TestHiddenThroughLinks(t *testing.T) {
	s := hidden(t, config.Config{})
	ws := s.Workspace()
	need.Symlink(t, ".env", filepath.Join(ws, "link"))
	need.Symlink(t, filepath.Join(ws, ".env"), filepath.Join(ws, "absolute"))
	need.Symlink(t, "link", filepath.Join(ws, "twice"))
	need.Symlink(t, "secrets", filepath.Join(ws, "dir"))
	need.Symlink(t, "secrets/new", filepath.Join(ws, "dangling"))
	for _, name := range []string{"link", "absolute", "twice", "dir", "dir/key.txt", "dangling", "sub/../link", "dir/new"} {
		for tool, args := range map[string]map[string]any{
			"read": {"path": name}, "grep": {"path": name, "pattern": "."}, "write": {"path": name, "content": "x"}, "ls": {"path": name},
		} {
			res := suitetest.Call(t, s, tool, args)
			require.Equal(t, tools.CodeDenied, res.Code, "%s %s: %s", tool, name, res.Text)
		}
	}
	require.NoFileExists(t, filepath.Join(ws, "secrets", "new"))
	res := suitetest.Call(t, s, "grep", map[string]any{"pattern": "hunter2"})
	require.NotContains(t, res.Text, hiddenSecret)
}

// A link that takes the place of a file meanwhile does not lead to a hidden one.
func TestHiddenInARace(t *testing.T) {
	s := hidden(t, config.Config{})
	ws := s.Workspace()
	visible, link := filepath.Join(ws, "swapped"), filepath.Join(ws, "l")
	need.Symlink(t, ".env", link)
	stop, done := make(chan struct{}), make(chan struct{})
	defer func() { close(stop); <-done }()
	go func() {
		defer close(done)
		for {
			select {
			case <-stop:
				return
			default:
			}
			os.WriteFile(filepath.Join(ws, "w"), []byte("plain"), 0o644)
			os.Rename(filepath.Join(ws, "w"), visible)
			os.Symlink(".env", link)
			os.Rename(link, visible)
		}
	}()
	for range testkit.Some(2000) {
		res := suitetest.Call(t, s, "read", map[string]any{"path": "swapped"})
		require.NotContains(t, res.Text, hiddenSecret)
	}
}

func TestHiddenFileInTheWorkspace(t *testing.T) {
	s := suitetest.AllTools(t, config.Config{Hidden: []string{"host.txt"}}, map[string]string{
		".agentignore": "*.key\n!public.key\n", "a.key": "x", "public.key": "x", "host.txt": "x",
		"sub/.agentignore": "/only\n!back.key\n!host.txt\n", "sub/only": "x", "sub/back.key": "x", "sub/host.txt": "x", "sub/deep/only": "x",
	})
	for name, want := range map[string]bool{
		"a.key": true, "public.key": false, "host.txt": true, "sub/only": true, "sub/back.key": false, "sub/host.txt": true,
		"sub/deep/only": false, "sub/x.key": true, ".agentignore": true, "sub/.agentignore": true,
	} {
		res := suitetest.Call(t, s, "read", map[string]any{"path": name})
		require.Equal(t, want, res.Code == tools.CodeDenied, "%s: %s", name, res.Text)
	}
	res := suitetest.Call(t, s, "write", map[string]any{"path": "sub/deep/.agentignore", "content": "!a.key"})
	require.Equal(t, tools.CodeDenied, res.Code)

	off := suitetest.AllTools(t, config.Config{HiddenFile: "-"}, map[string]string{".agentignore": "a\n", "a": "seen\n"})
	require.Contains(t, suitetest.Call(t, off, "read", map[string]any{"path": "a"}).Text, "seen")
	require.Contains(t, suitetest.Call(t, off, "ls", map[string]any{}).Text, ".agentignore")
}

func TestHiddenInCommands(t *testing.T) {
	need.Part(t, "tools/permission")
	need.Shell(t)
	s := hidden(t, config.Config{})
	for _, command := range []string{
		"cat .env", "cat < .env", "cat sub/../.env", "cp a.txt secrets/new", "cd sub && cat .env", "x --file=.env", "cat ./.ENV", "echo x > .env",
		"cat ~/.env || cat " + s.Workspace() + "/.env", "bash -c 'cat .env'", "secrets/run",
		"flock a.txt -c 'cat .env'", "sudo su -c 'cat .env' x",
	} {
		res := suitetest.Call(t, s, "bash", map[string]any{"command": command})
		require.Equal(t, tools.CodeDenied, res.Code, "%s: %s", command, res.Text)
	}
	require.Contains(t, suitetest.Call(t, s, "bash", map[string]any{"command": "cat a.txt; echo done"}).Text, "done")
	res := suitetest.Call(t, s, "bash", map[string]any{"command": "pwd", "cwd": "secrets"})
	require.Equal(t, tools.CodeDenied, res.Code)
}

func TestHiddenOptions(t *testing.T) {
	for name, cfg := range map[string]config.Config{
		"an empty pattern": {Hidden: []string{""}}, "a comment": {Hidden: []string{"# x"}}, "a malformed one": {Hidden: []string{"["}},
		"two in one": {Hidden: []string{"a\nb"}}, "a directory in the name": {HiddenFile: "a/b"},
	} {
		cfg.Workspace = t.TempDir()
		_, err := tools.New(cfg, all.Parts()...)
		require.ErrorContains(t, err, "Hidden", name)
	}
}
