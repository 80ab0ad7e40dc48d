package credential

import (
	"bytes"
	"slices"
)

// Kind is a kind of credential.
type Kind struct {
	Name     string
	Literals []Literal // one of them stands in every credential of the kind, or before it
	Form
}

// Literal is a string by which a kind is found. It has three bytes or more, or two and both classes.
type Literal struct {
	Text     string // in lower case if Fold
	Fold     bool   // in any case
	Outside  bool   // it stands before the credential, and is no part of it
	Previous *Class // what stands before it, in ASCII; nil is no part of a word, unless it is outside
	Next     *Class // what may follow it, likewise; one of both is enough
}

// Follows reports whether the literal may stand after c.
func (l *Literal) Follows(c byte) bool {
	if l.Previous != nil {
		return l.Previous[c]
	}
	return l.Outside || !Word[l.Text[0]] || !Word[c]
}

// Form is what stands around a literal in a credential.
type Form struct {
	Apart *Class // what does not stand before the literal; nil is nothing
	Stays *Stays // what stands before the literal and is no secret; nil is nothing
	Shown int    // bytes of the literal that are no secret either
	Parts []Part // what follows the literal; more of the last one's class belongs to the credential
	Ends  bool   // no letter, digit or underscore follows, and no more of that class
	Lines bool   // it is a key, of which lines follow
	// Random reports whether a credential, in which the parts begin at body, may be what a generator made.
	Random func(credential []byte, body int) bool
	Except string // how the last part of an example in documentation begins
	// Hint is how many letters, digits, dashes and underscores behind the literal are enough for a value of a variable
	// to be taken for a credential, though it is shortened or an example. At 0, only whole ones are.
	Hint int
}

// Stays are bytes of a class, and no more of a word before them, unless it ends with Behind.
type Stays struct {
	Class       *Class
	Least, Most int
	Behind      string
}

// Part is a number of bytes of a class, and what follows them; 0 is anything.
type Part struct {
	Class       *Class
	Least, Most int
	Then        string
}

// Text is a text that a credential is looked for in, which may go on behind what is known of it.
type Text interface {
	// Run returns the end of the bytes of a class, at most limit of them, and whether it is known.
	Run(from int, c *Class, limit int) (end int, known bool)
	// Has reports whether the text goes on with a string at a place, and whether that is known.
	Has(at int, text string) (yes, known bool)
	Before(at int) []byte // as far as a form looks
	Between(from, to int) []byte
}

// Find returns where the credential ends whose literal stands from at to after, or 0 if there is none. It is known
// unless that depends on what follows.
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

// In reports whether a value holds a credential of a known kind, or what a Hint takes for one.
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

// lower returns a text with the letters of ASCII in lower case.
func lower(text string) []byte {
	low := []byte(text)
	for i, c := range low {
		if 'A' <= c && c <= 'Z' {
			low[i] = c | 0x20
		}
	}
	return low
}

// candidate is a literal of a kind.
type candidate struct {
	*Literal
	form *Form
}

// byFirst are the literals by their first letter, in lower case.
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

// starts are what stands before a credential in a value that holds more than that.
var starts = []byte(" \t\r\n=\"':,;")

// lookBehind is how far before a literal a form looks, so that the work in a value is bounded.
const lookBehind = 256

// whole is a text of which all is known.
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
