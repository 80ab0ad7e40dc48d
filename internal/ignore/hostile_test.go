package ignore

import (
	"context"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Patterns that are made to take long: a matcher that tries every way to divide
// a name, or makes a program of every pattern, is at these for minutes or hours.
func TestHostilePatterns(t *testing.T) {
	name := strings.Repeat("a", 253) + "b" // what the patterns end in, or they would be done with at once
	deep := strings.Repeat("a/", 100) + "ab"
	many := func(piece, end string) string {
		var rules strings.Builder
		for i := range 40 {
			rules.WriteString(strings.Repeat(piece, 200-i) + end + "\n")
		}
		return rules.String()
	}
	for kind, tt := range map[string]struct {
		rules, path string
		times       int
	}{
		"question marks":   {strings.Repeat("?\n", 100_000), "ab", 50},
		"stars and marks":  {many("*?", "c*b"), name, 5000},
		"stars":            {many("*a", "c*b"), name, 5000},
		"stars in a path":  {many("*a*/", "**/*c*b"), deep, 1000},
		"doubled stars":    {many("**/a/", "**/*c*b"), deep, 1000},
		"different lines":  {strings.Repeat("[a-z]?\n[b-z]?\n", 50_000), "abc", 50},
		"directories only": {strings.Repeat("/a/\n/b/a/\n", 50_000), "a", 50},
	} {
		t.Run(kind, func(t *testing.T) {
			testkit.Within(t, time.Minute, func() {
				d := dirOf(tt.rules, false)
				path := strings.Split(tt.path, "/")
				for _, name := range path[:len(path)-1] {
					d = d.Enter(name, nil, false)
				}
				for range testkit.Some(tt.times) {
					d.Ignored(path[len(path)-1], false)
				}
			})
		})
	}
}

// match is exact: it decides as a definition that tries every way.
func TestMatchByDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	matched := 0
	rounds := testkit.Some(300_000)
	for range rounds {
		var pattern, path strings.Builder
		for range 1 + r.IntN(9) {
			pattern.WriteString(pick(r, []string{
				"a", "b", "a", "*", "*", "?", "/", "/**/", "**/", "/**", `\/`, "[ab]", "[!a]", "***"}))
		}
		for range 1 + r.IntN(10) {
			path.WriteByte("ab/"[r.IntN(3)])
		}
		parts, ok := split(pattern.String(), true, false)
		if !ok {
			continue
		}
		want := partsMatch(parts, path.String())
		if got := match(parts, path.String()); got != want {
			t.Fatalf("%q, %q: %v, by definition %v", pattern.String(), path.String(), got, want)
		}
		if want {
			matched++
		}
	}
	require.GreaterOrEqual(t, matched, rounds/300)
}

// partsMatch tries every way to divide s among the parts.
func partsMatch(parts []part, s string) bool {
	if len(parts) == 0 {
		return s == ""
	}
	p, rest := parts[0], parts[1:]
	switch p.kind {
	case star, everything:
		for i := 0; ; i++ {
			if partsMatch(rest, s[i:]) {
				return true
			}
			if i == len(s) || p.kind == star && s[i] == '/' {
				return false
			}
		}
	case directories:
		for {
			if partsMatch(rest, s) {
				return true
			}
			i := strings.IndexByte(s, '/')
			if i < 0 {
				return false
			}
			s = s[i+1:]
		}
	}
	if s == "" {
		return false
	}
	switch p.kind {
	case literal:
		return s[0] == p.char && partsMatch(rest, s[1:])
	case class:
		return p.set.has(s[0]) && partsMatch(rest, s[1:])
	}
	return s[0] != '/' && partsMatch(rest, s[1:])
}

// When the context has ended, no pattern is matched any more.
func TestRulesEnd(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	d := &Dir{tree: &workTree{ctx: ctx}}
	d.add([]byte("*a*b\n"))
	require.True(t, d.Ignored("xaxb", false), "the rule does not match")
	cancel()
	require.False(t, d.Ignored("xaxb", false), "the rule is matched though the walk has ended")
}

// When the context has ended, no line is read any more.
func TestParsingEnds(t *testing.T) {
	for _, asked := range []int{0, 3, 200} {
		ctx := testkit.EndsAfter(t.Context(), asked)
		s := parseRules(ctx, []byte(strings.Repeat("[a-z]?\n", maxLines)), false)
		assert.Len(t, s.rules, asked)
	}
}

// Repositories that are in each other have one bound together.
func TestNestedRepositoriesShareTheBounds(t *testing.T) {
	testkit.IsolateGit(t)
	root := t.TempDir()
	testkit.FakeRepository(t, root)
	testkit.FakeRepository(t, filepath.Join(root, "outer", "inner"))
	cut := 0
	top := mustTop(t, root, func(string, int) { cut++ })
	rules := []byte(strings.Repeat("#\n", maxLines/2) + "x\n")
	outer := top.Enter("outer", rules, false)
	require.Equal(t, 0, cut)
	require.True(t, outer.Ignored("x", false), "%d files are cut", cut)
	if inner := outer.Enter("inner", rules, true); cut != 1 || inner.Ignored("x", false) {
		t.Errorf("%d files are cut in the inner repository", cut)
	}
}

func TestTopEnds(t *testing.T) {
	testkit.IsolateGit(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Top(ctx, t.TempDir(), Options{}); err != context.Canceled {
		t.Errorf("error %v", err)
	}
}

// Rules over the bounds are passed over, and told of.
func TestCut(t *testing.T) {
	home := testkit.IsolateGit(t)
	root := filepath.Join(home, "r")
	line := strings.Repeat("x", 99) + "\n"
	for kind, tt := range map[string]struct {
		rules string
		lines int // that count
		whole bool
	}{
		"all lines":      {strings.Repeat("#\n", maxLines-1) + "last\n", maxLines, true},
		"too many lines": {strings.Repeat("#\n", maxLines) + "last\n", maxLines, false},
		"all bytes":      {strings.Repeat(line, maxBytes/100-1) + "last\n", maxBytes / 100, true},
		"too many bytes": {strings.Repeat(line, maxBytes/100) + "##\n" + line + "last\n", maxBytes/100 + 1, false},
		"one long line":  {strings.Repeat("x", maxBytes) + "\nlast\n", 0, false},
	} {
		t.Run(kind, func(t *testing.T) {
			testkit.WriteFile(t, filepath.Join(root, FileName), tt.rules)
			var told []string
			lines := -1
			o := func(file string, n int) { told, lines = append(told, file), n }
			d := mustTop(t, root, o)
			require.Equal(t, tt.whole, d.Ignored("last", false), "the last line counts: %v; told of %q", !tt.whole, told)
			require.Equal(t, tt.whole, len(told) == 0, "the last line counts: %v; told of %q", !tt.whole, told)
			if !tt.whole && (lines != tt.lines || told[0] != filepath.Join(d.tree.root, FileName)) {
				t.Errorf("told of %d lines in %q", lines, told)
			}
			// The same file further down has what room is left, which is none.
			told = nil
			sub := d.Enter("sub", []byte(tt.rules), false)
			require.Equal(t, tt.whole, sub.Ignored("last", false), "further down: told of %q", told)
			require.NotEmpty(t, told)
		})
	}
}

func TestFit(t *testing.T) {
	for _, tt := range []struct {
		content string
		room    size
		want    string
		lines   int
	}{
		{"a\nb\nc\n", size{6, 3}, "a\nb\nc\n", 3},
		{"a\nb", size{3, 1}, "a\nb", 1}, // the end of the last line is not counted
		{"a\nb\nc\n", size{6, 2}, "a\nb\n", 2},
		{"a\nb\nc\n", size{5, 3}, "a\nb\n", 2},
		{"a\nb\nc\n", size{1, 3}, "", 0},
		{"a\nb\nc\n", size{0, 0}, "", 0},
	} {
		got, lines, whole := fit([]byte(tt.content), tt.room)
		if string(got) != tt.want || lines != tt.lines || whole != (tt.want == tt.content) {
			t.Errorf("%q in %v: %q, %d lines, whole %v", tt.content, tt.room, got, lines, whole)
		}
	}
}
