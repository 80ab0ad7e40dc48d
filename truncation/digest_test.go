package truncation

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spillway-go/spillway/internal/size"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/stretchr/testify/require"
)

// run is the output of a test run with a failure in the line behind before.
func run(before, after int) string {
	var b strings.Builder
	for i := range before {
		fmt.Fprintf(&b, "=== RUN   TestCase%d\n", i)
	}
	b.WriteString("--- FAIL: TestLedger (0.02s)\n    ledger_test.go:412: balance = 1190, want 1200\n")
	for i := range after {
		fmt.Fprintf(&b, "--- PASS: TestCase%d (0.00s)\n", i)
	}
	return b.String()
}

func TestDigest(t *testing.T) {
	r := Policy{Strategy: Digest, Limits: Limits{Bytes: 500}}.Truncate(run(5000, 5000))
	require.Equal(t, `[Digest of 10,002 lines: 1 line reports a failure (shown), no warnings found, nothing else stands out]
=== RUN   TestCase0
=== RUN   TestCase1
=== RUN   TestCase2
[lines 4-5000: 4,997 ordinary lines like "=== RUN   TestCase0"]
--- FAIL: TestLedger (0.02s)
    ledger_test.go:412: balance = 1190, want 1200
[lines 5003-10000: 4,998 ordinary lines like "--- PASS: TestCase0 (0.00s)"]
--- PASS: TestCase4998 (0.00s)
--- PASS: TestCase4999 (0.00s)`, r.Text)
	require.Equal(t, 7, r.OutputLines)
	require.Equal(t, []Line{
		{5001, 28, "--- FAIL: TestLedger (0.02s)", 0}, {5002, 49, "    ledger_test.go:412: balance = 1190, want 1200", 0},
	}, r.Standout)
	require.Equal(t, Digest, r.Strategy)
	twice := Policy{Strategy: Digest, Limits: Limits{Bytes: 800}}.Cut(run(5000, 0) + run(5000, 0) + run(5000, 0))
	require.Contains(t, twice, "want 1200\n[lines 5003-10002: 5,000 ordinary lines]\n--- FAIL")
	require.LessOrEqual(t, len(Policy{Strategy: Digest}.Cut(run(5000, 5000))), DigestBytes)
}

// A policy's own marker stands where there is no digest; the file with the whole is named in any case.
func TestDigestSaved(t *testing.T) {
	p := Policy{Strategy: Digest, Limits: Limits{Bytes: 600}, Save: func() (string, error) { return "all.log", nil }}
	require.Contains(t, p.Cut(run(5000, 5000)), "stands out. Full output: all.log]\n")
	p.Bytes = 200 // too little for the totals
	require.Contains(t, p.Cut(run(5000, 5000)), ". Full output: all.log]\n")
	p.Bytes = 600
	p.Save = func() (string, error) { return "", fmt.Errorf("disk full") }
	require.Contains(t, p.Cut(run(5000, 5000)), ". Full output (not saved: disk full)]\n")
	require.Contains(t, p.Cut(strings.Repeat("word ", 400)), "(not saved: disk full)")
}

var gapLine = regexp.MustCompile(`^\[lines? (\d+)(?:-(\d+))?[:\]. ]`)

// A digest is within its limits, shows lines as they are, and says of the others which they are.
func TestDigestProperties(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	kinds := []string{
		"=== RUN   TestCase%d", "--- PASS: TestCase%d (0.00s)", "2026-01-02 info request=%d", "é 漢字 %d", "error: no %d", "--- FAIL: TestX%d (0s)",
		"    x_test.go:%d: no", "warning: old %d", "not ok %d - adds", "exit status %d", "FAIL", "%d errors", strings.Repeat("long ", 90) + "%d", "\xff%d", "", "\t%d | x", "the disk is full %d", "quoted \"%d\" \\ \x01",
	}
	for range testkit.Some(400) {
		var b strings.Builder
		some := kinds[:1+r.IntN(len(kinds))]
		for range 50 + r.IntN(3000) {
			kind := some[r.IntN(min(2, len(some)))]
			if r.IntN(100) == 0 {
				kind = some[r.IntN(len(some))]
			}
			b.WriteString(strings.ReplaceAll(kind, "%d", strconv.Itoa(r.IntN(1000))) + "\n")
		}
		text := strings.TrimSuffix(b.String(), []string{"", "\n"}[r.IntN(2)])
		before := r.IntN(2) * r.IntN(100_000)
		p := Policy{Strategy: Digest, Prefix: []string{"", "log: "}[r.IntN(2)], Unmarked: r.IntN(2) == 0}
		switch r.IntN(4) {
		case 0:
			p.Bytes = Limit(1 + r.IntN(6000))
		case 1:
			p.Chars = Limit(1 + r.IntN(6000))
		case 2:
			p.Bytes, p.Lines = Limit(1+r.IntN(6000)), Limit(1+r.IntN(30))
		}
		if r.IntN(3) == 0 {
			p.Number = func(line int) string { return fmt.Sprintf("%6d\t", line) }
		}
		w := p.NewWriter()
		w.StartAt(before + 1)
		for rest := text; rest != ""; {
			n := min(len(rest), 1+r.IntN(5000))
			w.WriteString(rest[:n])
			rest = rest[n:]
		}
		got := w.Result()
		within := p.plan()
		require.True(t, roomOf(got.Text).fits(within.within), "%+v: %q", within.Limits, got.Text)
		require.True(t, utf8.ValidString(got.Text))
		if before == 0 {
			require.Equal(t, p.Truncate(text), got)
		}
		if got.Truncated && gapIn(got.Text) {
			explains(t, p, valid(text), before, got)
		}
	}
}

func gapIn(text string) bool {
	for line := range strings.Lines(text) {
		if gapLine.MatchString(line) {
			return true
		}
	}
	return false
}

// explains checks a digest of a text line by line.
func explains(t *testing.T, p Policy, text string, before int, got Result) {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	number, shown := 1, 0
	c := claims{t: t, text: got.Text, lines: lines}
	for line := range strings.SplitSeq(strings.TrimPrefix(got.Text, p.Prefix), "\n") {
		if shown == 0 && number == 1 && strings.HasPrefix(line, "[Digest of ") {
			c.totals = line
			continue
		}
		if m := gapLine.FindStringSubmatch(line); m != nil {
			require.Equal(t, strconv.Itoa(before+number), m[1], got.Text)
			if m[2] != "" {
				m[1] = m[2]
			}
			last, _ := strconv.Atoi(m[1])
			c.gap(line, number, last-before)
			number = last - before + 1
			continue
		}
		c.show(number)
		if p.Number != nil {
			line = strings.TrimPrefix(line, p.Number(before+number))
		}
		cut := requireLine(t, lines[number-1], line)
		if first := got.CutLine == before+number; first || cut && got.CutLine == 0 {
			require.True(t, cut && first, "%d: %s", got.CutLine, line)
			require.True(t, strings.HasPrefix(line, string([]rune(lines[number-1])[:got.CutChars])))
		}
		number++
		shown++
	}
	require.Equal(t, len(lines), number-1, got.Text)
	require.Equal(t, shown, got.OutputLines)
	c.total()
}

var (
	lineBegins = regexp.MustCompile(`^(?s)(.*)\.\.\. \[(\S+) of this line left out\]$`)
	lineEnds   = regexp.MustCompile(`^(?s)\[(\S+) of this line left out\] \.\.\.(.*)$`)
)

// requireLine checks that what is shown is a line, or a part of it that says how much is left out.
func requireLine(t *testing.T, line, shown string) (cut bool) {
	if m := lineBegins.FindStringSubmatch(shown); m != nil {
		require.True(t, strings.HasPrefix(line, m[1]))
		require.Equal(t, size.Format(int64(len(line)-len(m[1]))), m[2])
		return true
	}
	if m := lineEnds.FindStringSubmatch(shown); m != nil {
		require.True(t, strings.HasSuffix(line, m[2]))
		require.Equal(t, size.Format(int64(len(line)-len(m[2]))), m[1])
		return true
	}
	require.Equal(t, line, shown)
	return false
}

// What is cut is a part of a line wherever lines are too long, and the facts say where the first of these goes on.
func TestCutLine(t *testing.T) {
	long := func(n int) string { return strings.Repeat("0123456789", n/10) }
	short := strings.Repeat("short\n", 100)
	for name, text := range map[string]string{
		"one": long(50_000), "one that ends": long(50_000) + "\n", "two": long(9000) + "\n" + long(50_000),
		"first": long(50_000) + "\n" + short, "last": short + long(50_000), "last that ends": short + long(50_000) + "\n",
		"in between": short + long(50_000) + "\n" + short, "wide": strings.Repeat("界", 20_000),
	} {
		lines := strings.Split(text, "\n")
		for _, strategy := range strategies {
			for _, numbered := range []bool{false, true} {
				p := Policy{Strategy: strategy, Limits: Limits{Bytes: 4096}}
				if numbered {
					p.Number = func(line int) string { return fmt.Sprintf("%6d\t", line) }
				}
				got := p.Truncate(text)
				w := p.NewWriter()
				for c := range slices.Chunk([]byte(text), 1000) {
					w.Write(c)
				}
				require.Equal(t, got, w.Result(), "%s, %s", name, strategy)
				require.NotContains(t, got.Text, "0 of 1 lines")
				require.NotRegexp(t, `\b1 lines`, got.Text)
				if got.CutLine > 0 {
					begins := string([]rune(lines[got.CutLine-1])[:got.CutChars])
					require.Contains(t, got.Text, begins, "%s, %s", name, strategy)
					require.Less(t, len(begins), len(lines[got.CutLine-1]))
				}
				if len(lines[0]) == 50_000 && len(lines) < 3 || name == "wide" { // whatever is shown is a part of this line
					require.Regexp(t, `\[\.\.\. \d+ characters left out \.\.\.\]`, got.Text, "%s, %s", name, strategy)
					begins := strategy != Tail && strategy != TailChars
					require.Equal(t, begins, got.CutLine == 1, "%s, %s", name, strategy)
				}
			}
		}
	}
}

// Text that does not repeat is cut like MiddleLines.
func TestDigestOfProse(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	var b strings.Builder
	for range 2000 {
		for range 8 {
			fmt.Fprintf(&b, "%s ", strings.Map(func(c rune) rune { return 'a' + rune(r.IntN(26)) }, "word"))
		}
		b.WriteString("\n")
	}
	want := Policy{Strategy: MiddleLines, Limits: Limits{Bytes: DigestBytes}}.Truncate(b.String())
	got := Policy{Strategy: Digest}.Truncate(b.String())
	require.Equal(t, want.Text, got.Text)
	require.Empty(t, got.Standout)
}

// Each strategy names what stands out in what it leaves out, and nothing else.
func TestStandout(t *testing.T) {
	text := run(3000, 3000)
	for _, s := range strategies {
		p := Policy{Strategy: s, Limits: Limits{Bytes: 2000}, Standout: true}
		got := p.Truncate(text)
		require.Len(t, got.Standout, 2, s)
		require.Equal(t, 3001, got.Standout[0].Number, s)
		w := p.NewWriter()
		w.WriteString(text)
		require.Equal(t, got, w.Result(), s)
		p.Standout = false
		if s != Digest && s != JSON {
			require.Empty(t, p.Truncate(text).Standout, s)
		}
	}
	p := Policy{Strategy: Tail, Limits: Limits{Lines: 3002}, Standout: true, Unmarked: true}
	require.Empty(t, p.Truncate(text).Standout)
	p.Lines = 3001
	require.Len(t, p.Truncate(text).Standout, 1)
	w := p.NewWriter()
	w.StartAt(101)
	w.WriteString(text)
	require.Equal(t, 3101, w.Result().Standout[0].Number)
}

// At most 64 lines are named.
func TestManyStandOut(t *testing.T) {
	var b strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&b, "=== RUN   TestCase%d\n", i)
		if i%200 == 0 {
			fmt.Fprintf(&b, "error: %s\n", strings.Repeat(string(rune('a'+i/200%26)), 3+i/5200))
		}
	}
	got := Policy{Strategy: Tail, Limits: Limits{Lines: 10}, Standout: true}.Truncate(b.String())
	require.Len(t, got.Standout, maxStandout)
	require.Equal(t, 100, len(got.Standout)+got.StandoutMore)
}

// A text that fits costs nothing more, and one that does not a megabyte at most.
func TestDigestMemory(t *testing.T) {
	held := func(p Policy, text string) uint64 {
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		w := p.NewWriter()
		for range 64 {
			w.WriteString(text)
		}
		runtime.GC()
		runtime.ReadMemStats(&after)
		runtime.KeepAlive(w)
		return after.HeapAlloc - min(before.HeapAlloc, after.HeapAlloc)
	}
	text := run(300, 300)
	p := Policy{Strategy: Tail, Limits: Limits{Bytes: 30 << 10}}
	plain := held(p, text)
	p.Standout = true
	require.LessOrEqual(t, held(p, text), plain+1<<20)
	p.Bytes = 64 << 20
	w := p.NewWriter()
	w.WriteString(text)
	require.Nil(t, w.lines)
}

// A result within a character changes nothing of what is looked at.
func TestStandoutWithinCharacter(t *testing.T) {
	text := run(3000, 3000)
	at := strings.Index(text, "--- FAIL")
	text = text[:at] + "--- FAIL: Test\u00fcber (0.00s)\n" + text[at:]
	at = strings.Index(text, "\u00fc") + 1
	for _, strategy := range []Strategy{Digest, JSON, Tail, MiddleLines} {
		p := Policy{Strategy: strategy, Standout: true, Limits: Limits{Bytes: DigestBytes}}
		w := p.NewWriter()
		w.WriteString(text[:at])
		require.Equal(t, 1, w.Result().Failing, strategy)
		w.WriteString(text[at:])
		require.Equal(t, p.Truncate(text), w.Result(), strategy)
	}
}
