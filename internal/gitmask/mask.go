// Package gitmask says what git must be told so that files it cannot read are unchanged to it.
//
// Another file stands in the place of each hidden file that git tracks. A clean filter, which git's configuration and
// attributes name, takes the content that the index has already in place of what is in that file. So status, add,
// commit, diff, stash, checkout, rebase and merge find nothing to do there, also without the environment of the
// command, and with another index. An index of the sandbox's own, with skip-worktree for these paths, would be lost:
// git replaces its index, and a mount cannot be replaced. The same bit in the repository's index would outlast the
// command, and git would not see the user's changes.
//
// The stand-in has the size that the index says, because git takes a file of another size for changed without a look at
// its content. It has a time that is not the file's, so that git outside does look at the content of the file itself.
package gitmask

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spillway-go/spillway/internal/gitdir"
	"github.com/spillway-go/spillway/internal/gitindex"
	"github.com/spillway-go/spillway/internal/quote"
)

// Bounds on what a repository can ask for.
const (
	MaxTracked = 10_000  // files that are tracked and hidden
	maxFile    = 1 << 20 // bytes of config, info/attributes and info/exclude
	maxLine    = 2048    // from which on git leaves out a line of attributes
)

// Path is a hidden path of a work tree.
type Path struct {
	Name string // relative to the work tree, with slashes
	Dir  bool   // all below it is hidden as well
}

// Mask is what git must be told in a repository.
type Mask struct {
	Config, Attributes, Exclude string           // contents for the files of that name
	Tracked                     []gitindex.Entry // what is hidden, one entry a path
}

// Of returns the mask of hidden paths in a repository. filter is a name that nothing in the repository's configuration
// can know. The error says why git must not be used there.
func Of(repo *gitdir.Repository, filter string, hidden []Path) (m Mask, err error) {
	if !repo.LeadsBack() {
		return m, errors.New("its git directory is elsewhere, and does not name it as its worktree")
	}
	entries, err := gitindex.Of(repo)
	if err != nil {
		return m, fmt.Errorf("its index cannot be read: %w", err)
	}
	if m.Tracked, err = tracked(entries, hidden); err != nil {
		return m, err
	}
	if len(m.Tracked) > MaxTracked {
		return m, fmt.Errorf("more than %d of its files are hidden", MaxTracked)
	}
	var files [3]string
	for i, name := range []string{"config", "info/attributes", "info/exclude"} {
		if files[i], err = readIfAny(repo, filepath.Join(repo.Common, filepath.FromSlash(name)), maxFile); err != nil {
			return m, fmt.Errorf("its %s cannot be read: %w", name, err)
		}
	}
	m.Config = filterConfig(filter, m.Tracked) + strings.TrimPrefix(files[0], "\xef\xbb\xbf")
	lines, err := attributes(filter, hidden)
	m.Attributes = files[1] + "\n" + lines
	m.Exclude = files[2] + "\n" + excludes(hidden, m.Tracked)
	return m, err
}

func readIfAny(repo *gitdir.Repository, path string, limit int) (string, error) {
	content, err := repo.Read(path, limit)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	return content, err
}

// tracked returns those of the entries that are hidden. The last stage of a conflict stands for all.
func tracked(entries []gitindex.Entry, hidden []Path) (found []gitindex.Entry, err error) {
	is := make(map[string]bool, len(hidden)) // whether a hidden path is a directory
	above := make(map[string]string)         // a hidden path below a directory
	dirs := false
	for _, h := range hidden {
		is[h.Name], dirs = h.Dir, dirs || h.Dir
		for dir := path.Dir(h.Name); dir != "."; dir = path.Dir(dir) {
			above[dir] = h.Name
		}
	}
	for _, e := range entries {
		if name, ok := above[strings.TrimSuffix(e.Path, "/")]; ok && e.Mode&gitindex.ModeKind == gitindex.ModeSparse {
			return nil, fmt.Errorf("%s is outside of its sparse checkout, and hidden", quote.Value(name))
		}
		dir, known := is[e.Path]
		if !(known && !dir) && !(dirs && below(is, e.Path)) {
			continue
		}
		if n := len(found); n > 0 && found[n-1].Path == e.Path {
			found[n-1] = e
			continue
		}
		found = append(found, e)
	}
	return found, nil
}

// below reports whether a path is in a directory that is hidden.
func below(is map[string]bool, name string) bool {
	for i := range len(name) {
		if name[i] == '/' && is[name[:i]] {
			return true
		}
	}
	return false
}

// filterConfig returns the section of a filter, and the content of each file as variables. The content of a path is that
// in the index that the command uses, which its environment names. If the command has taken the path out of it, as git rm
// --cached and git reset do, the content is that of the beginning, or of the last commit if its name
// has a line feed, unless the path is in conflict.
func filterConfig(name string, tracked []gitindex.Entry) string {
	clean := `p=%f; git cat-file blob \":0:$p\" 2>/dev/null && exit; ` +
		`[ -z \"$(git ls-files -u -- \":(top,literal)$p\")\" ] && ` +
		`{ git cat-file blob \"$(git config \"` + name + `.$p.blob\")\" 2>/dev/null || git cat-file blob \"HEAD:$p\"; }`
	var b strings.Builder
	b.WriteString("[filter \"" + name + "\"]\n\tclean = \"" + clean + "\"\n\tsmudge = cat\n\trequired = true\n")
	for _, e := range tracked {
		if e.Stage > 0 || e.IntentToAdd || strings.Contains(e.Path, "\n") { // which a name in a configuration cannot have
			continue
		}
		fmt.Fprintf(&b, "[%s \"%s\"]\n\tblob = %x\n", name, escaped.Replace(e.Path), e.Object)
	}
	return b.String()
}

// escaped returns a path as a part of a section's name.
var escaped = strings.NewReplacer(`\`, `\\`, `"`, `\"`)

// attributes returns the lines that have git use the filter, and nothing else that changes what it hashes.
func attributes(filter string, hidden []Path) (string, error) {
	var b strings.Builder
	for _, h := range hidden {
		pattern := "/" + literal(h.Name)
		if h.Dir {
			pattern += "/**"
		}
		line := cQuoted(pattern) + " filter=" + filter + " -text -ident !working-tree-encoding\n"
		if len(line) >= maxLine {
			return "", fmt.Errorf("%s is hidden, and has too long a name", quote.Value(h.Name))
		}
		b.WriteString(line)
	}
	return b.String(), nil
}

// excludes returns the lines that have git ignore hidden files that it does not track.
func excludes(hidden []Path, tracked []gitindex.Entry) string {
	var b strings.Builder
	for _, h := range hidden {
		_, is := slices.BinarySearchFunc(tracked, h.Name, func(e gitindex.Entry, name string) int {
			return strings.Compare(e.Path, name)
		})
		if !h.Dir && !is {
			b.WriteString("/" + oneLine(literal(h.Name)) + "\n")
		}
	}
	return b.String()
}

// literal returns the glob that matches a name alone.
func literal(name string) string {
	var b strings.Builder
	for i := range len(name) {
		if strings.IndexByte(`*?[\`, name[i]) >= 0 {
			b.WriteByte('\\')
		}
		b.WriteByte(name[i])
	}
	return b.String()
}

// oneLine returns a glob as a line of an ignore file, where the ends of lines can be written only as ranges of the
// control characters around them.
var oneLine = strings.NewReplacer("\n", "[\t-\v]", "\r", "[\f-\x0e]", " ", `\ `).Replace

// cQuoted returns a pattern as attributes have it if it is quoted.
func cQuoted(pattern string) string {
	var b strings.Builder
	b.WriteByte('"')
	for i := range len(pattern) {
		switch c := pattern[i]; {
		case c == '"' || c == '\\':
			b.Write([]byte{'\\', c})
		case c < ' ' || c == 0x7f:
			fmt.Fprintf(&b, `\%03o`, c)
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}
