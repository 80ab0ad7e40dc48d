package page

import (
	"cmp"
	"path/filepath"
	"strings"

	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/internal/seen"
	"github.com/spillway-go/spillway/internal/textfile"
)

const (
	// maxSameRuns is the number of runs of lines that a receipt names. A page with more is shown.
	maxSameRuns = 8
	// maxReceipt is the number of bytes that a receipt may take of what there is for the notices of a result.
	maxReceipt = notice.Allowance / 2
)

// Receipt says how much of a page was not shown again.
type Receipt struct {
	LinesUnchanged int // lines that Text names and does not show
	LinesShown     int // the others, which it shows with their numbers
	BytesSaved     int // bytes by which Text is shorter
}

// plus returns the sum of two receipts, of which either may be nil.
func (r *Receipt) plus(other *Receipt) *Receipt {
	if r == nil || other == nil {
		return cmp.Or(r, other)
	}
	return &Receipt{
		r.LinesUnchanged + other.LinesUnchanged, r.LinesShown + other.LinesShown, r.BytesSaved + other.BytesSaved,
	}
}

// repeat remembers the page of res, which begins at a line, and replaces what was shown before of its text by a
// receipt. The page has whole lines, as the file has them.
func (r *reader) repeat(res *Result, first int, notices []notice.Notice) {
	res.Shown, res.Receipt = nil, nil
	if res.LinesCut > 0 || r.Column > 0 || r.fromEnd || res.Page == "" {
		return
	}
	path, err := filepath.EvalSymlinks(r.path.Abs)
	if err != nil {
		path = r.path.Abs
	}
	lines := strings.SplitAfter(res.Page, "\n")
	if n := len(lines) - 1; lines[n] == "" {
		lines = lines[:n]
	}
	page := seen.Page{
		Path: path, Name: r.path.Name, First: first, Total: res.TotalLines, Sums: make([]seen.LineSum, len(lines)),
	}
	for i, line := range lines {
		if r.Limits.LineNumbers {
			line = line[len(textfile.LinePrefix(first+i)):]
		}
		page.Sums[i] = seen.LineSumOf(line)
	}
	if before, ok := r.Receipts.Before(*r.since, page); ok && !r.Again {
		if page.Repeated = r.receipt(res, page, lines, before, notices); page.Repeated {
			page.Name = before.Name
		}
	}
	res.Shown = []Shown{{*r.since, page}}
}

// receipt makes the text of res a receipt, and reports whether it did: not if most of the lines are to be shown, or if
// that would take more.
func (r *reader) receipt(
	res *Result, page seen.Page, lines []string, before seen.Before, notices []notice.Notice,
) bool {
	said := notice.Repeat{Path: quote.Name(page.Name), Total: page.Total, Was: before.Total, Argument: r.argument()}
	if before.Name != page.Name {
		said.Name = quote.Name(before.Name)
	}
	var others strings.Builder
	next := 0 // the line after those that are named
	put := func(upto int) {
		for ; next < upto; next++ {
			said.Others++
			if !r.Limits.LineNumbers {
				others.WriteString(textfile.LinePrefix(page.First + next))
			}
			others.WriteString(lines[next])
		}
	}
	for _, s := range before.Same {
		put(s.First - page.First)
		next = s.Last - page.First + 1
		said.Same = append(said.Same, notice.SameLines(s))
	}
	put(len(lines))
	if n := len(said.Same); n == 0 || n > maxSameRuns ||
		2*said.Others > len(lines) || 2*others.Len() > len(res.Page) {
		return false
	}
	named := said.Notice()
	text := notice.Append(others.String(), append([]notice.Notice{named}, notices...)...)
	if len(named) > maxReceipt || len(text) >= len(res.Text) {
		return false
	}
	res.Receipt = &Receipt{len(lines) - said.Others, said.Others, len(res.Text) - len(text)}
	res.Text = text
	return true
}
