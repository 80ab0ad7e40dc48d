package capture

import (
	"context"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/internal/match"
	"github.com/spillway-go/spillway/internal/terminal"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/spillway-go/spillway/truncation"
	"github.com/stretchr/testify/require"
)

// ended is the channel of a command that has ended: a search does not wait.
var ended = func() <-chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}()

// parts collects the parts that a reader is shown of the streams.
type parts struct {
	text [2]strings.Builder // all of it; a line that was left out is skipped
	raw  [2]int64           // how much was said to be printed
	open [2]string          // an unfinished last line, which is continued, or comes again if it has changed
}

// add adds a part. It has the numbers of the lines that were left out, and nothing else is missing.
func (p *parts) add(t *testing.T, whole [2][]string, texts []Text, most int, msg string) {
	t.Helper()
	shown := 0
	for i, part := range texts {
		p.raw[i] += part.Printed
		shown += part.OutputLines
		require.False(t, part.LastLinePartial, msg)
		if p.open[i] != "" && (part.TotalBytes > 0 || part.Before > strings.Count(p.text[i].String(), "\n")) {
			if part.Before > strings.Count(p.text[i].String(), "\n") {
				p.text[i].WriteString(p.open[i] + "\n") // it was the whole line
			}
			begun := p.open[i]
			if p.open[i] = ""; part.Continues && !part.Truncated {
				part.Text = begun + part.Text
			}
		}
		if part.Truncated {
			first := part.Before
			for _, line := range whole[i][first : first+part.TotalLines-part.OutputLines] {
				p.text[i].WriteString(line + "\n")
			}
		}
		text := part.Text
		if part.NewlineDropped {
			text += "\n"
		}
		if part.Unfinished != "" && !part.Repeated {
			n := strings.LastIndexByte(text, '\n') + 1
			text, p.open[i] = text[:n], text[n:]
		}
		p.text[i].WriteString(text)
	}
	require.LessOrEqual(t, shown, most, msg)
}

// TestUntilLosesNothing takes random outputs in parts, most of which end at a match, by two readers: all parts
// together, with the lines that they name as left out, are the whole output, and none of it comes twice.
func TestUntilLosesNothing(t *testing.T) {
	pieces := []string{"a\n", "b\n", "ready\n", "\n", "rea", "dy", "x", "Name? ", "\x1b[1mbold\x1b[0m\n", "é"[:1], "é"[1:],
		strings.Repeat("line\n", 30), strings.Repeat("more\n", 300), "50%\r99%"}
	patterns := []string{"ready", `\? $`, "^b", "never", "99", "e"}
	for seed := range uint64(testkit.Some(80)) {
		random := rand.New(rand.NewPCG(seed, 3))
		split := random.IntN(3) == 0
		out := newOutput(t, tail(limits(1<<20, 0, 0)), split)
		lines := 1 + random.IntN(8)
		if split {
			lines++ // one for each stream
		}
		readers := []*Reader{out.Reader(), out.NewReader()}
		var raw [2]strings.Builder
		print := func() {
			for range random.IntN(6) {
				piece, i := pieces[random.IntN(len(pieces))], 0
				if split && random.IntN(2) == 0 {
					i = 1
					fmt.Fprint(out.Stderr(), piece)
				} else {
					fmt.Fprint(out.Stdout(), piece)
				}
				raw[i].WriteString(piece)
			}
		}
		taken := make([]parts, len(readers))
		wait := func(step int) {
			n := random.IntN(len(readers))
			msg := fmt.Sprintf("seed %d, step %d, reader %d of %q", seed, step, n, [2]string{raw[0].String(), raw[1].String()})
			if random.IntN(4) == 0 {
				texts, err := readers[n].Take(t.Context())
				require.NoError(t, err)
				taken[n].add(t, cleaned(&raw), texts, 1<<20, msg)
				return
			}
			pattern := patterns[random.IntN(len(patterns))]
			matcher, err := match.Compile(pattern, match.Options{})
			require.NoError(t, err)
			found := readers[n].Search(matcher).Await(t.Context(), ended)
			if found.Line == 0 {
				return
			}
			if step < 30 && random.IntN(2) == 0 {
				print() // what comes before the part is taken
			}
			texts, left, err := readers[n].TakeUntil(t.Context(), found, lines)
			require.NoError(t, err)
			at, begun := texts[found.stream], ""
			if at.Continues && at.TotalLines == 1 {
				begun = taken[n].open[found.stream]
			}
			taken[n].add(t, cleaned(&raw), texts, lines, msg)
			last := strings.TrimSpace(begun + at.Text[strings.LastIndexByte(strings.TrimSuffix(at.Text, "\n"), '\n')+1:])
			if at.TotalBytes > 0 {
				require.Regexp(t, strings.TrimSuffix(pattern, " $"), last, msg)
				if step < 30 { // at the end, half a character becomes one that is not valid
					require.Regexp(t, "^"+regexp.QuoteMeta(found.Text), last, msg)
				}
				require.Equal(t, found.Line, at.Before+at.TotalLines, msg)
			}
			require.GreaterOrEqual(t, left, int64(0), msg)
		}
		out.Publish()
		for step := range 30 {
			print()
			wait(step)
		}
		out.Complete()
		for step := range 4 {
			wait(30 + step)
		}
		whole := cleaned(&raw)
		for n, r := range readers {
			for range 2 {
				texts, err := r.Take(t.Context())
				require.NoError(t, err)
				taken[n].add(t, whole, texts, 1<<20, fmt.Sprint("the end, seed ", seed))
			}
			for i := range whole {
				got := taken[n].text[i].String() + taken[n].open[i]
				msg := fmt.Sprintf("seed %d, reader %d, stream %d of %q", seed, n, i, raw[i].String())
				require.Equal(t, strings.Join(whole[i], "\n"), strings.TrimRight(got, " "), msg)
				require.EqualValues(t, raw[i].Len(), taken[n].raw[i], msg)
			}
		}
		out.Close()
	}
}

// cleaned returns the lines of raw outputs as a terminal shows them.
func cleaned(raw *[2]strings.Builder) (lines [2][]string) {
	for i := range raw {
		var b strings.Builder
		f := terminal.NewFilter(&b, "")
		f.Write([]byte(raw[i].String()))
		f.Close()
		lines[i] = strings.Split(strings.TrimRight(b.String(), " "), "\n")
	}
	return lines
}

// TestUntilWhilePrinting takes parts that end at matches while the output grows: each line comes once.
func TestUntilWhilePrinting(t *testing.T) {
	out := newOutput(t, tail(limits(1<<20, 0, 0)), false)
	defer out.Close()
	out.Publish()
	const all = 20_000
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		for i := range testkit.Few(all) {
			fmt.Fprintf(out.Stdout(), "line %d\n", i)
		}
	}()
	matcher, err := match.Compile("[05]$", match.Options{})
	require.NoError(t, err)
	next := 0
	for {
		found := out.Reader().Search(matcher).Await(t.Context(), gone)
		if found.Line == 0 {
			break
		}
		texts, _, err := out.Reader().TakeUntil(t.Context(), found, 3)
		require.NoError(t, err)
		part := texts[0]
		require.Equal(t, next, part.Before)
		next += part.TotalLines
		require.Equal(t, found.Line, next)
		require.True(t, strings.HasSuffix(part.Text, fmt.Sprintf("line %d\n", next-1)), part.Text)
		require.LessOrEqual(t, part.OutputLines, 3)
	}
	rest, err := out.Reader().Take(t.Context())
	require.NoError(t, err)
	require.Equal(t, testkit.Few(all), next+rest[0].TotalLines)
}

// TestUntilCancelled takes nothing: what is new is for the next call.
func TestUntilCancelled(t *testing.T) {
	out := newOutput(t, tail(truncation.Limits{}), false)
	defer out.Close()
	out.Publish()
	fmt.Fprint(out.Stdout(), "one\nready\ntwo\n")
	matcher, err := match.Compile("ready", match.Options{})
	require.NoError(t, err)
	for _, r := range []*Reader{out.Reader(), out.NewReader()} {
		found := r.Search(matcher).Await(t.Context(), ended)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		_, _, err = r.TakeUntil(ctx, found, 20)
		require.ErrorIs(t, err, context.Canceled)
		texts, left, err := r.TakeUntil(t.Context(), found, 1)
		require.NoError(t, err)
		require.Equal(t, "ready", strings.TrimSuffix(texts[0].Text, "\n"))
		require.EqualValues(t, 4, left)
		texts, err = r.Take(t.Context())
		require.NoError(t, err)
		require.Equal(t, "two\n", texts[0].Text)
	}
}

// A search sees what is new within a line, and nothing that was shown before.
func TestUntilWithinLine(t *testing.T) {
	long := strings.Repeat("x", 20<<10) // of which a filter passes on the beginning
	tests := []struct {
		name, shown, more, until string
		want                     string
	}{
		{"behind what matched", "Name? ", "Ada\n", "Ada|Name", "Name? Ada"},
		{"nothing is new", "Name? ", "\n", "Name", ""},
		{"what matched became longer", "port 80", "80\n", `port \d+`, ""},
		{"and there is another", "port 80", "80 port 90\n", `port \d+`, "port 8080 port 90"},
		{"across both", "rea", "dy\n", "ready", "ready"},
		{"only what was shown", "Name: ", "Ada\n", `^Name`, ""},
		{"redrawn", "50%", "\r99%", `\d+%`, "99%"},
		{"no line end yet", "Name? ", "Sure? ", `\? $`, "Name? Sure?"},
		{"a long line", long, "\nend\n", "x", ""},
		{"behind a long line", long, "ready\n", "x$", ""},
		{"after a NUL", "a\x00b", "c\n", "[a-c]", "abc"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			out := newOutput(t, tail(limits(1<<20, 0, 0)), false)
			defer out.Close()
			out.Publish()
			fmt.Fprint(out.Stdout(), test.shown)
			readers := []*Reader{out.Reader(), out.NewReader()}
			for _, r := range readers {
				_, err := r.Take(t.Context())
				require.NoError(t, err)
			}
			fmt.Fprint(out.Stdout(), test.more)
			matcher, err := match.Compile(test.until, match.Options{})
			require.NoError(t, err)
			for _, r := range readers {
				require.Equal(t, test.want, r.Search(matcher).Await(t.Context(), ended).Text)
			}
		})
	}
}
