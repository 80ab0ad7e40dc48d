package checkpoint

import (
	"context"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spillway-go/spillway/internal/change"
	"github.com/spillway-go/spillway/internal/checkpoint"
	"github.com/spillway-go/spillway/internal/diff"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/part"
	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/internal/textfile"
)

const (
	// maxDetails is how many changed files are described, and can be restored one by one.
	maxDetails = 100
	// maxRead bounds the contents that are read to describe changes, in bytes.
	maxRead = 32 << 20
	// maxNamedBytes bounds the names in a notice to a quarter of the room for a call's notices: enough for about ten
	// files, with room left for lines of the output that stand out.
	maxNamedBytes = notice.Allowance / 4
	maxNameChars  = 80
	// fewFiles is up to how many files a new or removed directory is described file by file.
	fewFiles = 3
)

// description describes changes. Close its contents.
type description struct {
	t        *tracking
	ctx      context.Context
	contents checkpoint.Contents
	copies   *change.Copies // of what files held, for Suite.Restore; nil to keep none
	left     int64          // bytes that may still be read
	made     map[string]altered
}

// altered is a change with both contents, if its Diff is known and no copies are kept: for those who show it.
type altered struct {
	part.Alteration
	before, after []byte
}

func (t *tracking) description(ctx context.Context, keep bool) *description {
	d := &description{t: t, ctx: ctx, contents: t.engine.Contents(), left: maxRead, made: make(map[string]altered)}
	if keep {
		d.copies = new(change.Copies)
	}
	return d
}

// described describes the changes of a call for its result.
func (t *tracking) described(ctx context.Context, changes []checkpoint.Change) (a part.Altered) {
	if len(changes) == 0 {
		return a
	}
	d := t.description(ctx, true)
	defer d.contents.Close()
	for _, c := range changes {
		if len(a.Files) < maxDetails && !isDirOnly(c) {
			a.Files = append(a.Files, d.alteration(c).Alteration)
		}
	}
	items, count := itemsOf(changes)
	said := notice.FilesChanged{Count: count}
	said.Shared = slices.ContainsFunc(changes, func(c checkpoint.Change) bool { return len(c.By) > 1 })
	room, short := maxNamedBytes, false
	for _, item := range items {
		named := named(item, d.alteration(item.Change).Alteration)
		if room -= len(named.String()); len(said.Named) > 0 && room < 0 {
			break
		}
		short = short || len(item.Path) > maxNameChars || len(item.From) > maxNameChars
		said.Named = append(said.Named, named)
	}
	if short || len(said.Named) < len(items) {
		said.All = t.list(changes)
	}
	a.Count, a.Notice = count, said.Notice()
	return a
}

// item is a change in the description: a file, or a directory made or removed with everything in it.
type item struct {
	checkpoint.Change
	within int // number of files in it
}

// itemsOf returns what is told of changes, which are in the order of their paths, and how many files that is. A
// directory without files counts as one.
func itemsOf(changes []checkpoint.Change) (items []item, count int) {
	ends, before := extents(changes)
	for i := 0; i < len(changes); {
		c := changes[i]
		i++
		if !isDirOnly(c) {
			items, count = append(items, item{Change: c}), count+1
			continue
		}
		made, gone := c.Before.Kind == checkpoint.Absent, c.After.Kind == checkpoint.Absent
		if !made && !gone { // only its mode changed
			items, count = append(items, item{Change: c}), count+1
			continue
		}
		end := ends[i-1]
		files := before[end] - before[i]
		switch {
		case files > fewFiles:
			items, count, i = append(items, item{c, files}), count+files, end
		case files == 0 && end == i:
			items, count = append(items, item{Change: c}), count+1
		}
	}
	return items, count
}

// extents returns for each change where those of what is in that directory end, and how many are of files before it. It
// takes each change once: directories may be in each other a thousand deep.
func extents(changes []checkpoint.Change) (ends, files []int) {
	ends, files = make([]int, len(changes)), make([]int, len(changes)+1)
	var open []int
	leave := func(until func(dir string) bool, at int) {
		for n := len(open); n > 0 && !until(changes[open[n-1]].Path); n-- {
			ends[open[n-1]], open = at, open[:n-1]
		}
	}
	for i, c := range changes {
		leave(func(dir string) bool { return inside(c.Path, dir) }, i)
		open = append(open, i)
		if files[i+1] = files[i]; !isDirOnly(c) {
			files[i+1]++
		}
	}
	leave(func(string) bool { return false }, len(changes))
	return ends, files
}

// inside reports whether a path is in a directory.
func inside(path, dir string) bool {
	return len(path) > len(dir) && path[len(dir)] == '/' && path[:len(dir)] == dir
}

// isDirOnly reports whether a change makes, removes or changes a directory and nothing else.
func isDirOnly(c checkpoint.Change) bool {
	dir := func(v checkpoint.Version) bool { return v.Kind == checkpoint.Dir || v.Kind == checkpoint.Absent }
	return dir(c.Before) && dir(c.After)
}

func named(i item, a part.Alteration) notice.ChangedFile {
	f := notice.ChangedFile{
		Name: shown(a.Path), Created: a.Created, Removed: a.Removed, Within: i.within, Mode: a.Mode,
		Content: i.Before.Kind == i.After.Kind && contentChanged(i.Change), BecameFromKind: otherKind(i.Change),
	}
	if i.Before.Kind == checkpoint.Dir && i.After.Kind != checkpoint.Link || i.After.Kind == checkpoint.Dir {
		f.Name += "/"
	}
	if a.From != "" {
		f.Was = shown(a.From)
	}
	if a.Target != "" {
		f.Link = shown(a.Target)
	}
	if a.Diff != nil {
		f.Added, f.Lost = a.Diff.Added, a.Diff.Removed
	}
	return f
}

func shown(path string) string { return quote.Short(quote.Name(path), maxNameChars) }

// list writes all that has changed to a file, a path on each line.
func (t *tracking) list(changes []checkpoint.Change) notice.Saved {
	var text strings.Builder
	for _, c := range changes {
		f := notice.ChangedFile{
			Name: quote.Name(c.Path), Created: c.Before.Kind == checkpoint.Absent, Removed: c.After.Kind == checkpoint.Absent,
			Content: true, BecameFromKind: otherKind(c),
		}
		if c.From != "" {
			f.Created, f.Was = false, quote.Name(c.From)
		}
		fmt.Fprintln(&text, f)
	}
	path, err := t.Spill.Shelve(text.String())
	if err != nil {
		return notice.Saved{Err: err}
	}
	return notice.Saved{Path: quote.Name(t.Workspace.Shown(path))}
}

// alteration describes a change for programs, and saves the old content for Suite.Restore.
func (d *description) alteration(c checkpoint.Change) altered {
	if a, ok := d.made[c.Path]; ok {
		return a
	}
	a := altered{Alteration: part.Alteration{
		Path: c.Path, From: c.From, Created: c.Before.Kind == checkpoint.Absent && c.From == "",
	}}
	a.Removed = c.After.Kind == checkpoint.Absent
	if len(c.By) > 1 {
		a.By = c.By
	}
	if !a.Created && !a.Removed && c.From == "" && c.Before.Kind == c.After.Kind && c.Before.Mode != c.After.Mode {
		a.Mode = octal(c.After.Mode)
	}
	if c.After.Kind == checkpoint.Link && c.From == "" {
		target, _ := d.contents.Of(c.After)
		a.Target = string(target)
	}
	d.compare(c, &a)
	d.made[c.Path] = a
	return a
}

// compare adds the difference between the old and the new content, and a copy of the old.
func (d *description) compare(c checkpoint.Change, a *altered) {
	before, knowsBefore := d.content(c.Before)
	after, knowsAfter := d.content(c.After)
	if c.From != "" { // unchanged except for its path
		before, knowsBefore = after, knowsAfter
	}
	if knowsBefore && knowsAfter && contentChanged(c) {
		a.Diff = diffOf(before, after)
	}
	if a.Diff != nil && d.copies == nil {
		a.before, a.after = before, after
	}
	if d.copies == nil || !knowsBefore || c.Before.Kind != checkpoint.File && c.From == "" || len(d.made) >= maxDetails {
		return
	}
	if !d.t.Reads(c.Path) || c.From != "" && !d.t.Reads(c.From) {
		return // models can read the copies
	}
	past := change.Past{Name: c.Path, Before: before, After: after, Gone: c.After.Kind == checkpoint.Absent}
	if c.From != "" {
		past.Name, past.Gone = c.From, true
	}
	past.Abs = filepath.Join(d.t.Workspace.Dir(), filepath.FromSlash(past.Name))
	if past.Gone || c.After.Kind == checkpoint.File && knowsAfter {
		a.Before, _ = d.t.Files.Keep(d.ctx, d.copies, past) // without it, a rewind puts the file back
	}
}

// content returns the content of a version: empty if there was no file. It is unknown if not covered or too large.
func (d *description) content(v checkpoint.Version) (content []byte, known bool) {
	if v.Kind != checkpoint.File {
		return nil, v.Kind == checkpoint.Absent
	}
	if v.Size > d.left {
		return nil, false
	}
	content, err := d.contents.Of(v)
	d.left -= int64(len(content))
	return content, err == nil
}

// octal returns permissions in the form of chmod.
func octal(m fs.FileMode) string {
	bits := m.Perm()
	for i, special := range []fs.FileMode{fs.ModeSticky, fs.ModeSetgid, fs.ModeSetuid} {
		if m&special != 0 {
			bits |= 0o1000 << i
		}
	}
	return fmt.Sprintf("%o", uint32(bits))
}

// contentChanged reports whether a file's content differs. For a file that is not covered it assumes so, unless
// something else has changed.
func contentChanged(c checkpoint.Change) bool {
	before, after := c.Before, c.After
	return c.From == "" && (before.Kind == checkpoint.File || after.Kind == checkpoint.File) &&
		(before.Whole != after.Whole || before.Kind == after.Kind && before.Mode == after.Mode)
}

// diffOf compares two texts. It returns nil if either is not text.
func diffOf(before, after []byte) *diff.Diff {
	old, ok := textOf(before)
	now, ok2 := textOf(after)
	if !ok || !ok2 {
		return nil
	}
	return diff.New(old, now)
}

func textOf(content []byte) ([]byte, bool) {
	info := textfile.Sniff(content[:min(len(content), textfile.SniffLen)])
	if info.Binary {
		return nil, false
	}
	return info.Text(content, 3*int64(len(content))) // a byte becomes at most three in UTF-8
}

// otherKind returns what a path was before, if it has become something else.
func otherKind(c checkpoint.Change) string {
	if c.Before.Kind == c.After.Kind || c.After.Kind == checkpoint.Absent {
		return ""
	}
	switch c.Before.Kind {
	case checkpoint.File:
		return "a file"
	case checkpoint.Link:
		return "a link"
	case checkpoint.Dir:
		return "a directory"
	case checkpoint.Special:
		return "a device, FIFO or socket"
	}
	return ""
}
