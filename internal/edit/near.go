package edit

import (
	"bytes"
	"context"
	"html"
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/spillway-go/spillway/internal/quote"
)

const (
	// maxSearched bounds the lines that are searched for the nearest.
	maxSearched = 1 << 20
	// MostShown is the number of nearest lines that are shown.
	MostShown = 20
	// shownBefore is how many of these precede the first that differs, if not all are shown.
	shownBefore = 5
	// minNew is the length from which New is searched for: many texts contain a shorter one by chance.
	minNew = 8
	// minShared is the share of character pairs, in thousandths, that similar lines have in common. Of lines of Go's
	// library with one letter wrong, 99 in 100 have that in common with the right line; of unrelated lines, 1 in 100
	// with one of 5 lines, and 4 with one of 30.
	minShared = 500
	// maxCompared is the number of bytes of a line that are compared.
	maxCompared = 1000
	// pairBits is the size of the hashes by which pairs are counted.
	pairBits = 14
)

// Hint says what may help when Old is missing. The zero value is no hint.
type Hint struct {
	There       int    // the line of the only place of New
	Foreign     string // what is in Old by mistake
	First, Last int    // the nearest lines, or those to show of them
	Differs     int    // the first of these that differs from Old, or 0
	NotUTF8     bool   // Old has non-ASCII characters, and the file's encoding is unknown
}

// foreign lists what gets into an Old by mistake, and how to remove it.
var foreign = []struct {
	what    string
	without func(string) string
}{
	{"the line numbers of a listing", unmark(sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(?:[^\s:]+:)?[ \t]*\d+(?:\t|: |:|→| ?\| ?|  |- )`)
	}))},
	{"the > marks of a listing", unmark(sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^> ?`) }))},
	{"the + and - of a diff", unmark(sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[-+]`) }))},
	{"→ and ·, which stand for a tab and a space", strings.NewReplacer("→", "\t", "·", " ").Replace},
	{`escapes such as \n or \", which JSON needs once, not twice`,
		strings.NewReplacer(`\n`, "\n", `\t`, "\t", `\"`, `"`, `\'`, "'", `\\`, `\`).Replace},
	{"HTML entities such as &lt;", html.UnescapeString},
	{quote.NUL + `, which stands for a NUL byte (\u0000 in JSON)`, strings.NewReplacer(quote.NUL, "\x00").Replace},
}

// unmark returns a function that removes a mark from the beginning of each line, if all lines that are not blank have
// it.
func unmark(mark func() *regexp.Regexp) func(string) string {
	return func(text string) string {
		var b strings.Builder
		for line := range strings.Lines(text) {
			at := mark().FindStringIndex(line)
			if at == nil && strings.TrimSpace(line) != "" {
				return text
			}
			if at != nil {
				line = line[at[1]:]
			}
			b.WriteString(line)
		}
		return b.String()
	}
}

// Explain returns a hint for an edit whose Old is missing.
func (t *Text) Explain(ctx context.Context, e Edit) (Hint, error) {
	// there returns a hint about the first place of a text, and the number of its places.
	there := func(text string) (h Hint, places int, err error) {
		e.Old = text
		found, err := t.find(ctx, e, 0)
		if err != nil || found.count == 0 {
			return Hint{}, 0, err
		}
		first := t.Line(found.places[0].Start)
		return Hint{First: first, Last: first + min(len(t.lines(text)), MostShown) - 1}, found.count, nil
	}
	old := e.Old
	for _, f := range foreign {
		without := f.without(old)
		if without == old || without == "" {
			continue
		}
		if h, places, err := there(without); err != nil || places > 0 {
			h.Foreign = f.what
			return h, err
		}
	}
	if t.singleByte && !isASCII([]byte(old)) {
		return Hint{NotUTF8: true}, nil
	}
	if len(strings.TrimSpace(e.New)) >= minNew {
		if h, places, err := there(e.New); err != nil || places == 1 {
			h.There = h.First
			return h, err
		}
	}
	return t.nearest(ctx, old), ctx.Err()
}

// nearest returns the lines that are most similar to old.
func (t *Text) nearest(ctx context.Context, old string) Hint {
	want := t.lines(old)
	for i := range want {
		want[i] = strings.TrimRight(want[i], "\r\n")
	}
	at, ok := t.aligned(want)
	if !ok {
		at, ok = t.alike(ctx, want)
	}
	if !ok {
		return Hint{}
	}
	h := Hint{First: max(at, 0) + 1}
	n := 0 // lines of the text
	for line := range t.eachLine() {
		if i := n - at; i >= 0 && i < len(want) {
			h.Last = n + 1
			partial := i == 0 && bytes.HasSuffix(line, []byte(want[i])) // Old may begin within a line
			same := partial || string(line) == want[i]
			if !same && h.Differs == 0 {
				h.Differs = n + 1
			}
		} else if i >= len(want) {
			break
		}
		n++
	}
	if h.Last-h.First >= MostShown {
		h.First = max(h.First, h.Differs-shownBefore)
		h.Last = min(h.Last, h.First+MostShown-1)
	}
	return h
}

// eachLine returns the lines of the text without their endings.
func (t *Text) eachLine() func(yield func([]byte) bool) {
	return func(yield func([]byte) bool) {
		for rest := t.body; len(rest) > 0; {
			line, behind, _ := bytes.Cut(rest, []byte{t.end})
			if t.end == '\n' {
				line = bytes.TrimSuffix(line, []byte("\r"))
			}
			if rest = behind; !yield(line) {
				return
			}
		}
	}
}

// aligned finds the place where most of the wanted lines are, ignoring white space around them: each wanted line votes
// for a place with its length. It returns the line, from 0, where the first wanted line would be.
func (t *Text) aligned(want []string) (at int, ok bool) {
	wanted := map[string]int{}
	for i, line := range want {
		line = strings.TrimSpace(line)
		if _, twice := wanted[line]; !twice && line != "" {
			wanted[line] = i
		}
	}
	votes := make([]int32, min(maxSearched, bytes.Count(t.body, []byte{t.end})+1)+len(want))
	n, best := 0, 0
	for line := range t.eachLine() {
		if n == maxSearched {
			break
		}
		line = bytes.TrimSpace(line)
		if i, ok := wanted[string(line)]; ok {
			vote := n - i + len(want)
			votes[vote] += int32(min(len(line), 100))
			if votes[vote] > votes[best] {
				best = vote
			}
		}
		n++
	}
	return best - len(want), votes[best] >= 4
}

// alike finds the line that has most pairs in common with the longest wanted line. It returns the line, from 0, where
// the first wanted line would be.
func (t *Text) alike(ctx context.Context, want []string) (at int, ok bool) {
	longest := 0
	for i, line := range want {
		if len(strings.TrimSpace(line)) > len(strings.TrimSpace(want[longest])) {
			longest = i
		}
	}
	type slot struct {
		wanted, left uint16 // a line's number among the wanted ones, and what remains of its pairs in the current line
		line         int32
	}
	slots, total := make([]slot, 1<<pairBits), 0
	pairs([]byte(want[longest]), func(pair uint32) {
		slots[pair].wanted++
		total++
	})
	n, best := int32(0), minShared-1
	for line := range t.eachLine() {
		if n == maxSearched || n%checkEvery == 0 && ctx.Err() != nil {
			break
		}
		n++
		shared, all := 0, 0
		pairs(line, func(pair uint32) {
			all++
			s := &slots[pair]
			if s.line != n {
				s.line, s.left = n, s.wanted
			}
			if s.left > 0 {
				s.left--
				shared++
			}
		})
		if like := 2000 * shared / max(total+all, 1); like > best {
			at, ok, best = int(n)-1-longest, true, like
		}
	}
	return at, ok
}

// pairs calls use with the slot of each pair of characters that are adjacent, or have one between them. A transposed,
// missing or additional letter changes few of these, and Chinese and Japanese need no spaces between words. Letters
// are in lower case, and separators of words count as one space.
func pairs(line []byte, use func(slot uint32)) {
	line = line[:min(len(line), maxCompared)]
	pair := func(a, b rune) { use((uint32(a)*0x9e3779b1 ^ uint32(b)*0x85ebca6b) >> (32 - pairBits)) }
	before, last := ' ', ' '
	for i := 0; i <= len(line); {
		next, size := ' ', 1
		if i < len(line) {
			next = rune(line[i])
		}
		if next >= utf8.RuneSelf {
			next, size = utf8.DecodeRune(line[i:])
		}
		i += size
		switch {
		case next >= 'A' && next <= 'Z':
			next += 'a' - 'A'
		case next >= 'a' && next <= 'z', next >= '0' && next <= '9', next == '_', next >= utf8.RuneSelf:
		default:
			next = ' '
		}
		if last == ' ' && next == ' ' {
			continue
		}
		if pair(last, next); last != ' ' {
			pair(before, next)
		}
		before, last = last, next
	}
}

// Visible returns a line with tabs as → and trailing spaces as ·.
func Visible(line string) string {
	text := strings.TrimRight(line, " ")
	return strings.ReplaceAll(text, "\t", "→") + strings.Repeat("·", len(line)-len(text))
}

// Excerpt returns the lines of the body from first to last, counted from 1, without their endings.
func (t *Text) Excerpt(first, last int) (lines []string) {
	n := 0
	for line := range t.eachLine() {
		n++
		if n > last {
			break
		}
		if n >= first {
			lines = append(lines, string(line))
		}
	}
	return lines
}
