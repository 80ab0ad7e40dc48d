package tools

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/spillway-go/spillway/internal/change"
	"github.com/spillway-go/spillway/internal/diff"
	"github.com/spillway-go/spillway/internal/listing"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/quote"
)

// diffLineChars is the number of characters after which a line is cut where the model is shown what has
// changed, or why nothing has.
const diffLineChars = 500

// changeReport makes the text of a call that changes files.
type changeReport struct {
	limits  share
	read    bool            // there is the tool read
	notices []notice.Notice // of the call
	names   []notice.Notice // of paths that were corrected
}

func (cs *changes) report(lines, bytes int, files ...*change.File) changeReport {
	r := changeReport{limits: share{Lines: lines, Bytes: bytes}, read: cs.tools.has("read")}
	for _, f := range files {
		r.corrected(f)
	}
	return r
}

// corrected notes what was corrected in the path of a file.
func (r *changeReport) corrected(f *change.File) { r.names = append(r.names, corrected(f.Path)) }

// text returns what the model is told of changes: a headline, which may have several lines, the
// differences, bounded, and the notices.
func (r changeReport) text(b *Bounds, headline string, changes ...FileChange) string {
	w := listing.NewWriter(r.limits.Lines, r.limits.Bytes)
	w.WriteString(headline)
	begun := headline != ""
	put := func(text string) {
		if begun {
			w.WriteString("\n")
		}
		begun = true
		w.WriteString(text)
	}
	changes = slices.DeleteFunc(slices.Clone(changes), func(c FileChange) bool { return c.diff == nil })
	for _, c := range changes {
		if len(changes) > 1 {
			put("--- " + show(c.Path))
		}
		c.diff.Print(func(sign string, line []byte) {
			text, cut := diffLine(sign, line)
			b.linesCut = b.linesCut || cut && !w.Full()
			put(text)
		})
	}
	shown := w.Result()
	left := notice.Changes{Shown: shown.OutputLines, Total: shown.TotalLines}
	if shown.Truncated && len(changes) > 0 {
		e := excerpt{limits: r.limits, shown: shown}
		if e.begin(headline) {
			left = e.of(changes)
			shown, b.linesCut = e.shown, e.linesCut
		}
	}
	b.set(shown)
	for _, c := range changes {
		b.redacted(show(c.Path), c.secrets)
	}
	notices := append(slices.Clone(r.notices), b.redactedNotice())
	if slices.ContainsFunc(changes, func(c FileChange) bool { return c.diff.Large }) {
		notices = append(notices, notice.ChangesNotShown(diff.MaxLines, r.read))
		b.Truncated = true
	}
	if shown.Truncated {
		notices = append(notices, left.Notice(r.read))
	}
	if b.linesCut {
		notices = append(notices, notice.LongLines{Max: diffLineChars}.Notice())
	}
	return notice.Append(shown.Text, notice.Fit(append(notices, r.names...)...)...)
}

// diffLine returns a line of a difference as it is shown, and whether it is cut.
func diffLine(sign string, line []byte) (text string, cut bool) {
	text, cut = quote.Cut(shownEnd(line), diffLineChars, quote.CutMark)
	return sign + quote.ShowNULs(string(text)), cut
}

// stale refuses a change of a file that has changed since it was last shown: it returns what has
// changed, and the error.
func (r changeReport) stale(b *Bounds, f *change.File) (text string, err error) {
	err = f.Stale(func(d *diff.Diff) bool {
		text = r.text(b, "", FileChange{Path: f.Name, diff: d})
		return !d.Large && !b.Truncated && !b.linesCut
	})
	return text, err
}

// shownEnd returns a line without its newline. That there is a carriage return in front of it is
// shown, because a line may differ in nothing else.
func shownEnd(line []byte) []byte {
	line = bytes.TrimSuffix(line, []byte("\n"))
	if text, ok := bytes.CutSuffix(line, []byte("\r")); ok {
		return append(text[:len(text):len(text)], `\r`...)
	}
	return line
}

// linesChanged returns how many lines a change put in and took out.
func (c FileChange) linesChanged() string {
	switch {
	case c.LinesAdded+c.LinesRemoved == 0: // but the encoding
		return "no line changed"
	case c.LinesAdded == 0:
		return notice.Count(c.LinesRemoved, "line") + " removed"
	case c.LinesRemoved == 0:
		return notice.Count(c.LinesAdded, "line") + " added"
	}
	return fmt.Sprintf("%s added, %d removed", notice.Count(c.LinesAdded, "line"), c.LinesRemoved)
}

// sentences joins what there is to say in a headline.
func sentences(said ...string) string {
	var text strings.Builder
	for _, s := range said {
		if s != "" {
			fmt.Fprintf(&text, " %s.", s)
		}
	}
	return strings.TrimPrefix(text.String(), " ")
}

// share is what a text may take of a result.
type share struct{ Lines, Bytes int }
