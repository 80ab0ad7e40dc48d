package ignore

import (
	"fmt"
	"path/filepath"
	"strings"
	"sync/atomic"
)

// FileName is the name of the ignore file that git reads in every directory.
const FileName = ".gitignore"

// Options changes where rules come from. The zero value does as git does.
type Options struct {
	// GlobalExcludes is the path of the user's excludes file. Empty means that
	// core.excludesFile is looked up as git does, with its default of
	// $XDG_CONFIG_HOME/git/ignore or ~/.config/git/ignore. "-" means none. A
	// file that does not exist holds no rules.
	GlobalExcludes string
}

// Dir is the immutable set of rules in force in one directory. It is safe for
// concurrent use.
type Dir struct {
	tree   *workTree
	parent *Dir // nil at the root of the work tree
	name   string
	rules  *layer // deepest file first; shared with the parent if there is no file here

	// length is that of the path relative to the root of the work tree. It is
	// known from the start, the path itself is built when a rule asks for it.
	length int
	path   atomic.Pointer[string]
}

// workTree is what all directories of one repository share. Without a
// repository it is the tree below the directory given to Top.
type workTree struct {
	root    string // absolute path
	fold    bool   // core.ignoreCase
	options Options
}

// layer is one file of rules in the chain of those in force.
type layer struct {
	rules *ruleSet
	base  int // length of the path, with its slash, that the patterns are relative to
	outer *layer
}

// Top gives the rules in force in dir, where a walk starts: those of its own
// .gitignore, of the directories above it up to the root of the repository, of
// .git/info/exclude and of core.excludesFile. Outside of any repository the
// rules begin with dir itself, and core.excludesFile still applies.
//
// Whether dir itself is ignored does not matter: a path that the caller names
// is searched, but the rules count for what is below it.
//
// dir must be an absolute path in the spelling of the operating system and
// must exist, or Top fails. Rule and configuration files that are missing,
// unreadable or malformed are passed over.
func Top(dir string, o Options) (*Dir, error) {
	if !filepath.IsAbs(dir) {
		return nil, fmt.Errorf("ignore: %q is not an absolute path", dir)
	}
	// Like git, which asks the system where it is: a path that leads through
	// a symbolic link belongs to the repository that the link leads into.
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return nil, fmt.Errorf("ignore: %w", err)
	}
	root, git := findRepository(dir)
	below := ""
	if git == nil {
		root = dir
	} else if below, err = filepath.Rel(root, dir); err != nil {
		return nil, fmt.Errorf("ignore: %w", err)
	}
	d := newRoot(root, git, o)
	d.read(root)
	if below == "" || below == "." {
		return d, nil
	}
	at := root
	for name := range strings.SplitSeq(below, string(filepath.Separator)) {
		at = filepath.Join(at, name)
		d = d.child(name)
		d.read(at)
	}
	return d, nil
}

// newRoot gives the root of a work tree, without the rules of its .gitignore.
// git is nil where there is no repository.
func newRoot(root string, git *gitDir, o Options) *Dir {
	s := readSettings(root, git, o)
	d := &Dir{tree: &workTree{root: root, fold: s.ignoreCase, options: o}}
	if s.excludesFile != "" {
		d.add(readOutside(s.excludesFile))
	}
	if git != nil {
		d.add(readOutside(filepath.Join(git.common, "info", "exclude")))
	}
	return d
}

// read adds the rules of the .gitignore of d, which is the directory at.
func (d *Dir) read(at string) {
	if content, err := ReadFile(filepath.Join(at, FileName)); err == nil {
		d.add(content)
	}
}

// add puts the rules of a file in front of those in force. It is called only
// while d is being built.
func (d *Dir) add(content []byte) {
	if len(content) == 0 {
		return
	}
	set := parseRules(content, d.tree.fold)
	if set.empty() {
		return
	}
	base := 0
	if d.length > 0 {
		base = d.length + 1
	}
	d.rules = &layer{rules: set, base: base, outer: d.rules}
}

func (d *Dir) child(name string) *Dir {
	c := &Dir{tree: d.tree, parent: d, name: name, rules: d.rules, length: len(name)}
	if d.length > 0 {
		c.length += d.length + 1
	}
	return c
}

// Enter gives the rules of the child directory name. gitignore is the content
// of its .gitignore, nil if there is none; Enter keeps no reference to it.
//
// repository says that the child holds an entry named .git. If that is a
// repository (git wants a HEAD, objects and refs, or a file that leads to
// them), the rules of the outer one end: the child begins anew with its own
// .git/info/exclude, read from the disk, and the user's excludes. Otherwise
// it is a directory like any other, as it is to git.
func (d *Dir) Enter(name string, gitignore []byte, repository bool) *Dir {
	c := d.child(name)
	if repository {
		root := c.location()
		if git := openRepository(root); git != nil {
			c = newRoot(root, git, d.tree.options)
		}
	}
	c.add(gitignore)
	return c
}

// Ignored reports whether the rules of this directory exclude its entry name.
// isDir says that the entry is a real directory; a symbolic link to one is
// not. The directory itself is taken to be not ignored. An entry named .git is
// always ignored.
func (d *Dir) Ignored(name string, isDir bool) bool {
	if d.tree.fold {
		name = lower(name)
	}
	if name == ".git" {
		return true
	}
	c := candidate{at: d, name: name, isDir: isDir}
	for l := d.rules; l != nil; l = l.outer {
		c.enter(l)
		if r := l.rules.last(&c); r != nil {
			return !r.negated
		}
	}
	return false
}

// relative gives the path of d from the root of the work tree, with slashes, ""
// for the root; in lower case if the case of letters does not matter. The
// root's is never asked of the parent, so the recursion ends there.
func (d *Dir) relative() string {
	if d.parent == nil {
		return ""
	}
	if p := d.path.Load(); p != nil {
		return *p
	}
	path := d.name
	if d.tree.fold {
		path = lower(path)
	}
	if above := d.parent.relative(); above != "" {
		path = above + "/" + path
	}
	d.path.Store(&path)
	return path
}

// location gives the absolute path of d in the spelling of the system.
func (d *Dir) location() string {
	var names []string
	for ; d.parent != nil; d = d.parent {
		names = append(names, d.name)
	}
	path := d.tree.root
	for i := len(names) - 1; i >= 0; i-- {
		path = filepath.Join(path, names[i])
	}
	return path
}

// lower folds ASCII only: git compares bytes, whatever the encoding.
func lower(s string) string {
	for i := 0; i < len(s); i++ {
		if 'A' <= s[i] && s[i] <= 'Z' {
			b := []byte(s)
			for ; i < len(b); i++ {
				if 'A' <= b[i] && b[i] <= 'Z' {
					b[i] += 'a' - 'A'
				}
			}
			return string(b)
		}
	}
	return s
}
