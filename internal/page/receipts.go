package page

import (
	"cmp"
	"path/filepath"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/notice"
)

// Receipts records what a call shows to its reader, and names what the reader was shown before.
type Receipts interface {
	// Of returns how to record lines as shown, and the receipt that replaces their text, or nil to show them.
	Of(Lines) (shown Note, text string, receipt *Receipt)
	// Forgot reports whether anything was forgotten on request since the call began.
	Forgot() bool
}

// Lines is a page of whole lines, as in the file.
type Lines struct {
	Path     string // of the file, without links
	Name     string // the name used to read it
	First    int    // number of the first line, from 1
	Total    int    // lines of the file
	Page     string // the lines
	Numbered bool   // Page has line numbers
	Text     string // the shown text: Page and Notices
	Notices  []notice.Notice
	Argument string // like reader.argument
	Again    bool   // show them even if they were shown before
}

// Note records that lines were shown, if the model gets them.
type Note struct{ Keep, Undo func() }

// Receipt says how much of a page was not shown again.
type Receipt struct {
	LinesUnchanged int // lines that Text names and does not show
	LinesShown     int // the others, which it shows with their numbers
	BytesSaved     int // bytes by which Text is shorter
}

// output returns where the text has the lines that it shows: in front of the notice that names the others.
func (r *Receipt) output() []config.Lines {
	if r.LinesShown == 0 {
		return nil
	}
	return []config.Lines{{At: 1, Count: r.LinesShown}}
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

// repeat returns the record of the page of res, which begins at line first, and its text, in which a receipt replaces
// lines shown before. The page has whole lines, as in the file.
func (r *reader) repeat(res Result, first int, notices []notice.Notice) (Note, string, *Receipt) {
	path, err := filepath.EvalSymlinks(r.path.Abs)
	if err != nil {
		path = r.path.Abs
	}
	shown, text, receipt := r.receipts.Of(Lines{
		Path: path, Name: r.path.Name, First: first, Total: res.TotalLines, Page: res.Page, Numbered: r.Limits.LineNumbers,
		Text: res.Text, Notices: notices, Argument: r.argument, Again: r.Again,
	})
	if receipt == nil {
		text = res.Text
	}
	return shown, text, receipt
}
