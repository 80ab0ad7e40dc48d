package shapes

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"sync"
)

// A line that says by its words that something failed, or warns, holds one of these, as words in either case. Those
// that share a line share a bucket: together they let little else through.
var triggerWords = [...][]string{
	{"err", "unre"},
	{"fail", "fata", "pani", "aceb", "** ["},
	{"crit", "eror", "d-on", "exit"},
	{"aler", "emer", "egfa", "warn", "unha", "cann", "unab"},
	{"seve", "xcep", "s = ", "a ra", "n fa", "kill", "y op"},
	{"sser", "ncau", "bort", "rmit"},
	{"ause", "dump", "by p", "ce l", "n pi", "defi", "nval"},
	{"verf", "enie", "bug:"},
	{"t fo", "ed o", "ld n", "ot o"},
	{"o su", "efus", "oops"},
	{"n't ", "f me", "l tr", "o ru", "ocku", "bail"},
}

// triggerForms are the others, byte by byte: what is in front of a message, and the place in a file.
var triggerForms = [...][]form{
	{{"E", " :", " "}, {"W", ":", " "}},
	{{crossStarts, crossSeconds}},
	{{digits, ")", " "}},
	{{unlike(digits + ":;<=>? \t\r\n"), ":(", digits, digits + ":,"}},
	{{unlike(" \t\r\n"), digits, ":(", digits}, {unlike(" \t\r\n"), digits, digits, ":("}},
}

// A form lists the bytes that each of up to four may be.
type form []string

const digits = "0123456789"

// The first and the second bytes of the marks that isCross knows.
const crossStarts, crossSeconds = "\xe2\xc3", "\x9c\x9d\x97\xa8"

// unlike returns all bytes but those.
func unlike(those string) string {
	var others []byte
	for c := range 256 {
		if bytes.IndexByte([]byte(those), byte(c)) < 0 {
			others = append(others, byte(c))
		}
	}
	return string(others)
}

const (
	triggerBytes = 4
	blockSize    = 32 // positions, each of which is a bit
)

// triggers finds the places where a trigger may begin: by tables for the low and the high half of each of four bytes,
// as those of package match do, for twice as many buckets.
type triggers struct {
	masks [2][triggerBytes][2][32]byte // each half as often as a vector takes it
	bytes [triggerBytes][256]uint16    // the same for whole bytes
	words [256]uint32                  // words of four bytes, by hash
}

var theTriggers = sync.OnceValue(func() *triggers {
	t := new(triggers)
	bucket := 0
	for _, words := range triggerWords {
		for _, word := range words {
			var f form
			for _, c := range []byte(word) {
				f = append(f, string(c)+string(bytes.ToUpper([]byte{c})))
			}
			t.add(bucket, f)
			if len(word) == triggerBytes {
				t.addWord(binary.LittleEndian.Uint32([]byte(word)) | eachSpace)
			}
		}
		bucket++
	}
	for _, forms := range triggerForms {
		for _, f := range forms {
			t.add(bucket, f)
		}
		bucket++
	}
	return t
})

func (t *triggers) add(bucket int, f form) {
	for k := range triggerBytes {
		all := ""
		if k >= len(f) {
			all = unlike("")
		} else {
			all = f[k]
		}
		for _, c := range []byte(all) {
			for half, value := range []byte{c & 15, c >> 4} {
				t.masks[bucket/8][k][half][value] |= 1 << (bucket % 8)
				t.masks[bucket/8][k][half][16+value] |= 1 << (bucket % 8)
			}
		}
	}
	for k := range triggerBytes {
		for c := range 256 {
			for g := range t.masks {
				m := &t.masks[g][k]
				t.bytes[k][c] |= uint16(m[0][c&15]&m[1][c>>4]) << (8 * g)
			}
		}
	}
}

// eachSpace makes letters small, and some other characters into others.
const eachSpace = 0x20202020

func wordSlot(w uint32) uint8 { return uint8(w * 0x9e3779b1 >> 24) }

func (t *triggers) addWord(w uint32) {
	slot := wordSlot(w)
	for t.words[slot] != 0 {
		slot++
	}
	t.words[slot] = w
}

func (t *triggers) isWord(w uint32) bool {
	for slot := wordSlot(w); t.words[slot] != 0; slot++ {
		if t.words[slot] == w {
			return true
		}
	}
	return false
}

// scan is scanBlocks for any processor.
func (t *triggers) scan(b []byte, found []uint32) (blocks int) {
	if vector {
		return scanBlocks(b, &t.masks, found)
	}
	for ; blocks < len(found) && len(b) >= blockSize+triggerBytes-1; blocks++ {
		word := uint32(0)
		for i := range blockSize {
			if t.bytes[0][b[i]]&t.bytes[1][b[i+1]]&t.bytes[2][b[i+2]]&t.bytes[3][b[i+3]] != 0 {
				word |= 1 << i
			}
		}
		found[blocks], b = word, b[blockSize:]
	}
	return blocks
}

// at reports whether a trigger is at that place of whole lines, where one may begin.
func (t *triggers) at(lines []byte, i int) bool {
	b := lines[i:]
	if len(b) < triggerBytes {
		return false // with the newline, all have as many
	}
	w := binary.LittleEndian.Uint32(b) | eachSpace
	if w&0xffffff == 'e'|'r'<<8|'r'<<16 || t.isWord(w) {
		return true
	}
	switch c := b[0]; {
	case c >= 0x80 && isCross(b):
		return true
	case c == 'E' || c == 'W':
		if b[1] == ':' && b[2] == ' ' || b[1] == ' ' && b[2] == ' ' && b[3] == ' ' {
			return true
		}
	case isDigit(c) && b[1] == ')':
		return b[2] == ' ' && isItem(lines[:i])
	}
	for n := 1; n < triggerBytes; n++ {
		switch {
		case b[n] == ':' || b[n] == '(':
			return mayDiagnose(lines, i+n)
		case !isDigit(b[n]):
			return false
		}
	}
	return false
}

// isItem reports whether nothing but spaces and the beginning of a number is in front of its end.
func isItem(before []byte) bool {
	before = bytes.TrimRight(before, digits)
	before = bytes.TrimRight(before, " ")
	return len(before) == 0 || before[len(before)-1] == '\n'
}

// mayDiagnose reports whether a name and the numbers of a line and a column, of which the first begins behind that
// place, may begin a message: see reader.diagnosis.
func mayDiagnose(lines []byte, at int) bool {
	rest := lines[at+1:]
	n := 0
	for n < len(rest) && isDigit(rest[n]) {
		n++
	}
	if n == 0 || n+1 >= len(rest) || rest[n] != ':' && rest[n] != ',' || !isDigit(rest[n+1]) {
		return false
	}
	name, path := at, false
	for ; name > 0 && at-name <= maxLine; name-- {
		c := lines[name-1]
		if c == '\n' || c == ':' || c == '(' || classes[c] == blank {
			break
		}
		path = path || c == '.' || c == '/'
	}
	if !path || at-name > maxLine || name > 0 && (lines[name-1] == ':' || lines[name-1] == '(') {
		return false
	}
	return maySkip(lines[:name])
}

// maySkip reports whether what is in front of a place in its line may all be in front of its message.
func maySkip(before []byte) bool {
	before = before[max(len(before)-maxLine, 0):]
	before = before[bytes.LastIndexByte(before, '\n')+1:]
	for len(before) > 0 {
		end, digit := 0, false
		for end < len(before) && classes[before[end]] != blank {
			digit = digit || isDigit(before[end])
			end++
		}
		if word := before[:end]; end > 0 && !digit {
			switch c := word[0]; {
			case c >= 0x80 || bytes.IndexByte([]byte("|>*!#"), c) >= 0:
			case !dates[string(bytes.ToLower(bytes.Trim(word, ",.")))] && !bytes.EqualFold(word, []byte("vet:")):
				return false
			}
		}
		before = before[min(end+1, len(before)):]
	}
	return true
}

// search finds the triggers in whole lines, one after the other.
type search struct {
	*triggers
	lines  []byte
	base   int        // where the blocks begin that were scanned last
	blocks int        // of these
	block  int        // the one to look at
	found  [64]uint32 // in each block
}

// next returns the place of the next trigger, at from or behind, or the length of the lines. from may not fall.
func (s *search) next(from int) int {
	for s.base < len(s.lines) {
		for ; s.block < s.blocks; s.block++ {
			for s.found[s.block] != 0 {
				at := s.base + blockSize*s.block + bits.TrailingZeros32(s.found[s.block])
				s.found[s.block] &= s.found[s.block] - 1
				if at >= from && s.at(s.lines, at) {
					return at
				}
			}
		}
		s.base += blockSize * s.blocks
		rest := s.lines[min(s.base, len(s.lines)):]
		if s.block, s.blocks = 0, s.scan(rest, s.found[:]); s.blocks == 0 && len(rest) > 0 {
			var padded [2*blockSize + triggerBytes]byte
			copy(padded[:], rest)
			s.blocks = s.scan(padded[:], s.found[:2])
		}
	}
	return len(s.lines)
}

// has reports whether a line, of which text is the beginning, has a trigger.
func (t *triggers) has(text []byte) bool {
	s := search{triggers: t, lines: append(text[:len(text):len(text)], '\n', '\n', '\n', '\n')}
	return s.next(0) < len(text)
}
