package loop

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/all"
	"github.com/spillway-go/spillway/tools/record"
)

// What is no terminal gets neither colour nor a live line.
func TestPlain(t *testing.T) {
	r, w, err := os.Pipe()
	require.NoError(t, err)
	defer r.Close()
	s := newTranscript(w)
	require.False(t, s.color || s.terminal)
	w.Close()

	var out bytes.Buffer
	s = newTranscript(&out)
	s.progress(tools.Update{Tail: "working\n"})
	require.Empty(t, out.String())
}

// The live line is written over, and gone before the result.
func TestLiveLine(t *testing.T) {
	var out bytes.Buffer
	s := &transcript{out: &out, width: 40, terminal: true}
	s.progress(tools.Update{Elapsed: 1234 * time.Millisecond, Bytes: 2048, Tail: "one\ntwo\n"})
	require.Equal(t, "\r\x1b[K  ┆ 1.2s, 2KB  two", out.String())
	s.progress(tools.Update{Tail: strings.Repeat("字", 100)})
	last := out.String()[strings.LastIndex(out.String(), "\x1b[K")+3:]
	require.LessOrEqual(t, cells(last), 39)
	out.Reset()
	s.result(Call{Name: "bash"}, tools.Result{Text: "done"})
	require.True(t, strings.HasPrefix(out.String(), "\r\x1b[K  │ done\n"), "%q", out.String())
}

// watcher is an output that does something when a text appears in it.
type watcher struct {
	bytes.Buffer
	text string
	do   func()
}

func (w *watcher) Write(p []byte) (int, error) {
	if bytes.Contains(p, []byte(w.text)) {
		w.do()
	}
	return w.Buffer.Write(p)
}

// A call that takes long tells of itself while it does: this one waits for that.
func TestLiveCall(t *testing.T) {
	dir := t.TempDir()
	out := &watcher{text: "  begun", do: func() { require.NoError(t, os.WriteFile(dir+"/go", nil, 0o644)) }}
	s := &transcript{out: out, width: 80, terminal: true}
	suite, err := tools.New(config.Config{Workspace: dir, Observe: s.observe}, all.Parts()...)
	need.Built(t, err)
	require.NoError(t, err)
	defer suite.Close()
	a := agent{suite: suite, out: s}
	res, err := a.call(t.Context(), Call{ID: "call_1", Name: "bash", Args: json.RawMessage(`{"command": "echo begun; until [ -e go ]; do sleep 0.01; done; echo done"}`)})
	require.NoError(t, err)
	require.False(t, res.IsError, res.Text)
	require.Equal(t, "call_1", s.event.ID)
	require.Regexp(t, `\r\x1b\[K  ┆ [\d.]+m?s, 6B  begun(?s:.*)\r\x1b\[K  │ begun\n  │ done\n  └ `, out.String())
}

func TestColours(t *testing.T) {
	var out bytes.Buffer
	s := &transcript{out: &out, width: 80, color: true}
	res := tools.Result{Text: "text\n\n[how to go on]", Details: tools.ReadResult{Page: "text\n", TotalLines: 3}}
	s.observe(t.Context(), config.Event{Text: res.Text, Details: res.Details, Output: []config.Lines{{At: 1, Count: 1}}})
	s.result(Call{Name: "read"}, res)
	s.observe(t.Context(), config.Event{})
	s.result(Call{Name: "read"}, tools.Result{Text: "not_found: x does not exist", IsError: true})
	require.Contains(t, out.String(), "\x1b[2mtext\x1b[0m\n")
	require.Contains(t, out.String(), "\x1b[33m[how to go on]\x1b[0m\n")
	require.Contains(t, out.String(), "\x1b[31mnot_found: x does not exist\x1b[0m\n")
}

// Nothing of a file reaches the terminal as a control.
func TestControls(t *testing.T) {
	var out bytes.Buffer
	s := newTranscript(&out)
	s.says("a\x1b[2Jb")
	s.call(Call{Name: "bash", Args: json.RawMessage(`{"command": "printf '\u001b[2J\"'"}`)})
	s.result(Call{Name: "read"}, tools.Result{Text: "x\x1b]0;title\a\ry"})
	require.NotContains(t, out.String(), "\x1b")
	require.NotContains(t, out.String(), "\r")
	require.Contains(t, out.String(), "x·]0;title··y")
}

func TestSplit(t *testing.T) {
	for _, c := range []struct {
		text          string
		output        int // lines
		body, notices []string
	}{
		{"a\nb\n", 2, []string{"a", "b"}, []string{}},
		{"a\n\n[Showing]", 1, []string{"a"}, []string{"[Showing]"}},
		{"a\n\n[Showing]", 3, []string{"a", "", "[Showing]"}, []string{}},
		{"a\n\n[Showing]\n\nThe end", 1, []string{"a"}, []string{"[Showing]", "The end"}},
		{"Nothing", 0, []string{"Nothing"}, nil},
	} {
		facts := &record.Facts{Output: []config.Lines{{At: 1, Count: c.output}}}
		if c.output == 0 {
			facts.Output = nil
		}
		body, notices := split(c.text, facts)
		require.Equal(t, c.body, body, c.text)
		require.Equal(t, c.notices, notices, c.text)
	}
}

func TestArguments(t *testing.T) {
	for args, want := range map[string]string{
		`{"pattern": "^func \"", "limit": 4, "paths": ["a", "b"]}`: `pattern='^func "' limit=4 paths=["a", "b"]`,
		`{}`:       ``,
		`[1]`:      `[1]`,
		`{"a": 1,`: `{"a": 1,`,
		`null`:     `null`,
	} {
		require.Equal(t, want, arguments(json.RawMessage(args)))
	}
}

func TestWrapAndCut(t *testing.T) {
	require.Equal(t, []string{"one two", "three", "averyverylongword", "x", "", "y"}, wrap("one two three averyverylongword x\n\ny", 7))
	require.Equal(t, "日本…", cut("日本語", 5))
	require.Equal(t, "    x", cut("\tx", 5))
	require.Equal(t, "a·[2J·b·", cut("a\x1b[2J\u009bb\u202e", 9))
}

// answers are results of so many bytes each, all different.
func answers(first, n, bytes int) (list []Answer) {
	for i := first; i < first+n; i++ {
		text := strings.Repeat(fmt.Sprintf("result %d\n", i), bytes)[:bytes]
		list = append(list, Answer{Call{ID: fmt.Sprint(i)}, tools.Result{Text: text, Tool: "read"}})
	}
	return list
}

// Over half of the context, the oldest results become lines until a quarter is left. What the
// model has not seen yet stays, however much it is.
func TestMemory(t *testing.T) {
	suite, err := tools.New(config.Config{Workspace: t.TempDir()}, all.Parts()...)
	need.Built(t, err)
	require.NoError(t, err)
	defer suite.Close()
	m := newMemory(suite, 10_000) // 40,000 bytes
	lines, err := m.addResults(t.Context(), answers(0, 2, 10_000))
	require.NoError(t, err)
	require.Empty(t, lines, "half is not more than half")
	m.turn()
	lines, err = m.addResults(t.Context(), answers(2, 1, 4_000))
	require.NoError(t, err)
	m.turn()
	require.Len(t, lines, 2)
	left := 4_000
	for i, line := range lines {
		require.Equal(t, fmt.Sprint(i), line.ID)
		left += len(line.Line)
		file := line.Line[strings.Index(line.Line, ".clarvis") : len(line.Line)-1]
		text, err := os.ReadFile(filepath.Join(suite.Workspace(), file))
		require.NoError(t, err)
		require.Equal(t, answers(i, 1, 10_000)[0].Result.Text, string(text))
	}
	require.Equal(t, left, m.held)
	require.Equal(t, 24_000, m.all)
	require.EqualValues(t, 20_000+left, m.sent)
	require.EqualValues(t, 20_000+24_000, m.sentElse)

	lines, err = m.addResults(t.Context(), answers(3, 1, 100_000))
	require.NoError(t, err)
	require.Len(t, lines, 1, "not the one that is new")
	require.Equal(t, "2", lines[0].ID)
	require.Equal(t, 3, m.shelved)
}

// Where nothing can be shelved the conversation goes on with what it has.
func TestMemoryFails(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, ".clarvis"), nil, 0o644))
	suite, err := tools.New(config.Config{Workspace: dir}, all.Parts()...)
	need.Built(t, err)
	require.NoError(t, err)
	defer suite.Close()
	m := newMemory(suite, 1000)
	m.addResults(t.Context(), answers(0, 2, 10_000))
	lines, err := m.addResults(t.Context(), answers(2, 1, 10))
	require.ErrorContains(t, err, "the result was not shelved in .clarvis")
	require.Empty(t, lines)
	require.Equal(t, 20_010, m.held)
	require.Len(t, m.results, 3)

	var out bytes.Buffer
	newTranscript(&out).shelved(lines, err)
	require.Contains(t, out.String(), "  ◦ io_error: the result was not shelved")
}
