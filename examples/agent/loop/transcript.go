package loop

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"golang.org/x/term"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/record"
)

// A person is shown a result of so many lines, and two lines of a longer one. The
// model is shown all.
const (
	previewWhole = 4
	previewLines = 2
)

// transcript prints a conversation for people.
type transcript struct {
	out      io.Writer
	width    int  // cells of a line
	color    bool // with escape sequences
	terminal bool // with a line that is written again while a call is running

	live  bool         // such a line stands there
	event config.Event // of the call that ended last
	files []string     // full outputs

	passing bool // the workspace, and with it the files, is removed at the end
}

// newTranscript prints to out: in colour and with a live line if that is a terminal.
func newTranscript(out io.Writer) *transcript {
	t := &transcript{out: out, width: 100}
	if f, ok := out.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		t.terminal = true
		t.color = os.Getenv("NO_COLOR") == ""
		if w, _, err := term.GetSize(int(f.Fd())); err == nil && w > 20 {
			t.width = min(w, 120)
		}
	}
	return t
}

// The styles, as parameters of the escape sequence.
const (
	bold   = "1"
	dim    = "2"
	user   = "1;36"
	tool   = "1;32"
	notice = "33"
	bad    = "31"
)

func (t *transcript) style(s, text string) string {
	if !t.color || text == "" {
		return text
	}
	return "\x1b[" + s + "m" + text + "\x1b[0m"
}

// line prints one line, cut to the width.
func (t *transcript) line(before, style, text string) {
	fmt.Fprintln(t.out, strings.TrimRight(t.style(dim, before)+t.style(style, cut(text, t.width-cells(before))), " "))
}

// paragraph prints text in as many lines as it takes.
func (t *transcript) paragraph(before, then, style, text string) {
	for _, line := range wrap(text, t.width-cells(before)) {
		t.line(before, style, line)
		before = then
	}
}

func (t *transcript) prompt(text string) {
	t.paragraph("> ", "  ", user, text)
}

func (t *transcript) says(text string) {
	if text != "" {
		fmt.Fprintln(t.out)
		t.paragraph("", "", bold, text)
	}
}

// call prints a call on one line.
func (t *transcript) call(c Call) {
	name, args := cut(c.Name, t.width/2), arguments(c.Args)
	fmt.Fprintf(t.out, "%s %s\n", t.style(tool, "● "+name), cut(args, t.width-cells(name)-3))
}

// arguments shows a JSON object as name=value, in its order.
func arguments(object json.RawMessage) string {
	dec := json.NewDecoder(strings.NewReader(string(object)))
	if tok, err := dec.Token(); err != nil || tok != json.Delim('{') {
		return string(object)
	}
	var list []string
	for dec.More() {
		name, err := dec.Token()
		var value json.RawMessage
		if err != nil || dec.Decode(&value) != nil {
			return string(object)
		}
		list = append(list, fmt.Sprintf("%s=%s", name, readable(value)))
	}
	return strings.Join(list, " ")
}

// readable shows a string without the escapes of JSON, which hide a pattern.
func readable(value json.RawMessage) string {
	var text string
	if json.Unmarshal(value, &text) != nil || !strings.ContainsAny(text, `"\<>&`) {
		return string(value)
	}
	return "'" + text + "'"
}

// progress writes the live line of a call that takes long.
func (t *transcript) progress(u tools.Update) {
	if !t.terminal {
		return
	}
	tail := strings.TrimRight(u.Tail, "\n")
	text := fmt.Sprintf("%s, %s  %s", u.Elapsed.Round(100*time.Millisecond), formatSize(u.Bytes), tail[strings.LastIndexByte(tail, '\n')+1:])
	t.live = true
	fmt.Fprint(t.out, "\r\x1b[K", t.style(dim, "  ┆ "+cut(text, t.width-5)))
}

// observe is the suite's word on a call, just before its result. Its word on a job comes
// whenever that ends.
func (t *transcript) observe(_ context.Context, e config.Event) {
	if e.Job == 0 {
		t.event = e
	}
}

// result prints what a person wants to see of a result.
func (t *transcript) result(c Call, res tools.Result) {
	if t.live {
		fmt.Fprint(t.out, "\r\x1b[K")
		t.live = false
	}
	body, notices := split(res.Text, record.FactsOf(t.event))
	head, hidden, tail := preview(body, c.Name == "bash")
	t.body(head, res.IsError)
	if hidden > 0 {
		t.line("  │ ", dim, fmt.Sprintf("… %d more %s for the model", hidden, Plural(hidden, "line")))
	}
	t.body(tail, res.IsError)
	if len(res.Images) > 0 {
		t.line("  │ ", dim, fmt.Sprintf("… and %d %s for the model", len(res.Images), Plural(len(res.Images), "picture")))
	}
	for _, n := range notices {
		t.paragraph("  │ ", "  │ ", notice, n)
	}
	t.line("  └ ", dim, t.measure())
	if t.event.SpillPath != "" {
		t.files = append(t.files, t.event.SpillPath)
	}
}

// body prints lines of a result, those of an error in full.
func (t *transcript) body(lines []string, isError bool) {
	for _, line := range lines {
		if isError {
			t.paragraph("  │ ", "  │ ", bad, line)
		} else {
			t.line("  │ ", dim, line)
		}
	}
}

// measure says how much the model was shown.
func (t *transcript) measure() string {
	e := t.event
	size := formatSize
	shown := fmt.Sprintf("%d %s, %s", e.LinesShown, Plural(e.LinesShown, "line"), size(int64(e.BytesShown)))
	if e.Truncated || e.LinesProduced > e.LinesShown {
		shown = fmt.Sprintf("%d of %d lines, %s of %s", e.LinesShown, e.LinesProduced, size(int64(e.BytesShown)), size(int64(e.BytesProduced)))
	}
	if e.Duration < time.Millisecond {
		return shown + ", <1ms"
	}
	return shown + ", " + e.Duration.Round(time.Millisecond).String()
}

// shelved tells of results that the model does not see any more, and why others stay.
func (t *transcript) shelved(lines []Shelved, err error) {
	if len(lines) > 0 {
		fmt.Fprintln(t.out)
		t.line("  ◦ ", dim, fmt.Sprintf("%d old %s shelved", len(lines), Plural(len(lines), "result")))
	}
	if err != nil {
		t.paragraph("  ◦ ", "    ", bad, err.Error())
	}
}

// summary prints what the conversation cost, and where the full outputs are.
func (t *transcript) summary(suite *tools.Suite, mind *memory) {
	stats := suite.Stats()
	var table strings.Builder
	w := tabwriter.NewWriter(&table, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "tool\tcalls\tfailed\tproduced\tshown\tcut\tspilled\t")
	for _, name := range slices.Sorted(maps.Keys(stats)) {
		s := stats[name]
		fmt.Fprintf(w, "%s\t%d\t%d\t%s\t%s\t%d\t%d\t\n", name, s.Calls, s.Errors,
			formatSize(s.BytesProduced), formatSize(s.BytesShown), s.Truncated+s.LimitReached, s.Spilled)
	}
	w.Flush()
	fmt.Fprintln(t.out)
	for line := range strings.Lines(table.String()) {
		t.line("", dim, strings.TrimSuffix(line, "\n"))
	}
	if mind.shelved > 0 {
		t.line("", dim, fmt.Sprintf("%d %s shelved: %s sent to the model in all turns, not %s", mind.shelved,
			Plural(mind.shelved, "result"), formatSize(mind.sent), formatSize(mind.sentElse)))
	}
	if len(t.files) > 0 && !t.passing {
		dir := filepath.Dir(t.files[0])
		if !filepath.IsAbs(dir) {
			dir = filepath.Join(suite.Workspace(), dir)
		}
		if here, err := os.Getwd(); err == nil {
			if rel, err := filepath.Rel(here, dir); err == nil && len(rel) < len(dir) {
				dir = rel
			}
		}
		t.line("", dim, fmt.Sprintf("%d full %s in %s", len(t.files), Plural(len(t.files), "output"), dir))
	}
}

// formatSize prints a number of bytes as the tools do: "512B", "30KB", "50.4KB".
func formatSize(n int64) string {
	size, unit := float64(n), "B"
	for _, next := range []string{"KB", "MB", "GB"} {
		if size < 1023.95 { // more would print as 1024.0
			break
		}
		size, unit = size/1024, next
	}
	return strings.TrimSuffix(fmt.Sprintf("%.1f", size), ".0") + unit
}
