package report

import (
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/spillway-go/spillway/internal/testkit/records"
	"github.com/spillway-go/spillway/tools/record"
	"github.com/spillway-go/spillway/truncation"
)

func TestMain(m *testing.M) {
	testkit.InMemory()
	os.Exit(m.Run())
}

// made is a call of a record, as a test writes it: a second after the one before.
type made struct {
	tool, args, text string
	rec              record.Line // what else it has
}

// reported returns the report of a record.
func reported(t testing.TB, name string, lines iter.Seq2[record.Line, error]) *Report {
	t.Helper()
	r, err := Read(name, lines)
	require.NoError(t, err)
	return r
}

// lines are the calls as a record has them.
func lines(calls ...made) iter.Seq2[record.Line, error] {
	return func(yield func(record.Line, error) bool) {
		for i, c := range calls {
			rec := c.rec
			rec.Kind, rec.Tool, rec.Text, rec.Args = "call", c.tool, c.text, json.RawMessage(c.args)
			rec.Session, rec.ID, rec.Ms = "s", fmt.Sprint("id", i+1), 10
			if rec.Facts == nil && rec.Code == "" && c.text != "" { // all of the text is output
				rec.Facts, rec.ProducedBytes = &record.Facts{Output: allOf(c)}, max(rec.ProducedBytes, len(c.text))
			}
			if rec.Time.IsZero() {
				rec.Time = time.Date(2026, 11, 25, 12, 0, i, 0, time.UTC)
			}
			if !yield(rec, nil) {
				return
			}
		}
	}
}

// allOf are all lines of a text, and, of a read, from which line on they are in the file.
func allOf(c made) []config.Lines {
	args := decode(json.RawMessage(c.args))
	l := config.Lines{At: 1, Count: strings.Count(c.text, "\n") + 1}
	if path := args.text("path"); c.tool == "read" && path != "" {
		l.Path, l.Line = path, max(args.number("offset"), 1)
	}
	return []config.Lines{l}
}

func read(t *testing.T, calls ...made) *Report {
	t.Helper()
	r := reported(t, "session.jsonl", lines(calls...))
	return r
}

// marks are what was found, as "2 again read 1": call, kind, how, other call.
func marks(r *Report) (list []string) {
	for _, c := range r.Calls {
		for _, m := range c.Marks {
			text := fmt.Sprintf("%d %s %s", c.Number, m.Kind, m.How)
			if m.Other > 0 {
				text += fmt.Sprintf(" %d", m.Other)
			}
			list = append(list, text)
		}
	}
	return list
}

func readFile(t *testing.T, text []byte) *Report {
	t.Helper()
	file := filepath.Join(t.TempDir(), "session.jsonl")
	require.NoError(t, os.WriteFile(file, text, 0o600))
	r := reported(t, "session.jsonl", record.Read(file))
	return r
}

func TestSums(t *testing.T) {
	at := time.Date(2026, 11, 25, 12, 0, 0, 0, time.UTC)
	r := read(t,
		made{"bash", `{"command":"make"}`, "0123456789", record.Line{Time: at, ShownBytes: 10, ProducedBytes: 100, Truncated: true, AtOnce: 2}},
		made{"read", `{"path":"a"}`, "text", record.Line{Time: at.Add(5 * time.Millisecond), ProducedBytes: 4, Images: 1}},
		made{"read", `{"path":"b"}`, "io_error: b", record.Line{Time: at.Add(time.Second), Code: "io_error"}},
		made{"read", `{"path":"c"}`, "of no model", record.Line{Time: at.Add(2 * time.Second), CalledBy: "id1"}},
	)
	require.Equal(t, 3, r.Sums.Calls)
	require.Equal(t, 4, r.Sums.Listed)
	require.Equal(t, 1, r.Sums.Nested)
	require.Equal(t, 1, r.Sums.Errors)
	require.Equal(t, int64(25), r.Sums.Bytes, "10 + 4 + 11")
	require.Equal(t, int64(90), r.Sums.Hidden)
	require.Equal(t, 1, r.Sums.Images)
	require.Equal(t, 2, r.Sums.AtOnce)
	require.InDelta(t, 2010, r.Sums.WallMs, .01)
	require.InDelta(t, 35, r.Sums.BusyMs, .01, "the first two calls ran at once for 5 ms")
	require.Equal(t, []string{"read", "bash"}, []string{r.Tools[0].Name, r.Tools[1].Name})
	require.Equal(t, Tool{Name: "bash", Calls: 1, Bytes: 10, Tokens: 4, Hidden: 90, Cut: 1, Ms: 10}, r.Tools[1])
	require.Equal(t, []int{2, 0, 1}, r.Dearest)
}

// What cut a result is named, and what stands out in it is counted.
func TestCut(t *testing.T) {
	r := read(t,
		made{tool: "read", rec: record.Line{LimitReached: true}},
		made{tool: "grep", rec: record.Line{LimitReached: true, LinesCut: true}},
		made{tool: "grep", rec: record.Line{LinesCut: true}},
		made{tool: "bash", rec: record.Line{Truncated: true, TruncatedBy: "bytes", Standout: make([]truncation.Line, 2), StandoutMore: 3}},
		made{tool: "other", rec: record.Line{Truncated: true, ProducedBytes: 7}},
		made{tool: "ls", rec: record.Line{ProducedBytes: 7}},
	)
	var cuts []string
	for _, c := range r.Calls {
		cuts = append(cuts, c.Cut)
	}
	require.Equal(t, []string{"lines", "results", "long lines", "bytes", "cut", ""}, cuts)
	require.Equal(t, 5, r.Sums.Cut)
	require.Equal(t, 5, r.Calls[3].Standout)
	require.Equal(t, int64(7), r.Sums.Hidden, "what was not cut was shown")
}

// A text of which a record has the beginning costs what the whole text did.
func TestTokensOfALongText(t *testing.T) {
	r := read(t, made{tool: "bash", text: strings.Repeat("word ", 100), rec: record.Line{ShownBytes: 5000}})
	require.Equal(t, 5000, r.Calls[0].Bytes)
	require.InDelta(t, 1000, r.Calls[0].Tokens, 20)
	require.Equal(t, 4500, r.Calls[0].text.gap)
}

// A record in which nothing can be read is its first error, and one without any line says what a record is. Otherwise
// errors are told in the report.
func TestErrors(t *testing.T) {
	bad := func(n int, rest iter.Seq2[record.Line, error]) iter.Seq2[record.Line, error] {
		return func(yield func(record.Line, error) bool) {
			for i := range n {
				if !yield(record.Line{}, fmt.Errorf("line %d", i+1)) {
					return
				}
			}
			rest(yield)
		}
	}
	_, err := Read("x", bad(2, lines()))
	require.EqualError(t, err, "line 1")
	_, err = Read("x", lines())
	require.ErrorContains(t, err, "x has no calls")
	r := reported(t, "x", bad(12, lines(made{tool: "ls"})))
	require.Equal(t, 12, r.Sums.Unread)
	require.Len(t, r.Problems, maxProblems)
	_, err = Read("x", func(yield func(record.Line, error) bool) {
		yield(record.Line{Kind: "session", Session: "s"}, nil)
		yield(record.Line{}, errors.New("bad"))
	})
	require.NoError(t, err, "a session without calls")
}

// What is said of sessions and jobs, and where the time between two sessions is left out.
func TestTimeLine(t *testing.T) {
	day := time.Date(2026, 11, 25, 12, 0, 0, 0, time.UTC)
	r := reported(t, "x", func(yield func(record.Line, error) bool) {
		for i, at := range []time.Time{day, day.Add(48 * time.Hour)} {
			name := fmt.Sprint("s", i)
			yield(record.Line{Kind: "session", Session: name, Time: at, Workspace: "/w", Options: map[string]string{"b": "2", "a": "1"}}, nil)
			yield(record.Line{Kind: "call", Session: name, ID: "c", Tool: "bash", Time: at, Ms: 1000}, nil)
			yield(record.Line{Kind: "job", Session: name, ID: "c", Job: 7, State: "exited with code 0", Time: at.Add(time.Second), Ms: 500}, nil)
		}
	})
	require.Equal(t, 2, r.Sums.Sessions)
	require.Equal(t, [][2]string{{"a", "1"}, {"b", "2"}}, r.Sessions[1].Options)
	require.InDelta(t, 2000, r.Sums.WallMs, .01)
	require.Zero(t, r.Calls[0].At)
	require.InDelta(t, 1000+longestGap, r.Calls[1].At, .01)
	require.Equal(t, []float64{1000 + longestGap/2}, r.Gaps)
	require.Equal(t, 2, r.Jobs[1].Call)
	require.InDelta(t, r.Calls[1].At+500, r.Jobs[1].At, .01)
}

// A call that does not say when it began, began when the one before did.
func TestNoTime(t *testing.T) {
	at := time.Date(2026, 11, 25, 12, 0, 0, 0, time.UTC)
	r := reported(t, "x", func(yield func(record.Line, error) bool) {
		yield(record.Line{Kind: "call", Tool: "ls", Time: at}, nil)
		yield(record.Line{Kind: "call", Tool: "ls"}, nil)
	})
	require.Equal(t, r.Calls[0].Time, r.Calls[1].Time)
}

// The record that is made to break its readers is read, with finite numbers.
func TestHostile(t *testing.T) {
	r := readFile(t, records.Hostile())
	require.Equal(t, 18, r.Sums.Calls)
	require.Equal(t, 3, r.Sums.Unread)
	require.Len(t, r.Tools, 14)
	encoded, err := json.Marshal(r)
	require.NoError(t, err)
	require.NotContains(t, string(encoded), "<")
	for _, c := range r.Calls {
		require.LessOrEqual(t, len(c.Tool), 4*maxName)
		require.LessOrEqual(t, len([]rune(c.Brief)), maxBrief+3)
		require.GreaterOrEqual(t, c.Time, 0.0)
		require.LessOrEqual(t, c.Ms, duration(1e300))
	}
}
