// Package redact masks secrets in texts and streams, in place: a placeholder has as many bytes as the secret, so lines,
// columns, offsets and sizes stay what they were.
package redact

import (
	"bytes"
	"cmp"
	"math"
	"slices"
	"sync"
	"sync/atomic"
)

// Options say what is a secret.
type Options struct {
	// Values returns the values that are masked wherever they stand, in every usual encoding; see [Redactor.Refresh].
	// Those that are too short or too common to be secrets are left out. Nil is none.
	Values func() []string
	// Kinds also masks what looks like a credential of a known kind.
	Kinds bool
}

// Redactor masks secrets. It is safe for concurrent use. A nil Redactor is valid, changes nothing and costs nothing.
type Redactor struct {
	options Options
	mu      sync.Mutex // serializes Refresh
	values  []string   // the last ones
	met     int        // the last version of learned
	learned learned
	current atomic.Pointer[engine]
}

// engine holds what a stream needs to know. It is immutable.
type engine struct {
	known *index // of the values and of what was learned; nil if there are none
	given *index // of the values alone
	parts *index // of what is looked for last: a line of one key may be in another, which is found as a whole
	kinds bool
	learn func(value []byte, kind string) // is told of what kinds find
}

// Finding is a place where a secret was masked.
type Finding struct {
	Kind           string
	Line, LastLine int   // from 1
	Start, End     int64 // bytes from the start of the text; End is exclusive
}

// MaxFindings is the number of findings that a stream or a text keeps; Count goes on.
const MaxFindings = 1000

// New returns a Redactor with the values that o.Values returns now.
func New(o Options) *Redactor {
	r := &Redactor{options: o}
	r.current.Store(&engine{kinds: o.Kinds, learn: r.learned.add})
	r.Refresh()
	return r
}

// Off reports whether r never masks anything.
func (r *Redactor) Off() bool { return r == nil || r.options.Values == nil && !r.options.Kinds }

// Refresh asks for the values again, and takes over what was found by its kind since the last time: such a secret may
// come in another form. It costs a comparison if there is nothing new. Streams that have begun keep theirs.
func (r *Redactor) Refresh() {
	if r.Off() {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	var values []string
	if r.options.Values != nil {
		values = r.options.Values()
	}
	if slices.Equal(values, r.values) && !r.learned.changed(r.met) {
		return
	}
	found, version := r.learned.now()
	r.values, r.met = slices.Clone(values), version
	e := &engine{known: newIndex(needles(r.values, found)), kinds: r.options.Kinds, learn: r.learned.add}
	e.parts = newIndex(plainNeedles(r.learned.plain()))
	if e.given = e.known; version > 0 {
		e.given = newIndex(needles(r.values, nil))
	}
	r.current.Store(e)
}

// engine returns what to look for, or nil if nothing is.
func (r *Redactor) engine() *engine {
	if r == nil {
		return nil
	}
	e := r.current.Load()
	if e.known == nil && !e.kinds {
		return nil
	}
	return e
}

// Mask masks the secrets of a whole text in place. It returns the first [MaxFindings] of them, in order.
func (r *Redactor) Mask(text []byte) []Finding { return r.engine().mask(text, MaxFindings) }

// Masked returns a text without its secrets, and the first of them, so many at most. The text stays as it is; where
// nothing is looked for, it is returned itself.
func (r *Redactor) Masked(text []byte, most int) (masked []byte, found []Finding) {
	e := r.engine()
	if e == nil {
		return text, nil
	}
	masked = bytes.Clone(text)
	return masked, e.mask(masked, most)
}

// InName returns the kind of the first secret in the path of a file, or "".
func (r *Redactor) InName(path string) string {
	if _, found := r.String(path); len(found) > 0 {
		return found[0].Kind
	}
	return ""
}

// Secrets returns the secrets of a text that are such wherever the text stands: those that are masked only because
// another text had them are left out. The text stays as it is, and nothing is learned from it.
func (r *Redactor) Secrets(text []byte) []Finding {
	e := r.engine()
	if e == nil {
		return nil
	}
	return (&engine{known: e.given, kinds: e.kinds}).mask(bytes.Clone(text), math.MaxInt)
}

// CountForms returns the number of the secrets of a content, whether it is ASCII or UTF-16 of either order.
func (r *Redactor) CountForms(content []byte) int {
	if r.engine() == nil {
		return 0
	}
	ascii := len(r.Secrets(content))
	if _, marked := byteOrder(content); marked {
		return ascii
	}
	n := ascii
	for _, mark := range byteOrderMarks {
		n += max(len(r.Secrets(append([]byte(mark), content...)))-ascii, 0) // a text with a mark is masked in both forms
	}
	return n
}

// mask masks a whole text in place. It returns the first findings, so many at most, in order.
func (e *engine) mask(text []byte, most int) []Finding {
	if e == nil || len(text) == 0 {
		return nil
	}
	p := e.pipe()
	p.found.most = most
	if !p.plain(text) {
		n := copy(text, p.push(text))
		copy(text[n:], p.flush())
		return p.found.sorted()
	}
	for _, s := range p.stages {
		s.text = text
		s.scan(true)
	}
	return p.found.sorted()
}

var scratch = sync.Pool{New: func() any { return new([]byte) }}

// maxScratch is the capacity of a buffer that is kept for the next string.
const maxScratch = 1 << 20

// String returns s with its secrets masked, or s itself if it has none, and what [Redactor.Mask] returns.
func (r *Redactor) String(s string) (string, []Finding) {
	if r.engine() == nil || s == "" {
		return s, nil
	}
	buffer := scratch.Get().(*[]byte)
	*buffer = append((*buffer)[:0], s...)
	found := r.Mask(*buffer)
	if found != nil {
		s = string(*buffer)
	}
	if cap(*buffer) <= maxScratch {
		scratch.Put(buffer)
	}
	return s, found
}

// Summary returns the number of findings, and their kinds, the most frequent first.
func Summary(f []Finding) (count int, kinds []string) {
	times := map[string]int{}
	for _, x := range f {
		if times[x.Kind]++; times[x.Kind] == 1 {
			kinds = append(kinds, x.Kind)
		}
	}
	slices.SortStableFunc(kinds, func(a, b string) int { return cmp.Compare(times[b], times[a]) })
	return len(f), kinds
}

// sink collects findings.
type sink struct {
	list  []Finding
	most  int // of list
	count int
	// raw returns the offset in the text of one in what stages see. It is nil if they are the same.
	raw func(visible int64, end bool) int64
	to  *sink // what else gets all that is added, or nil
}

func (s *sink) at(visible int64, end bool) int64 {
	if s.raw == nil {
		return visible
	}
	return s.raw(visible, end)
}

func (s *sink) add(f Finding) {
	if s.to != nil {
		s.to.add(f)
	}
	if s.count++; len(s.list) < s.most {
		s.list = append(s.list, f)
	}
}

func (s *sink) sorted() []Finding {
	slices.SortFunc(s.list, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End))
	})
	return s.list
}

func countLines(text []byte) int { return bytes.Count(text, []byte("\n")) }
