package docs_test

import (
	"bytes"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/internal/need"
	"github.com/stretchr/testify/require"
	mod "golang.org/x/mod/module"
	"golang.org/x/mod/zip"
)

// workspace returns a copy of examples/manual, which the calls of a page look at and may change. It leaves out what
// somebody's own calls have put there.
func workspace(t *testing.T) string {
	from, dir := filepath.Join(root, "examples", "manual"), filepath.Join(t.TempDir(), "manual")
	err := filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, path)
		switch to := filepath.Join(dir, rel); {
		case err != nil:
			return err
		case d.Name() == ".clarvis":
			return fs.SkipDir
		case d.IsDir():
			return os.MkdirAll(to, 0o755)
		case rel == filepath.Join("notes", "outside"):
			need.Symlink(t, filepath.Join("..", "..", "secret"), to) // a file, where git makes no links
			return nil
		default:
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			return os.WriteFile(to, data, 0o644)
		}
	})
	require.NoError(t, err)
	return dir
}

// Git and an editor leave the workspace as it is: bytes that are not UTF-8, ends of lines, and names.
func TestWorkspace(t *testing.T) {
	dir := workspace(t)
	for name, want := range map[string]string{
		"logo.bin": "\x00\x01\x02", "notes/latin1.txt": "caf\xe9\n", "notes/dos.txt": "one\r\ntwo\r\n",
		"notes/empty.txt": "", "notes/café menu": "soup\n",
	} {
		data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		require.NoError(t, err)
		require.Equal(t, want, string(data), name)
	}
	target, err := os.Readlink(filepath.Join(dir, "notes", "outside"))
	require.NoError(t, err)
	require.False(t, filepath.IsLocal(filepath.Join("notes", target)), "the link leads out of the workspace")
}

// mostZipped is the largest size of the module's zip. Recorded outputs, pictures and whatever else is large and not
// part of the library belong in modules of their own. A fifth of it is the JavaScript engine, which is Go code.
const mostZipped = 3_660_000

// What go get downloads is a module zip of what git has, which refuses some names. The manual's workspace and the
// measurements are modules of their own, so they are not in there.
func TestModuleZip(t *testing.T) {
	listed, err := exec.Command("git", "-C", root, "ls-files", "-z").Output()
	if err != nil {
		t.Skip("no repository: ", err)
	}
	var all []zip.File
	for name := range strings.SplitSeq(strings.TrimSuffix(string(listed), "\x00"), "\x00") {
		if _, err := os.Lstat(filepath.Join(root, name)); err == nil { // it may be deleted and not yet committed
			all = append(all, tracked(name))
		}
	}
	files, err := zip.CheckFiles(all)
	require.NoError(t, err)
	require.Empty(t, files.Invalid)
	require.True(t, slices.Contains(files.Valid, "tools/suite.go"))
	for _, dir := range []string{"examples/manual/", "internal/bench/"} {
		inside := func(name string) bool { return strings.HasPrefix(name, dir) }
		require.False(t, slices.ContainsFunc(files.Valid, inside), dir)
	}
	var packed bytes.Buffer
	require.NoError(t, zip.Create(&packed, mod.Version{Path: modulePath, Version: "v0.0.1"}, all))
	t.Logf("%d files, %d bytes zipped", len(files.Valid), packed.Len())
	require.Less(t, packed.Len(), mostZipped)
}

// tracked is the path of a file that git has, below root.
type tracked string

func (f tracked) Path() string                 { return string(f) }
func (f tracked) Lstat() (fs.FileInfo, error)  { return os.Lstat(filepath.Join(root, string(f))) }
func (f tracked) Open() (io.ReadCloser, error) { return os.Open(filepath.Join(root, string(f))) }
