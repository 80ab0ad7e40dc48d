package ignore

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestMain(m *testing.M) {
	testkit.InMemory()
	os.Exit(m.Run())
}

// dirOf gives the rules of one file at the root of a tree.
func dirOf(content string, fold bool) *Dir {
	d := &Dir{tree: &workTree{ctx: context.Background(), fold: fold}}
	d.add([]byte(content))
	return d
}

// ignoredAt asks about a path from the root d; what is above is not ignored. A
// slash at the end says that it is a directory.
func ignoredAt(d *Dir, path string) bool {
	path, isDir := strings.CutSuffix(path, "/")
	for {
		name, rest, more := strings.Cut(path, "/")
		if !more {
			return d.Ignored(name, isDir)
		}
		d, path = d.Enter(name, nil, false), rest
	}
}

func TestIgnored(t *testing.T) {
	tests := []struct {
		rules   string
		ignored []string
		kept    []string
	}{
		{"", nil, []string{"a", "a/b"}},
		{"a", []string{"a", "a/", "b/a", "b/c/a"}, []string{"b", "ab", "A"}},
		{"a/", []string{"a/", "b/a/"}, []string{"a", "b/a"}},
		{"/a", []string{"a", "a/"}, []string{"b/a"}},
		{"a/b", []string{"a/b"}, []string{"b", "c/a/b"}},
		{"a//b\n//a\na//", nil, []string{"a/b", "a", "a/"}},
		{"*.go", []string{"a.go", ".go", "b/c.go"}, []string{"a.gox", "go"}},
		{"*.tar.gz", []string{"a.tar.gz"}, []string{"a.gz"}},
		{"*~", []string{"a~", "~"}, []string{"~a"}},
		{"lib/*.o", []string{"lib/a.o"}, []string{"a.o", "lib/b/a.o", "c/lib/a.o"}},
		{"*\n!*/\n!*.go", []string{"a", "b/c"}, []string{"a.go", "b/", "b/c.go"}},
		{"!a\na\n!a\n", nil, []string{"a"}},
		{"*.a\n!b.a\n*.a/", []string{"c.a", "b.a/"}, []string{"b.a"}},
		{"a?c", []string{"abc", "a?c", "a\nc"}, []string{"ac", "abbc", "a/c"}},
		{"a?b", []string{"a\xffb"}, []string{"aéb"}}, // two bytes, as to git
		{"a??b", []string{"aéb"}, []string{"a\xffb"}},
		{"a?b/*\n[!x]?[!y]/d", []string{"axb/c", "abc/d"}, []string{"a/b/c", "a/b/d"}},
		{"a[[:]", []string{"a[", "a:"}, []string{"a"}}, // no class of POSIX
		{"[a-\\\n[a-\n[[:alpha:\n[\\", nil, []string{"a", "-", "\\", "["}},
		{"é", []string{"é"}, []string{"É", "\xe9"}},
		{"[é]", []string{"\xc3", "\xa9"}, []string{"é", "\xe9"}},
		{"[\xe0-\xef]", []string{"\xe9"}, []string{"é", "\xdf"}},
		{"[a-c]x", []string{"ax", "cx"}, []string{"dx", "-x"}},
		{"[!a-c]x\n[^d]y", []string{"dx", "ay"}, []string{"ax", "dy", "x"}},
		{"[]a]", []string{"]", "a"}, []string{"[]a]"}},
		{"[]-a]", []string{"]", "^", "a"}, []string{"-"}},
		{"[a-]", []string{"a", "-"}, []string{"b"}},
		{"[a\\]b]", []string{"a", "]", "b"}, []string{"\\"}},
		{"[[:digit:][:upper:]]", []string{"1", "Z"}, []string{"a", ":", "["}},
		{"[[:nope:]a]\n[a\n[[:alpha:]\nb\\", nil, []string{"a", "[a", "b", "b\\"}},
		{"[[:digit:]-a]", []string{"1", "-", "a"}, []string{"]", "_"}},
		{"[[:a]", []string{"[", ":", "a"}, []string{"b"}},
		{"a[/]b\na[!x]b", []string{"a-b"}, []string{"a/b"}},
		{`\#a` + "\n" + `\!b` + "\n#c\n" + `\*`, []string{"#a", "!b", "*"}, []string{"c", "#c", "b", "a"}},
		{`a\b`, []string{"ab"}, []string{`a\b`}},
		{`a\\b`, []string{`a\b`}, []string{"ab"}},
		{"a  \nb\\ \nc\\  \nd\t\n", []string{"a", "b ", "c ", "d\t"}, []string{"a  ", "b", "c  ", "d"}},
		{"a\\\\ \n", []string{"a\\"}, []string{"a\\ "}},
		{" a\n", []string{" a"}, []string{"a"}},
		{"a\r\nb\r\r\n  \r\nc\r", []string{"a", "b\r", "c"}, []string{"b", "c\r"}},
		{"a\x00b\nc\r\x00\r\n", []string{"a", "c\r"}, []string{"b", "ab", "c"}},
		{"\xef\xbb\xbfa\n\xef\xbb\xbfb", []string{"a", "\ufeffb"}, []string{"\ufeffa", "b"}},
		{"!\n/\n!/\n\n   \n", nil, []string{"a", "a/"}},
		{"**/a", []string{"a", "b/a", "b/c/a"}, []string{"ba"}},
		{"a/**", []string{"a/b", "a/b/c"}, []string{"a", "a/", "ab/c", "b/a/c"}},
		{"/**", []string{"a", "a/b"}, nil},
		{"a/**/b", []string{"a/b", "a/c/b", "a/c/d/b"}, []string{"b", "ab", "a/cb", "e/a/b"}},
		{"**/a/**", []string{"a/b", "c/a/b", "a/b/c"}, []string{"a", "c/a", "ba/c"}},
		{"**/a/b", []string{"a/b", "c/a/b"}, []string{"b", "ca/b"}},
		{"a/***/b\n***/c", []string{"a/b", "a/c/b", "c", "x/c"}, []string{"b"}},
		{`a/**\/b`, []string{"a/c/b"}, []string{"a/b"}},
		{"a/*/b", []string{"a/c/b"}, []string{"a/b", "a/c/d/b"}},
		{"a/?*.[ch]", []string{"a/b.c", "a/b.h"}, []string{"a/.c", "a/b/c.h", "b.c"}},
		{"a+(b)|{1}^$.", []string{"a+(b)|{1}^$."}, []string{"aab", "a+(b)|{1}^$x"}},
		{"?+(b)|{1}^$.#$~", []string{"a+(b)|{1}^$.#$~"}, []string{"aab", "a+(b)|{1}^$."}},
		{"x*y*z", []string{"xyz", "x.y.z"}, []string{"xz", "xyza"}},
		{"é*\xff?", []string{"é\xffa", "é--\xffa"}, []string{"é", "é\xff"}},
		// Read otherwise by git before 2.52: "lit" and then "**/x".
		{"lit**/x", []string{"lit/x", "lita/x"}, []string{"lit/a/x", "lita/b/x", "litx"}},
		{"a/lit**", []string{"a/lit", "a/litb"}, []string{"a/lit/b", "a/litb/c"}},
		{"/lit**", []string{"lit", "lita"}, []string{"lit/a", "b/lit"}},
		{"a/b**/**/c", []string{"a/b/c", "a/bb/d/c"}, []string{"a/d/b/c"}},
		{"a**b/c", []string{"ab/c", "axb/c"}, []string{"a/b/c"}},
		{`lit**\/x`, []string{"lit/x", "lita/x"}, []string{"lit/a/x"}},
		{"a", []string{".git", ".git/", "b/.git/"}, []string{".gitx"}},
	}
	for _, tt := range tests {
		d := dirOf(tt.rules, false)
		for _, path := range tt.ignored {
			assert.True(t, ignoredAt(d, path), "%q does not ignore %q", tt.rules, path)
		}
		for _, path := range tt.kept {
			assert.False(t, ignoredAt(d, path), "%q ignores %q", tt.rules, path)
		}
	}
}

func TestIgnoreCase(t *testing.T) {
	d := dirOf("Abc\n*.GO\nDir/x*Y\nDir/**\n[A-C]1\n[D]1\n\\E1\n[[:upper:]]2\nÉ\n", true)
	for _, path := range []string{"abc", "ABC", "a.go", "A.Go", "dir/XzY", "DIR/Sub/a", "b1", "B1", "q2", "É", ".GIT/"} {
		assert.True(t, ignoredAt(d, path), "%q is not ignored", path)
	}
	for _, path := range []string{"d1", "D1", "e1", "E1", "é"} { // git folds the name and not these
		assert.False(t, ignoredAt(d, path), "%q is ignored", path)
	}
}

func TestNestedRepository(t *testing.T) {
	home := testkit.IsolateGit(t)
	root := filepath.Join(t.TempDir(), "outer")
	testkit.FakeRepository(t, root)
	inner := filepath.Join(root, "Sub", "inner")
	testkit.FakeRepository(t, inner)
	testkit.WriteFile(t, filepath.Join(home, "xdg", "git", "ignore"), "user\n")
	testkit.WriteFile(t, filepath.Join(root, FileName), "outer\n/Sub/inner/x\n")
	testkit.WriteFile(t, filepath.Join(inner, ".git", "info", "exclude"), "exclude\n")
	testkit.WriteFile(t, filepath.Join(root, ".git", "config"), "[core]\nignoreCase\n")
	sub := mustTop(t, root, nil).Enter("Sub", nil, false)
	check := func(d *Dir, want map[string]bool) {
		t.Helper()
		for name, want := range want {
			assert.Equal(t, want, d.Ignored(name, false), name)
		}
	}
	check(sub.Enter("inner", []byte("/own"), true), map[string]bool{
		"user": true, "exclude": true, "own": true, "outer": false, "x": false, "OWN": false})
	// Without the repository, and with a .git that is none.
	plain := map[string]bool{"user": true, "exclude": false, "own": true, "outer": true, "x": true, "OWN": true}
	check(sub.Enter("inner", []byte("/own"), false), plain)
	require.NoError(t, os.RemoveAll(filepath.Join(inner, ".git", "HEAD")))
	check(sub.Enter("inner", []byte("/own"), true), plain)
}

func TestTopErrors(t *testing.T) {
	testkit.IsolateGit(t)
	if _, err := Top(t.Context(), "relative", Options{}); err == nil {
		t.Error("a relative path is accepted")
	}
	if _, err := Top(t.Context(), filepath.Join(t.TempDir(), "missing"), Options{}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("missing directory: %v", err)
	}
}

// TestTopWithoutRepository: rules begin with the directory, links are resolved.
func TestTopWithoutRepository(t *testing.T) {
	home := testkit.IsolateGit(t)
	outer := t.TempDir()
	dir := filepath.Join(outer, "dir")
	testkit.WriteFile(t, filepath.Join(outer, FileName), "outer\n")
	testkit.WriteFile(t, filepath.Join(dir, FileName), "/own\n")
	testkit.WriteFile(t, filepath.Join(home, "xdg", "git", "ignore"), "other\n")
	link := filepath.Join(outer, "link")
	need.Symlink(t, dir, link)
	for _, start := range []string{dir, link} {
		d := mustTop(t, start, nil)
		if d.Ignored("outer", false) || !d.Ignored("own", false) || !d.Ignored("other", false) {
			t.Errorf("wrong rules in %s", start)
		}
	}
}

func TestMatchPath(t *testing.T) {
	for _, tt := range []struct {
		pattern, path string
		fold, want    bool
	}{
		{"home/r/**", "home/r/.git", false, true},
		{"home/x/**", "home/r/.git", false, false},
		{"home/r", "home/r/.git", false, false},
		{"**/R/.GIT", "home/r/.git", true, true},
		{"**/R/.GIT", "home/r/.git", false, false},
		{"**/r/.git", "home/R/.git", true, true},
		{"[", "[", false, false},
	} {
		if got := MatchPath(tt.pattern, tt.path, tt.fold); got != tt.want {
			t.Errorf("%q matches %q: %v", tt.pattern, tt.path, got)
		}
	}
}

func mustTop(t testing.TB, dir string, cut func(string, int)) *Dir {
	t.Helper()
	d, err := Top(t.Context(), dir, Options{Cut: cut})
	require.NoError(t, err)
	return d
}

// TestClassesAgainstGit tries random bracket expressions on every byte there is.
func TestClassesAgainstGit(t *testing.T) {
	g := newGit(t)
	const count = 60
	seeds := 8 * max(1, uint64(*decisions)/50_000)
	if testing.Short() {
		seeds = 2
	}
	for seed := range seeds {
		r := rand.New(rand.NewPCG(seed, 4))
		n := &round{g: g, files: map[rulesFile][]string{}, ignoreCase: seed%2 == 1}
		n.join = func(lines []string) string { return strings.Join(lines, "\n") }
		var lines []string
		for i := range count {
			line := randomClass(r, byte(' '+r.IntN(0x60)))
			if i < len(posixClasses) {
				line = "[[:" + posixClasses[i] + ":]]"
			}
			line = fmt.Sprintf("%02d%s", i, line)
			lines = append(lines, line)
			for c := 1; c < 256; c++ {
				if c != '/' {
					n.tree = append(n.tree, entry{path: line[:2] + string([]byte{byte(c)})})
				}
			}
		}
		n.files[""] = lines
		for range 3 {
			path, _, _ := n.wrong()
			if path == "" {
				break
			}
			i, _ := strconv.Atoi(path[:2])
			t.Errorf("seed %d: %q with ignoreCase %v: ours and git's differ for %q", seed, lines[i][2:], n.ignoreCase, path[2:])
			lines[i] = "none"
		}
	}
}
