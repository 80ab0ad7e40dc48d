package footprint

import (
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/spillway-go/spillway/internal/workspace"
	"mvdan.cc/sh/v3/pattern"
)

// Bounds on what is looked at for the patterns of a line. Behind these it is not known what they stand for.
const (
	maxListed  = 50_000          // entries of directories
	maxListing = 3 * time.Second // so many take a fraction of that, unless their disk is slow
	maxPattern = 4 << 10         // bytes of a pattern
)

// patterns looks for hidden files among those that the patterns of a line stand for.
type patterns struct {
	workspace string
	in        func(dir string, names iter.Seq[string]) (workspace.EntryHides, *workspace.UnreadError) // see HiddenIn

	dots  bool // they may match names that begin with a dot
	stars bool // ** may stand for directories in each other

	left  int // how many more entries are looked at
	until time.Time
}

func newPatterns(ws *workspace.Workspace, line string) *patterns {
	return &patterns{
		workspace: ws.Dir(), in: ws.HiddenIn(ws.Dir()), left: maxListed, until: time.Now().Add(maxListing),
		dots: strings.Contains(line, "dotglob"), stars: strings.Contains(line, "globstar"),
	}
}

// expands reports whether a pattern stands for a hidden file in a directory, as the shell expands it: for itself if it
// matches nothing.
func (j judge) expands(text, dir string) bool {
	patterns := j.patterns()
	if patterns == nil || len(text) > maxPattern {
		return false
	}
	e := &expansion{judge: j, patterns: patterns, dir: dir}
	return e.below("", strings.Split(text, "/")) || !e.matched && j.isHidden(dir, unescaped(text))
}

// expansion is that of one pattern.
type expansion struct {
	judge
	patterns *patterns
	dir      string // where the command runs
	matched  bool   // there is a file that matches
}

// below reports whether the rest of a pattern stands for a hidden file. at is what the parts in front of it have become,
// empty or with a slash at its end.
func (e *expansion) below(at string, parts []string) bool {
	if e.patterns.left--; e.over() { // a ** leads to the same place in many ways
		return false
	}
	for len(parts) > 0 && !strings.ContainsAny(parts[0], "*?[") {
		at += unescaped(parts[0])
		if parts = parts[1:]; len(parts) > 0 {
			at += "/"
		}
	}
	if len(parts) == 0 {
		abs := e.Find(e.dir, at)
		if abs == "" || !e.exists(abs, at) {
			return false
		}
		e.matched = true
		return e.hidden(abs)
	}
	abs := e.Find(e.dir, at+".")
	_, above := workspace.Under(abs, e.patterns.workspace)
	if abs == "" || !above && !workspace.Within(e.patterns.workspace, abs) {
		e.matched = true // as far as that matters: nothing is hidden there
		return false
	}
	return e.listed(abs, at, parts)
}

// exists reports whether there is something at a path, as it is written: a file is not there with a slash at its end.
func (e *expansion) exists(abs, written string) bool {
	if last := written[strings.LastIndexByte(written, '/')+1:]; last == "" || last == "." || last == ".." {
		before := e.Find(e.dir, strings.TrimSuffix(strings.TrimSuffix(written, last), "/"))
		return isDir(before)
	}
	_, err := os.Lstat(abs)
	return err == nil
}

// listed is below for a directory that is listed.
func (e *expansion) listed(abs, at string, parts []string) bool {
	matches := matcher(parts[0], e.patterns.dots)
	entries := e.list(abs)
	var hides workspace.EntryHides
	if rel, below := workspace.Under(e.patterns.workspace, abs); below {
		hides, _ = e.patterns.in(filepath.ToSlash(rel), nil)
	} else if abs == e.patterns.workspace {
		hides, _ = e.patterns.in(".", nil)
	}
	if e.patterns.stars && parts[0] == "**" && len(parts) > 1 && e.below(at, parts[1:]) {
		return true
	}
	for _, entry := range entries {
		name := entry.Name()
		if !matches(name) || e.over() {
			continue
		}
		link := entry.Type()&fs.ModeSymlink != 0
		if e.patterns.stars && parts[0] == "**" && entry.IsDir() && e.below(at+name+"/", parts) {
			return true
		}
		if len(parts) > 1 {
			if (entry.IsDir() || link) && e.below(at+name+"/", parts[1:]) {
				return true
			}
			continue
		}
		e.matched = true
		if !link && hides != nil && hides(name, entry.IsDir()) || link && e.isHidden(e.dir, at+name) {
			return true
		}
	}
	return false
}

// over reports whether enough was looked at.
func (e *expansion) over() bool {
	return e.patterns.left <= 0 || e.ctx.Err() != nil || time.Now().After(e.patterns.until)
}

// list returns the entries of a directory, or those that there is room for.
func (e *expansion) list(abs string) (entries []fs.DirEntry) {
	root, err := workspace.OpenRoot(os.OpenRoot, abs)
	if err != nil {
		return nil
	}
	defer root.Close()
	dir, err := root.Open(".")
	if err != nil {
		return nil
	}
	defer dir.Close()
	for !e.over() {
		some, err := dir.ReadDir(min(e.patterns.left, 1000))
		entries = append(entries, some...)
		if e.patterns.left -= len(some); err != nil {
			break
		}
	}
	return entries
}

// matcher returns what matches names by one part of a pattern. Names that begin with a dot it matches only if the part
// does, or dots is true.
func matcher(part string, dots bool) func(name string) bool {
	hidden := dots || strings.HasPrefix(part, ".") || strings.HasPrefix(part, `\.`)
	expr, err := pattern.Regexp(part, pattern.EntireString|pattern.NoGlobStar|pattern.GlobLeadingDot)
	if err != nil {
		return func(name string) bool { return name == unescaped(part) }
	}
	re, err := regexp.Compile(expr)
	if err != nil {
		return func(string) bool { return false }
	}
	return func(name string) bool { return (hidden || !strings.HasPrefix(name, ".")) && re.MatchString(name) }
}

// unescaped returns a pattern without its backslashes.
func unescaped(text string) string {
	if !strings.Contains(text, `\`) {
		return text
	}
	b := slices.Grow([]byte(nil), len(text))
	for i := 0; i < len(text); i++ {
		if text[i] == '\\' && i+1 < len(text) {
			i++
		}
		b = append(b, text[i])
	}
	return string(b)
}
