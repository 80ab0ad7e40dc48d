package terminal

import (
	"bytes"
	"slices"
)

const (
	// Rows is the height of the screen, by which programs name its lines. It is that of a job's terminal.
	Rows = 40

	// maxRows is the number of lines to which the cursor can move up. Programs that draw more lines than a screen has
	// are written for pipes.
	maxRows = 200

	// maxCells bounds the cells and marks, of eight bytes each, of all lines together, except the line of the cursor.
	maxCells = 32 << 10

	// largeRow is the number of cells from which the memory of a line is not reused: a little over maxColumn.
	largeRow = 1 << 10
)

type row struct {
	line
	entered bool    // by a newline
	shown   *string // the text passed on for it; nil for none
}

// rows are the lines of a Screen. They are kept from the first movement between lines until none has come for maxRows
// lines. The line of the cursor is that of the Filter.
type rows struct {
	active bool
	all    []*row
	home   int // the first row of the screen
	at     int // the row of the cursor
	cells  int // of the other rows
	idle   int // lines since the last movement
	spare  []*row

	cleared     bool // the screen was cleared before
	savedRow    int  // from the first row of the screen
	savedColumn int
	top, bottom int // the scrolling region, from the first row of the screen; bottom is 0 for none

	newlines int // received, or in the text kept back
	ended    int // passed on
}

// inRows reports whether the unfinished line is one of several that can be changed.
func (f *Filter) inRows() bool { return f.rows != nil && f.rows.active }

// enterRows makes rows of the text kept back. Then the line of the Filter, which is dirty, is the last of them.
func (f *Filter) enterRows() {
	r := f.rows
	r.idle = 0
	if r.active {
		return
	}
	f.makeDirty()
	from := len(f.buffer) // of the last lines
	for n := 1; n < maxRows && from > 0 && f.buffer[from-1] == '\n'; n++ {
		begin := bytes.LastIndexByte(f.buffer[:from-1], '\n') + 1
		if len(f.buffer)-begin > keptBytes {
			break
		}
		from = begin
	}
	r.active, r.all, r.cells = true, nil, 0
	for line := range bytes.Lines(f.buffer[from:]) {
		added := &row{entered: true}
		added.write(bytes.TrimSuffix(line, []byte("\n")))
		r.all = append(r.all, added)
		r.cells += added.size()
		r.newlines++
	}
	r.at = len(r.all)
	r.all = append(r.all, &row{entered: true})
	r.home = max(len(r.all)-Rows, 0)
	f.buffer, f.start = f.buffer[:from], from
	f.release(from)
}

// leaveRows passes on all rows. If the cursor is in the last one, more text continues there, else in a line of its
// own.
func (f *Filter) leaveRows(more bool) {
	r := f.rows
	r.store(f)
	last := r.last()
	f.passRows(r.all[:last+1], !more || r.at == last)
	f.line.reset()
	*r = rows{spare: r.spare, cleared: r.cleared, newlines: r.newlines, ended: r.ended}
	f.dirty, f.returned, f.start = false, false, len(f.buffer)
}

// passRows passes rows on. open says that the last one is not finished.
func (f *Filter) passRows(list []*row, open bool) {
	text, ended := appendRows(f.buffer, list, open)
	f.buffer, f.start = text, len(text)
	f.rows.ended += ended
}

// appendRows appends the text of rows to b, without rows that were passed on, and returns its number of newlines. open
// says that the last row is not finished.
func appendRows(b []byte, list []*row, open bool) (text []byte, newlines int) {
	for i, r := range list {
		begin := len(b)
		b = r.appendTo(b)
		if r.shown != nil && *r.shown == string(b[begin:]) {
			b = b[:begin]
		} else if !open || i < len(list)-1 {
			b = append(b, '\n')
			newlines++
		}
	}
	return b, newlines
}

// showRows passes on all rows but the last one, and keeps them.
func (f *Filter) showRows() {
	r := f.rows
	r.store(f)
	above := r.all[:r.last()]
	f.passRows(above, false)
	for _, row := range above {
		text := string(row.appendTo(nil))
		row.shown = &text
	}
	r.load(f, r.at, f.line.cursor)
}

// last returns the last row that is not blank or that a newline has entered. The line of the Filter must be stored.
func (r *rows) last() int {
	for i := len(r.all) - 1; i > 0; i-- {
		if r.all[i].entered || len(r.all[i].cells) > 0 {
			return i
		}
	}
	return 0
}

func (r *rows) blank(entered bool) *row {
	n := len(r.spare) - 1
	if n < 0 {
		return &row{entered: entered}
	}
	blank := r.spare[n]
	r.spare = r.spare[:n]
	blank.entered = entered
	return blank
}

// remove removes a row other than that of the cursor.
func (r *rows) remove(i int) {
	r.drop(r.all[i])
	r.all = slices.Delete(r.all, i, i+1)
}

// drop takes a row that is not shown any more, to reuse its memory.
func (r *rows) drop(old *row) {
	r.cells -= old.size()
	if len(r.spare) == Rows || cap(old.cells) > largeRow || cap(old.marks) > largeRow {
		return
	}
	old.reset()
	old.entered, old.shown = false, nil
	r.spare = append(r.spare, old)
}

// size returns how much of maxCells a line takes.
func (l *line) size() int { return len(l.cells) + len(l.marks) }

// store puts the line of the Filter into its row. load must follow.
func (r *rows) store(f *Filter) {
	r.all[r.at].line = f.line
	r.cells += f.line.size()
}

// load moves the cursor to a row that exists.
func (r *rows) load(f *Filter, at, column int) {
	r.at = at
	f.line = r.all[at].line
	r.all[at].line = line{}
	r.cells -= f.line.size()
	f.line.cursor = min(column, max(len(f.line.cells), maxColumn))
}

// moveToRow moves the cursor to a row, made if needed, and to a column.
func (f *Filter) moveToRow(at, column int) {
	r := f.rows
	r.store(f)
	for len(r.all) <= at {
		r.all = append(r.all, r.blank(false))
	}
	r.home = max(r.home, len(r.all)-Rows)
	r.load(f, at, column)
	for (len(r.all) > maxRows || r.cells > maxCells) && r.at > 0 {
		f.scrollOff()
	}
	if r.cells > maxCells {
		f.leaveRows(true)
	}
}

// scrollOff passes on the first row, which must not be that of the cursor.
func (f *Filter) scrollOff() {
	r := f.rows
	f.passRows(r.all[:1], false)
	r.remove(0)
	r.at--
	r.home = max(r.home-1, 0)
}

func (f *Filter) passInRows(text []byte) {
	for {
		n := bytes.IndexByte(text, '\n')
		if n < 0 {
			f.overwrite(text)
			return
		}
		f.overwrite(text[:n])
		if !f.inRows() {
			f.pass(text[n:], false)
			return
		}
		f.newline()
		text = text[n+1:]
		if !f.inRows() {
			f.pass(text, false)
			return
		}
	}
}

func (f *Filter) newline() {
	f.rows.newlines++
	f.feedRow(0)
}

// feedRow moves the cursor down to a column of the next row, which is new at the end of the screen.
func (f *Filter) feedRow(column int) {
	r := f.rows
	if r.bottom > 0 && r.at == r.home+r.bottom {
		f.scrollRegion(column)
		return
	}
	added := r.at == len(r.all)-1
	if r.bottom > 0 && r.at == r.home+Rows-1 {
		return // below the region nothing scrolls
	}
	f.moveToRow(r.at+1, column)
	if !f.inRows() {
		return
	}
	r.all[r.at].entered = true
	if r.idle++; added && r.idle > maxRows {
		f.leaveRows(true)
	}
}
