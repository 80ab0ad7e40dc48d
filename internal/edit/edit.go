// Package edit replaces parts of a text, and nothing else of it. It works on bytes and knows no files.
package edit

import (
	"bytes"
	"context"
	"fmt"

	"github.com/spillway-go/spillway/internal/textfile"
)

// MostPlaces is the number of places that the edits of a call may change. It bounds what they hold: some 150
// bytes a place.
const MostPlaces = 200_000

// checkEvery is the number of places after which a loop looks at its context.
const checkEvery = 1 << 12

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
	Left   []Span // where only the line endings are not those of Old, of an edit that needed no map
}

// Result is the text after all edits.
type Result struct {
	Content []byte // of the file
	Body    []byte // the text in it, if the encoding is not one of Unicode's
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
	Inside                 // bytes beside the place would be other characters, as Old is a part of one or follows a part
	TooLarge               // the content would be over the limit
	TooMany                // with those of the edits before it, there are over MostPlaces places
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
		room := MostPlaces - len(splices)
		found, err := t.find(ctx, e, room)
		if err != nil {
			return nil, err
		}
		if err := found.refused(e, i, room); err != nil {
			return nil, err
		}
		res.Done[i].Map = found.how
		c := t.change(e, found.how)
		more := make([]splice, 0, len(found.places))
		for n, p := range found.places {
			if n%checkEvery == 0 && ctx.Err() != nil {
				return nil, ctx.Err()
			}
			res.Done[i].Places = append(res.Done[i].Places, p.Span)
			s := c.splice(p)
			s.edit = i
			size += int64(len(s.text))
			if size/2 > most { // even in UTF-16
				return nil, &Error{Reason: TooLarge, Edit: i}
			}
			more = append(more, s)
		}
		if splices, err = merge(splices, more); err != nil {
			return nil, err
		}
	}
	if err := t.splice(ctx, res, splices, most); err != nil {
		return nil, err
	}
	for i, e := range edits {
		if res.Done[i].Map == Exact {
			res.Done[i].Left = t.left(ctx, e, splices)
		}
	}
	return res, ctx.Err()
}

// merge puts the splices of an edit among those of the edits before it, all in the order of the text.
func merge(all, more []splice) ([]splice, error) {
	kept := len(all) // those in front of all that is new
	all = append(all, more...)
	for to := len(all); to > kept; {
		to--
		last := len(more) - 1
		if kept > 0 && all[kept-1].place.Start > more[last].place.Start {
			kept--
			all[to] = all[kept]
		} else {
			all[to], more = more[last], more[:last]
		}
	}
	for i := max(kept, 1); i < len(all); i++ {
		if a, b := all[i-1], all[i]; b.place.Start < a.place.End {
			return nil, &Error{Reason: Overlap, Edit: min(a.edit, b.edit), Other: max(a.edit, b.edit), Places: []Span{b.place}}
		}
	}
	return all, nil
}

// splice makes the new content.
func (t *Text) splice(ctx context.Context, res *Result, splices []splice, most int64) error {
	legacy := t.info.Legacy() != nil
	size, changed := int64(len(t.raw)), false
	if legacy { // then the limit is one of the text in UTF-8, too
		size = int64(len(t.body))
	}
	for n, s := range splices {
		if n%checkEvery == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
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
	raw, at, rawSize := t.bom, 0, t.rawSizes()
	out := append(make([]byte, 0, size), t.raw[:raw]...)
	for _, s := range splices {
		n := rawSize(t.body[at:s.at.Start])
		out = append(out, t.raw[raw:raw+n]...)
		raw += n + rawSize(t.body[s.at.Start:s.at.End])
		at = s.at.End
		var err error
		if out, err = (textfile.Info{Encoding: t.info.Encoding}).AppendEncoded(out, []byte(s.text)); err != nil {
			return &Error{Reason: Encoding, Edit: s.edit, Err: err}
		}
	}
	res.Content = append(out, t.raw[raw:]...)
	switch {
	case legacy && int64(len(res.Content)) > most:
		return &Error{Reason: TooLarge}
	case legacy:
		res.Body, _ = t.info.Text(res.Content, size)
		return t.made(res.Body, splices)
	}
	return nil
}

// made returns an error unless a body is that of the text with the splices.
func (t *Text) made(body []byte, splices []splice) error {
	at, ok := 0, true
	for _, s := range splices {
		for _, part := range [][]byte{t.body[at:s.at.Start], []byte(s.text)} {
			if body, ok = bytes.CutPrefix(body, part); !ok {
				return &Error{Reason: Inside, Edit: s.edit}
			}
		}
		at = s.at.End
	}
	if !bytes.Equal(body, t.body[at:]) {
		return &Error{Reason: Inside, Edit: splices[len(splices)-1].edit}
	}
	return nil
}
