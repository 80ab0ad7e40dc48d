package truncation

import (
	"cmp"
	"slices"
	"strings"
)

// choose picks the lines to show: the first and the last one, those that stand out, and then more of both ends.
func (d *digest) choose() bool {
	first, last := d.heads(), d.tails()
	if len(first) == 0 || len(last) == 0 || !d.add(last[0], d.room.bytes) || !d.add(first[0], d.room.bytes) {
		return false
	}
	led := d.addLead(room{d.room.lines / 4, d.room.bytes / 4, 0}, leastLead)
	ends := sizeOf(first[:min(len(first), leastFirst)]) + sizeOf(last[:min(len(last), leastLast)])
	missed := d.addTelling(max(d.room.bytes*3/4, d.room.bytes-ends))
	text, _ := d.text()
	left := room{lines: d.room.lines - 1 - strings.Count(text, "\n"), bytes: d.room.bytes - len(text)}
	if !d.report.Repeats {
		behind := d.extend(last, room{left.lines / 2, left.bytes / 2, 0})
		d.extend(first, left.less(behind))
		return true
	}
	full := missed > 0 || len(text) > d.room.bytes/2
	if led && full { // lines after the failure explain less
		last = last[:min(len(last), fewLast)]
	}
	if d.unexplained() { // the reason may be at either end
		behind := d.extend(last, room{left.lines, left.bytes * 2 / 3, 0})
		d.extend(first, left.less(behind))
		return true
	}
	behind := d.extend(d.end(last, leastLast, mostLast, full), room{left.lines, left.bytes * 2 / 3, 0})
	left = left.less(behind)
	left = left.less(d.extend(d.end(first, leastFirst, mostFirst, full), left))
	if led {
		d.addLead(left, moreLead)
	}
	return true
}

// unexplained reports whether the program failed, but no line says why.
func (d *digest) unexplained() bool { return d.Failed && d.report.Failing == 0 }

// Lines shown before the last failure: at least, and if there is room.
const leastLead, moreLead = 12, 40

// addLead shows the lines before the last failure, unless it is part of the end. It reports whether it did.
func (d *digest) addLead(r room, most int) bool {
	lead := d.report.Lead
	if len(lead) == 0 || d.report.Last > d.last-leastLast {
		return false
	}
	var lines []numbered
	for _, line := range lead {
		near := d.report.Sums && line.Number > lead[0].Number-leastLast
		if l := d.line(line.Number, string(line.Text), line.Bytes); (near || !l.ordinary) && len(lines) < most {
			lines = append(lines, l)
		}
	}
	d.extend(lines, r)
	return true
}

func sizeOf(lines []numbered) (n int) {
	for _, line := range lines {
		n += len(line.text) + 1
	}
	return n
}

// maxMissed is after how many lines that did not fit the search ends: each attempt composes the text anew.
const maxMissed = 64

// addTelling shows the lines that stand out, the most important first, as long as the text has at most within bytes.
// It returns how many did not fit. The lines that explain a failure come with it, before the next failure.
func (d *digest) addTelling(within int) (missed int) {
	all := d.report.Lines
	tried := make([]bool, len(all))
	try := func(i int) {
		if !tried[i] && !d.add(d.telling[i], within) {
			missed++
		}
		tried[i] = true
	}
	for _, i := range d.report.Order() {
		if missed >= maxMissed {
			break
		}
		try(i)
		if all[i].Leader != all[i].Number {
			continue
		}
		for n := range all {
			if all[n].Leader == all[i].Leader && all[n].Explains() {
				try(n)
			}
		}
	}
	return missed
}

// extend shows more lines of an end, the outermost first, and returns the room that they take.
func (d *digest) extend(lines []numbered, r room) (taken room) {
	var more []numbered
	for _, line := range lines {
		line.text = d.prefix(line.number) + line.text
		if _, is := find(d.lines, line.number); is {
			continue
		}
		if taken.lines == r.lines || taken.bytes+len(line.text)+1 > r.bytes {
			break
		}
		taken.lines, taken.bytes = taken.lines+1, taken.bytes+len(line.text)+1
		more = append(more, line)
	}
	for {
		with := *d
		with.lines = slices.Concat(d.lines, more)
		slices.SortFunc(with.lines, func(a, b numbered) int { return cmp.Compare(a.number, b.number) })
		if len(more) == 0 || with.within(d.room.bytes) { // descriptions of gaps may have grown
			d.lines = with.lines
			return taken
		}
		last := more[len(more)-1]
		taken.lines, taken.bytes, more = taken.lines-1, taken.bytes-len(last.text)-1, more[:len(more)-1]
	}
}

// within reports whether the text fits the lines of the room and the given bytes.
func (d *digest) within(bytes int) bool {
	text, _ := d.text()
	return len(text) <= bytes && strings.Count(text, "\n") < d.room.lines
}

func (d *digest) prefix(line int) string {
	if d.Number == nil {
		return ""
	}
	return d.Number(d.before + line)
}

// add shows one more line if the text then has at most the given bytes.
func (d *digest) add(line numbered, bytes int) bool {
	line.text = d.prefix(line.number) + line.text
	at, is := find(d.lines, line.number)
	if is {
		return true
	}
	d.lines = slices.Insert(d.lines, at, line)
	if d.within(bytes) {
		return true
	}
	d.lines = slices.Delete(d.lines, at, at+1)
	return false
}
