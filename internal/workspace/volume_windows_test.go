package workspace

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/stretchr/testify/require"
)

// windowsTree is a workspace with a.txt and sub\b.txt, and a directory beside it.
func windowsTree(t *testing.T) (ws, out string) {
	base := testkit.Must(t, filepath.EvalSymlinks, t.TempDir())
	ws, out = filepath.Join(base, "ws"), filepath.Join(base, "out")
	require.NoError(t, os.MkdirAll(filepath.Join(ws, "sub"), 0o755))
	require.NoError(t, os.Mkdir(out, 0o755))
	for _, f := range []string{filepath.Join(ws, "a.txt"), filepath.Join(ws, "sub", "b.txt"), filepath.Join(out, "secret")} {
		require.NoError(t, os.WriteFile(f, []byte(filepath.Base(f)), 0o644))
	}
	return ws, out
}

// elsewhere are paths that no workspace on a drive has in it.
var elsewhere = []string{
	`\\server\share`, `\\server\share\`, `\\server\share\a.txt`, `\\server`, `\\`, `\\\`, `//server/share`, `\\.\nul`, `\\.\pipe\x`, `\\.\C:\`, `\\.`,
	`\\?\C:`, `\\?\C:\`, `\\?\UNC\server\share`, `\\?`, `\??\C:\`, `\`, `/`, `/etc/passwd`, `\windows`, `C:`, `C:a.txt`, `sub\C:b.txt`,
	`CON`, `con`, `sub\NUL`, `COM1`, `CONIN$`, `a.txt:stream`, `a.txt::$DATA`, `sub:x\b.txt`, `sub::$INDEX_ALLOCATION\b.txt`, `:`, `Q:\a.txt`,
}

// No way to write a path on Windows leads out of the workspace, or makes the engine panic.
func TestWindowsPathsEscape(t *testing.T) {
	ws, out := windowsTree(t)
	w := opened(t, ws, Options{})
	for _, path := range append(elsewhere, out, filepath.VolumeName(ws)+`\`, strings.ToUpper(out)) {
		_, err := w.Find(path)
		require.ErrorIs(t, err, ErrEscape, path)
	}
	for _, path := range []string{"none", `sub\none`, `none\b.txt`, `a.txt\CON`, "a?.txt", "*", `sub\*.txt`, "a|b"} {
		_, err := w.Find(path)
		require.ErrorIs(t, err, fs.ErrNotExist, path)
	}
}

// Where everything may be read, that is what the drives of this machine hold: to open a path on another
// machine tells that one who the user is.
func TestWindowsOutsideIsOnDrives(t *testing.T) {
	ws, out := windowsTree(t)
	w := opened(t, ws, Options{Outside: true})
	for _, path := range elsewhere {
		switch {
		case path == `\`, path == "/":
			p, err := w.Find(path)
			require.NoError(t, err, path)
			require.Equal(t, filepath.VolumeName(ws)+`\`, p.Abs)
		case path == "/etc/passwd", path == `\windows`, path == `Q:\a.txt`: // which may be there
		default:
			_, err := w.Find(path)
			require.ErrorIs(t, err, ErrEscape, path)
		}
	}
	p, err := w.Find(filepath.Join(out, "secret"))
	require.NoError(t, err)
	require.Equal(t, filepath.Join(out, "secret"), p.Abs)
	require.Len(t, w.volumes, 1)
}

// The case of letters says nothing in a name, a drive's or another.
func TestWindowsCase(t *testing.T) {
	ws, _ := windowsTree(t)
	w := opened(t, ws, Options{})
	slashed := filepath.ToSlash(ws)
	for path, name := range map[string]string{
		strings.ToLower(ws[:1]) + ws[1:] + `\a.txt`:      "a.txt",
		strings.ToUpper(ws[:1]) + ws[1:] + `\sub\b.txt`:  "sub/b.txt",
		strings.ToLower(slashed) + "/sub/b.txt":          "sub/b.txt",
		strings.ToUpper(slashed):                         ".",
		strings.ToUpper(ws) + `\SUB\..\sub`:              "sub",
		ws[len(filepath.VolumeName(ws)):] + `\sub\b.txt`: "sub/b.txt",
	} {
		p, err := w.Find(path)
		require.NoError(t, err, path)
		require.Equal(t, name, p.Name)
	}
}

func TestUnder(t *testing.T) {
	for _, tt := range []struct {
		dir, abs, rel string
		ok            bool
	}{
		{`C:\ws`, `C:\ws\a`, "a", true},
		{`C:\ws`, `c:\WS\a\b`, `a\b`, true},
		{`C:\`, `c:\a`, "a", true},
		{`\\server\share\`, `\\Server\share\a`, "a", true},
		{`C:\ws`, `C:\ws`, "", false},
		{`C:\ws`, `C:\wsx`, "", false},
		{`C:\ws`, `D:\ws\a`, "", false},
		{`C:\ws`, `C:\ws\a:b`, "", false},
		{`C:\ws`, `C:\ws\NUL`, "", false},
	} {
		rel, ok := Under(tt.dir, tt.abs)
		require.Equal(t, tt.ok, ok, tt.abs)
		if ok {
			require.Equal(t, tt.rel, rel)
		}
	}
}

// A workspace that is open can be removed, as it can elsewhere.
func TestWindowsOpenWorkspaceCanBeRemoved(t *testing.T) {
	ws, _ := windowsTree(t)
	w := opened(t, ws, Options{})
	require.NoError(t, os.RemoveAll(ws))
	require.True(t, w.Gone())
}
