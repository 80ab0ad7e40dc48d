package checkpoint

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/spillway-go/spillway/internal/gitblob"
	"github.com/spillway-go/spillway/internal/gitdir"
	"github.com/spillway-go/spillway/internal/gitindex"
	"github.com/spillway-go/spillway/internal/ignore"
)

// tracked is what git tracks in the workspace, with the objects that have the contents.
type tracked struct {
	entries []gitindex.Entry // in the order of walks; paths relative to the workspace
	wrote   int64            // when the index was written, in nanoseconds since 1970
	objects bool             // the objects can be read
	// exact says that objects have the same bytes as files. Otherwise git may convert line ends, encodings or more,
	// and only the hash of the file itself tells whether it is the same.
	exact bool
}

// readTracked reads the index of the workspace's repository. Without one that can be read, it returns nothing: then
// all files are copied.
func readTracked(ctx context.Context, workspace string) (t tracked) {
	repo := gitdir.FindIn(workspace, workspace)
	if repo.Own == "" {
		return t
	}
	index, err := os.Lstat(filepath.Join(repo.Own, "index"))
	if err != nil {
		return t
	}
	entries, err := gitindex.Of(repo)
	if err != nil {
		return t
	}
	if blobs, err := gitblob.Open(repo); err == nil {
		blobs.Close()
		t.objects = true
	}
	settings := repo.Settings(ctx, ignore.MatchPath)
	t.wrote, t.exact = index.ModTime().UnixNano(), !settings.Converts && len(settings.Outside) == 0
	prefix := ""
	if rel, err := filepath.Rel(repo.Root, workspace); err == nil && rel != "." {
		prefix = filepath.ToSlash(rel) + "/"
	}
	for dir := path.Dir(path.Clean(prefix)); prefix != ""; dir = path.Dir(dir) { // untracked ones count too
		name := path.Join(dir, attributesFile)
		if _, err := os.Lstat(filepath.Join(repo.Root, filepath.FromSlash(name))); err == nil {
			t.exact = t.exact && harmless(repo, name)
		}
		if dir == "." {
			break
		}
	}
	for _, e := range entries {
		if base := e.Path[strings.LastIndexByte(e.Path, '/')+1:]; base == attributesFile {
			t.exact = t.exact && e.Stage == 0 && harmless(repo, e.Path)
		}
		if name, ok := strings.CutPrefix(e.Path, prefix); ok {
			e.Path = name
			t.entries = append(t.entries, e)
		}
	}
	return t
}

const (
	attributesFile = ".gitattributes"
	maxAttributes  = 1 << 20 // bytes; a larger file is assumed to convert files
)

// harmless reports whether an attribute file leaves all files unconverted.
func harmless(repo *gitdir.Repository, path string) bool {
	text, err := repo.Read(filepath.Join(repo.Root, filepath.FromSlash(path)), maxAttributes)
	if err != nil {
		return false
	}
	for line := range strings.Lines(text) {
		if strings.HasPrefix(strings.TrimSpace(line), "#") {
			continue
		}
		for _, word := range strings.Fields(line) {
			name, _, _ := strings.Cut(word, "=")
			switch name {
			case "text", "crlf", "eol", "filter", "ident", "working-tree-encoding":
				return false
			}
		}
	}
	return true
}

// of returns the index entry of a file whose content git has, or nil. Ask in the order of walks.
func (t *tracked) of(name string) *gitindex.Entry {
	if !t.has(name, false) || !t.objects {
		return nil
	}
	e := &t.entries[0]
	if e.Stage != 0 || e.Mode&gitindex.ModeKind != gitindex.ModeFile {
		return nil
	}
	return e
}

// has reports whether git tracks a file, or something in a directory. Ask in the order of walks.
func (t *tracked) has(name string, isDir bool) bool {
	if isDir {
		name += "/"
	}
	for len(t.entries) > 0 && t.entries[0].Path < name {
		t.entries = t.entries[1:]
	}
	return len(t.entries) > 0 && (t.entries[0].Path == name || isDir && strings.HasPrefix(t.entries[0].Path, name))
}

// clean reports whether the stamp alone tells that a file is the one in the index. git's racy-git.txt explains the
// times, and the size 0, which does not have to be a file's.
func (t *tracked) clean(e *gitindex.Entry, s stamp) bool {
	same := func(a gitindex.Time, b int64) bool { return a.Sec == uint32(b/1e9) && a.Nsec == uint32(b%1e9) }
	executable := e.Mode&gitindex.ModeProgram != 0
	return t.exact && e.Size != 0 && e.Size == uint32(s.size) &&
		e.Inode == uint32(s.ino) && same(e.Mtime, s.mtime) && same(e.Ctime, s.ctime) &&
		executable == (s.mode&0o100 != 0) && s.mtime < t.wrote && s.ctime < t.wrote
}

// gitReader reads objects of the workspace's repository. It opens it for the first one.
type gitReader struct {
	dir   string
	limit int64
	blobs *gitblob.Blobs
	err   error
}

func (g *gitReader) open() error {
	if g.blobs == nil && g.err == nil {
		repo := gitdir.FindIn(g.dir, g.dir)
		if repo.Own == "" {
			g.err = fs.ErrNotExist
		} else {
			g.blobs, g.err = gitblob.Open(repo)
		}
	}
	return g.err
}

func (g *gitReader) loose(sum string) bool { return g.open() == nil && g.blobs.Loose(sum) }

func (g *gitReader) read(v Version) ([]byte, error) {
	if err := g.open(); err != nil {
		return nil, err
	}
	data, err := g.blobs.Read(v.Whole.value, g.limit)
	if err == nil && int64(len(data)) != v.Size {
		err = fmt.Errorf("git has %d bytes of a file of %d", len(data), v.Size)
	}
	return data, err
}

func (g *gitReader) close() {
	if g.blobs != nil {
		g.blobs.Close()
	}
}
