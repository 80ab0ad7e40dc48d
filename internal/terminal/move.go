package terminal

import "slices"

// The operations here are for control sequences that are not within a line. A Filter without rows ignores them.

// betweenLines carries out a control sequence with two parameters; a missing one is 0.
func (f *Filter) betweenLines(final byte, first, second int) {
	if f.rows == nil {
		return
	}
	switch final {
	case 'A':
		f.moveRows(-max(first, 1), false)
	case 'B', 'e':
		f.moveRows(max(first, 1), false)
	case 'E':
		f.moveRows(max(first, 1), true)
	case 'F':
		f.moveRows(-max(first, 1), true)
	case 'H', 'f':
		f.enterRows()
		f.moveToRow(f.rows.home+min(max(first, 1), Rows)-1, max(second, 1)-1)
	case 'd':
		f.enterRows()
		f.moveToRow(f.rows.home+min(max(first, 1), Rows)-1, f.line.cursor)
	case 'J':
		f.eraseRows(first)
	case 'L':
		f.insertRows(max(first, 1))
	case 'M':
		f.deleteRows(max(first, 1))
	case 'r':
		f.setRegion(first, second)
	case 's':
		f.save()
	case 'u':
		f.restore()
	}
}

func (f *Filter) escaped(final byte) {
	if f.rows == nil {
		return
	}
	switch final {
	case '7':
		f.save()
	case '8':
		f.restore()
	case 'D':
		f.enterRows()
		f.feedRow(f.line.cursor)
	case 'E':
		f.enterRows()
		f.feedRow(0)
	case 'M':
		f.moveRows(-1, false)
	case 'c':
		f.rows.top, f.rows.bottom = 0, 0
		f.clearScreen()
		f.moveToRow(0, 0)
	}
}

// moveRows moves the cursor up, or down to the last row of the screen, but not out of the scrolling region.
func (f *Filter) moveRows(delta int, toStart bool) {
	f.enterRows()
	r, column := f.rows, f.line.cursor
	if toStart {
		column = 0
	}
	first, last := 0, max(r.home+Rows-1, r.at)
	if r.bottom > 0 && r.at >= r.home+r.top {
		first = r.home + r.top
	}
	if r.bottom > 0 && r.at <= r.home+r.bottom {
		last = r.home + r.bottom
	}
	f.moveToRow(min(max(r.at+delta, first), last), column)
}

// eraseRows carries out CSI J with a parameter, except for the rest of the line.
func (f *Filter) eraseRows(mode int) {
	r := f.rows
	switch mode {
	case eraseRight:
		if r.active {
			r.cut(r.at + 1)
		}
	case eraseLeft:
		f.enterRows()
		for i := r.home; i < r.at; i++ {
			r.clear(i)
		}
		f.line.erase(0, f.line.cursor+1)
	case eraseLine:
		f.clearScreen()
	}
}

// clearScreen erases the rows of the screen. The first time it passes them on, because what a script printed before it
// clears the screen may be all that it said. The cursor keeps its place.
func (f *Filter) clearScreen() {
	f.enterRows()
	r, column := f.rows, f.line.cursor
	at := max(r.at-r.home, 0)
	r.store(f)
	above := r.home
	if last := r.last(); !r.cleared && (last > 0 || len(r.all[0].cells) > 0) {
		above = last + 1
		if len(r.all[last].cells) == 0 { // no line has begun there
			above = last
		}
	}
	r.cleared = true
	f.passRows(r.all[:above], false)
	r.cut(0)
	r.all = append(r.all, r.blank(true))
	f.line = line{}
	r.at, r.home = 0, 0
	f.moveToRow(at, column)
}

// alternate switches to the alternate screen, or back. What either showed stays.
func (f *Filter) alternate() {
	if f.rows == nil {
		return
	}
	f.rows.cleared = false
	f.clearScreen()
	f.rows.cleared = false
	f.moveToRow(0, 0)
}

func (r *rows) cut(from int) {
	for i := from; i < len(r.all); i++ {
		r.drop(r.all[i])
	}
	r.all = r.all[:min(from, len(r.all))]
}

// clear blanks a row other than that of the cursor.
func (r *rows) clear(i int) {
	old := r.all[i]
	r.all[i] = r.blank(old.entered)
	r.drop(old)
}

// region returns the rows of the scrolling region, from top to before end, if the cursor is in it.
func (r *rows) region() (top, end int, in bool) {
	top, end = r.home, r.home+Rows
	if r.bottom > 0 {
		top, end = top+r.top, top+r.bottom+1
	}
	return top, end, top <= r.at && r.at < end
}

// rowsBelow prepares the rows from the cursor to the end of the region for a move of n of them. It returns their end,
// and how many can move: none if the cursor is outside of the region.
func (f *Filter) rowsBelow(n int) (r *rows, end, most int) {
	f.enterRows()
	r = f.rows
	_, end, in := r.region()
	if !in {
		return r, end, 0
	}
	r.store(f)
	return r, end, min(n, end-r.at)
}

// insertRows inserts blank rows at the cursor. The rows below move down, out of the region at its end.
func (f *Filter) insertRows(n int) {
	r, end, n := f.rowsBelow(n)
	if n == 0 {
		return
	}
	for ; n > 0; n-- {
		if end <= len(r.all) {
			r.remove(end - 1)
		}
		r.all = slices.Insert(r.all, r.at, r.blank(true))
	}
	f.line = line{}
	r.load(f, r.at, 0)
}

// deleteRows removes rows from the cursor on. The rows below move up, and blank ones follow at the end of the region.
func (f *Filter) deleteRows(n int) {
	r, end, n := f.rowsBelow(n)
	if n == 0 {
		return
	}
	for ; n > 0 && r.at < len(r.all); n-- {
		r.remove(r.at)
		if end <= len(r.all)+1 && r.bottom > 0 {
			r.all = slices.Insert(r.all, end-1, r.blank(false))
		}
	}
	if r.at == len(r.all) {
		r.all = append(r.all, r.blank(false))
	}
	r.load(f, r.at, 0)
}

// setRegion sets the rows that scroll, counted from 1, and moves the cursor to the first of the screen.
func (f *Filter) setRegion(top, bottom int) {
	f.enterRows()
	r, column := f.rows, 0
	top, bottom = max(top, 1)-1, min(bottom, Rows)-1
	r.top, r.bottom = top, bottom
	if bottom <= top || top == 0 && bottom == Rows-1 {
		r.top, r.bottom = 0, 0
	} else { // the rows below do not move when those above scroll
		column = f.line.cursor
		at := r.at
		f.moveToRow(r.home+Rows-1, 0)
		f.moveToRow(min(at, len(f.rows.all)-1), column)
	}
	f.moveToRow(r.home, 0)
}

// scrollRegion moves the rows of the scrolling region up; the cursor is in its last row. The first row of the screen
// scrolls off it, and stays above.
func (f *Filter) scrollRegion(column int) {
	r := f.rows
	top, _, _ := r.region()
	r.store(f)
	r.all = slices.Insert(r.all, r.at+1, r.blank(true))
	at := r.at + 1
	if r.top > 0 {
		r.remove(top)
		at--
	} else {
		r.home++
	}
	r.load(f, at, column)
	for len(r.all) > maxRows && r.at > 0 {
		f.scrollOff()
	}
}

func (f *Filter) save() {
	f.enterRows()
	f.rows.savedRow, f.rows.savedColumn = f.rows.at-f.rows.home, f.line.cursor
}

func (f *Filter) restore() {
	f.enterRows()
	at := f.rows.home + f.rows.savedRow
	f.moveToRow(min(max(at, 0), f.rows.home+Rows-1), f.rows.savedColumn)
}
