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

	"github.com/spillway-go/spillway/internal/mask"
)

// Options say what is a secret.
type Options struct {
	// Values returns the values that are masked wherever they stand, in every usual encoding; see [Redactor.Refresh].
	// Those that are too short or too common to be secrets are left out. Nil is none.
	Values func() []string
	// Kinds also masks what looks like a credential of a known kind.
	Kinds bool
}

// Redactor masks secrets. It is a [mask.Engine].
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

// New returns a Redactor with the values that o.Values returns now.
func New(o Options) *Redactor {
	r := &Redactor{options: o}
	r.current.Store(&engine{kinds: o.Kinds, learn: r.learned.add})
	r.Refresh()
	return r
}

// Refresh asks for the values again, and takes over what was found by its kind since the last time: such a secret may
// come in another form. It costs a comparison if there is nothing new. Streams that have begun keep theirs.
func (r *Redactor) Refresh() {
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
	e := r.current.Load()
	if e.known == nil && !e.kinds {
		return nil
	}
	return e
}

// Mask masks the secrets of a whole text in place. It returns the first of them, so many at most, in order.
func (r *Redactor) Mask(text []byte, most int) []mask.Finding { return r.engine().mask(text, most) }

// Secrets leaves out what was learned.
func (r *Redactor) Secrets(text []byte) []mask.Finding {
	e := r.engine()
	if e == nil {
		return nil
	}
	return (&engine{known: e.given, kinds: e.kinds}).mask(bytes.Clone(text), math.MaxInt)
}

// mask masks a whole text in place. It returns the first findings, so many at most, in order.
func (e *engine) mask(text []byte, most int) []mask.Finding {
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

// sink collects findings.
type sink struct {
	list  []mask.Finding
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

func (s *sink) add(f mask.Finding) {
	if s.to != nil {
		s.to.add(f)
	}
	if s.count++; len(s.list) < s.most {
		s.list = append(s.list, f)
	}
}

func (s *sink) sorted() []mask.Finding {
	slices.SortFunc(s.list, func(a, b mask.Finding) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End))
	})
	return s.list
}

func countLines(text []byte) int { return bytes.Count(text, []byte("\n")) }
