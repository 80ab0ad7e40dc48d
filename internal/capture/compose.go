package capture

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/truncation"
)

// The values of the argument show.
var shownParts = map[string]truncation.Strategy{
	"tail": truncation.Tail, "head": truncation.Head, "both": truncation.HeadTailLines, "digest": truncation.Digest,
}

// Policy returns how the output of a command is bounded: show if the call sets it, else as configured. A cut tail is
// reported by a notice, any other part by a marker.
func Policy(cfg config.Bash, show string) truncation.Policy {
	strategy := cmp.Or(shownParts[show], cfg.Strategy)
	if strategy == truncation.Digest && strategy != cfg.Strategy {
		cfg.MaxBytes = min(cfg.MaxBytes, truncation.DigestBytes)
	}
	p := cfg.Policy
	p.Strategy, p.Lines, p.Bytes = strategy, truncation.Limit(cfg.MaxLines), truncation.Limit(cfg.MaxBytes)
	p.Unmarked, p.Standout = strategy == truncation.Tail && p.Marker == "", !cfg.NoStandout
	return p
}

// Describe says which part of a long output is shown, with option names such as {Bash.MaxLines} for their values.
func Describe(cfg config.Bash) string {
	size := "{Bash.MaxBytes}"
	if chars := cfg.Policy.Chars; chars > 0 {
		size = fmt.Sprintf("%d characters or %s", chars, size)
	}
	lines := "{Bash.MaxLines} lines or "
	part := "the beginning and the end, " + size
	switch cfg.Strategy {
	case truncation.Digest:
		part = "the beginning, the end and what stands out in between, " + size
	case truncation.Tail:
		part = "the last " + lines + size
	case truncation.TailChars:
		part = "the last " + size
	case truncation.Head:
		part = "the first " + lines + size
	case truncation.HeadChars:
		part = "the first " + size
	}
	return part + " at most"
}

// Composed is the text for a model, made from all streams of an output.
type Composed struct {
	Text   string         // with the notices
	Parts  []Part         // of the streams, in their order
	Output []config.Lines // where Text has them

	NotText NotText // of the first stream that is not all UTF-8 text
	Err     error   // why a stream has no file although it needs one
	Unsaved bool    // a stream with output has no file
}

// Part is the shown part of a stream.
type Part struct {
	Text string             // without notices
	Cut  *truncation.Result // the numbers, if something was left out; else nil
}

func Strings(shown []Text) (list []string) {
	for _, t := range shown {
		list = append(list, t.Text)
	}
	return list
}

// stderrLabel precedes stderr, if that is shown separately.
const stderrLabel = "stderr:\n"

// Compose composes the text of a result. nothing replaces an empty output; notices are those that do not come from
// cutting.
func Compose(shown []Text, nothing string, notices []notice.Notice) Composed {
	room := 0
	if slices.ContainsFunc(shown, func(t Text) bool { return t.Cut }) {
		room = standoutRoom(notices, len(shown))
	}
	text, cut, left := shown[0].part("the output", room)
	c := Composed{Parts: []Part{{text, cut}}, Output: notice.OutputIn(text, 0, text, cut)}
	for _, t := range shown {
		if !c.NotText.Any() {
			c.NotText = t.NotText
		}
		c.Err = cmp.Or(c.Err, t.Saved.Err)
		c.Unsaved = c.Unsaved || t.Saved.Path == "" && t.TotalBytes > 0
	}
	truncated := shown[0].Truncated
	if len(shown) > 1 {
		second, secondCut, secondLeft := shown[1].part(shown[1].Saved.Path, room)
		c.Parts = append(c.Parts, Part{second, secondCut})
		truncated = truncated || shown[1].Truncated
		if shown[1].TotalBytes > 0 {
			text = notice.Paragraph(notice.Append(text, left), stderrLabel+second)
			c.Output = append(c.Output, notice.OutputIn(text, len(text)-len(second), second, secondCut)...)
			left = secondLeft
		}
	}
	if text == "" && !truncated {
		text = nothing
	}
	c.Text = notice.Append(text, append([]notice.Notice{left}, notices...)...)
	return c
}

// part returns the shown part. If something was left out, it also returns the numbers, and a notice that says so and
// names the file of the full output, unless the marker does. file names the output of a job, whose file is named
// elsewhere. room bounds the lines that stand out in the notice, in bytes.
func (t Text) part(file string, room int) (text string, cut *truncation.Result, left notice.Notice) {
	said := t.said()
	if !t.Cut {
		return t.Text, nil, said
	}
	if !t.Binary {
		said = notice.Join(said, notice.Redrawn(t.Over))
	}
	if said != "" {
		room -= len(said) + len(". ")
	}
	room += t.giveUp(room)
	whole := t.Result
	switch {
	case t.Binary:
		return t.Text, &whole, t.binary()
	case t.Matched && !t.Marked && !t.LastLinePartial:
		if t.Over != 0 {
			file = "the output"
		}
		left = notice.LinesBefore(t.Result, t.Before, file)
	case !t.Marked:
		if t.Truncated && t.NewlineDropped {
			t.Text += "\n" // an empty last line must not look like the blank line before the notice
		}
		one := t.TotalLines == 1
		t.TotalLines += t.Before
		if left = notice.TailLines(t.Result, t.Saved); one && t.Continues && t.LastLinePartial {
			left = notice.TailOfLine(t.Result, t.Saved)
		}
	case t.Truncated && !t.Saved.In(t.Text):
		left = notice.FullOutput(t.Saved)
	}
	if t.Document != nil && t.Saved.Err == nil {
		doc := *t.Document
		if int64(t.TotalBytes) != t.Printed { // the file has further characters, such as colors
			doc.Column = 0
		}
		left = notice.Join(left, notice.Document{Document: doc, Pretty: t.Pretty}.Notice())
	}
	if t.Strategy != truncation.Digest {
		left = notice.Join(left, t.standout(room).Notice())
		if t.Failed && t.Failing == 0 {
			left = notice.Join(left, notice.Unexplained)
		}
	}
	return t.Text, &whole, notice.Join(left, said)
}

func (t *Text) standout(room int) notice.Standout {
	return notice.Standout{Lines: t.Standout, More: t.StandoutMore, Before: !t.Marked, Room: room}
}

// giveUp shows less of the end if the lines before it that stand out need more than room. It returns how many bytes
// they gain.
func (t *Text) giveUp(room int) int {
	if t.Binary || t.Marked || t.Matched || t.Strategy != truncation.Tail || t.LastLinePartial {
		return 0
	}
	limit := t.MaxBytes
	more := min(t.standout(room).Needs(limit), len(t.Text)-1)
	if over := len(t.Text) + more - limit; more > 0 && over > 0 {
		t.Result = t.writer.Result(truncation.Limits{Bytes: truncation.AtMost(len(t.Text) - over)})
		t.MaxBytes = limit
	}
	return max(more, 0)
}

// standoutRoom returns how many bytes may name lines that stand out in each of the streams, beside the notices.
func standoutRoom(notices []notice.Notice, streams int) int {
	const rest = 280 // for the cut and its file, the exit code, brackets and blank lines
	return (notice.Allowance - rest - len(notice.Append("", notices...))) / streams
}
