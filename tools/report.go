package tools

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/spillway-go/spillway/internal/diff"
	"github.com/spillway-go/spillway/internal/notice"
)

// report returns what the model is told of changes: a headline, which may have several lines, and the
// differences, bounded.
func (t *turn) report(b *Bounds, headline string, changes ...FileChange) string {
	w, most := head(t.limits.Lines, t.limits.Bytes).NewWriter(), t.suite.cfg.Grep.MaxLineChars
	w.WriteString(headline)
	begun := headline != ""
	put := func(text string) {
		if begun {
			w.WriteString("\n")
		}
		begun = true
		w.WriteString(text)
	}
	for _, c := range changes {
		if c.diff == nil {
			continue
		}
		if len(changes) > 1 {
			put("--- " + show(c.Path))
		}
		c.diff.Print(func(sign string, line []byte) {
			line, cut := cutLine(shownEnd(line), most, cutMark)
			b.linesCut = b.linesCut || cut && !w.Full()
			put(sign + string(line))
		})
	}
	shown := w.Result()
	b.set(shown)
	var told []notice.Notice
	if slices.ContainsFunc(changes, func(c FileChange) bool { return c.diff != nil && c.diff.Large }) {
		told = append(told, notice.ChangesNotShown(diff.MaxLines))
		b.Truncated = true
	}
	if shown.Truncated {
		told = append(told, notice.ChangesCut(shown.OutputLines, shown.TotalLines, t.suite.tool("read") != nil))
	}
	if b.linesCut {
		told = append(told, notice.LongLines{Max: most}.Notice())
	}
	return notice.Append(shown.Text, told...)
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
