package question_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/question"
)

// call is one to ask about, with this preview.
func call(preview string, session ...string) config.Call {
	return config.Call{
		Tool: "bash", Why: "no rule allows make", Session: session,
		Preview: func(context.Context) (string, error) { return preview, nil },
	}
}

// typist is a terminal at which somebody types lines, each when the text in front of it was printed.
type typist struct {
	mu      sync.Mutex
	printed bytes.Buffer
	seen    int
	lines   [][2]string
	in      *io.PipeWriter
}

func (p *typist) Write(text []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.printed.Write(text)
	if len(p.lines) > 0 {
		if i := strings.Index(p.printed.String()[p.seen:], p.lines[0][0]); i >= 0 {
			line := p.lines[0][1]
			p.seen = p.printed.Len()
			p.lines = p.lines[1:]
			go func() {
				if line == "" {
					p.in.Close()
				} else {
					fmt.Fprintln(p.in, line)
				}
			}()
		}
	}
	return len(text), nil
}

// ask asks, and has somebody type; "" is the end of the input.
func ask(ctx context.Context, call config.Call, lines ...[2]string) (_ config.Answer, printed string, _ error) {
	in, typed := io.Pipe()
	p := &typist{lines: lines, in: typed}
	answer, err := question.NewTerminal(in, p, false).Ask(ctx, call)
	return answer, p.printed.String(), err
}

func TestAnswers(t *testing.T) {
	const prompt = " > "
	for name, tt := range map[string]struct {
		lines [][2]string
		want  config.Answer
	}{
		"once":                 {[][2]string{{prompt, "y"}}, config.Answer{Decision: config.DecisionOnce}},
		"session":              {[][2]string{{prompt, " s "}}, config.Answer{Decision: config.DecisionSession}},
		"no":                   {[][2]string{{prompt, "n"}}, config.Answer{}},
		"end":                  {[][2]string{{prompt, ""}}, config.Answer{}},
		"reason":               {[][2]string{{prompt, "r"}, {"Why not? ", "use go test"}}, config.Answer{Reason: "use go test"}},
		"reason on the line":   {[][2]string{{prompt, "r use go test"}}, config.Answer{Reason: "use go test"}},
		"reason that is ended": {[][2]string{{prompt, "r"}, {"Why not? ", ""}}, config.Answer{}},
		"something else":       {[][2]string{{prompt, "yes?"}, {prompt, "x"}, {prompt, "y"}}, config.Answer{Decision: config.DecisionOnce}},
	} {
		t.Run(name, func(t *testing.T) {
			answer, printed, err := ask(t.Context(), call("$ make\n", "bash(make)", "edit(a)"), tt.lines...)
			require.NoError(t, err)
			require.Equal(t, tt.want, answer)
			want := "  ? no rule allows make\n  │ $ make\n  y once · s for this session: bash(make), edit(a) · n no · r no, and why > "
			require.True(t, strings.HasPrefix(printed, want), printed)
		})
	}
}

// What no rule can say is not allowed for the session.
func TestNoSession(t *testing.T) {
	answer, printed, err := ask(t.Context(), call("x"), [2]string{" > ", "s"}, [2]string{" > ", "n"})
	require.NoError(t, err)
	require.Equal(t, config.Answer{}, answer)
	require.NotContains(t, printed, "session")
}

// A long preview is shown on demand, as it was when the question came.
func TestLongPreview(t *testing.T) {
	n := 0
	long := call("")
	long.Preview = func(context.Context) (string, error) {
		n++
		return strings.Repeat("+ line\n", 60) + "+ last\n", nil
	}
	_, printed, err := ask(t.Context(), long, [2]string{"a for 1 more line > ", "a"}, [2]string{" > ", "y"})
	require.NoError(t, err)
	require.Equal(t, 1, n)
	require.Regexp(t, `> \S*  │ \+ last\n  y once · n no · r no, and why > $`, printed)
}

// What was typed before the question is no answer to it, and the end of the context ends it.
func TestTypedBefore(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	in, typed := io.Pipe()
	var out bytes.Buffer
	terminal := question.NewTerminal(in, &out, false)
	for _, text := range []string{"y\n", "y\n", "x"} { // each is dropped before the next is taken
		fmt.Fprint(typed, text)
	}
	cancel()
	answer, err := terminal.Ask(ctx, call("x"))
	require.ErrorIs(t, err, context.Canceled)
	require.Zero(t, answer)

	typed.Close()
	answer, err = terminal.Ask(t.Context(), call("x"))
	require.NoError(t, err)
	require.Zero(t, answer)
}

// The error of a call that would fail is that of its preview, and nobody is asked.
func TestPreviewFails(t *testing.T) {
	failing := call("")
	failing.Preview = func(context.Context) (string, error) { return "", errors.New("not there") }
	_, printed, err := ask(t.Context(), failing)
	require.EqualError(t, err, "not there")
	require.Empty(t, printed)
}

// Nothing in a call reaches the terminal as a control, or hides in it.
func TestControls(t *testing.T) {
	evil := call("a\x1b[2J\u202eb\u200b\n+c\td\r\n", "bash(\x1b[1A)")
	evil.Why = "no rule allows \x1b]0;x\a\nmake"
	_, printed, _ := ask(t.Context(), evil, [2]string{" > ", "n"})
	require.Equal(t, "  ? no rule allows ·]0;x··make\n  │ a·[2J·b·\n  │ +c    d\n"+
		"  y once · s for this session: bash(·[1A) · n no · r no, and why > ", printed)
}

func TestColours(t *testing.T) {
	in, typed := io.Pipe()
	p := &typist{lines: [][2]string{{" > ", "n"}}, in: typed}
	_, err := question.NewTerminal(in, p, true).Ask(t.Context(), call("diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n c\n"))
	require.NoError(t, err)
	for _, want := range []string{"\x1b[1mdiff --git a/x b/x\x1b[0m\n", "\x1b[2m--- a/x\x1b[0m\n", "\x1b[2m+++ b/x\x1b[0m\n",
		"\x1b[36m@@ -1 +1 @@\x1b[0m\n", "\x1b[31m-a\x1b[0m\n", "\x1b[32m+b\x1b[0m\n", "\x1b[0m c\n"} {
		require.Contains(t, p.printed.String(), want)
	}
}

func TestRefusal(t *testing.T) {
	for want, session := range map[string][]string{
		"no rule allows make, and nobody can be asked. No rule that allows it helps: make the call where somebody can be asked, or take away what asks": nil,
		"no rule allows make, and nobody can be asked. The user can allow it by starting this program with -allow 'bash(make)'":                         {"bash(make)"},
		"no rule allows make, and nobody can be asked. The user can allow it by starting this program with -allow edit -allow ''":                       {"edit", ""},
		`no rule allows make, and nobody can be asked. The user can allow it by starting this program with -allow 'bash(echo '\''a'\'' $b)'`: {
			"bash(echo 'a' $b)"},
	} {
		require.EqualError(t, question.Refusal(call("", session...), "nobody can be asked"), want)
	}
}

// A host that nobody can be asked about is allowed by a flag of its own.
func TestHostFlags(t *testing.T) {
	call := config.Call{Host: "example.org:443", Session: []string{"example.org"}, Why: "the command wants to reach example.org"}
	require.Equal(t, "-allow-host example.org", question.Flags(call))
	call.Session = []string{"[2001:db8::1]:8443"}
	require.Equal(t, "-allow-host '[2001:db8::1]:8443'", question.Flags(call))
	require.ErrorContains(t, question.Refusal(call, "nobody can be asked"), "by starting this program with -allow-host '[")
}

// A question about anything shows what belongs to it, and only a yes is one.
func TestConfirm(t *testing.T) {
	const prompt = " > "
	for name, tt := range map[string]struct {
		lines [][2]string
		want  bool
	}{
		"yes":            {[][2]string{{prompt, " y"}}, true},
		"no":             {[][2]string{{prompt, "n"}}, false},
		"end":            {[][2]string{{prompt, ""}}, false},
		"something else": {[][2]string{{prompt, "yes"}, {prompt, "s"}, {prompt, "r"}, {prompt, "y"}}, true},
		"the rest":       {[][2]string{{"a for 1 more line > ", "a"}, {"last\n  y yes · n no > ", "y"}}, true},
	} {
		t.Run(name, func(t *testing.T) {
			in, typed := io.Pipe()
			p := &typist{lines: tt.lines, in: typed}
			text := "+a\x1b[2J\n"
			if name == "the rest" {
				text = strings.Repeat("+ line\n", 60) + "+ last\n"
			}
			yes, err := question.NewTerminal(in, p, false).Confirm(t.Context(), "undo\x1b this?", text)
			require.NoError(t, err)
			require.Equal(t, tt.want, yes)
			require.Empty(t, p.lines)
			require.True(t, strings.HasPrefix(p.printed.String(), "  ? undo· this?\n  │ +"), p.printed.String())
			require.NotContains(t, p.printed.String(), "\x1b")
		})
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	in, _ := io.Pipe()
	yes, err := question.NewTerminal(in, io.Discard, false).Confirm(ctx, "undo this?", "")
	require.ErrorIs(t, err, context.Canceled)
	require.False(t, yes)
}

// A line that is asked for is what is typed from then on, up to the end.
func TestLine(t *testing.T) {
	in, typed := io.Pipe()
	p := &typist{lines: [][2]string{{"> ", " hello "}, {"> ", ""}}, in: typed}
	terminal := question.NewTerminal(in, p, false)
	line, err := terminal.Line(t.Context(), "> ")
	require.NoError(t, err)
	require.Equal(t, " hello ", line)
	_, err = terminal.Line(t.Context(), "> ")
	require.ErrorIs(t, err, io.EOF)
	require.Equal(t, "> > ", p.printed.String())
}
