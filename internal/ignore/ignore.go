package ignore

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/spillway-go/spillway/internal/gitdir"
)

// FileName is the name of the ignore file that git reads in every directory.
const FileName = ".gitignore"

// Bounds on the rules in force in one directory: those of its own file, of the directories above it, of the repository
// and of the user, and of enclosing repositories. Further rules are left out, and reported to the caller. git takes
// 100 MiB of each file; but a byte of a pattern may take 20 when it is parsed, and a rule up to 300 bytes and some
// nanoseconds for every entry. The bounds are far above the files that people write, and keep the rules under 80 MiB.
const (
	maxBytes = 2 << 20
	maxLines = 100_000
)

// Dir is the set of rules in force in one directory. The Dirs of one walk are for one goroutine at a time.
type Dir struct {
	tree   *workTree
	parent *Dir // nil at the root of the work tree
	name   string
	rules  *layer // deepest file first; shared with the parent if there is no file here

	// length is the length of the path relative to the root of the work tree. The path itself is built when a rule
	// asks for it.
	length int
	path   string
}

// size counts towards maxBytes and maxLines.
type size struct{ bytes, lines int }

// workTree is what all directories of one repository share. Without a repository it is the tree below the directory
// given to Top.
type workTree struct {
	ctx     context.Context // of the walk, which ends questions about the rules
	root    string          // absolute path
	fold    bool            // core.ignoreCase
	options Options
	around  size // of the rules of enclosing repositories
}

// layer is one file of rules in the chain of those in force.
type layer struct {
	rules *ruleSet
	base  int  // length, with the slash, of the path that the patterns are relative to
	held  size // of this file and all before it, since the start of the walk
	outer *layer
}

// Options say what may be read, and who is told about the rest. The zero value allows the least, and tells nobody.
type Options struct {
	Within string // a directory without links; repositories in it may refer to anything in it; "" is none
	// Cut is called for a file with too many lines, with its absolute path and how many of its first lines count.
	Cut func(file string, lines int)
	// Outside is called for a file or git directory that git reads because a repository says so, but that is not read
	// here because it is elsewhere. It may not exist. A path may begin with "~".
	Outside func(file string)
}

// Top returns the rules in force in dir, where a walk starts: those of its own .gitignore, of the directories above it
// up to the root of the repository, of .git/info/exclude and of core.excludesFile. Outside any repository the rules
// begin with dir itself, and core.excludesFile still applies.
//
// It does not matter whether dir itself is ignored: a path that the caller names is searched, but the rules apply
// below it.
//
// dir must be an existing absolute path in the operating system's form, or Top fails. Missing, unreadable or malformed
// rule and configuration files are skipped.
//
// ctx is the walk's. Once it has ended, Top fails with its error, and the rules' answers are meaningless.
func Top(ctx context.Context, dir string, o Options) (*Dir, error) {
	if !filepath.IsAbs(dir) {
		return nil, fmt.Errorf("ignore: %q is not an absolute path", dir)
	}
	// Like git, which asks the system where it is: a path that leads through
	// a symbolic link belongs to the repository that the link leads into.
	real, err := filepath.EvalSymlinks(dir)
	switch {
	case err == nil:
		dir = real
	case !errors.Is(err, syscall.ENAMETOOLONG): // otherwise it is too deep to find rules above it
		return nil, fmt.Errorf("ignore: %w", err)
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	repo := gitdir.FindIn(dir, o.Within)
	below, err := filepath.Rel(repo.Root, dir)
	if err != nil {
		return nil, fmt.Errorf("ignore: %w", err)
	}
	d := newRoot(ctx, repo, o, size{})
	at := repo.Root
	d.addFile(filepath.Join(at, FileName), repo.OpenPlain)
	for name := range strings.SplitSeq(below, string(filepath.Separator)) {
		if name == "." {
			break // dir is the root
		}
		at = filepath.Join(at, name)
		d = d.child(name)
		d.addFile(filepath.Join(at, FileName), repo.OpenPlain)
	}
	return d, ctx.Err()
}

// newRoot returns the root of a work tree, without the rules of its .gitignore.
func newRoot(ctx context.Context, repo *gitdir.Repository, o Options, around size) *Dir {
	s := repo.Settings(ctx, MatchPath)
	d := &Dir{tree: &workTree{ctx: ctx, root: repo.Root, fold: s.IgnoreCase, options: o, around: around}}
	for _, file := range s.Outside {
		d.outside(file)
	}
	if s.ExcludesFile != "" {
		d.addFile(s.ExcludesFile, s.OpenExcludes)
	}
	if exclude := filepath.Join(repo.Common, "info", "exclude"); repo.Own != "" {
		d.addFile(exclude, repo.OpenFile)
		if !repo.LeadsBack() {
			d.outside(repo.Common)
		}
		for _, file := range []string{exclude, s.ExcludesFile} {
			if repo.LeadsOut(file) {
				d.outside(file)
			}
		}
	}
	return d
}

// MatchPath is a [gitdir.Matcher].
func MatchPath(pattern, path string, fold bool) bool {
	if fold {
		path = lower(path)
	}
	parts, ok := split(pattern, true, fold)
	return ok && match(parts, path)
}

// addFile adds the rules of a file, if it can be read. Once the walk has ended, it no
// longer touches the disk, which may be slow.
func (d *Dir) addFile(file string, open func(path string) (*os.File, error)) {
	if d.tree.ctx.Err() != nil {
		return
	}
	f, err := open(file)
	if err != nil {
		return
	}
	defer f.Close()
	if lines, whole := d.add(ReadRules(f)); !whole {
		d.cut(file, lines)
	}
}

// cut reports a file of which only the first lines count.
func (d *Dir) cut(file string, lines int) {
	if d.tree.options.Cut != nil {
		d.tree.options.Cut(file, lines)
	}
}

func (d *Dir) outside(file string) {
	if d.tree.options.Outside != nil {
		d.tree.options.Outside(file)
	}
}

// ReadRules reads the content of an ignore file for [Dir.Enter]: as much as Enter takes, and one more byte if there is
// more. It returns nil if reading fails.
func ReadRules(r io.Reader) []byte {
	content, err := io.ReadAll(io.LimitReader(r, maxBytes+1))
	if err != nil {
		return nil
	}
	return content
}

// add puts the rules of a file before those in force. It may only be called while d is being built. It returns how
// many lines of the file count, and whether these are all.
func (d *Dir) add(content []byte) (lines int, whole bool) {
	if len(content) == 0 {
		return 0, true
	}
	held := d.held()
	content, lines, whole = fit(content, size{maxBytes - held.bytes, maxLines - held.lines})
	set := parseRules(d.tree.ctx, content, d.tree.fold)
	if len(set.rules) == 0 {
		return lines, whole
	}
	base := 0
	if d.length > 0 {
		base = d.length + 1
	}
	d.rules = &layer{rules: set, base: base, held: size{held.bytes + len(content), held.lines + lines}, outer: d.rules}
	return lines, whole
}

// held returns the size of the rules in force and of enclosing repositories.
func (d *Dir) held() size {
	if d.rules == nil {
		return d.tree.around
	}
	return d.rules.held
}

// fit returns the lines of content that fit, and their number.
func fit(content []byte, room size) (fitting []byte, lines int, whole bool) {
	fitting = content
	if len(fitting) > room.bytes {
		fitting = fitting[:bytes.LastIndexByte(fitting[:room.bytes], '\n')+1]
	}
	if lines = bytes.Count(fitting, []byte("\n")); lines > room.lines {
		end := 0
		for range room.lines {
			end += bytes.IndexByte(fitting[end:], '\n') + 1
		}
		fitting, lines = fitting[:end], room.lines
	}
	return fitting, lines, len(fitting) == len(content)
}

func (d *Dir) child(name string) *Dir {
	c := &Dir{tree: d.tree, parent: d, name: name, rules: d.rules, length: len(name)}
	if d.length > 0 {
		c.length += d.length + 1
	}
	return c
}

// Enter returns the rules of the child directory name. gitignore is the content of its
// .gitignore as [ReadRules] returns it, nil if there is none; Enter keeps no reference to
// it.
//
// repository says that the child holds an entry named .git. If that is a repository (git
// requires a HEAD, objects and refs, or a file that points to them), the outer one's
// rules end: the child starts afresh with its own .git/info/exclude, read from the disk,
// and the user's excludes. Otherwise it is a directory like any other, as for git.
func (d *Dir) Enter(name string, gitignore []byte, repository bool) *Dir {
	c := d.child(name)
	if repository {
		if repo := gitdir.OpenIn(c.location(), d.tree.options.Within); repo != nil {
			c = newRoot(d.tree.ctx, repo, d.tree.options, d.held())
		}
	}
	if lines, whole := c.add(gitignore); !whole {
		c.cut(filepath.Join(c.location(), FileName), lines)
	}
	return c
}

// Ignored reports whether the rules of this directory exclude its entry name. isDir says
// that the entry is a real directory; a symbolic link to one is not. The directory itself
// is assumed not to be ignored. An entry named .git is always ignored. Once the walk's
// context has ended, the answer may be wrong.
func (d *Dir) Ignored(name string, isDir bool) bool {
	return name == ".git" || d.tree.fold && strings.EqualFold(name, ".git") || d.Excludes(name, isDir)
}

// Excludes is Ignored, except that an entry named .git is like any other.
func (d *Dir) Excludes(name string, isDir bool) bool {
	if d.tree.fold {
		name = lower(name)
	}
	c := candidate{at: d, name: name, isDir: isDir}
	for l := d.rules; l != nil; l = l.outer {
		c.base = l.base
		if r := l.rules.last(&c); r != nil {
			return !r.negated
		}
	}
	return false
}

// relative returns the path of d from the root of the work tree, with slashes; "" for the root. It is in lower case if
// case does not matter.
func (d *Dir) relative() string {
	if d.path == "" && d.parent != nil {
		d.path = d.name
		if d.tree.fold {
			d.path = lower(d.path)
		}
		if above := d.parent.relative(); above != "" {
			d.path = above + "/" + d.path
		}
	}
	return d.path
}

// location returns the absolute path of d in the form of the system.
func (d *Dir) location() string {
	var names []string
	for ; d.parent != nil; d = d.parent {
		names = append(names, d.name)
	}
	slices.Reverse(names)
	return filepath.Join(d.tree.root, filepath.Join(names...))
}

// lower folds ASCII only: git compares bytes, whatever the encoding.
func lower(s string) string {
	var b []byte
	for i := range len(s) {
		if isUpper(s[i]) {
			if b == nil {
				b = []byte(s)
			}
			b[i] += 'a' - 'A'
		}
	}
	if b == nil {
		return s
	}
	return string(b)
}
