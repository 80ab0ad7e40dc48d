package patch

import (
	"bytes"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/spillway-go/spillway/internal/edit"
	"github.com/spillway-go/spillway/internal/quote"
)

// maxBlocks bounds the blocks that @@ lines may stand for: with more, the place is ambiguous.
const maxBlocks = 1000

// find returns the one place of a hunk.
func (a *applier) find(h Hunk, e edit.Edit) (edit.Span, edit.Map, error) {
	from, err := a.after(h)
	if err != nil {
		return edit.Span{}, "", err
	}
	if h.End {
		from = max(from, a.lineFromEnd(len(h.Old())))
	}
	e.From = from
	found, count, how, err := a.look(e)
	switch {
	case err != nil:
		return edit.Span{}, "", err
	case count == 0:
		return edit.Span{}, "", a.missing(h, e)
	case count == 1:
		return found[0], how, nil
	}
	for _, parts := range a.parts(h, from) {
		place, one, err := a.only(e, parts)
		if err != nil || one {
			return place, how, err
		}
	}
	var lines []string
	for _, p := range found[:min(len(found), 5)] {
		lines = append(lines, fmt.Sprint(a.text.Line(p.Start)))
	}
	if count > len(lines) {
		lines = append(lines, "...")
	}
	return edit.Span{}, "", &Error{h.Line, fmt.Sprintf("its lines are in %d places, at lines %s. Add lines around them, "+
		"or before them @@ and the first line of the function or class", count, strings.Join(lines, ", "))}
}

// look is Text.Find, for which a last line without a newline is the same as one with it.
func (a *applier) look(e edit.Edit) (first []edit.Span, count int, how edit.Map, err error) {
	first, count, how, err = a.text.Find(a.ctx, e)
	if err != nil || a.ended || e.To != 0 && e.To != len(a.body) {
		return first, count, how, err
	}
	last := edit.Span{Start: a.lineFromEnd(strings.Count(e.Old, "\n")), End: len(a.body)}
	switch {
	case last.Start < e.From || string(a.body[last.Start:])+"\n" != e.Old:
	case how == edit.Exact:
		first, count = append(first, last), count+1
	default:
		first, count, how = []edit.Span{last}, 1, edit.Exact
	}
	return first, count, how, nil
}

// parts returns the parts of the file in which to look for a hunk that has several places: by its line numbers, by its
// @@ lines, and after the previous hunk.
func (a *applier) parts(h Hunk, from int) (parts [][]edit.Span) {
	if h.At > 0 {
		start := a.lineAt(h.At)
		end := start
		for range h.Old() {
			end = a.nextLine(end)
		}
		parts = append(parts, []edit.Span{{Start: start, End: end}})
	}
	if len(h.After) > 0 {
		parts = append(parts, a.blocks(h.After))
	}
	return append(parts, []edit.Span{{Start: max(from, a.last), End: len(a.body)}})
}

// only returns the place of an edit if some parts of the file have only one between them.
func (a *applier) only(e edit.Edit, parts []edit.Span) (place edit.Span, one bool, err error) {
	if len(parts) > maxBlocks {
		return place, false, nil
	}
	for _, part := range parts {
		if part.Start == part.End {
			continue
		}
		e.From, e.To = part.Start, part.End
		found, count, _, err := a.look(e)
		if err != nil || count > 1 || one && count == 1 && found[0] != place {
			return place, false, err
		}
		if count == 1 {
			place, one = found[0], true
		}
	}
	return place, one, nil
}

// missing returns the error for a hunk that was not found after its @@ line or at the end of the file.
func (a *applier) missing(h Hunk, e edit.Edit) error {
	e.From = 0
	found, count, _, err := a.look(e)
	switch {
	case err != nil:
		return err
	case count == 0:
		return &MissingError{h.Line, e.Old, e.New}
	}
	why := "before its @@ line. Leave that out, or give one before them"
	if h.End {
		why = "not at the end of the file. Leave out *** End of File"
	}
	return &Error{h.Line, fmt.Sprintf("its lines are at line %d, %s", a.text.Line(found[0].Start), why)}
}

// after returns the start of the first line that the last @@ line of a hunk may stand for.
func (a *applier) after(h Hunk) (int, error) {
	at, next := 0, 0
	for _, text := range h.After {
		if at = a.findLine(text, next, len(a.body)); at < 0 {
			return 0, &Error{h.Line, fmt.Sprintf("its @@ line %q is not in the file. "+
				"Write it as the file has it, or leave it out", quote.Short(text, maxQuoted))}
		}
		next = a.nextLine(at)
	}
	return at, nil
}

// blocks returns the blocks that @@ lines may stand for: the last of them and the lines below that are indented deeper.
func (a *applier) blocks(after []string) []edit.Span {
	blocks := []edit.Span{{Start: 0, End: len(a.body)}}
	for _, text := range after {
		var inner []edit.Span
		for _, b := range blocks {
			at := a.findLine(text, b.Start, b.End)
			for at >= 0 && len(inner) <= maxBlocks && a.ctx.Err() == nil {
				inner = append(inner, edit.Span{Start: at, End: a.block(at, b.End)})
				at = a.findLine(text, a.nextLine(at), b.End)
			}
		}
		blocks = inner
	}
	return blocks
}

// block returns the end of the block that a line begins: the start of the next line that is indented no deeper and does
// not begin with a bracket.
func (a *applier) block(at, end int) int {
	indent := func(line []byte) int { return len(line) - len(bytes.TrimLeft(line, " \t")) }
	deep := indent(a.body[at:a.nextLine(at)])
	for at = a.nextLine(at); at < end; at = a.nextLine(at) {
		line := a.body[at:a.nextLine(at)]
		text := bytes.TrimSpace(line)
		if len(text) > 0 && indent(line) <= deep && !bytes.ContainsAny(text[:1], "{}()[]") {
			return at
		}
	}
	return end
}

// findLine returns the start of the first line that is text, but for white space around it, or else of the first that
// begins with text as a whole word. It returns -1 if there is neither.
func (a *applier) findLine(text string, from, end int) int {
	for _, whole := range []bool{true, false} {
		for at := from; at < end; {
			i := bytes.Index(a.body[at:end], []byte(text))
			if i < 0 {
				break
			}
			at += i
			start := bytes.LastIndex(a.body[:at], a.eol) + 1
			line := bytes.TrimSpace(a.body[start:a.nextLine(at)])
			rest, ok := bytes.CutPrefix(line, []byte(text))
			next, _ := utf8.DecodeRune(rest)
			inWord := next == '_' || unicode.IsLetter(next) || unicode.IsDigit(next)
			if ok && start >= from && (len(rest) == 0 || !whole && !inWord) {
				return start
			}
			at = a.nextLine(at)
		}
	}
	return -1
}

// nextLine returns where the line after that of a place begins.
func (a *applier) nextLine(at int) int {
	if i := bytes.Index(a.body[at:], a.eol); i >= 0 {
		return at + i + 1
	}
	return len(a.body)
}

// lineAt returns where the line of a number, from 1, begins.
func (a *applier) lineAt(number int) int {
	at := 0
	for ; number > 1 && at < len(a.body); number-- {
		at = a.nextLine(at)
	}
	return at
}

// lineFromEnd returns where the last n lines begin.
func (a *applier) lineFromEnd(n int) int {
	at := len(a.body)
	for ; n > 0 && at > 0; n-- {
		at = bytes.LastIndex(bytes.TrimSuffix(a.body[:at], a.eol), a.eol) + 1
	}
	return at
}
