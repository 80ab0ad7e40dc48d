package page

import (
	"context"
	"slices"
	"strings"

	"github.com/spillway-go/spillway/internal/advice"
	"github.com/spillway-go/spillway/internal/fault"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/internal/workspace"
)

type File struct {
	Path     string
	Result   *Result // without Text and Images, which the result of the call has; nil if the file was not read or shown
	Err      error   // why it could not be read
	NotShown bool    // there was no room for it
}

// minShare is the room in bytes, with header and notice, that a file must have to be shown in part.
const minShare = 512

// section is one file of several on its way into a result.
type section struct {
	path         string
	header       string
	bytes, lines int // the most that it takes, judging by its size
	said         int // of bytes, what a notice about its path takes
}

// several reads files one after the other into one result. Each gets what it needs, or an equal share of the room;
// what one leaves goes to the next.
func (v *Viewer) several(ctx context.Context, p Request, receipts Receipts) (Result, error) {
	paths := p.Paths
	if p.Path != "" && !slices.Contains(paths, p.Path) {
		paths = append([]string{p.Path}, paths...)
	}
	if p.Column > 0 && len(paths) > 1 {
		return Result{TotalLines: -1}, fault.Errorf(fault.InvalidInput,
			"column continues a line of one file: give its path alone")
	}
	out := together{
		Viewer: v, receipts: receipts, res: Result{TotalLines: -1}, bytes: v.Limits.MaxBytes, lines: v.Limits.MaxLines,
	}
	sections, err := v.sections(ctx, paths)
	if err != nil {
		return out.done(), advice.Of(advice.Reading, err, paths[0])
	}
	shown := len(sections) // files that can be shown whole, or at least begun
	for shown > 1 && fair(out.bytes, sections[:shown], bytesOf) < minShare {
		shown--
	}
	for i, sec := range sections {
		if i >= shown {
			out.leave(sec)
			continue
		}
		p.Path, p.Paths = sec.path, nil
		out.add(ctx, p, sections[i:shown])
		if err := ctx.Err(); err != nil {
			return out.done(), advice.Of(advice.Reading, err, sec.path)
		}
	}
	return out.done(), nil
}

// sections looks at the sizes of files.
func (v *Viewer) sections(ctx context.Context, paths []string) ([]section, error) {
	list := make([]section, len(paths))
	for i, path := range paths {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		header := "==> " + quote.Name(path) + " <==\n"
		sec := section{path: path, header: header, bytes: len(header) + minShare, lines: sectionLines + 1}
		if resolved, err := v.Find(path); err == nil {
			sec.said = saidOf(resolved)
			if info, err := resolved.Stat(); err == nil && info.Mode().IsRegular() && info.Size() > 0 {
				size := info.Size()
				if v.Limits.LineNumbers {
					size *= 2
				}
				sec.bytes = len(header) + 2 + sec.said + int(min(size, int64(v.Limits.MaxBytes)))
				sec.lines = sectionLines + int(min(size, int64(v.Limits.MaxLines)))
			}
		}
		list[i] = sec
	}
	return list, nil
}

func saidOf(path workspace.Path) int {
	var taken notice.Notice
	if c := path.Correction; c != nil && c.First > 0 && c.Last == 0 {
		taken = notice.LineOfPath(c.First)
	}
	return len(notice.Append(".", corrected(path, taken))) - len(".")
}

func bytesOf(s section) int { return s.bytes }
func linesOf(s section) int { return s.lines }

// fair returns the most that a section may take of a budget, so that all which want more get the same, and all others
// get what they want.
func fair(budget int, list []section, want func(section) int) int {
	left := budget
	list = slices.SortedFunc(slices.Values(list), func(a, b section) int { return want(a) - want(b) })
	for i, sec := range list {
		if share := left / (len(list) - i); want(sec) > share {
			return share
		}
		left -= want(sec)
	}
	return budget // there is enough for all
}

type together struct {
	*Viewer
	receipts     Receipts // or nil
	res          Result
	bytes, lines int // room that is left
	images       int64
	left         []string
}

const (
	// noticeRoom is the size of the notice of a page, without the file's name.
	noticeRoom = 150
	// sectionLines are the lines of a section besides those of the file: the header, the notice, and one blank line
	// before each.
	sectionLines = 4
)

// add reads the first of the remaining sections.
func (o *together) add(ctx context.Context, p Request, todo []section) {
	sec := todo[0]
	room := room{
		Bytes:     fair(o.bytes, todo, bytesOf) - len(sec.header) - 2 - sec.said,
		Lines:     fair(o.lines, todo, linesOf) - sectionLines,
		ofSeveral: true,
	}
	if sec.bytes > room.Bytes+len(sec.header)+2+sec.said {
		room.Bytes -= noticeRoom + len(sec.header)
	}
	if o.res.Text == "" {
		room.Lines = max(room.Lines, 1)
	}
	if room.Bytes < minShare/4 || room.Lines < 1 {
		o.leave(sec)
		return
	}
	res, err := o.one(ctx, p, room, o.receipts)
	file, text := File{Path: sec.path, Result: &res}, res.Text
	if err != nil {
		file.Err, file.Result = err, nil
		if text = o.Say(file.Err); res.Text != "" {
			text = notice.Paragraph(text, res.Text)
		}
	}
	whole, size := sec.header+text, 0
	if o.res.Text != "" {
		whole = notice.Paragraph(o.res.Text, whole)
	}
	for _, img := range res.Images {
		size += len(img.Data)
	}
	if len(whole) > o.Limits.MaxBytes || size > 0 && o.images > 0 && o.images+int64(size) > o.Limits.MaxImageBytes {
		o.leave(sec)
		return
	}
	o.images += int64(size)
	o.bytes = o.Limits.MaxBytes - len(whole)
	o.lines = o.Limits.MaxLines - strings.Count(whole, "\n") - 1
	above := strings.Count(whole[:len(whole)-len(res.Text)], "\n")
	o.res.Text, o.res.Images = whole, append(o.res.Images, res.Images...)
	o.res.Output = append(o.res.Output, notice.Below(above, res.Output)...)
	o.res.Notes = append(o.res.Notes, res.Notes...)
	o.res.Receipt = o.res.Receipt.plus(res.Receipt)
	res.Text, res.Images, res.Notes = "", nil, nil
	o.res.Files = append(o.res.Files, file)
}

// leave records a file without room.
func (o *together) leave(sec section) {
	o.left = append(o.left, quote.Name(sec.path))
	o.res.Files = append(o.res.Files, File{Path: sec.path, NotShown: true})
}

func (o *together) done() Result {
	for _, f := range o.res.Files {
		o.res.Limited = o.res.Limited || f.NotShown || f.Result != nil && f.Result.Limited
	}
	o.res.Text = notice.Append(o.res.Text, notice.NotShown(o.left))
	return o.res
}
