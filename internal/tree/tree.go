// Package tree opens directory trees for searches.
package tree

import (
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spillway-go/spillway/internal/ignore"
	"github.com/spillway-go/spillway/internal/leftout"
	"github.com/spillway-go/spillway/internal/mask"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/internal/told"
	"github.com/spillway-go/spillway/internal/walk"
	"github.com/spillway-go/spillway/internal/workspace"
)

// Place is a workspace to search.
type Place struct {
	Workspace *workspace.Workspace
	Spills    string       // the spill directory, which only a search of that directory enters
	Redact    *mask.Masker // masks the secrets in names
}

// Walked returns the tree below dir, which is at the absolute path abs. Secrets in names do not affect the walk.
func (p Place) Walked(dir *os.Root, abs string) *walk.Tree {
	t := walk.Open(dir)
	t.Hides = p.Workspace.HiddenIn(abs)
	if t.Within = p.Workspace.Dir(); !p.Redact.Off() {
		t.Shown = p.masked
	}
	return t
}

// masked returns the shown form of a path relative to the workspace, which has the same length.
func (p Place) masked(path string) string {
	shown, _ := p.Redact.String(path)
	return shown
}

// Shown returns the directory and the name of an entry below prefix as patterns see them: with secrets masked, in the
// same length.
func (p Place) Shown(prefix, dir, name string) (shownDir, shownName string) {
	if p.Redact.Off() {
		return dir, name // saves a new string for each entry of a large tree
	}
	path := p.masked(prefix + dir + name)[len(prefix):]
	return path[:len(dir)], path[len(dir):]
}

// IsSpill reports whether a path is the spill directory, or in it.
func (p Place) IsSpill(path workspace.Path) bool { return workspace.Within(p.Spills, path.Abs) }

// Tree is a directory tree to search.
type Tree struct {
	*walk.Tree
	walk.Options
	Prefix  string // precedes its paths in the form that read takes
	Spilled bool   // it is the spill directory, or in it
	place   Place
	spills  string // the spill directory if it is below; else ""
	left    *leftout.Notes
}

// Open opens a directory to search it, with or without what git ignores. Of the entries that the search leaves out
// because git ignores them, left records those for which wanted returns true.
func (p Place) Open(
	path workspace.Path, ignored bool, left *leftout.Notes, wanted func(walk.Entry) bool,
) (*Tree, error) {
	dir, err := path.OpenDir()
	if err != nil {
		return nil, err
	}
	spilled := p.IsSpill(path)
	t := &Tree{Tree: p.Walked(dir, path.Abs), Prefix: path.Prefix(), Spilled: spilled, place: p, left: left}
	// The spill directory's own rules ignore all of it, which nobody needs to be told.
	t.Options = walk.Options{All: ignored || spilled, Mark: !spilled, Ignored: func(e walk.Entry) {
		if wanted(e) && !t.IsSpills(e) {
			entry := t.Entry(e)
			left.Ignore(entry.Path, entry.String())
		}
	}}
	if spills, ok := workspace.Under(path.Abs, p.Spills); ok {
		t.spills = filepath.ToSlash(spills)
	}
	return t, nil
}

func (t *Tree) ShownEntry(e walk.Entry) (dir, name string) {
	return t.place.Shown(t.Prefix, e.Dir, e.Name)
}

func (t *Tree) Entry(e walk.Entry) Entry {
	return Entry{t.Prefix + e.Path(), e.Type.IsDir(), t.Root(e.Path(), e.Ignored)}
}

// Root returns the part of a path that git ignores: its first ignored bytes. See [walk.Entry].
func (t *Tree) Root(path string, ignored int) string {
	if ignored == 0 {
		return ""
	}
	return t.Prefix + (path + "/")[:ignored]
}

// LeftOut records what a walk left out.
func (t *Tree) LeftOut(stats walk.Stats) {
	t.left.Unreadable += stats.Unreadable
	t.left.Hidden, t.left.Unread = t.Tree.Hidden, UnreadOf(t.Tree)
	t.left.Rules, t.left.RulesLines = stats.Cut, stats.FirstCut.Lines
	t.left.Outside, t.left.OutsideFirst, t.left.Sets.Outside = len(stats.Outside), nil, told.Set{}
	for _, file := range stats.Outside {
		file = quote.Value(t.place.masked(t.place.Workspace.Shown(file)))
		t.left.OutsideFirst = append(t.left.OutsideFirst, file)
		t.left.Sets.Outside.Add(file)
	}
	t.left.RulesFile = quote.Value(t.place.Workspace.Shown(stats.FirstCut.File))
}

// UnreadOf counts the directories of a tree that are hidden because an ignore file cannot be read.
func UnreadOf(t *walk.Tree) notice.UnreadRules {
	if t.Unread.Dirs == 0 {
		return notice.UnreadRules{}
	}
	return notice.UnreadRules{Dirs: t.Unread.Dirs, First: quote.Value(t.Unread.First.Error())}
}

// IsSpills reports whether an entry is purely the spill directory: a directory that had other files before lacks the
// .gitignore that excludes everything.
func (t *Tree) IsSpills(e walk.Entry) bool {
	const everything = "*\n"
	if !e.Type.IsDir() || e.Path() != t.spills {
		return false
	}
	f, _, err := t.OpenFile(t.spills + "/" + ignore.FileName)
	if err != nil {
		return false
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, int64(len(everything)+1)))
	return err == nil && string(text) == everything
}

func (t *Tree) InSpills(path string) bool {
	return t.Spilled || t.spills != "" && strings.HasPrefix(path, t.spills+"/")
}

// Entry is a file or a directory in a list.
type Entry struct {
	Path string
	Dir  bool
	Root string // what git ignores: its path, or that of a parent directory; "" for nothing
}

// String puts the slash behind the quotes, because it belongs to the list, not to the name.
func (e Entry) String() string { return quote.Name(e.Path) + e.slash() }

// Name returns the exact path. A directory's ends in a slash.
func (e Entry) Name() string { return e.Path + e.slash() }

func (e Entry) slash() string {
	if e.Dir {
		return "/"
	}
	return ""
}

// Hits are shown results that git ignores.
type Hits struct {
	Count int
	names map[string]bool // their files and directories, as a list shows them
	first []string
}

// mostHits is more than fit in a notice, unless the names are very short.
const mostHits = 40

// Add adds a shown result by its Root and the name that a list shows. It skips one without a Root.
func (h *Hits) Add(root, name string) {
	if root == "" {
		return
	}
	h.Count++
	if h.names[name] {
		return
	}
	if h.names == nil {
		h.names = map[string]bool{}
	}
	h.names[name] = true
	if len(h.first) < mostHits {
		h.first = append(h.first, name)
	}
}

func (h *Hits) Notice() notice.Notice { return notice.IgnoredHits(h.first, len(h.names)) }
