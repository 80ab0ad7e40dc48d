package ignore

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/spillway-go/spillway/internal/testkit"
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
		"question marks":   {strings.Repeat("?\n", 100_000), "ab", 5000},
		"stars and marks":  {many("*?", "c*b"), name, 5000},
		"stars":            {many("*a", "c*b"), name, 5000},
		"stars in a path":  {many("*a*/", "**/*c*b"), deep, 1000},
		"doubled stars":    {many("**/a/", "**/*c*b"), deep, 1000},
		"different lines":  {strings.Repeat("[a-z]?\n[b-z]?\n", 50_000), "abc", 1000},
		"directories only": {strings.Repeat("/a/\n/b/a/\n", 50_000), "a", 1000},
	} {
		t.Run(kind, func(t *testing.T) {
			testkit.Within(t, 30*time.Second, func() {
				d := dirOf(tt.rules, false)
				path := strings.Split(tt.path, "/")
				for _, name := range path[:len(path)-1] {
					d = d.Enter(name, nil, false)
				}
				for range tt.times {
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
	for range 300_000 {
		var pattern, path strings.Builder
		for range 1 + r.IntN(9) {
			pattern.WriteString(pick(r, []string{"a", "b", "a", "*", "*", "?", "/", "/**/", "**/", "/**", `\/`, "[ab]", "[!a]", "***"}))
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
	if matched < 1000 {
		t.Errorf("%d only match", matched)
	}
}

// When the context has ended, no pattern is matched any more.
func TestRulesEnd(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	d := &Dir{tree: &workTree{ctx: ctx}}
	d.add([]byte("*a*b\n"))
	if !d.Ignored("xaxb", false) {
		t.Error("the rule does not match")
	}
	cancel()
	if d.Ignored("xaxb", false) {
		t.Error("the rule is matched though the walk has ended")
	}
}

// When the context has ended, no line is read any more.
func TestParsingEnds(t *testing.T) {
	var different strings.Builder
	for i := range maxLines {
		fmt.Fprintf(&different, "[a-z]%d?\n", i)
	}
	for _, asked := range []int{0, 3, 200} {
		ctx := testkit.EndsAfter(t.Context(), asked)
		s := parseRules(ctx, []byte(different.String()), false)
		if n := len(s.rules); n*len("[a-z]1?\n") > asked*(bytesBetween+len("[a-z]99999?\n")) {
			t.Errorf("%d rules are made of the lines after the context has ended at question %d", n, asked)
		}
		if ctx.Left() < -4 {
			t.Errorf("the context is asked %d times more after the end", -ctx.Left())
		}
	}
	if s := parseRules(t.Context(), []byte(different.String()), false); len(s.rules) != maxLines {
		t.Errorf("%d rules", len(s.rules))
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
	if cut != 0 || !outer.Ignored("x", false) {
		t.Errorf("%d files are cut", cut)
	}
	if inner := outer.Enter("inner", rules, true); cut != 1 || inner.Ignored("x", false) {
		t.Errorf("%d files are cut in the inner repository", cut)
	}
}

// In a large file only the last of the lines with one pattern is kept, and that makes
// no difference.
func TestRepeatedLines(t *testing.T) {
	d := dirOf(strings.Repeat("?\n!?\n#?\n", fewBytes), false)
	if n := len(d.rules.rules.rules); n != 1 || d.Ignored("a", false) {
		t.Errorf("%d rules are kept", n)
	}
	large := "#" + strings.Repeat("x", fewBytes) + "\n"
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 8))
		tree := randomTree(r, 60)
		var lines []string
		for range 4 {
			lines = append(lines, randomLines(r, tree, "", func(string) bool { return true })...)
		}
		for range 20 { // again, most of them turned round
			line := pick(r, lines)
			if rest, ok := strings.CutPrefix(line, "!"); ok {
				line = rest
			} else if oneIn(r, 2) {
				line = "!" + line
			}
			lines = append(lines, line)
		}
		content := strings.Join(lines, "\n")
		few, many := dirOf(content, false), dirOf(content+"\n"+large, false)
		for _, e := range tree {
			if path := e.path + map[bool]string{true: "/"}[e.dir]; ignoredAt(few, path) != ignoredAt(many, path) {
				t.Fatalf("seed %d: %q is ignored: %v, in a large file not so\n%q", seed, path, ignoredAt(few, path), lines)
			}
		}
	}
}
