// Package receipt replaces lines that a reader was shown before by a text that names them.
package receipt

import (
	"strings"

	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/page"
	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/internal/textfile"
)

const (
	// maxSameRuns bounds the runs of lines that a receipt names. A page with more is shown.
	maxSameRuns = 8
	// maxReceipt is the share of the room for notices that a receipt may take, in bytes.
	maxReceipt = notice.Allowance / 2
)

// Store gives receipts. Its zero value has nothing to name. It is safe for concurrent use.
type Store struct{ Pages }

func (s *Store) Begin(reader string) page.Receipts { return call{&s.Pages, s.Pages.Begin(reader)} }

// call is a call that began at a moment.
type call struct {
	pages *Pages
	began Moment
}

func (c call) Forgot() bool { return c.pages.Forgot(c.began) }

func (c call) Of(p page.Lines) (shown page.Note, text string, given *page.Receipt) {
	lines := strings.SplitAfter(p.Page, "\n")
	if n := len(lines) - 1; lines[n] == "" {
		lines = lines[:n]
	}
	put := Page{Path: p.Path, Name: p.Name, First: p.First, Total: p.Total, Sums: make([]LineSum, len(lines))}
	for i, line := range lines {
		if p.Numbered {
			line = line[len(textfile.LinePrefix(p.First+i)):]
		}
		put.Sums[i] = LineSumOf(line)
	}
	if before, ok := c.pages.Before(c.began, put); ok && !p.Again {
		if text, given = receipt(p, lines, before); given != nil {
			put.Repeated, put.Name = true, before.Name
		}
	}
	return page.Note{Keep: func() { c.pages.Put(c.began, put) }, Undo: func() { c.pages.Drop(c.began, put) }}, text, given
}

// receipt returns the text that replaces that of a page. There is none if most of the lines are shown anyway, or if
// the receipt would be longer.
func receipt(p page.Lines, lines []string, before Before) (string, *page.Receipt) {
	said := notice.Repeat{Path: quote.Name(p.Name), Total: p.Total, Was: before.Total, Argument: p.Argument}
	if before.Name != p.Name {
		said.Name = quote.Name(before.Name)
	}
	var others strings.Builder
	shown, next := 0, 0 // next is the line after the named ones
	put := func(upto int) {
		for ; next < upto; next++ {
			shown++
			if !p.Numbered {
				others.WriteString(textfile.LinePrefix(p.First + next))
			}
			others.WriteString(lines[next])
		}
	}
	for _, s := range before.Same {
		put(s.First - p.First)
		next = s.Last - p.First + 1
		said.Same = append(said.Same, notice.SameLines(s))
	}
	put(len(lines))
	if n := len(said.Same); n == 0 || n > maxSameRuns ||
		2*shown > len(lines) || 2*others.Len() > len(p.Page) {
		return "", nil
	}
	named := said.Notice()
	text := notice.Append(others.String(), append([]notice.Notice{named}, p.Notices...)...)
	if len(named) > maxReceipt || len(text) >= len(p.Text) {
		return "", nil
	}
	return text, &page.Receipt{
		LinesUnchanged: len(lines) - shown, LinesShown: shown, BytesSaved: len(p.Text) - len(text),
	}
}
