package calls_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/truncation"
	"github.com/stretchr/testify/require"
)

var receipts = config.Read{Repeat: config.RepeatReceipt}

// notChanged is the receipt for all of a file of 100 lines.
const notChanged = "[Lines 1-100 of %s have not changed since they were shown. Use again=true to see them]"

// readText returns the text of a call of read.
func readText(t *testing.T, s *tools.Suite, args tools.ReadParams) string {
	t.Helper()
	res := call(t, s, "read", args)
	require.False(t, res.IsError, res.Text)
	return res.Text
}

// hundred makes a suite with a file a.txt of 100 lines that was read once.
func hundred(t *testing.T, cfg config.Config) (s *tools.Suite, dir, text string) {
	t.Helper()
	cfg.Workspace, cfg.Read.Repeat = t.TempDir(), config.RepeatReceipt
	text = countedLines(100)
	s = newSuite(t, cfg, map[string]string{"a.txt": text, "b.txt": text})
	require.Equal(t, text, readText(t, s, tools.ReadParams{Path: "a.txt"}))
	return s, cfg.Workspace, text
}

func TestReceiptAfterForget(t *testing.T) {
	t.Parallel()
	s, _, text := hundred(t, config.Config{})
	s.Forget()
	require.Equal(t, text, readText(t, s, tools.ReadParams{Path: "a.txt"}))
	require.Equal(t, fmt.Sprintf(notChanged, "a.txt"), readText(t, s, tools.ReadParams{Path: "a.txt"}))
	s.Forget()
	require.Equal(t, text, readText(t, s, tools.ReadParams{Path: "a.txt"}))
}

// What was forgotten before the result of a call was there is not remembered because of it.
func TestForgetDuringACall(t *testing.T) {
	t.Parallel()
	var s *tools.Suite
	forget := func(context.Context, config.Event) {
		if s != nil {
			s.Forget()
		}
	}
	first, _, text := hundred(t, config.Config{Observe: forget})
	s = first
	for range 3 {
		require.Equal(t, text, readText(t, s, tools.ReadParams{Path: "b.txt"}))
	}
}

// onErr is a context that does something when it is asked for the nth time whether it has ended.
type onErr struct {
	context.Context
	left *int
	do   func()
}

func (c onErr) Err() error {
	if *c.left--; *c.left == 0 {
		c.do()
	}
	return c.Context.Err()
}

// A receipt that a call has made is not returned if what it names was forgotten during the call.
func TestForgetAfterAReceipt(t *testing.T) {
	t.Parallel()
	read := func(n int) (res tools.ReadResult, asked int, text string) {
		s, _, text := hundred(t, config.Config{})
		readText(t, s, tools.ReadParams{Path: "b.txt"})
		left := n
		res, err := s.Read(onErr{t.Context(), &left, func() { s.Forget() }}, tools.ReadParams{Paths: []string{"a.txt", "b.txt"}})
		require.NoError(t, err)
		return res, n - left, text
	}
	res, asked, _ := read(1000)
	require.Equal(t, 200, res.Receipt.LinesUnchanged)
	require.Greater(t, asked, 5)
	for n := range asked - 1 { // the last time, the result is on its way
		res, _, text := read(n + 1)
		require.Nil(t, res.Receipt, n)
		require.Equal(t, 2, strings.Count(res.Text, text))
	}
}

// A model that asks for what a receipt has named just now means the lines, whatever it asks for in between.
func TestReceiptIsNoLoop(t *testing.T) {
	t.Parallel()
	s, _, text := hundred(t, config.Config{})
	readText(t, s, tools.ReadParams{Path: "b.txt"})
	const receipt = "have not changed since"
	for range 5 {
		require.Contains(t, readText(t, s, tools.ReadParams{Path: "a.txt"}), receipt)
		require.Contains(t, readText(t, s, tools.ReadParams{Path: "b.txt"}), receipt)
		require.Equal(t, text, readText(t, s, tools.ReadParams{Path: "a.txt"}))
		part := readText(t, s, tools.ReadParams{Path: "b.txt", Offset: 20, Limit: 40})
		require.Contains(t, part, "line 20\nline 21\n")
		require.NotContains(t, part, receipt)
	}
}

// The same file by other names was shown. Another file with the same content, or a hard link, was not.
func TestReceiptUnderAnotherName(t *testing.T) {
	t.Parallel()
	s, dir, text := hundred(t, config.Config{})
	need.Symlink(t, "a.txt", filepath.Join(dir, "link.txt"))
	need.Symlink(t, ".", filepath.Join(dir, "sub"))
	const as = "[Lines 1-100 of %s have not changed since they were shown as a.txt. Use again=true to see them]"
	for i, tt := range []struct{ name, want string }{
		{"./a.txt", fmt.Sprintf(notChanged, "a.txt")},
		{filepath.Join(dir, "a.txt"), fmt.Sprintf(notChanged, "a.txt")},
		{"link.txt", fmt.Sprintf(as, "link.txt")},
		{"sub/a.txt", fmt.Sprintf(as, "sub/a.txt")},
		{"sub/sub/link.txt", fmt.Sprintf(as, "sub/sub/link.txt")},
		{"b.txt", text},
	} {
		if i > 0 {
			s.Forget()
			require.Equal(t, text, readText(t, s, tools.ReadParams{Path: "a.txt"}))
		}
		require.Equal(t, tt.want, readText(t, s, tools.ReadParams{Path: tt.name}), tt.name)
	}
	require.NoError(t, os.Link(filepath.Join(dir, "a.txt"), filepath.Join(dir, "hard.txt")))
	require.Equal(t, text, readText(t, s, tools.ReadParams{Path: "hard.txt"}))

	// A link that leads elsewhere now.
	s.Forget()
	require.Equal(t, text, readText(t, s, tools.ReadParams{Path: "link.txt"}))
	require.NoError(t, os.Remove(filepath.Join(dir, "link.txt")))
	need.Symlink(t, "b.txt", filepath.Join(dir, "link.txt"))
	require.Equal(t, text, readText(t, s, tools.ReadParams{Path: "link.txt"}))
}

// A file that changed and changed back holds what was shown; if what it held meanwhile was shown, that is what counts.
func TestReceiptOfAFileThatChangedBack(t *testing.T) {
	t.Parallel()
	s, dir, text := hundred(t, config.Config{})
	write := func(text string) { require.NoError(t, os.WriteFile(filepath.Join(dir, "a.txt"), []byte(text), 0o600)) }
	other := strings.Replace(text, "line 50\n", "row 50\n", 1)
	write(other)
	write(text)
	require.Equal(t, fmt.Sprintf(notChanged, "a.txt"), readText(t, s, tools.ReadParams{Path: "a.txt"}))
	const rest = "\n\n[Lines 1-49 and 51-100 of a.txt have not changed since they were shown. Use again=true to see them]"
	for range 3 {
		write(other)
		require.Equal(t, "    50\trow 50"+rest, readText(t, s, tools.ReadParams{Path: "a.txt"}))
		write(text)
		require.Equal(t, "    50\tline 50"+rest, readText(t, s, tools.ReadParams{Path: "a.txt"}))
	}
	write(strings.TrimSuffix(text, "\n"))
	require.Contains(t, readText(t, s, tools.ReadParams{Path: "a.txt"}), "   100\tline 100\n\n[Lines 1-99 of")
}

func TestReceiptAfterGitCheckout(t *testing.T) {
	testkit.IsolateGit(t)
	s, dir, text := hundred(t, config.Config{})
	git := func(args ...string) { testkit.Git(t, dir, args...) }
	git("init", "-q")
	git("add", "a.txt")
	git("commit", "-qm", "one")
	require.False(t, call(t, s, "edit", tools.EditParams{Path: "a.txt", OldString: "line 50\n", NewString: "row 50\nrow 51\n"}).IsError)
	require.Equal(t, "    50\trow 50\n    51\trow 51\n\n[Lines 1-49 and 52-101 of a.txt have not changed since they were shown. "+
		"Use again=true to see them. Lines 52-101 were 51-100 then]",
		readText(t, s, tools.ReadParams{Path: "a.txt"}))
	git("checkout", "-q", "a.txt")
	require.Contains(t, readText(t, s, tools.ReadParams{Path: "a.txt"}), "    50\tline 50\n\n[Lines 1-49 and 51-100 of")
	require.Equal(t, text, readText(t, s, tools.ReadParams{Path: "a.txt"}))
}

// A receipt names eight runs of lines and shows at most half of the lines and bytes of a page; its notice has 512 bytes.
// Otherwise the page is shown.
func TestReceiptIsBounded(t *testing.T) {
	t.Parallel()
	const lines = 120
	line := func(n int) string { return fmt.Sprintf("line %d of a file whose lines are not so short\n", n) }
	var whole strings.Builder
	for n := range lines {
		whole.WriteString(line(n + 1))
	}
	text := whole.String()
	for _, tt := range []struct {
		name    string
		path    string
		change  func(n int) string // a line in the place of line n, or ""
		receipt bool
	}{
		{"seven lines, so eight runs", "f", func(n int) string { return pick(n%15 == 0 && n < lines, "x") }, true},
		{"eight lines, so nine runs", "f", func(n int) string { return pick(n%15 == 0 && n < lines || n == 8, "x") }, false},
		{"half of the lines", "f", func(n int) string { return pick(n <= lines/2, "x") }, true},
		{"more than half of the lines", "f", func(n int) string { return pick(n <= lines/2+1, "x") }, false},
		{"a line of half of the bytes", "f", func(n int) string { return pick(n == 9, strings.Repeat("x", len(text)-100)) }, true},
		{"a line of more", "f", func(n int) string { return pick(n == 9, strings.Repeat("x", len(text)+50)) }, false},
		{"a path that leaves room", strings.Repeat("d/", 200) + "f", func(int) string { return "" }, true},
		{"a path that leaves none", strings.Repeat("d/", 230) + "f", func(int) string { return "" }, false},
	} {
		s := newSuite(t, config.Config{Read: receipts}, map[string]string{tt.path: text})
		require.Equal(t, text, readText(t, s, tools.ReadParams{Path: tt.path}))
		var changed strings.Builder
		for n := 1; n <= lines; n++ {
			if with := tt.change(n); with != "" {
				changed.WriteString(with + "\n")
			} else {
				changed.WriteString(line(n))
			}
		}
		require.NoError(t, os.WriteFile(filepath.Join(s.Workspace(), tt.path), []byte(changed.String()), 0o600))
		got := readText(t, s, tools.ReadParams{Path: tt.path})
		if !tt.receipt {
			require.Equal(t, changed.String(), got, tt.name)
			continue
		}
		require.Contains(t, got, "since they were shown. Use again=true to see them", tt.name)
		require.Less(t, len(got), len(changed.String()))
	}
}

// pick returns the line, if it is to be.
func pick(is bool, line string) string {
	if is {
		return line
	}
	return ""
}

// What edit, write and commands were given or have shown is not what read has shown.
func TestReceiptIsOfReadAlone(t *testing.T) {
	t.Parallel()
	s, _, _ := hundred(t, config.Config{})
	text := strings.ReplaceAll(countedLines(100), "line", "a line of")
	call(t, s, "write", tools.WriteParams{Path: "new.txt", Content: text})
	call(t, s, "grep", tools.GrepParams{Pattern: "line", Path: "new.txt"})
	require.Equal(t, text, readText(t, s, tools.ReadParams{Path: "new.txt"}))
	require.Equal(t, fmt.Sprintf(notChanged, "new.txt"), readText(t, s, tools.ReadParams{Path: "new.txt"}))
}

// Of two calls at once neither gets a receipt for the other: what a call shows counts once its result has been
// returned.
func TestReceiptOfTwoCallsAtOnce(t *testing.T) {
	t.Parallel()
	var during atomic.Pointer[func()]
	s, _, text := hundred(t, config.Config{Observe: func(context.Context, config.Event) {
		if f := during.Swap(nil); f != nil {
			(*f)()
		}
	}})
	second := func() { require.Equal(t, text, readText(t, s, tools.ReadParams{Path: "b.txt"})) }
	during.Store(&second)
	require.Equal(t, text, readText(t, s, tools.ReadParams{Path: "b.txt"}))
	require.Nil(t, during.Load())
	require.Equal(t, fmt.Sprintf(notChanged, "b.txt"), readText(t, s, tools.ReadParams{Path: "b.txt"}))
}

// The result of a call whose context ends need not have reached the model.
func TestReceiptOfACallThatEnded(t *testing.T) {
	t.Parallel()
	ended := func() {}
	s, _, text := hundred(t, config.Config{Observe: func(context.Context, config.Event) { ended() }})
	ctx, cancel := context.WithCancel(t.Context())
	ended = cancel
	res, err := s.Read(ctx, tools.ReadParams{Path: "b.txt"})
	require.NoError(t, err)
	require.Equal(t, text, res.Text)
	require.Equal(t, text, readText(t, s, tools.ReadParams{Path: "b.txt"}))
	require.Equal(t, fmt.Sprintf(notChanged, "b.txt"), readText(t, s, tools.ReadParams{Path: "b.txt"}))
}

func TestReceiptsOfReaders(t *testing.T) {
	t.Parallel()
	s, _, text := hundred(t, config.Config{})
	read := func(reader string) string {
		res, err := s.Read(tools.WithConversation(t.Context(), reader), tools.ReadParams{Path: "a.txt"})
		require.NoError(t, err)
		require.Equal(t, text, res.Page)
		return res.Text
	}
	receipt := fmt.Sprintf(notChanged, "a.txt")
	require.Equal(t, text, read("one"))
	require.Equal(t, text, read("two"))
	require.Equal(t, receipt, read("one"))
	require.Equal(t, receipt, read(""))
	s.Forget("two")
	require.Equal(t, text, read("two"))
	s.Forget("nobody")
	require.Equal(t, receipt, read("two"))
	s.Forget()
	require.Equal(t, text, read("one"))
}

// again is an argument where there are receipts, and does no harm elsewhere.
func TestAgainInTheSchema(t *testing.T) {
	t.Parallel()
	for _, repeat := range []config.Repeat{"", config.RepeatFull, config.RepeatReceipt} {
		s := newSuite(t, config.Config{Read: config.Read{Repeat: repeat}}, map[string]string{"a": countedLines(100)})
		read := s.Tools()[0]
		require.Equal(t, repeat == config.RepeatReceipt, strings.Contains(string(read.Schema()), `"again"`))
		require.Equal(t, repeat == config.RepeatReceipt, strings.Contains(read.Description(), "not shown again"))
		for range 3 {
			require.Equal(t, countedLines(100), readText(t, s, tools.ReadParams{Path: "a", Again: true}))
		}
	}
}

// renamed and session are tools around one of a suite, as hosts have them.
type renamed struct{ tools.Tool }

func (renamed) Name() string { return "look" }

type session struct {
	tools.Tool
	name string
}

func (s session) Call(ctx context.Context, args json.RawMessage) (tools.Result, error) {
	return s.Tool.Call(tools.WithConversation(ctx, s.name), args)
}

// What a host cut was not shown, whatever is around the tool.
func TestReceiptOfWhatAHostCut(t *testing.T) {
	needle := truncation.Policy{Strategy: truncation.Middle, Limits: truncation.Limits{Chars: 300}}
	wide := truncation.Policy{Strategy: truncation.Middle, Limits: truncation.Limits{Chars: 30_000}}
	args := json.RawMessage(`{"path": "b.txt"}`)
	again := json.RawMessage(`{"path": "b.txt", "again": true}`)
	for name, wrap := range map[string]func(tools.Tool, truncation.Policy) tools.Tool{
		"bounded": tools.Truncate,
		"twice":   func(t tools.Tool, p truncation.Policy) tools.Tool { return tools.Truncate(tools.Truncate(t, wide), p) },
		"first":   func(t tools.Tool, p truncation.Policy) tools.Tool { return tools.Truncate(tools.Truncate(t, p), wide) },
		"renamed": func(t tools.Tool, p truncation.Policy) tools.Tool { return tools.Truncate(renamed{t}, p) },
		"session": func(t tools.Tool, p truncation.Policy) tools.Tool { return tools.Truncate(session{t, "one"}, p) },
		"added": func(tool tools.Tool, p truncation.Policy) tools.Tool {
			return inSuite(t, newSuite(t, config.Config{Tools: []string{config.NoTools}}, nil), tool, p)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Chdir(t.TempDir()) // spills go to the current directory
			s, _, text := hundred(t, config.Config{})
			cut, whole := wrap(s.Tools()[0], needle), wrap(s.Tools()[0], wide)
			get := func(tool tools.Tool, args json.RawMessage) string {
				res, err := tool.Call(t.Context(), args)
				require.NoError(t, err)
				return res.Text
			}
			for range 3 {
				require.Contains(t, get(cut, args), "line 1\n")
			}
			require.Equal(t, text, get(whole, args))
			if name == "renamed" { // nobody knows what it does with a page
				require.Equal(t, text, get(whole, args))
				require.Equal(t, text, readText(t, s, tools.ReadParams{Path: "b.txt"}))
				return
			}
			require.Equal(t, fmt.Sprintf(notChanged, "b.txt"), get(whole, args))
			require.Equal(t, text, get(whole, again))
			require.Equal(t, fmt.Sprintf(notChanged, "b.txt"), get(cut, args), "a receipt fits")
			if name == "session" {
				require.Contains(t, get(cut, again), "line 1\n")
				require.Equal(t, text, get(whole, args))
			}
		})
	}
}

// What a tool of the host's reads while it makes its own result is not shown to the model. A sub-agent with a reader of
// its own gets receipts of its own.
func TestReceiptsInsideOfATool(t *testing.T) {
	t.Parallel()
	var s *tools.Suite
	var reader string
	var texts []string
	inner := tools.Func("agent", "", func(ctx context.Context, _ struct{}) (string, error) {
		if reader != "" {
			ctx = tools.WithConversation(ctx, reader)
		}
		texts = nil
		for range 2 {
			for _, tool := range []tools.Tool{s.Tools()[0], tools.Truncate(s.Tools()[0], bothEnds)} {
				res, err := tool.Call(ctx, json.RawMessage(`{"path": "a.txt"}`))
				require.NoError(t, err)
				texts = append(texts, res.Text)
			}
		}
		return "done", nil
	})
	s, _, text := hundred(t, config.Config{})
	require.NoError(t, s.Add(inner))
	require.Equal(t, "done", call(t, s, "agent", nil).Text)
	require.Equal(t, []string{text, text, text, text}, texts, "another conversation was shown the file")
	reader = "agent 1"
	require.Equal(t, "done", call(t, s, "agent", nil).Text)
	receipt := fmt.Sprintf(notChanged, "a.txt")
	require.Equal(t, []string{text, receipt, text, receipt}, texts)
	require.Equal(t, receipt, readText(t, s, tools.ReadParams{Path: "a.txt"}))
	call(t, s, "agent", nil)
}
