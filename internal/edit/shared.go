package edit

import (
	"hash/maphash"
	"strings"
	"unicode/utf8"

	"github.com/spillway-go/spillway/internal/diff"
)

// units is a text divided into the characters that an edit keeps or replaces. White space at the end of a line belongs
// to the line ending.
type units struct {
	text   string
	ends   []int    // the end of each unit in the text
	folded []int    // the end of its normal form in that of the text
	sums   []uint64 // equal for equal units
	lines  []int    // the number of units up to the end of each line
	large  bool     // each line is one unit, because characters would take too much memory
	begun  bool     // the line of the last unit continues
}

// maxShared is the largest size of Old and New together that are compared by characters, each of which takes 24 bytes.
const maxShared = 1 << 20

var seed = maphash.MakeSeed()

func (u *units) add(end, folded int, key string) {
	n, sum := len(u.ends), maphash.String(seed, key)
	switch {
	case u.begun:
		u.ends[n-1], u.folded[n-1] = end, u.folded[n-1]+folded
		u.sums[n-1] = maphash.Comparable(seed, [2]uint64{u.sums[n-1], sum})
	case n > 0:
		folded += u.folded[n-1]
		fallthrough
	default:
		u.ends, u.folded, u.sums = append(u.ends, end), append(u.folded, folded), append(u.sums, sum)
	}
	ended := strings.HasSuffix(key, "\n")
	if u.begun = u.large && !ended; ended {
		u.lines = append(u.lines, len(u.ends))
	}
}

// inCharacters divides a text into its characters. Whatever a fold changes counts as one. With literal, white space
// after the last line ending is the beginning of a line.
func inCharacters(text string, f fold, literal, large bool) *units {
	u, rest := &units{text: text, large: large}, ""
	if last := text[strings.LastIndexByte(text, '\n')+1:]; literal && strings.Trim(last, " \t") == "" {
		text, rest = text[:len(text)-len(last)], last
	}
	start, body := 0, []byte(text) // start of the white space that belongs to the next unit
	for at := 0; at < len(text); {
		size, part, same := f(body, at)
		switch {
		case same:
			u.characters(text[at:at+size], at)
			start = at + size
		case string(part) == "\n": // all line endings are equal
			u.add(at+size, 1, text[start:at]+"\n")
			start = at + size
		case len(part) > 0:
			u.add(at+size, len(part), text[start:at+size])
			start = at + size
		}
		at += size
	}
	if start < len(text) {
		u.add(len(text), 0, text[start:]+"\x00") // must differ from white space within a line
	}
	u.characters(rest, len(text))
	return u
}

// characters adds the characters of a part that the fold does not change.
func (u *units) characters(part string, at int) {
	for len(part) > 0 {
		_, n := utf8.DecodeRuneInString(part)
		at += n
		u.add(at, n, part[:n])
		part = part[n:]
	}
}

// start returns where a unit begins, or where the last one ends.
func (u *units) start(i int) int {
	if i == 0 {
		return 0
	}
	return u.ends[i-1]
}

func (u *units) line(i int) int {
	switch {
	case i == 0:
		return 0
	case i > len(u.lines): // the last line has no ending
		return len(u.ends)
	}
	return u.lines[i-1]
}

// lineSums returns a sum for each line, equal for equal lines.
func (u *units) lineSums() (sums []uint64) {
	for i, from := 0, 0; from < len(u.sums); i++ {
		var h maphash.Hash
		h.SetSeed(seed)
		for _, sum := range u.sums[from:u.line(i+1)] {
			maphash.WriteComparable(&h, sum)
		}
		sums = append(sums, h.Sum64())
		from = u.line(i + 1)
	}
	return sums
}

// run says that units of New replace units of Old.
type run struct{ from, to, newFrom, newTo int }

// outer returns the one run between the common beginning and the common end of two texts.
func outer(from, to *units) []run {
	return trimmed(from.sums, to.sums, run{0, len(from.sums), 0, len(to.sums)})
}

// runs compares two texts line by line, and the lines that differ by their units.
func runs(from, to *units) (list []run) {
	a, b := from.lineSums(), to.lineSums()
	for _, l := range trimmed(a, b, run{0, len(a), 0, len(b)}) {
		diff.Compare(a[l.from:l.to], b[l.newFrom:l.newTo], func(x, y, ax, by int) {
			lines := run{from.line(l.from + x), from.line(l.from + ax), to.line(l.newFrom + y), to.line(l.newFrom + by)}
			for _, r := range trimmed(from.sums, to.sums, lines) {
				diff.Compare(from.sums[r.from:r.to], to.sums[r.newFrom:r.newTo], func(x, y, ax, by int) {
					list = append(list, run{r.from + x, r.from + ax, r.newFrom + y, r.newFrom + by})
				})
			}
		})
	}
	return list
}

// trimmed returns a run without the units that both sides begin and end with, or nil if nothing is left.
func trimmed(from, to []uint64, r run) []run {
	for r.from < r.to && r.newFrom < r.newTo && from[r.from] == to[r.newFrom] {
		r.from, r.newFrom = r.from+1, r.newFrom+1
	}
	for r.from < r.to && r.newFrom < r.newTo && from[r.to-1] == to[r.newTo-1] {
		r.to, r.newTo = r.to-1, r.newTo-1
	}
	if r.from == r.to && r.newFrom == r.newTo {
		return nil
	}
	return []run{r}
}

// widened extends runs to boundaries that the file has too: at is the place in the file of each boundary of a unit of
// Old, or -1. The added units are equal in Old and New. Runs that meet become one.
func widened(list []run, at []int) (wide []run) {
	for i := 0; i < len(list); i++ {
		r := list[i]
		for at[r.from] < 0 {
			r.from, r.newFrom = r.from-1, r.newFrom-1
		}
		for {
			for i+1 < len(list) && list[i+1].from <= r.to {
				i++
				r.to, r.newTo = list[i].to, list[i].newTo
			}
			if at[r.to] >= 0 {
				break
			}
			r.to, r.newTo = r.to+1, r.newTo+1
		}
		wide = append(wide, r)
	}
	return wide
}
