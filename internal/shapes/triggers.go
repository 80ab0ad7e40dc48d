package shapes

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"strings"
	"sync"
	"unicode/utf8"
)

// A bucket holds triggers that are found together. In each position, the tables of a bucket accept any low half of its
// bytes with any high half, so triggers that together let little else of prose and programs through share a bucket.
type bucket struct {
	words []string // in either case; ^ means only at the beginning of a word
	forms []form   // others
}

// buckets hold a trigger for each line whose words report a failure or warn: part of a word, a mark before a message,
// or a place in a file.
var buckets = [16]bucket{
	{words: []string{"err"}},
	{words: []string{"^pani", "sser", "ocku", "^cann"}},
	{words: []string{"^crit", "^eror", "^exit", "defi", `l":4`, `l":5`, `l":6`}},
	{words: []string{"by p", "bort", "^oops", "ot o", "^miss", "^bad "}},
	{words: []string{"^aler", "^emer", "aceb", "ce l", "^kill", "^malf"}},
	{words: []string{"^unre", "egfa", "^seve", "^unha", "verf", "enie", "^unab", "^unkn"}},
	{words: []string{"xcep", "n fa", "t fo", "y op"}},
	{words: []string{"ncau", "n pi", "f me", "nval", "nfli", "nexp", "^ille", "^xpas"}},
	{words: []string{"^fail", "^fata", "^bail", "a ra", "rmit", "rmin"}},
	{words: []string{"s = ", "o su", "n't ", "l tr"}},
	{words: []string{"efus", "** [", " [x]", "ed o", "^warn", "ld n"}},
	{words: []string{"ause", "dump", "d-on", "^bug:", "^rule", "^dupl"}},
	{forms: append(crossForms(3), form{"!", " ", letter + "["})},
	{forms: []form{{endsNames, ":(", digits, digits + ":,"}}},
	{forms: append(crossForms(2), form{"W", ":", " "}, form{"E", " :", " "})},
	{forms: []form{{" " + digits, digits, ")", " "}}},
}

// A form lists the possible bytes of each of up to four positions.
type form []string

const digits = "0123456789"

const letter = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

// crossForms returns the beginnings of the marks of isCross with characters of size bytes.
func crossForms(size int) (all []form) {
	for _, cross := range crosses {
		if _, n := utf8.DecodeRune(cross); n == size {
			all = append(all, form{string(cross[:1]), string(cross[1:2]), string(cross[2:3])})
		}
	}
	return all
}

// endsNames are the last bytes of file names before a place. Other bytes stand before colons in times and JSON.
var endsNames = func() string {
	var all []byte
	for c := range 256 {
		if b := byte(c); classes[b]&(lower|upper) != 0 || b == '_' {
			all = append(all, b)
		}
	}
	return string(all)
}()

const (
	triggerBytes = 4
	blockSize    = 64 // positions, one per bit
)

// triggers finds the places where a trigger may begin. It uses tables for the low and the high half of each of four
// bytes, as package match does, for twice as many buckets.
type triggers struct {
	masks [2][triggerBytes][2][32]byte // each half repeated to fill a vector
	bytes [triggerBytes][256]uint16    // the same for whole bytes
	kinds [1 << hashBits]hashed        // what may begin with four bytes, by their hash

	// first and second have a bit for each form with a byte in its first or second place.
	first, second [256]uint16
}

// hashed describes the words with a hash.
type hashed uint8

const (
	noWord    hashed = iota
	wordPart         // a trigger anywhere
	wordStart        // a trigger at the beginning of a word
	errorName        // a trigger if isErr says so
)

const hashBits = 14

var theTriggers = sync.OnceValue(func() *triggers {
	t := new(triggers)
	forms := 0
	for i, b := range buckets {
		for _, word := range b.words {
			var f form
			word, begins := strings.CutPrefix(word, "^")
			for _, c := range []byte(word) {
				f = append(f, string(c)+string(bytes.ToUpper([]byte{c})))
			}
			t.add(i, f)
			switch {
			case len(word) < triggerBytes:
				for c := range 256 {
					t.addWord(word+string([]byte{byte(c)}), errorName)
				}
			case begins:
				t.addWord(word, wordStart)
			default:
				t.addWord(word, wordPart)
			}
		}
		for _, f := range b.forms {
			t.add(i, f)
			t.note(f, forms)
			forms++
		}
	}
	t.join()
	return t
})

// add adds a form to a bucket. Any byte may follow a short one.
func (t *triggers) add(bucket int, f form) {
	for k := range triggerBytes {
		set := func(c byte) {
			for half, value := range []byte{c & 15, c >> 4} {
				t.masks[bucket/8][k][half][value] |= 1 << (bucket % 8)
				t.masks[bucket/8][k][half][16+value] |= 1 << (bucket % 8)
			}
		}
		if k < len(f) {
			for _, c := range []byte(f[k]) {
				set(c)
			}
			continue
		}
		for c := range 256 {
			set(byte(c))
		}
	}
}

// join combines the tables for halves into tables for whole bytes.
func (t *triggers) join() {
	for k := range triggerBytes {
		for c := range 256 {
			for g := range t.masks {
				m := &t.masks[g][k]
				t.bytes[k][c] |= uint16(m[0][c&15]&m[1][c>>4]) << (8 * g)
			}
		}
	}
}

// eachSpace makes letters lower-case, and changes some other characters.
const eachSpace = 0x20202020

func wordHash(w uint32) uint32 { return w * 0x9e3779b1 >> (32 - hashBits) }

// addWord adds a word of four bytes. Words of different kinds with the same hash are found anywhere.
func (t *triggers) addWord(word string, k hashed) {
	h := wordHash(binary.LittleEndian.Uint32([]byte(word)) | eachSpace)
	if t.kinds[h] != noWord && t.kinds[h] != k {
		k = wordPart
	}
	t.kinds[h] = k
}

// note records the first two bytes of form n.
func (t *triggers) note(f form, n int) {
	for _, c := range []byte(f[0]) {
		t.first[c] |= 1 << n
	}
	for _, c := range []byte(f[1]) {
		t.second[c] |= 1 << n
	}
}

// beginsWord reports whether a phrase may begin at a place.
func beginsWord(lines []byte, i int) bool {
	if i == 0 || !isWordByte(lines[i-1]) || lines[i-1] == '.' {
		return true
	}
	return lines[i-1] == 'm' && i > 1 && (isDigit(lines[i-2]) || lines[i-2] == '[') // a color sequence precedes it
}

// isErr reports whether a word beginning with "err" is here, or the end of the name of an error.
func isErr(lines []byte, i int) bool {
	const rest = len("error")
	if beginsWord(lines, i) || len(lines) > i+rest && (!isWordByte(lines[i+rest]) || lines[i+rest] == '.' || lines[i+rest] == '/') {
		return true
	}
	start := i + rest - maxLine // where the line begins if only maxLine bytes are examined
	return start == 0 || start > 0 && lines[start-1] == '\n' && bytes.IndexByte(lines[start:i], '\n') < 0
}

// scan is scanBlocks for any processor.
func (t *triggers) scan(b []byte, found []uint64) (blocks int) {
	if vector {
		return scanBlocks(b, &t.masks, found)
	}
	for ; blocks < len(found) && len(b) >= blockSize+triggerBytes-1; blocks++ {
		word := uint64(0)
		for i := range blockSize {
			if t.bytes[0][b[i]]&t.bytes[1][b[i+1]]&t.bytes[2][b[i+2]]&t.bytes[3][b[i+3]] != 0 {
				word |= 1 << i
			}
		}
		found[blocks], b = word, b[blockSize:]
	}
	return blocks
}

// at reports whether a trigger is at a place where one may begin.
func (t *triggers) at(lines []byte, i int) bool {
	b := lines[i:]
	if len(b) < triggerBytes {
		return false // all triggers have that many bytes, with the newline
	}
	k := t.kinds[wordHash(binary.LittleEndian.Uint32(b)|eachSpace)]
	if (k == wordPart || k == wordStart) && bytes.IndexByte(b[:triggerBytes], '\n') >= 0 { // only a collision of hashes
		k = noWord
	}
	if k == noWord && t.first[b[0]]&t.second[b[1]] == 0 {
		return false
	}
	if k == wordPart || k == wordStart && beginsWord(lines, i) || k == errorName && isErr(lines, i) {
		return true
	}
	switch c := b[0]; {
	case c >= 0x80 && isCross(b):
		return true
	case c == '!' && b[1] == ' ':
		return isItem(lines[:i])
	case c == 'E' || c == 'W':
		if b[1] == ':' && b[2] == ' ' || b[1] == ' ' && b[2] == ' ' && b[3] == ' ' {
			return true
		}
	case b[2] == ')' && isDigit(b[1]):
		return b[3] == ' ' && isItem(lines[:i+1])
	}
	return (b[1] == ':' || b[1] == '(') && mayDiagnose(lines, i+1)
}

// isItem reports whether a line so far has only spaces and the beginning of a number.
func isItem(before []byte) bool {
	i := len(before)
	for i > 0 && isDigit(before[i-1]) {
		i--
	}
	for i > 0 && before[i-1] == ' ' {
		i--
	}
	return i == 0 || before[i-1] == '\n'
}

// mayDiagnose reports whether a file's name and the numbers of a line and column, the first of them behind at, may
// begin a message: see reader.diagnosis.
func mayDiagnose(lines []byte, at int) bool {
	rest := lines[at+1:]
	n := digitsAt(rest)
	if n == 0 || n+1 >= len(rest) || rest[n] != ':' && rest[n] != ',' || !isDigit(rest[n+1]) {
		return false
	}
	name, parts := at, part(0)
	for first := max(at-maxLine, 0); name > first; name-- {
		p := partOf[lines[name-1]]
		if p&ends != 0 {
			parts |= p
			break
		}
		parts |= p
	}
	if parts&inPath == 0 || parts&endsOdd != 0 {
		return false
	}
	return maySkip(lines[:name]) || mayPrecede(lines[:name])
}

// mayPrecede reports whether the text before a place may be a prefix of a message, such as the name of a task.
func mayPrecede(before []byte) bool {
	before = bytes.TrimRight(before, " \t")
	return len(before) > 0 && bytes.IndexByte([]byte(":]|>)-"), before[len(before)-1]) >= 0
}

// part is the role of a byte in a file's name at the beginning of a message.
type part uint8

const (
	inPath   part = 1 << iota // may be in the name
	endsLine                  // may precede it
	endsOdd                   // cannot precede it
	ends     = endsLine | endsOdd
)

var partOf = func() (all [256]part) {
	for c := range all {
		switch {
		case c == '.' || c == '/':
			all[c] = inPath
		case c == ':' || c == '(':
			all[c] = endsOdd
		case c == '\n' || c == ' ' || c == '\t':
			all[c] = endsLine
		}
	}
	return all
}()

// maySkip reports whether the text before a place in its line may all precede the message.
func maySkip(before []byte) bool {
	for end := len(before); ; {
		for end > 0 && partOf[before[end-1]] == endsLine && before[end-1] != '\n' {
			end--
		}
		start, digit := end, false
		for start > 0 && partOf[before[start-1]] != endsLine {
			start--
			digit = digit || isDigit(before[start])
		}
		if start == end || len(before)-start > maxLine {
			return true
		}
		if word := before[start:end]; !digit && word[0] < 0x80 && bytes.IndexByte([]byte("|>*!#\r"), word[0]) < 0 &&
			(len(word) < 3 || !dates[string(bytes.ToLower(bytes.Trim(word, ",.")))] && !bytes.EqualFold(word, []byte("vet:"))) {
			return false
		}
		end = start
	}
}

// search finds the triggers in whole lines, one after the other.
type search struct {
	*triggers
	lines  []byte
	base   int        // where the last scanned blocks begin
	blocks int        // number of these blocks
	block  int        // the block to look at
	found  [32]uint64 // hits in each block
}

// next returns the place of the next trigger at or behind from, or the length of the lines. from must not decrease.
func (s *search) next(from int) int {
	for s.base < len(s.lines) {
		for ; s.block < s.blocks; s.block++ {
			for s.found[s.block] != 0 {
				at := s.base + blockSize*s.block + bits.TrailingZeros64(s.found[s.block])
				s.found[s.block] &= s.found[s.block] - 1
				if at < from || !s.at(s.lines, at) {
					continue
				}
				if !passesPlainly(s.lines, at) {
					return at
				}
				from = at + bytes.IndexByte(s.lines[at:], '\n')
			}
		}
		s.base += blockSize * s.blocks
		rest := s.lines[min(s.base, len(s.lines)):]
		if s.block, s.blocks = 0, s.scan(rest, s.found[:]); s.blocks == 0 && len(rest) > 0 {
			var padded [2*blockSize + triggerBytes]byte
			copy(padded[:], rest)
			s.blocks = s.scan(padded[:], s.found[:])
		}
	}
	return len(s.lines)
}

// passesPlainly reports whether the line around a place reports a success, as most lines of a test run do.
func passesPlainly(lines []byte, at int) bool {
	line := bytes.TrimLeft(lines[bytes.LastIndexByte(lines[:at], '\n')+1:], " ")
	return bytes.HasPrefix(line, []byte("=== RUN")) || bytes.HasPrefix(line, []byte("--- PASS"))
}

// has reports whether a line, given its beginning, has a trigger.
func (t *triggers) has(text []byte) bool {
	s := search{triggers: t, lines: append(text[:len(text):len(text)], '\n', '\n', '\n', '\n')}
	return s.next(0) < len(text)
}
