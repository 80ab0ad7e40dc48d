// Package hidden says which files of a workspace its tools do not see.
package hidden

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/spillway-go/spillway/internal/ignore"
	"github.com/spillway-go/spillway/internal/workspace"
)

// Bounds on what a workspace can ask for. A directory that exceeds them is hidden as a whole: a file that cannot be
// understood must not show what it was written to hide.
const (
	maxFile     = 64 << 10                // bytes of an ignore file
	maxDepth    = workspace.MaxPath/2 + 1 // directories that a path leads through
	maxPatterns = 1000                    // of Config.Hidden
)

// Files are the files that tools do not see. They are safe for concurrent use.
type Files struct {
	dir   string // the workspace: absolute, without links
	spare string // a directory in it, relative to it, of which nothing is hidden: that of full outputs; "" if it is outside
	name  string // of ignore files, as fold returns it; "" if there are none
	file  string // the same as it is given
	own   *ignore.Dir
}

// New returns what patterns, as in .gitignore, hide in a workspace, along with the ignore files of that name. An empty
// name means no ignore files. spare is a directory of which nothing is hidden. The error names a pattern that can hide
// nothing.
func New(dir, spare string, patterns []string, name string) (*Files, error) {
	if len(patterns) > maxPatterns {
		return nil, fmt.Errorf("at most %d patterns", maxPatterns)
	}
	for _, p := range patterns {
		d, whole := ignore.Apart([]byte(fold(p)), nil)
		if !whole || d.Empty() || strings.ContainsAny(p, "\n\r\x00") || len(p) > maxFile {
			return nil, fmt.Errorf("a pattern as in .gitignore, not %q, which hides nothing", p)
		}
	}
	spare, _ = workspace.Under(dir, spare)
	return &Files{dir: dir, spare: spare, name: fold(name), file: name, own: rulesOf(patterns)}, nil
}

func rulesOf(patterns []string) *ignore.Dir {
	d, _ := ignore.Apart([]byte(fold(strings.Join(patterns, "\n"))), nil)
	return d
}

// Look returns a look at the files as they are now, for one call: ignore files are read once. It is safe for
// concurrent use.
func (f *Files) Look() workspace.Look {
	l := &look{files: f}
	own := *f.own // another goroutine uses that
	top := &level{own: &own}
	content, err := f.content(".")
	var whole bool
	top.file, whole = ignore.Apart(content, func(string, int) { l.cut = true })
	top.all = err != nil || !whole
	l.levels = []*level{top}
	return l
}

// level is a directory that a look has come to.
type level struct {
	name string
	own  *ignore.Dir // the rules of Config.Hidden
	file *ignore.Dir // those of ignore files
	all  bool        // everything in it is hidden
	gone bool        // it does not exist, and neither does what would be in it
}

const sep = string(filepath.Separator)

// look remembers the directories of the path that it was asked about last, as the next is often in the same.
type look struct {
	files  *Files
	mu     sync.Mutex
	levels []*level
	cut    bool // an ignore file has more rules than there is room for, with those above it
}

// Hides reports whether a path of the workspace, relative to it, is hidden, or a directory that it is in.
func (l *look) Hides(path string, isDir bool) bool {
	if path == "." || l.files.spare != "" && workspace.Within(l.files.spare, path) {
		return false
	}
	dir, name := filepath.Split(path)
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.enter(strings.TrimSuffix(dir, sep)).hides(name, isDir, l.files.name)
}

// Rules reports whether Config.Hidden, or the ignore file of the workspace itself, can hide something.
func (l *look) Rules() bool {
	top := l.levels[0]
	return top.all || !top.file.Empty() || !top.own.Empty()
}

// enter returns the level of a directory.
func (l *look) enter(dir string) *level {
	at := 0
	rest := dir
	for ; at+1 < len(l.levels); at++ {
		next, after, _ := strings.Cut(rest, sep)
		if rest == "" || next != l.levels[at+1].name {
			break
		}
		rest = after
	}
	l.levels = l.levels[:at+1]
	for rest != "" {
		outer := l.levels[len(l.levels)-1]
		if outer.all {
			return outer
		}
		if len(l.levels) > maxDepth {
			return &level{all: true}
		}
		var name string
		name, rest, _ = strings.Cut(rest, sep)
		l.levels = append(l.levels, l.below(outer, name, strings.TrimSuffix(dir[:len(dir)-len(rest)], sep)))
	}
	return l.levels[len(l.levels)-1]
}

// below returns the level of a directory in another, by its name and path.
func (l *look) below(outer *level, name, path string) *level {
	inner := &level{name: name, all: outer.hides(name, true, l.files.name)}
	if inner.all {
		return inner
	}
	var content []byte
	var err error
	if inner.gone = outer.gone || len(l.levels) > nearby && l.files.gone(path); !inner.gone {
		content, err = l.files.content(path)
	}
	l.cut = err != nil
	inner.own = outer.own.Enter(fold(name), nil, false)
	inner.file = outer.file.Enter(fold(name), content, false)
	inner.all = l.cut
	return inner
}

// nearby is the depth up to which it costs less to look for an ignore file than for its directory first.
const nearby = 50

// gone reports whether a directory, relative to the workspace, does not exist.
func (f *Files) gone(dir string) bool {
	_, err := os.Lstat(filepath.Join(f.dir, dir))
	return workspace.Missing(err)
}

// errNoRules is the error for an ignore file that cannot be read as one.
var errNoRules = errors.New("not an ignore file")

// content returns the ignore file of a directory, relative to the workspace, as its rules take it.
func (f *Files) content(dir string) ([]byte, error) {
	if f.file == "" {
		return nil, nil
	}
	path := filepath.Join(f.dir, dir, f.file)
	info, err := os.Lstat(path)
	if workspace.Missing(err) || errors.Is(err, fs.ErrPermission) { // nothing in such a directory can be opened
		return nil, nil
	}
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxFile {
		return nil, errNoRules
	}
	root, err := os.OpenRoot(f.dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	file, _, err := workspace.OpenPlain(root, filepath.Join(dir, f.file))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	content := ignore.ReadRules(file)
	if content == nil && info.Size() > 0 || len(content) > maxFile {
		return nil, errNoRules
	}
	return []byte(fold(string(content))), nil
}

// hides reports whether an entry of the directory is hidden. An ignore file is, too: it names what is.
func (d *level) hides(name string, isDir bool, file string) bool {
	if d.all {
		return true
	}
	name = fold(name)
	if name == file && file != "" {
		return true
	}
	if d.own.Empty() && d.file.Empty() {
		return false
	}
	excluded := func(name string) bool { return d.own.Excludes(name, isDir) || d.file.Excludes(name, isDir) }
	short := strings.TrimRight(name, ". ") // which Windows takes it for
	return excluded(name) || short != "" && short != name && excluded(short)
}
