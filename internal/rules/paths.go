package rules

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/spillway-go/spillway/internal/commandline"
	"github.com/spillway-go/spillway/internal/readonly"
)

// use is a path that a word of a command may be.
type use struct {
	word  string
	names []string   // what it leads to, from each directory that the command may run in
	globs [][]string // the elements of patterns of which it may become a match
	any   bool       // it may be any path

	source bool // the command is known to read it only
}

// strictPaths judges the words of a command, as paths, by the rules that deny and ask about paths. Whether the command
// would read or change them is not known.
func (j *judging) strictPaths(c *commandline.Command) {
	var uses []use
	where := ""
	if len(c.Assigned) > 0 {
		where = fmt.Sprintf("%q", c.Dirs)
	}
	for _, w := range c.Assigned {
		// What export sets, all commands behind it have.
		if at := w.Text + where; w.Known && !j.set[at] {
			j.set[at] = true
			uses = append(uses, j.uses(c, w))
		}
	}
	sources := readonly.Sources(c.Words)
	for i, w := range c.Words {
		if i > 0 || strings.Contains(w.Text, "/") || !w.Known {
			u := j.uses(c, w)
			u.source = sources != nil && sources[i]
			uses = append(uses, u)
		}
	}
	for _, list := range j.strict() {
		for _, r := range list.rules {
			if r.glob == "" || r.access != reading && r.access != changing || j.spares(r, c) {
				continue
			}
			for _, u := range uses {
				if u.source && r.access == changing && r.glob != everything {
					continue
				}
				switch u.is(r) {
				case yes:
					j.findings.add(list.decision, r.says(list.decision, text(c)))
				case maybe:
					j.findings.add(Asked, fmt.Sprintf("%s of %s could be a path that the rule %s is about",
						shown(u.word), text(c), shown(r.text)))
				default:
					continue
				}
				break
			}
		}
	}
}

// speakers are commands that print their words, and open none of them.
var speakers = []string{"echo", "printf"}

// spares reports whether a rule about files is not about a command, whatever its words are: that it opens none of
// them is known or, where the rule is about changes, that it changes nothing.
func (j *judging) spares(r rule, c *commandline.Command) bool {
	if c.Words[0].Known && slices.Contains(speakers, c.Words[0].Text) {
		return true
	}
	return r.access == changing && j.changesNothing(c)
}

// changesNothing reports whether a command is known to change nothing.
func (j *judging) changesNothing(c *commandline.Command) bool { return j.reads(c, false) }

// reads reports whether a command is known to change nothing, and to ask the network or not.
func (j *judging) reads(c *commandline.Command, network bool) bool {
	check := readonly.Check
	switch {
	case network:
		check = readonly.CheckNetwork
	case len(c.Through) == 0 && (j.call.LocalGo || slices.ContainsFunc(c.Front, isLocalGo)):
		check = readonly.CheckLocal
	}
	if c = inPlace(c); len(assigned(c)) > 0 || check(c.Words) != "" {
		return false
	}
	why, _ := j.elsewhere(c)
	return why == ""
}

func isLocalGo(w commandline.Word) bool { return w.Known && w.Text == commandline.LocalGo }

// is reports whether a use is of a path that a rule is about.
func (u use) is(r rule) truth {
	if r.glob == everything { // whatever path it is
		return yes
	}
	if slices.ContainsFunc(u.names, func(name string) bool { return r.matches(name, true) }) {
		return yes
	}
	if u.any || slices.ContainsFunc(u.globs, func(glob []string) bool { return meet(glob, r.elements) }) {
		return maybe
	}
	return no
}

// uses returns which paths a word may be.
func (j *judging) uses(c *commandline.Command, w commandline.Word) use {
	u := use{word: w.Text}
	switch {
	case w.Glob:
		j.globUse(&u, c.Dirs, w.Text)
		return u
	case !w.Known:
		u.any = true
		return u
	}
	texts, all := inWord(w.Text)
	u.any = !all
	if rest, anyCase, ok := pathspec(w.Text); ok {
		texts = append(texts, rest)
		u.globs = append(u.globs, anywhere(rest)) // of the repository, or of the directory
		u.any = u.any || anyCase
	}
	for _, text := range texts {
		names, known := j.names(c.Dirs, text)
		u.names = append(u.names, names...)
		if !known {
			u.any = true
		}
		if c.Dirs == nil && !absolute(text) {
			u.globs = append(u.globs, anywhere(text))
		}
	}
	return u
}

// anywhere returns the elements of the glob that a relative path is from a directory that is not known.
func anywhere(text string) []string {
	text = path.Clean(text)
	for strings.HasPrefix(text, "../") {
		text = text[3:]
	}
	if text == ".." || text == "." {
		return []string{"**"}
	}
	return append([]string{"**"}, elements(escapeGlob(text))...)
}

// opaque reports whether a path leads to what it says only within the process that opens it: its directory, its
// root or its open files, as /proc and /dev/fd have them.
func opaque(name string) bool {
	if strings.HasPrefix(name, "/dev/fd/") {
		return true
	}
	list := strings.Split(name, "/")
	for i := 0; i+2 < len(list); i++ {
		if list[i] == "proc" && (strings.HasSuffix(list[i+1], "self") || strings.Trim(list[i+1], "0123456789") == "") {
			return slices.ContainsFunc(list[i+2:], func(element string) bool {
				return slices.Contains([]string{"cwd", "root", "fd", "exe", "map_files"}, element)
			})
		}
	}
	return false
}

// maxTexts is how many texts of a word are looked up as paths. With more, the word may be any path.
const maxTexts = 64

// inWord returns the texts in a word that may be paths: FILE, --file=FILE, HEAD:FILE, FILE:/mnt, -fFILE, -xvfFILE,
// @FILE, a=<FILE. all is false if there may be others: there are too many, or there is a URL of a file.
func inWord(word string) (texts []string, all bool) {
	add := func(text string) {
		if text != "" && len(texts) <= maxTexts && couldExist(text) && !slices.Contains(texts, text) {
			texts = append(texts, text)
		}
	}
	add(word)
	if len(word) > 2 && word[0] == '-' && word[1] != '-' {
		for i := 2; i < len(word) && !strings.ContainsRune("./~=", rune(word[i-1])); i++ {
			add(word[i:])
		}
	}
	for i := range len(word) {
		switch word[i] {
		case '=', ':', '@', ',':
			add(word[:i])
			add(word[i+1:])
			add(strings.TrimLeft(word[i+1:], "@<"))
		}
	}
	return texts, len(texts) <= maxTexts && !strings.Contains(strings.ToLower(word), "file:/")
}

// pathspec returns what a word names if it is a path for git with a colon in front, :/FILE or :(top)FILE; anyCase is true
// if it may name others, too. One that excludes files is none.
func pathspec(word string) (rest string, anyCase, ok bool) {
	rest, ok = strings.CutPrefix(word, ":")
	if magic, has := strings.CutPrefix(rest, "("); has {
		magic, rest, ok = strings.Cut(magic, ")")
		if strings.Contains(magic, "exclude") {
			return "", false, false
		}
		anyCase = magic != "top"
	}
	rest = strings.TrimLeft(rest, "/")
	return rest, anyCase, ok && rest != "" && rest[0] != '!' && rest[0] != '^' && couldExist(rest)
}

// couldExist reports whether a file can have a name.
func couldExist(name string) bool {
	if len(name) > 4096 {
		return false
	}
	for element := range strings.SplitSeq(name, "/") {
		if len(element) > 255 {
			return false
		}
	}
	return true
}

func absolute(text string) bool { return isAbs(text) || strings.HasPrefix(text, "~") }

// maxPlaced is how many paths of a command line are looked up. Any others are not known.
const maxPlaced = 5000

// names returns what a path in a command leads to from each of the directories, and as it is written; known is false
// if it leads to something that is not known.
func (j *judging) names(dirs []string, text string) (names []string, known bool) {
	if dirs == nil {
		dirs = []string{""}
	}
	known = true
	for _, dir := range dirs {
		if j.placed++; j.placed > maxPlaced {
			return names, false
		}
		written, ok := j.written(dir, text)
		known = known && !opaque(text) && !(ok && opaque(written))
		if ok && !slices.Contains(names, written) {
			names = append(names, written)
		}
		if j.place == nil {
			known = known && ok
			continue
		}
		name, found := j.place(dir, text)
		if found && !slices.Contains(names, name) {
			names = append(names, name)
		}
		known = known && found
	}
	return names, known
}

// written returns the name of a path without a look at links; ok is false for one below the home directory.
func (j *judging) written(dir, text string) (name string, ok bool) {
	switch {
	case strings.HasPrefix(text, "~"):
		return path.Join(j.start, dir, text), !strings.HasPrefix(dir, "~") // the one in quotes
	case isAbs(text):
		return path.Clean(text), true
	case strings.HasPrefix(dir, "~"):
		return "", false
	case isAbs(dir):
		return path.Join(dir, text), true
	}
	return path.Join(j.start, dir, text), true
}

// globUse adds the patterns that a pattern of file names is from each of the directories.
func (j *judging) globUse(u *use, dirs []string, glob string) {
	at := strings.IndexAny(glob, `*?[\`)
	base, rest := ".", glob
	if slash := strings.LastIndexByte(glob[:max(at, 0)], '/'); slash >= 0 {
		base, rest = glob[:slash], glob[slash+1:]
		if slash == 0 {
			base = "/"
		}
	}
	if strings.Contains(rest, "..") {
		u.any = true
		return
	}
	if dirs == nil && !absolute(base) {
		u.globs = append(u.globs, append([]string{"**"}, elements(rest)...))
		return
	}
	names, known := j.names(dirs, base)
	u.any = !known
	for _, name := range names {
		u.globs = append(u.globs, elements(path.Join(escapeGlob(name), rest)))
	}
}

// elements divides a glob at its slashes. One with a slash in braces is divided nowhere, and may match anything.
func elements(glob string) []string {
	depth := 0
	for i := 0; i < len(glob); i++ {
		switch glob[i] {
		case '\\':
			i++
		case '{':
			depth++
		case '}':
			depth--
		case '/':
			if depth > 0 {
				return []string{"**"}
			}
		}
	}
	return strings.Split(glob, "/")
}

// maxElements is how many elements of two globs are compared.
const maxElements = 64

// meet reports whether some path may match both globs, of which a is the shell's.
func meet(a, b []string) bool {
	if len(a) > maxElements || len(b) > maxElements {
		return true
	}
	// ends[i][k] is whether a[i:] and b[k:] may match the same.
	ends := make([][]bool, len(a)+1)
	for i := len(a); i >= 0; i-- {
		ends[i] = make([]bool, len(b)+1)
		for k := len(b); k >= 0; k-- {
			switch {
			case i == len(a) && k == len(b):
				ends[i][k] = true
			case i < len(a) && a[i] == "**":
				ends[i][k] = ends[i+1][k] || k < len(b) && ends[i][k+1]
			case k < len(b) && b[k] == "**":
				ends[i][k] = ends[i][k+1] || i < len(a) && ends[i+1][k]
			case i < len(a) && k < len(b):
				ends[i][k] = ends[i+1][k+1] && meetElement(a[i], b[k])
			}
		}
	}
	return ends[0][0]
}

// meetElement is [meet] for names without slashes. A pattern of the shell that begins with * or ? matches no
// name that begins with a dot.
func meetElement(a, b string) bool {
	if folds {
		a, b = strings.ToLower(a), strings.ToLower(b)
	}
	const special = `*?[{\`
	ia, ib := strings.IndexAny(a, special), strings.IndexAny(b, special)
	switch {
	case ia == 0 && strings.HasPrefix(b, ".") && a[0] != '\\' && a[0] != '{':
		return false
	case ia < 0 && ib < 0:
		return a == b
	case ia < 0:
		return doublestar.MatchUnvalidated(b, a)
	case ib < 0:
		return doublestar.MatchUnvalidated(a, b) || strings.ContainsAny(a, `\[`)
	}
	n := min(ia, ib)
	if a[:n] != b[:n] {
		return false
	}
	const stops = `*?[]{}\`
	sa, sb := a[strings.LastIndexAny(a, stops)+1:], b[strings.LastIndexAny(b, stops)+1:]
	return strings.HasSuffix(sa, sb) || strings.HasSuffix(sb, sa)
}
