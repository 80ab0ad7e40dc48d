package credential

import (
	"bytes"
	"slices"
)

type Kind struct {
	Name     string
	Literals []Literal // every credential of the kind has one of them, or follows one
	Form
}

// Literal is a string that identifies a kind. It has at least four bytes, or three and one of the classes, or two and
// both.
type Literal struct {
	Text     string // in lower case if Fold
	Fold     bool   // in any case
	Outside  bool   // it precedes the credential, and is not part of it
	Previous *Class // ASCII bytes that may precede it; nil allows all outside of a word, or all if Outside
	Next     *Class // ASCII bytes that may follow it; nil allows all
}

func (l *Literal) Follows(c byte) bool {
	if l.Previous != nil {
		return l.Previous[c]
	}
	return l.Outside || !Word[l.Text[0]] || !Word[c]
}

// Form describes what surrounds a literal in a credential.
type Form struct {
	Apart *Class // what may not precede the literal; nil forbids nothing
	Stays *Stays // what precedes the literal without being secret; nil is nothing
	Shown int    // bytes of the literal that are not secret either
	Parts []Part // what follows the literal; further bytes of the last class belong to the credential
	Ends  bool   // no letter, digit, underscore or further byte of that class follows
	Lines bool   // a key of several lines
	// Random reports whether a credential looks generated. Its parts begin at body.
	Random func(credential []byte, body int) bool
	Except string // the beginning of the last part of an example in documentation
	// Hint is how many letters, digits, dashes and underscores behind the literal make a variable's value count as a
	// credential, even a shortened one or an example. With 0, only whole credentials count.
	Hint int
}

// Stays are bytes of a class, outside of a word unless they end with Behind.
type Stays struct {
	Class       *Class
	Least, Most int
	Behind      string
}

// Part is a number of bytes of a class, and the text behind them; 0 is any number.
type Part struct {
	Class       *Class
	Least, Most int
	Then        string
}

// Text is a text to search for a credential. Its end may not be known yet.
type Text interface {
	// Run returns the end of the bytes of a class, at most limit of them, and whether it is known.
	Run(from int, c *Class, limit int) (end int, known bool)
	// Has reports whether the text continues with a string at a place, and whether that is known.
	Has(at int, text string) (yes, known bool)
	Before(at int) []byte // as far as a form looks
	Between(from, to int) []byte
}

// Find returns the end of the credential whose literal is at from to after, or 0 if there is none. It is known unless
// it depends on text to come.
func (f *Form) Find(t Text, at, after int) (end int, known bool) {
	before := t.Before(at)
	if n := len(before); n > 0 && f.Apart != nil && f.Apart[before[n-1]] || f.Stays != nil && !f.Stays.end(before) {
		return 0, true
	}
	end = after
	for i, p := range f.Parts {
		begin := end
		if end, known = t.Run(begin, p.Class, p.Most); !known {
			return 0, false
		}
		if end < begin+p.Least {
			return 0, true
		}
		if yes, known := t.Has(end, p.Then); !yes || !known {
			return 0, known
		}
		if i == len(f.Parts)-1 && f.Except != "" {
			if yes, known := t.Has(begin, f.Except); yes || !known {
				return 0, known
			}
		}
		end += len(p.Then)
	}
	if !f.Random(t.Between(at, end), after-at) {
		return 0, true
	}
	if f.Ends {
		if next, known := t.Run(end, Word, 1); !known || next > end {
			return 0, known
		}
	}
	return end, true
}

// end reports whether a text ends with them.
func (s *Stays) end(text []byte) bool {
	n := 0
	for n < min(s.Most, len(text)) && s.Class[text[len(text)-1-n]] {
		n++
	}
	rest := text[:len(text)-n]
	apart := len(rest) == 0 || !Word[rest[len(rest)-1]] || s.Behind != "" && bytes.HasSuffix(rest, []byte(s.Behind))
	return n >= s.Least && apart
}

// In reports whether a value contains a credential of a known kind, or something that a Hint takes for one.
func In(value string) bool {
	low := lower(value)
	for i := range value {
		for _, c := range byFirst[low[i]] {
			if c.at(value, low, i) {
				return true
			}
		}
	}
	return false
}

func lower(text string) []byte {
	low := []byte(text)
	for i, c := range low {
		if 'A' <= c && c <= 'Z' {
			low[i] = c | 0x20
		}
	}
	return low
}

type candidate struct {
	*Literal
	form *Form
}

// byFirst has the literals by their first letter, in lower case.
var byFirst = func() (all [256][]candidate) {
	for i := range Kinds {
		for k := range Kinds[i].Literals {
			l := &Kinds[i].Literals[k]
			first := lower(l.Text)[0]
			all[first] = append(all[first], candidate{l, &Kinds[i].Form})
		}
	}
	return all
}()

// at reports whether a credential of the candidate's kind has its literal at i.
func (c candidate) at(value string, low []byte, i int) bool {
	after := i + len(c.Text)
	if after > len(value) || c.Fold && string(low[i:after]) != c.Text || !c.Fold && value[i:after] != c.Text ||
		i > 0 && !c.Follows(value[i-1]) {
		return false
	}
	if n := c.form.Hint; n > 0 && (c.Outside || i == 0 || slices.Contains(starts, value[i-1])) {
		if end, _ := whole(value).Run(after, Token, n); end == after+n {
			return true
		}
	}
	end, _ := c.form.Find(whole(value), i, after)
	return end > 0
}

// starts are the bytes that may precede a credential in a longer value.
var starts = []byte(" \t\r\n=\"':,;")

// lookBehind is how far before a literal a form looks, so that the work in a value is bounded.
const lookBehind = 256

// whole is a text that is completely known.
type whole string

func (w whole) Run(from int, c *Class, limit int) (end int, known bool) {
	for end = from; end < min(len(w), from+limit) && c[w[end]]; {
		end++
	}
	return end, true
}

func (w whole) Has(at int, text string) (yes, known bool) {
	return len(w)-at >= len(text) && string(w[at:at+len(text)]) == text, true
}

func (w whole) Before(at int) []byte        { return []byte(w[max(0, at-lookBehind):at]) }
func (w whole) Between(from, to int) []byte { return []byte(w[from:to]) }
