package shapes

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/stretchr/testify/require"
)

// fewWhole has lines be passed over from so many bytes on, all but one in that many.
func fewWhole(t testing.TB, whole, one int) {
	bytes, often := wholeBytes, sampled
	wholeBytes, sampled = whole, one
	t.Cleanup(func() { wholeBytes, sampled = bytes, often })
}

// told is what the lines of a text say, each by itself.
func told(text string) (failing, warning int) {
	for line := range strings.Lines(text) {
		f, w := Says([]byte(strings.TrimSuffix(line, "\n")))
		if f {
			failing++
		}
		if w {
			warning++
		}
	}
	return failing, warning
}

// Where most lines are passed over, how a text is divided does not matter either, and all failures and warnings are
// counted.
func TestWatch(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for _, whole := range []int{1, 500, 20_000} {
		fewWhole(t, whole, 1+r.IntN(20))
		for range testkit.Some(20) {
			text := texts(r, 1+r.IntN(2000))
			want := report(text, len(text))
			failing, warning := told(text)
			require.Equal(t, []int{failing, warning}, []int{want.Failing, want.Warning})
			for _, piece := range []int{1, 7, 80, 1 << 10, 32 << 10} {
				parts := report(text, piece)
				require.Equal(t, want.Lines, parts.Lines, "in pieces of %d", piece)
				require.Equal(t, want.Totals, parts.Totals, "in pieces of %d", piece)
			}
		}
	}
}

// What is behind the part of a line that is looked at changes nothing, and neither does how long the first line is.
func TestWatchLongLines(t *testing.T) {
	long, cut := strings.Repeat("abc ", 100), strings.Repeat("a.", maxLine/2)[:maxLine-len("ValueError")]+"ValueErrorXyz: no"
	text := strings.Repeat("processed 7 fine\n"+long+"error: late\n"+long[:maxLine-2]+"error: cut\n"+cut+"\n", 700)
	fewWhole(t, 1, 20)
	want := report(text, len(text))
	require.Equal(t, 700, want.Failing)
	for _, piece := range []int{1, 7, 80, 1000} {
		got := report(text, piece)
		require.Equal(t, want.Totals, got.Totals, "in pieces of %d", piece)
		require.Equal(t, want.table.seen, got.table.seen, "in pieces of %d", piece)
	}

	few := strings.Repeat(strings.Repeat("processed 7 fine\n", 300)+"error: bad\n", 9)
	for _, first := range []string{"x\n", strings.Repeat("x", 1<<20) + "\n"} {
		require.NotEmpty(t, report(first+few, 32<<10).Lines)
	}
}

// A line that says something by its words has a trigger, on any processor.
func FuzzTriggers(f *testing.F) {
	files, err := filepath.Glob("../../truncation/testdata/*/*")
	require.NoError(f, err)
	for _, name := range files {
		if data, err := os.ReadFile(name); err == nil {
			f.Add(string(data[:min(len(data), 8<<10)]))
		}
	}
	for _, p := range phrases {
		f.Add(p.text + " 7:\n[12:00] x: " + p.text + ": 1\n" + strings.ToUpper(p.text) + "\n" + strings.ToUpper(p.text[:1]) + p.text[1:] + " (x\n")
	}
	for _, line := range []string{
		"a.go:1:2: no", "vet: ./a.go:1:2: no", "  │ x/y.c:12:3: no", "é/x_:1:2: no", "a.cs(12,3): error CS1: no", "[12:01] a.b2:1:2: no",
		"12 /5:1:1: x", "jan, 3 a.c:1:2: x", "  12) fails", "\u2716 x", "\u00d7 x", "E   assert x", "E: x", "[1] W: x",
		"level=error x", `{"level":"warn"}`, "severity: crit", "test_x [0.1 s = F", "ValueError: x", "java.io.IOException", "a() [X] b", "[ FAILED ] x", "x ....***Failed 1 sec", "! x y", `{"level":50}`, "x: unknown y", "a: src/b.c:1:2: x",
	} {
		f.Add(line + "\n")
	}
	f.Fuzz(func(t *testing.T, text string) {
		var buffer [32]uint64
		tr := theTriggers()
		for line := range strings.Lines(text) {
			line = strings.TrimSuffix(line, "\n")
			line = line[:min(len(line), maxLine)]
			if !isBlank([]byte(line)) && judge([]byte(line)).kind != nothing {
				require.True(t, tr.has([]byte(line)), "%q", line)
			}
		}
		if vector {
			defer func() { vector = true }()
			want := buffer
			blocks := tr.scan([]byte(text), buffer[:])
			vector = false
			require.Equal(t, blocks, tr.scan([]byte(text), want[:]))
			require.Equal(t, want, buffer)
		}
	})
}
