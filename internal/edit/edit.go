// Package edit replaces parts of a text, and nothing else of it. It works on bytes and knows no files.
package edit

import (
	"context"
	"fmt"
	"slices"

	"github.com/spillway-go/spillway/internal/textfile"
)

// mostPlaces is the number of places that one edit may change.
const mostPlaces = 1 << 20

// Edit puts New in the place of Old.
type Edit struct {
	Old, New string
	// All replaces Old wherever it is. Without it there must be one place.
	All bool
	// Lines says that Old and New are whole lines: a place begins where a line does.
	Lines bool
	// From and To are the part of the body to look at; a To of 0 is its end. An empty Old is
	// found at From.
	From, To int
}

// Span is a part of a body.
type Span struct{ Start, End int }

// Done is what became of an edit.
type Done struct {
	Map    Map    // that was needed to find Old
	Places []Span // of Old in the body as it was, from left to right
}

// Result is the text after all edits.
type Result struct {
	Content []byte // of the file
	Done    []Done // of each edit
}

// A Reason says why edits are refused.
type Reason int

// The reasons.
const (
	Missing  Reason = iota // Old is nowhere
	Several                // Old is in several places, and All is not set
	Overlap                // two edits are about the same text
	Encoding               // the file's encoding cannot hold New
	TooLarge               // the content would be over the limit, or there are over mostPlaces places
	Nothing                // the edits change nothing
)

// Error is why no edit happens.
type Error struct {
	Reason Reason
	Edit   int    // which, from 0
	Other  int    // the edit that it overlaps with
	Map    Map    // that finds Old in several places
	Count  int    // of the places
	Places []Span // the first ones
	Err    error  // what the encoding cannot hold
}

func (e *Error) Error() string {
	return fmt.Sprintf("edit %d is refused for reason %d", e.Edit+1, e.Reason)
}

func (e *Error) Unwrap() error { return e.Err }

// splice is a change of the body: what is there becomes new.
type splice struct {
	edit  int
	place Span // of Old
	at    Span // what of it is not the same in New
	text  string
}

// Apply makes all edits, each of which is matched against the text as it is, or none: the
// error is an [*Error], or that of ctx. most is the number of bytes that the content may
// have then.
func (t *Text) Apply(ctx context.Context, edits []Edit, most int64) (*Result, error) {
	res := &Result{Done: make([]Done, len(edits))}
	var splices []splice
	size := int64(0)
	for i, e := range edits {
		found, err := t.find(ctx, e)
		if err != nil {
			return nil, err
		}
		if err := found.refused(e, i); err != nil {
			return nil, err
		}
		res.Done[i].Map = found.how
		c := t.change(e, found.how)
		for _, p := range found.places {
			res.Done[i].Places = append(res.Done[i].Places, p.Span)
			s := c.splice(p)
			s.edit = i
			if size += int64(len(s.text)); size/2 > most { // even in UTF-16
				return nil, &Error{Reason: TooLarge, Edit: i}
			}
			splices = append(splices, s)
		}
	}
	slices.SortStableFunc(splices, func(a, b splice) int { return a.place.Start - b.place.Start })
	for i := 1; i < len(splices); i++ {
		if a, b := splices[i-1], splices[i]; b.place.Start < a.place.End {
			return nil, &Error{Reason: Overlap, Edit: min(a.edit, b.edit), Other: max(a.edit, b.edit), Places: []Span{b.place}}
		}
	}
	if err := t.splice(res, splices, most); err != nil {
		return nil, err
	}
	return res, ctx.Err()
}

// splice makes the new content.
func (t *Text) splice(res *Result, splices []splice, most int64) error {
	size, changed := int64(len(t.raw)), false
	for _, s := range splices {
		if !isASCII([]byte(s.text)) && t.narrow {
			return &Error{Reason: Encoding, Edit: s.edit}
		}
		old := t.body[s.at.Start:s.at.End]
		size += int64(t.rawSize([]byte(s.text))) - int64(t.rawSize(old))
		changed = changed || string(old) != s.text
	}
	switch {
	case size > most:
		return &Error{Reason: TooLarge}
	case !changed:
		return &Error{Reason: Nothing}
	}
	raw, at := t.bom, 0
	out := append(make([]byte, 0, size), t.raw[:raw]...)
	for _, s := range splices {
		n := t.rawSize(t.body[at:s.at.Start])
		out = append(out, t.raw[raw:raw+n]...)
		raw += n + t.rawSize(t.body[s.at.Start:s.at.End])
		at = s.at.End
		var err error
		if out, err = (textfile.Info{Encoding: t.info.Encoding}).AppendEncoded(out, []byte(s.text)); err != nil {
			return &Error{Reason: Encoding, Edit: s.edit, Err: err}
		}
	}
	res.Content = append(out, t.raw[raw:]...)
	return nil
}
