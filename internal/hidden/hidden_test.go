package hidden_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/internal/hidden"
	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/internal/workspace"
	"github.com/stretchr/testify/require"
)

// plant writes files, by their paths with slashes. The path of a directory ends in a slash.
func plant(t *testing.T, files map[string]string) (dir string) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	for name, content := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		if strings.HasSuffix(name, "/") {
			require.NoError(t, os.MkdirAll(path, 0o755))
			continue
		}
		require.NoError(t, os.WriteFile(path, []byte(content), 0o644))
	}
	return dir
}

func lookAt(t *testing.T, dir, spare string, patterns ...string) workspace.Look {
	files, err := hidden.New(dir, spare, patterns, ".agentignore")
	require.NoError(t, err)
	return files.Look()
}

// What a walk is told of the entries of each directory is what holds for their paths.
func TestInIsHides(t *testing.T) {
	dir := plant(t, map[string]string{
		".agentignore": "*.key\n!public.key\n/top\nlogs/\n", "a.key": "", "public.key": "", "top/x": "", ".github/a.key": "", "logs": "",
		"sub/.agentignore": "/only\n!back.key\n", "sub/only": "", "sub/back.key": "", "sub/deep/only": "", "sub/deep/logs/x": "",
		"all/.agentignore": "*\n", "all/x/y": "", "spills/out/.agentignore": "*\n", "spills/out/a.key": "", "spills/in.key": "",
		"Upper/.AgentIgnore": "x\n", "Upper/x": "", "free/x": "", "free/y/z": "", "wrong/.agentignore/x": "", "wrong/y": "",
	})
	for _, known := range []bool{true, false} {
		walked, asked := lookAt(t, dir, filepath.Join(dir, "spills", "out"), ".env"), lookAt(t, dir, filepath.Join(dir, "spills", "out"), ".env")
		require.NoError(t, filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
			if err != nil || !e.IsDir() {
				return err
			}
			rel, err := filepath.Rel(dir, path)
			require.NoError(t, err)
			entries, err := os.ReadDir(path)
			require.NoError(t, err)
			var names []string
			for _, e := range entries {
				names = append(names, e.Name())
			}
			all := slices.Values(names)
			if !known {
				all = nil
			}
			hides, _ := walked.In(rel, all)
			for _, e := range append(entries, entries...) {
				want := asked.Hides(filepath.Join(rel, e.Name()), e.IsDir())
				require.Equal(t, want != nil, hides != nil && hides(e.Name(), e.IsDir()), "%s in %s, known %v", e.Name(), rel, known)
			}
			return nil
		}))
	}
}

// Where the names say that there is no ignore file, none is looked for.
func TestInLooksForNothing(t *testing.T) {
	dir := plant(t, map[string]string{"sub/.agentignore": "x\n", "sub/x": "", "sub/a/": ""})
	look := lookAt(t, dir, "")
	hides, unread := look.In("sub", slices.Values([]string{"x", ".agent", ".agentignore.bak"}))
	require.Nil(t, hides)
	require.Nil(t, unread)
	for _, names := range [][]string{{"x", ".agentignore"}, {".AGENTIGNORE"}, {".agentIgnore"}} {
		hides, unread = lookAt(t, dir, "").In("sub", slices.Values(names))
		require.Nil(t, unread)
		require.True(t, hides("x", false), names)
		require.False(t, hides("y", false), names)
	}
}

// An ignore file that cannot be read as one hides all of its directory, and says which it is and why.
func TestUnread(t *testing.T) {
	long := strings.Repeat("x\n", 64<<10)
	dir := plant(t, map[string]string{
		"directory/.agentignore/x": "", "large/.agentignore": long, "fits/.agentignore": long[:64<<10], "empty/.agentignore": "", "none/x": "",
	})
	for _, links := range []string{"dangling", "loop", "link"} {
		require.NoError(t, os.Mkdir(filepath.Join(dir, links), 0o755))
	}
	need.Symlink(t, "nothing", filepath.Join(dir, "dangling", ".agentignore"))
	need.Symlink(t, ".agentignore", filepath.Join(dir, "loop", ".agentignore"))
	need.Symlink(t, filepath.Join("..", "empty", ".agentignore"), filepath.Join(dir, "link", ".agentignore"))
	for name, why := range map[string]string{
		"directory": "a directory", "large": "over 64 KiB", "dangling": "a symbolic link", "loop": "a symbolic link", "link": "a symbolic link",
		"fits": "", "empty": "", "none": "",
	} {
		requireUnread(t, lookAt(t, dir, ""), name, why)
	}
	long = strings.Repeat("/y\n", 20_000)
	deep := map[string]string{}
	for at, i := "", 0; i < 6; i++ {
		deep[at+".agentignore"] = long
		at += "d/"
	}
	look := lookAt(t, plant(t, deep), "")
	requireUnread(t, look, filepath.Join("d", "d", "d", "d"), "")
	requireUnread(t, look, filepath.Join("d", "d", "d", "d", "d"), "more rules than there is room for")
}

// requireUnread checks that all of a directory is hidden, for this reason; that it is not if why is "".
func requireUnread(t *testing.T, look workspace.Look, dir, why string) {
	t.Helper()
	err := look.Hides(filepath.Join(dir, "file"), false)
	hides, unread := look.In(dir, nil)
	if why == "" {
		require.NoError(t, err, dir)
		require.Nil(t, unread, dir)
		return
	}
	require.ErrorIs(t, err, workspace.ErrHidden, dir)
	require.ErrorContains(t, err, filepath.ToSlash(filepath.Join(dir, ".agentignore"))+" cannot be read (")
	require.ErrorContains(t, err, why)
	require.Equal(t, err, unread)
	require.True(t, hides("file", false))
	require.Equal(t, err, look.Hides(filepath.Join(dir, "x", "y"), false), "and below it")
}
