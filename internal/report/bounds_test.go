package report

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/spillway-go/spillway/tools/record"
)

// Calls behind maxCalls are in the sums alone, and names behind maxTools in one row.
func TestManyCalls(t *testing.T) {
	const more = 3
	r := reported(t, "x", func(yield func(record.Line, error) bool) {
		for i := range maxCalls + more {
			yield(record.Line{Kind: "call", Tool: fmt.Sprint("tool", i%(maxTools+10)), Text: "a"}, nil)
		}
	})
	require.Equal(t, maxCalls+more, r.Sums.Calls)
	require.Equal(t, maxCalls, r.Sums.Listed)
	require.Len(t, r.Calls, maxCalls)
	require.Len(t, r.Tools, maxTools+1)
	total := 0
	for _, tool := range r.Tools {
		total += tool.Calls
	}
	require.Equal(t, maxCalls+more, total)
	var text strings.Builder
	require.NoError(t, r.WriteText(&text))
	require.Contains(t, text.String(), "The last 3 calls are in the sums alone: a report lists 50,000")
}

func TestManyJobsAndSessions(t *testing.T) {
	r := reported(t, "x", func(yield func(record.Line, error) bool) {
		for i := range maxJobs + 5 {
			session := fmt.Sprint(i % (maxSessions + 2))
			yield(record.Line{Kind: "session", Session: session}, nil)
			yield(record.Line{Kind: "job", Session: session, Job: i}, nil)
		}
	})
	require.Equal(t, maxJobs+5, r.Sums.Jobs)
	require.Len(t, r.Jobs, maxJobs)
	require.Equal(t, maxSessions+2, r.Sums.Sessions)
	require.Len(t, r.Sessions, maxSessions)
}

// Where all texts are too much, each is cut more, until they fit; what is cut keeps both ends and says how much is
// missing.
func TestTextsFit(t *testing.T) {
	all := texts{most: 1000, room: 3000}
	var calls []*Call
	for range 20 {
		text := "first" + strings.Repeat("é", 600) + "last"
		c := &Call{Bytes: len(text)}
		c.setOutput(&record.Line{Text: text})
		all.keep(c, text, decode([]byte(`{"command":"`+strings.Repeat("c", 500)+`","cwd":"`+strings.Repeat("d", 700)+`"}`)))
		calls = append(calls, c)
	}
	require.LessOrEqual(t, all.used, all.room)
	require.Equal(t, 1000>>4, all.most)
	for _, c := range calls {
		require.True(t, strings.HasPrefix(c.text.head, "first") && strings.HasSuffix(c.text.tail, "last"))
		require.Equal(t, c.Bytes, c.text.size()+c.text.gap)
		require.Equal(t, 1200, len(c.args[0].Text)+c.args[0].Gap+len(c.args[1].Text)+c.args[1].Gap)
		require.LessOrEqual(t, len(c.args[0].Text)+len(c.args[1].Text), all.most)
		parts := c.segments()
		require.Equal(t, []int{plain, left, plain}, []int{parts[0].Kind, parts[1].Kind, parts[2].Kind})
		require.Equal(t, c.text.gap, parts[1].Bytes)
	}
}

// The memory that a report takes does not depend on how much the record has.
func TestMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("reads 160 MB")
	}
	text := strings.Repeat(strings.Repeat("0123456789abcdef", 64)+"\n", 64)
	before := heap()
	r := reported(t, "x", func(yield func(record.Line, error) bool) {
		for i := range 2500 {
			yield(record.Line{Kind: "call", Tool: "read", Args: []byte(fmt.Sprintf(`{"path":"%d"}`, i)), Text: fmt.Sprint(i, text)}, nil)
		}
	})
	require.Less(t, r.TextMax, maxText)
	if !testkit.Race {
		require.Less(t, int64(heap())-int64(before), int64(3*maxData), "%s", r.Name)
	}
	runtime.KeepAlive(r)
}

// So many lines of pages are remembered; those behind them are not known again.
func TestManyLines(t *testing.T) {
	j := newJudges()
	for i := range uint64(maxLines) {
		j.pages.lines[i] = 0
	}
	known := len(j.pages.lines)
	e := &event{Call: &Call{}, rec: &record.Line{}}
	j.pages.page(j, e, page{"a", 1, strings.Repeat("line\n", 100)}, false)
	j.pages.page(j, e, page{"a", 1, strings.Repeat("line\n", 100)}, false)
	require.Len(t, j.pages.lines, known)
	require.Empty(t, e.Marks)
}

func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// Arguments that are too deep or too many are shown, but not indented or taken apart.
func TestArguments(t *testing.T) {
	deep := func(n int) string { return strings.Repeat("[", n) + "1" + strings.Repeat("]", n) }
	require.Contains(t, decode([]byte(`{"x":` + deep(maxDepth) + `}`)).pretty()[0].Text, "\n")
	require.Equal(t, deep(maxDepth+1), decode([]byte(`{"x":` + deep(maxDepth+1) + `}`)).pretty()[0].Text)
	require.Equal(t, 1, depth([]byte(`["]","\"[["]`)))
	many := `{"a0":0`
	for i := range maxArguments {
		many += fmt.Sprintf(`,"a%d":0`, i+1)
	}
	require.Equal(t, []string{""}, decode([]byte(many+"}")).names)
	require.Equal(t, "go test ./...  timeout_ms=5", brief("bash", decode([]byte(`{"timeout_ms":5,"command":"go  test\n./..."}`))))
	require.Equal(t, "TODO  src  glob=*.go", brief("grep", decode([]byte(`{"path":"src","glob":"*.go","pattern":"TODO"}`))))
	require.Equal(t, "job 3  wait_ms=1", brief("job", decode([]byte(`{"wait_ms":1,"id":3}`))))
	require.Equal(t, `"a\342\200\256b"`, brief("read", decode([]byte(`{"path":"a\u202eb"}`))))
	require.Equal(t, 7, decode([]byte(`{"n":"7"}`)).number("n"))
	require.Equal(t, decode([]byte(`{"a":1,"b":[1,2]}`)).key("c"), decode([]byte(`{"b" : [1, 2], "c":9, "a":1}`)).key("c"))
}
