package tree

import (
	"strings"

	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/quote"
)

// Entry is a file or a directory in a list.
type Entry struct {
	Path string
	Dir  bool
	Root string // what git ignores: its path, or that of a directory that it is in; "" if git does not
}

// String puts the slash behind the quotes: it belongs to the list, not to the name.
func (e Entry) String() string { return quote.Name(e.Path) + e.slash() }

// Name returns the path as it is. A directory's ends in a slash.
func (e Entry) Name() string { return e.Path + e.slash() }

func (e Entry) slash() string {
	if e.Dir {
		return "/"
	}
	return ""
}

// Hits are the shown results that git ignores.
type Hits struct {
	Count int
	roots map[string]bool // what git ignores: the results, or directories that they are in
	first []string        // of these, as a list shows them
}

// mostHits is more than the names that a notice has room for, unless they are very short.
const mostHits = 40

// Add adds a shown result that git ignores for its path up to root, or that it does not ignore if root is "".
func (h *Hits) Add(root string) {
	if root == "" {
		return
	}
	h.Count++
	if h.roots[root] {
		return
	}
	if h.roots == nil {
		h.roots = map[string]bool{}
	}
	h.roots[root] = true
	if len(h.first) < mostHits {
		name, dir := strings.CutSuffix(root, "/")
		h.first = append(h.first, Entry{Path: name, Dir: dir}.String())
	}
}

// Notice names what git ignores of the results that are shown.
func (h *Hits) Notice() notice.Notice { return notice.IgnoredHits(h.first, len(h.roots)) }
