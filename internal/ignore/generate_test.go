package ignore

import (
	"math/rand/v2"
	"strings"
)

// names are what the random trees are made of: ordinary names, and those that
// some step of reading or matching a pattern could take for something else.
var names = []string{
	"a", "b", "ab", "abc", "aaa", "foo", "bar", "foo.go", "bar.go", "foo_test.go", "main.c",
	"x.tar.gz", ".hidden", ".a.swp", "Makefile", "README.md", "FOO.Go", "Foo", "B", "AB", "dist",
	"build", "a.o", "lib.so.1", "a b", "a ", " a", "#a", "!a", "a\\b", "a\\", "\\a", "[a]", "a*", "a?",
	"*", "?", "-", "]", "[", "a-b", "a]b", "a^b", "^a", "$a", "a$", "a+b", "(a)", "a|b", "{a,b}",
	"a.b.c", "..a", "a..", "~", "a~", "#$~", "é", "É", "日本", "\xff", "\xe9a", "a\xff", "\xc3", "\xa9",
	"a\nb", "a\tb", "a\r", "\x01", "a:b", ":a", "a\x0bb", "a\x7f", "Z_9", "a1", "a2",
}

// entry is a file or directory of a random tree; path has slashes.
type entry struct {
	path string
	dir  bool
}

// randomTree makes the entries of a tree, directories before what they hold.
func randomTree(r *rand.Rand, size int) []entry {
	var tree []entry
	dirs := []string{""}
	seen := map[string]bool{}
	for len(tree) < size {
		dir := dirs[r.IntN(len(dirs))]
		p := pick(r, names)
		if dir != "" {
			p = dir + "/" + p
		}
		if seen[p] {
			continue
		}
		seen[p] = true
		e := entry{path: p, dir: r.IntN(3) == 0 && strings.Count(p, "/") < 4}
		if e.dir {
			dirs = append(dirs, p)
		}
		tree = append(tree, e)
	}
	return tree
}

func pick[T any](r *rand.Rand, from []T) T { return from[r.IntN(len(from))] }

// anyOf gives one byte of s.
func anyOf(r *rand.Rand, s string) string {
	i := r.IntN(len(s))
	return s[i : i+1]
}

// oneIn is true once in n times.
func oneIn(r *rand.Rand, n int) bool { return r.IntN(n) == 0 }

// idioms are patterns that people write, and whitelists above all.
var idioms = []string{
	"*", "!*/", "!*.go", "/*", "!/foo", "**", "**/", "!**/", "foo/**", "!foo/**/b", "**/foo/**",
	"???/?", "?*?/?", "/?*?/a*", "*.go", "*.o", "*~", ".*", "!.hidden", "build/", "/build", "/dist/", "a/*", "!a/b", "*.*",
	"!*.*",
	"**/a", "a/**/b", "*/b", "/*/", "!/*/", "foo*", "*a*", "#a", "\\#a", "!!a", "\\!a", "!", "/", "", " ", "!/",
	"*.tar.gz", "[._]*.s[a-v][a-z]", "[Bb]uild/", "**/**", "/**", "a/**/", "*.so.*", "lib*.so*", "a//b", "//a",
	"[[:alpha:]]*", "[!a]*", "[^.]*", "**\\/b", "a/**\\/b", "***/b", "a/***",
	"\\*", "a\\", "[", "[a", "[]", "[]a]", "[!]a]",
}

// randomLines makes a file of patterns. Most are made from the paths in tree
// below dir, or few would match. accept says which lines may be used.
func randomLines(r *rand.Rand, tree []entry, dir string, accept func(line string) bool) []string {
	var below []string
	for _, e := range tree {
		if dir == "" {
			below = append(below, e.path)
		} else if rel, ok := strings.CutPrefix(e.path, dir+"/"); ok {
			below = append(below, rel)
		}
	}
	lines := make([]string, 0, 8)
	for n := 1 + r.IntN(8); len(lines) < n; {
		line := randomLine(r, below)
		if accept(line) {
			lines = append(lines, line)
		}
	}
	return lines
}

func randomLine(r *rand.Rand, below []string) string {
	var p string
	switch n := r.IntN(20); {
	case n < 3:
		return pick(r, idioms)
	case n < 5 || len(below) == 0:
		for range 1 + r.IntN(8) {
			p += anyOf(r, "ab*?[]!^-\\/#. \t+(){}|$~:A\xff*/")
		}
	default:
		p = randomPath(r, pick(r, below))
	}
	if oneIn(r, 5) {
		p = "/" + p
	}
	if oneIn(r, 5) {
		p += "/"
	}
	if oneIn(r, 4) {
		p = "!" + p
	}
	if oneIn(r, 20) {
		p = "/" + p
	}
	if oneIn(r, 8) {
		p += pick(r, []string{" ", "  ", "\\ ", "\\  ", "\\\\ ", "\\\\\\ ",
			"\\ ", "\\\\ ", "\t", " \\", "\r", " \r", "\x00", " \x00a", "\r\x00"})
	}
	if oneIn(r, 40) {
		p = pick(r, []string{"#", "\\", " ", "\xef\xbb\xbf"}) + p
	}
	return p
}

// randomPath makes a pattern of a path.
func randomPath(r *rand.Rand, p string) string {
	components := strings.Split(p, "/")
	if oneIn(r, 2) {
		components = components[len(components)-1:] // by name
	} else if oneIn(r, 4) {
		components = components[r.IntN(len(components)):]
	}
	var out []string
	for _, c := range components {
		switch n := r.IntN(12); {
		case n == 0:
			out = append(out, "**")
		case n == 1:
			out = append(out, "**", randomName(r, c))
		case n == 2:
			out = append(out, pick(r, []string{"*", "***", "?*", "**\\", "", "*a*", "a**"}))
		case n < 7:
			out = append(out, randomName(r, c))
		default:
			out = append(out, c)
		}
	}
	return strings.Join(out, "/")
}

// randomName makes a pattern of a name by a few changes.
func randomName(r *rand.Rand, name string) string {
	p := name
	for range 1 + r.IntN(3) {
		i := r.IntN(len(p) + 1)
		j := min(len(p), i+r.IntN(3))
		middle := p[i:j]
		switch r.IntN(10) {
		case 0, 1, 2:
			middle = "*"
		case 3:
			middle = pick(r, []string{"**", "***", "*?", "?*", "*\\"})
		case 4:
			middle = strings.Repeat("?", len(middle))
		case 5, 6:
			if middle != "" {
				middle = randomClass(r, middle[0]) + middle[1:]
			}
		case 7:
			middle = "\\" + middle
		case 8:
			if oneIn(r, 2) {
				middle = strings.ToUpper(middle)
			} else {
				middle = strings.ToLower(middle)
			}
		case 9:
			middle += anyOf(r, "ab.*?[]\\!^-/$")
		}
		p = p[:i] + middle + p[j:]
	}
	return p
}

var posixClasses = []string{
	"alnum", "alpha", "blank", "cntrl", "digit", "graph", "lower", "print", "punct", "space", "upper", "xdigit",
	"nope", "", "ALPHA",
}

// randomClass makes a bracket expression, which c often is in.
func randomClass(r *rand.Rand, c byte) string {
	var b strings.Builder
	b.WriteString(pick(r, []string{"[", "[", "[", "[!", "[^", "[]", "[!]", "[-", "[^-", "[\\]"}))
	for range 1 + r.IntN(4) {
		switch r.IntN(10) {
		case 0:
			b.WriteByte(c)
		case 1:
			b.WriteString("[:" + pick(r, posixClasses) + ":]-" + pick(r, names))
		case 2:
			b.WriteByte(c - byte(r.IntN(3)))
			b.WriteByte('-')
			b.WriteByte(c + byte(r.IntN(3)))
		case 3:
			b.WriteString("[:" + pick(r, posixClasses) + ":]")
		case 4:
			b.WriteString(pick(r, []string{"a-z", "A-Z", "0-9", "a-", "-", "z-a", "a-c-e", "-z", "-c", "A-C",
				"Y-b", "X-\\Z", "[:alpha:]-z", "\\a-\\c", "!-~", "\x80-\xff", "+--", "[", "[:", "[:a", "^", "!"}))
		case 5:
			b.WriteString("\\" + string(rune(c&0x7f)))
		case 6:
			b.WriteString(pick(r, names))
		case 7:
			b.WriteByte(c ^ 0x20)
		case 8:
			b.WriteByte(c)
			b.WriteString(anyOf(r, "-\\[!"))
		case 9:
			b.WriteString(anyOf(r, "/]\\."))
		}
	}
	if !oneIn(r, 12) {
		b.WriteByte(']')
	}
	return strings.NewReplacer("\n", "", "\x00", "").Replace(b.String())
}

// file joins lines as editors do: with line feeds, with returns before them,
// with a byte order mark, with and without an end to the last line.
func file(r *rand.Rand, lines []string) string {
	end := "\n"
	if oneIn(r, 6) {
		end = "\r\n"
	}
	content := strings.Join(lines, end)
	if !oneIn(r, 4) {
		content += end
	}
	if oneIn(r, 12) {
		content = "\xef\xbb\xbf" + content
	}
	return content
}
