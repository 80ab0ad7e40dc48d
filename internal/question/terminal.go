package question

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/notice"
)

const (
	firstLines = 60      // of a preview; a key shows the others
	maxTyped   = 4 << 10 // bytes of a line that somebody types
	maxWaiting = 16      // lines that are typed and not looked at yet
)

// Terminal asks at a terminal.
type Terminal struct {
	out   io.Writer
	color bool

	mu    sync.Mutex
	typed chan string // where lines go while a question is open; else nil
	over  bool        // nothing comes any more
}

// NewTerminal returns one that reads lines from in from now on: what was typed before a question is no answer to it.
// With color, it prints escape sequences.
func NewTerminal(in io.Reader, out io.Writer, color bool) *Terminal {
	t := &Terminal{out: out, color: color}
	go t.read(bufio.NewReaderSize(in, maxTyped))
	return t
}

// read hands lines to the question that is open. Of one that is too long, each part is a line.
func (t *Terminal) read(in *bufio.Reader) {
	for {
		line, _, err := in.ReadLine()
		t.mu.Lock()
		if t.over = err != nil; t.over && t.typed != nil {
			close(t.typed)
			t.typed = nil
		}
		if t.typed != nil {
			select {
			case t.typed <- string(line):
			default:
			}
		}
		t.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// open begins a question. done ends it.
func (t *Terminal) open() (typed <-chan string, done func()) {
	lines := make(chan string, maxWaiting)
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.over {
		close(lines)
		return lines, func() {}
	}
	t.typed = lines
	return lines, func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.typed = nil
	}
}

// Confirm asks a question to which a text belongs, such as what would be done. The end of the input is a no.
func (t *Terminal) Confirm(ctx context.Context, question, text string) (yes bool, err error) {
	lines := plainLines(text)
	typed, done := t.open()
	defer done()
	fmt.Fprintln(t.out, t.style("33", "  ? "+Plain(question)))
	shown := min(len(lines), firstLines)
	t.show(lines[:shown])
	for {
		fmt.Fprint(t.out, t.keys([]string{"y yes", "n no"}, len(lines)-shown))
		key, err := next(ctx, typed)
		switch word := strings.TrimSpace(key); {
		case err == io.EOF:
			fmt.Fprintln(t.out)
			return false, nil
		case err != nil:
			fmt.Fprintln(t.out)
			return false, err
		case word == "y" || word == "n":
			return word == "y", nil
		case word == "a":
			t.show(lines[shown:])
			shown = len(lines)
		}
	}
}

// Ask is a Config.Ask. The end of the input is a no.
func (t *Terminal) Ask(ctx context.Context, call config.Call) (config.Answer, error) {
	lines, err := Preview(ctx, call)
	if err != nil {
		return config.Answer{}, err // that of the call, which would fail
	}
	typed, done := t.open()
	defer done()
	fmt.Fprintln(t.out, t.style("33", "  ? "+Plain(call.Why)))
	shown := min(len(lines), firstLines)
	t.show(lines[:shown])
	keys := []string{"y once"}
	if len(call.Session) > 0 {
		keys = append(keys, "s for this session: "+Rules(call))
	}
	keys = append(keys, "n no", "r no, and why")
	for {
		fmt.Fprint(t.out, t.keys(keys, len(lines)-shown))
		key, err := next(ctx, typed)
		word, reason, _ := strings.Cut(strings.TrimSpace(key), " ")
		switch {
		case err == io.EOF:
			fmt.Fprintln(t.out)
			return config.Answer{}, nil
		case err != nil:
			fmt.Fprintln(t.out)
			return config.Answer{}, err
		case word == "y":
			return config.Answer{Decision: config.DecisionOnce}, nil
		case word == "s" && len(call.Session) > 0:
			return config.Answer{Decision: config.DecisionSession}, nil
		case word == "n":
			return config.Answer{}, nil
		case word == "r" && reason != "":
			return config.Answer{Reason: reason}, nil
		case word == "r":
			fmt.Fprint(t.out, "  Why not? ")
			reason, err := next(ctx, typed)
			if err == io.EOF {
				err = nil
			}
			return config.Answer{Reason: reason}, err
		case word == "a":
			t.show(lines[shown:])
			shown = len(lines)
		}
	}
}

// Line returns the line that is typed behind a prompt; the error is io.EOF at the end, or the context's.
func (t *Terminal) Line(ctx context.Context, prompt string) (string, error) {
	typed, done := t.open()
	defer done()
	fmt.Fprint(t.out, t.style("1", prompt))
	return next(ctx, typed)
}

// next returns the next line that is typed; the error is io.EOF at the end, or the context's.
func next(ctx context.Context, typed <-chan string) (string, error) {
	select {
	case <-ctx.Done():
		return "", ctx.Err()
	case line, ok := <-typed:
		if !ok {
			return "", io.EOF
		}
		return line, nil
	}
}

// keys is the line that says what may be typed. left is how many lines are not shown yet.
func (t *Terminal) keys(keys []string, left int) string {
	if left > 0 {
		keys = append(keys, "a for "+notice.Count(left, "more line"))
	}
	return t.style("1", "  "+strings.Join(keys, " · ")+" > ")
}

// show prints lines of a preview, those of a diff in its colours.
func (t *Terminal) show(lines []string) {
	named := false // the lines name a file, up to the first hunk
	for _, line := range lines {
		style := ""
		switch {
		case strings.HasPrefix(line, "diff --git "):
			named, style = true, "1"
		case strings.HasPrefix(line, "@@"):
			named, style = false, "36"
		case named:
			style = "2"
		case strings.HasPrefix(line, "+"):
			style = "32"
		case strings.HasPrefix(line, "-"):
			style = "31"
		}
		fmt.Fprintln(t.out, t.style("2", "  │ ")+t.style(style, line))
	}
}

func (t *Terminal) style(s, text string) string {
	if !t.color || s == "" || text == "" {
		return text
	}
	return "\x1b[" + s + "m" + text + "\x1b[0m"
}
