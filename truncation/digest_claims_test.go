package truncation

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spillway-go/spillway/internal/shapes"
	"github.com/spillway-go/spillway/internal/size"
)

// claims checks what a digest says of the lines of a text, each of which is judged by itself.
type claims struct {
	t       *testing.T
	text    string
	lines   []string
	totals  string
	failing int // lines shown
	warning int
}

// fails reports whether a line is counted as a failure: one that sums up is not, unless no other line is one.
func (c *claims) fails(line string) bool {
	failing, _ := shapes.Says([]byte(line))
	return failing && (!shapes.SumsUp([]byte(line)) || !slices.ContainsFunc(c.lines, func(other string) bool {
		failing, _ := shapes.Says([]byte(other))
		return failing && !shapes.SumsUp([]byte(other))
	}))
}

func (c *claims) show(number int) {
	line := c.lines[number-1]
	_, warning := shapes.Says([]byte(line))
	c.failing, c.warning = c.failing+one(c.fails(line)), c.warning+one(warning)
}

var exact = regexp.MustCompile(`(at least |at most |[\d,]+ to )?([\d,]+) (?:of which|that) reports?`)

// gap checks what is said of lines that are left out.
func (c *claims) gap(said string, from, to int) {
	failing := 0
	for _, line := range c.lines[from-1 : to] {
		failing += one(c.fails(line))
	}
	quotes := strings.Count(said, " like \"") // of lines that fail themselves, if many do
	switch m := exact.FindStringSubmatch(said); {
	case m != nil && m[1] == "":
		require.Equal(c.t, strings.ReplaceAll(m[2], ",", ""), strconv.Itoa(failing), "%s\n%s", said, c.text)
	case m != nil && m[1] != "at least ":
		least, _ := strconv.Atoi(strings.ReplaceAll(strings.TrimSuffix(m[1], " to "), ",", ""))
		most, _ := strconv.Atoi(strings.ReplaceAll(m[2], ",", ""))
		require.GreaterOrEqual(c.t, failing, least, "%s\n%s", said, c.text)
		require.LessOrEqual(c.t, failing, most, "%s\n%s", said, c.text)
	case m != nil:
		n, _ := strconv.Atoi(strings.ReplaceAll(m[2], ",", ""))
		require.GreaterOrEqual(c.t, failing, n, "%s\n%s", said, c.text)
	case strings.Contains(said, " may report failures"):
	case quotes == 0 || !quotesFailure(said):
		require.Zero(c.t, failing, "%s\n%s", said, c.text)
	}
	require.NotContains(c.t, said, "these")
	if strings.Contains(said, " like ") {
		require.Regexp(c.t, `: [\d,]+ (lines like ".*" and "|ordinary lines like ")`, said)
	}
}

func quotesFailure(said string) bool {
	for _, m := range regexp.MustCompile(`"(?:[^"\\]|\\.)*"`).FindAllString(said, -1) {
		line, _ := strconv.Unquote(m)
		if failing, _ := shapes.Says([]byte(line)); failing {
			return true
		}
	}
	return false
}

// total checks the line of totals.
func (c *claims) total() {
	if c.totals == "" || strings.Contains(c.totals, " to tell which stand out") {
		return
	}
	failing, warning := 0, 0
	for _, line := range c.lines {
		_, w := shapes.Says([]byte(line))
		failing, warning = failing+one(c.fails(line)), warning+one(w)
	}
	want := total(failing, c.failing, "no failures", "line reports a failure", "lines report failures")
	require.Contains(c.t, c.totals, ": "+want, c.text)
	if warning > 0 {
		require.Contains(c.t, c.totals, total(warning, c.warning, "", "warning", "warnings"), c.text)
	}
}

// What a digest says of real outputs is true as well, whatever room it has.
func TestDigestSays(t *testing.T) {
	for name, text := range map[string]string{
		"subtests": subtests(400), "many failures": failures200(), "most fail": strings.Repeat("INFO ok\nERROR: no\n", 300),
		"all warn": strings.Repeat("main.c:3:1: warning: unused\nok\n", 300) + "error: 3\n",
	} {
		t.Run(name, func(t *testing.T) {
			for bytes := 300; bytes < 9000; bytes += 300 {
				p := Policy{Strategy: Digest, Limits: Limits{Bytes: Limit(bytes)}}
				got := p.Truncate(text)
				require.LessOrEqual(t, len(got.Text), bytes)
				if got.Truncated && gapIn(got.Text) {
					explains(t, p, text, 0, got)
				}
			}
		})
	}
}

// Where no line is like another one, a failure is still found and counted.
func TestDigestUnlike(t *testing.T) {
	long := 8 << 20
	if testing.Short() {
		long = 1 << 20
	}
	r := rand.New(rand.NewPCG(5, 6))
	var b strings.Builder
	for b.Len() < long {
		for range 8 {
			b.WriteString(strings.Map(func(rune) rune { return 'a' + rune(r.IntN(26)) }, "word") + " ")
		}
		b.WriteString("\n")
	}
	text := b.String() + "error: far behind\n" + run(300_000, 300_000)
	got := Policy{Strategy: Digest}.Cut(text)
	lines := size.Thousands(strings.Count(text, "\n"))
	require.Regexp(t, `^\[Digest of `+lines+` lines: \d lines report failures.*\]\n`, got)
	require.Contains(t, got, "\nerror: far behind\n")
	require.Contains(t, got, "\n--- FAIL: TestLedger (0.02s)\n    ledger_test.go:412")
	require.LessOrEqual(t, len(got), DigestBytes)
}

// A linter's columns are not known for warnings; then it is not said that there are none.
func TestDigestWarnings(t *testing.T) {
	cut := func(line string) string {
		totals, _, _ := strings.Cut(Policy{Strategy: Digest}.Cut(strings.Repeat(line, 3000)), "\n")
		return totals
	}
	require.Equal(t, "[Digest of 3,000 lines: no failures found, nothing else stands out]", cut("  2:26  warning  Expected '===' eqeqeq\n"))
	require.Equal(t, "[Digest of 3,000 lines: no failures and no warnings found, nothing else stands out]", cut("ok  2:26  fine\n"))
	require.Equal(t, "[Digest of 3,000 lines: no failures found, 3,000 warnings (8 shown), nothing else stands out]", cut("warning: old\n"))
}

// subtests is the output of a run in which one of many subtests fails, as go test -v prints it.
func subtests(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "=== RUN   TestCart/case_%d\n", i)
		if i == n/2 {
			b.WriteString("    cart_test.go:84: total = 8750, want 9000\n")
		}
	}
	b.WriteString("--- FAIL: TestCart (0.00s)\n")
	for i := range n {
		fmt.Fprintf(&b, "    --- %s: TestCart/case_%d (0.00s)\n", map[bool]string{true: "FAIL", false: "PASS"}[i == n/2], i)
	}
	return b.String() + "FAIL\nFAIL\texample.com/cart\t0.1s\nFAIL\n"
}

// failures200 has 200 failures, each with its message.
func failures200() string {
	r := rand.New(rand.NewPCG(8, 9))
	var b strings.Builder
	for i := range 200 {
		name := strings.Map(func(rune) rune { return 'a' + rune(r.IntN(26)) }, "namename")
		fmt.Fprintf(&b, "%s--- FAIL: Test%s (0.01s)\n    %s_test.go:%d: %s is not %s\n", strings.Repeat("=== RUN   TestOther\n", 20), name, name, i, name, name[3:])
	}
	return b.String()
}

// A failing line is followed by its message, or by a word on where it is.
func TestMessages(t *testing.T) {
	cut := func(text string, bytes int) string {
		return Policy{Strategy: Digest, Limits: Limits{Bytes: Limit(bytes)}}.Cut(text)
	}
	require.Contains(t, cut(subtests(400), 4096),
		"\n    --- FAIL: TestCart/case_200 (0.00s)\n[lines 604-800: 197 ordinary lines]\n")
	many := cut(failures200(), 4096)
	for i := range strings.SplitSeq(many, "\n--- FAIL: ") {
		if _, after, ok := strings.Cut(i, "s)\n"); ok {
			require.Regexp(t, `^(    \w+_test\.go:\d+: |\[lines [\d-]+: .*; line \d+ has its message)`, after)
		}
	}
	require.Greater(t, strings.Count(many, "_test.go:"), 5)
	var tap strings.Builder // the message has a blank line in it, as node --test prints it
	for i := range 300 {
		fmt.Fprintf(&tap, "ok %d - adds\n  ---\n  duration_ms: %[1]d\n  ...\n", i)
		if i == 77 {
			tap.WriteString("not ok 78 - adds\n  ---\n  error: |-\n    Expected values to be strictly equal:\n    \n    77 !== 78\n    \n  ...\n")
		}
	}
	require.Contains(t, cut(tap.String(), 1000), "\n    Expected values to be strictly equal:\n[line 317]\n    77 !== 78\n")
	ordinary := strings.Repeat("=== RUN   TestX\n", 300)
	for _, block := range []string{
		"FAIL: test_a (x)\n-----\nwhy\n", "not ok 3 - adds\n  ---\n  got: 3\n", "not ok 3 - adds\n", "    1) adds\n",
		"test_a ... FAIL\n", "\u2716 adds (3ms)\n\n    got 3\n", "ERROR: the disk is full\n",
		"--- FAIL: TestA (0s)\npanic: no\n", "    a_test.go:1: no\n--- FAIL: TestA (0s)\n",
	} {
		text := cut(ordinary+block+ordinary, 700)
		require.NotContains(t, text, "message", "of a failure that has none below it nothing is said")
		require.Contains(t, text, strings.SplitAfter(block, "\n")[0])
	}
}

// Ends are short where what stands out fills the room, or where they are like the rest; a summary is shown.
func TestDigestEnds(t *testing.T) {
	ends := func(text string) (first, last int) {
		lines := strings.Split(Policy{Strategy: Digest}.Cut(text), "\n")[1:]
		for !gapLine.MatchString(lines[first]) {
			first++
		}
		for !gapLine.MatchString(lines[len(lines)-1-last]) {
			last++
		}
		return first, last
	}
	first, last := ends(failures200() + run(50, 50))
	require.Equal(t, []int{3, 2}, []int{first, last}, "what is behind the last failure tells less")
	first, last = ends(run(500, 500))
	require.Equal(t, []int{3, 5}, []int{first, last})
	summary := "tests: many\nsuites seen: few\nwith passing marks: most\nslowest was the last\nfinished at noon\nwritten to a report\nbye for now\n"
	first, last = ends("make of the engine, version two\nby its authors\nstarting up\nnow for the cases\n" + run(500, 500) + summary)
	require.Equal(t, []int{4, 7}, []int{first, last})
}

// A text that fits is condensed if that saves half of it and hides nothing that stands out.
func TestCondense(t *testing.T) {
	saved := 0
	p := Policy{Strategy: Digest, Limits: Limits{Bytes: 30 << 10}, Save: func() (string, error) { saved++; return "all.log", nil }}
	text := run(100, 100)
	r := p.Truncate(text)
	require.LessOrEqual(t, len(r.Text), len(text)/2)
	require.True(t, r.Truncated)
	require.Empty(t, r.TruncatedBy)
	require.Equal(t, 1, saved)
	require.True(t, strings.HasPrefix(r.Text, "[Digest of 202 lines: 1 line reports a failure (shown), no warnings found, nothing else stands out. Full output: "), r.Text)
	require.Contains(t, r.Text, "\n--- FAIL: TestLedger (0.02s)\n    ledger_test.go:412: balance = 1190, want 1200\n[lines 103-197: 95 ordinary lines ")
	w := p.NewWriter()
	for _, piece := range strings.SplitAfter(text, "a") {
		w.WriteString(piece)
	}
	require.Equal(t, r, w.Result())
	saved = 0
	dense := strings.ReplaceAll(failures200(), strings.Repeat("=== RUN   TestOther\n", 17), "") // it would hide failures
	require.LessOrEqual(t, len(dense), 30<<10)
	for i, whole := range []string{run(20, 20), run(45, 3), "", "one line\n", strings.Repeat("a\n", 40), dense} {
		require.True(t, whole == p.Cut(whole), i)
	}
	require.Zero(t, saved, "a file is made in vain")
	p.Save = func() (string, error) { return strings.Repeat("long/", 1000), nil }
	require.Equal(t, text, p.Cut(text))
	p.Strategy = Tail
	require.Equal(t, text, p.Cut(text))
}
