package capture

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spillway-go/spillway/internal/mask"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/truncation"
)

// Text is the bounded text of a stream, or of a part of it.
type Text struct {
	truncation.Result
	Printed    int64          // the size of the raw output in bytes
	Before     int            // lines of the stream shown before
	Over       int            // how many more lines the raw output has than were shown, up to the end of the text
	Unfinished string         // the last line, quoted, if it has no end yet
	Repeated   bool           // Unfinished was shown before, and is not in the text
	Continues  bool           // the text begins within the line that was unfinished before
	Matched    bool           // it is a part from TakeUntil
	Marked     bool           // a marker is at a cut
	Cut        bool           // something was omitted or not captured
	Failed     bool           // the command failed, and the reason should be here
	Saved      notice.Saved   // the file with all of it, if Cut
	Pretty     string         // for a JSON document on one line, a file with a line for each value; else ""
	Redacted   []mask.Finding // the secrets that placeholders replace
	NotText                   // what is not text in it

	stream *stream
	writer *truncation.Writer
}

// LastLine returns the last line of all streams, as in a [Match].
func LastLine(shown []Text) string {
	for _, t := range slices.Backward(shown) {
		if text := strings.TrimSuffix(t.Text, "\n"); text != "" {
			return visible(text[strings.LastIndexByte(text, '\n')+1:])
		}
	}
	return ""
}

// show returns what is new in the views of a reader, which share the limits.
func (o *Output) show(views []*view, limits truncation.Limits, ongoing, keep bool) []Text {
	texts := make([]Text, len(views))
	for i, v := range views {
		s := o.streams[i]
		if ongoing {
			if _, err := s.spill.Publish(); err != nil {
				s.err = err // the file was removed
			}
		}
		if o.failed && i == len(views)-1 { // with separate streams, the reason is in stderr
			v.shown.Fail()
		}
		texts[i] = v.take(ongoing || v.read < s.spill.Size())
		texts[i].Failed = o.failed && i == len(views)-1
		if o.published {
			v.begin(o.Policy)
		}
		if s.mask != nil {
			texts[i].Redacted = s.mask.Findings(v.secrets)
			v.secrets = s.mask.Count()
		}
		texts[i].bound(keep)
	}
	if o.Split { // the streams share the limits, which include the path of a saved one
		first, second := halves(limits, texts[0].Result, texts[1].Result)
		texts[0].bound(keep, first)
		texts[1].bound(keep, second)
	}
	return texts
}

// bound bounds the text, and keeps the file if something was omitted or keep is set.
func (t *Text) bound(keep bool, lower ...truncation.Limits) {
	s := t.stream
	if t.Result = t.writer.Result(lower...); t.Binary {
		t.showBytes(lower)
	}
	t.Cut = t.Truncated || keep && s.spill.Size() > 0
	if t.Cut || t.Likely != "" {
		t.Saved.Path, t.Saved.Err = s.save()
	}
	if t.Document != nil && t.Document.OneLine && t.Saved.Err == nil && int64(t.TotalBytes) == t.Printed {
		t.Pretty = s.pretty()
	}
}

// halves divides the limits l between two texts, each of which was bounded by l: each gets half, at least 1, and what
// the other does not need.
func halves(l truncation.Limits, a, b truncation.Result) (forA, forB truncation.Limits) {
	divide := func(total truncation.Limit, needA, needB int) (forA, forB truncation.Limit) {
		all, half := int(total), int(total)/2
		switch {
		case all <= 0:
			return total, total
		case needA <= all-needB:
			// What neither needs is divided too: a text that another limit cuts gets a marker, which may be longer
			// than the text that it replaces.
			needA += (all - needA - needB) / 2
		case needA <= half:
		case needB <= half:
			needA = all - needB
		default:
			return truncation.AtMost(max(half, 1)), truncation.AtMost(all - half)
		}
		return truncation.AtMost(needA), truncation.AtMost(all - needA)
	}
	forA.Lines, forB.Lines = divide(l.Lines, max(notice.Lines(a.Text), a.OutputLines), max(notice.Lines(b.Text), b.OutputLines))
	forA.Bytes, forB.Bytes = divide(l.Bytes, len(a.Text), len(b.Text))
	forA.Chars, forB.Chars = divide(l.Chars, utf8.RuneCountInString(a.Text), utf8.RuneCountInString(b.Text))
	return forA, forB
}
