// Package edit replaces parts of a text and leaves every other byte as it is. It opens no files.
package edit

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spillway-go/spillway/internal/textfile"
)

// MostPlaces bounds the places that the edits of a call may change. Each takes some 150 bytes.
const MostPlaces = 200_000

// checkEvery is the number of places after which a loop checks its context.
const checkEvery = 1 << 12

// Edit replaces Old by New.
type Edit struct {
	Old, New string
	// All replaces Old everywhere. Without it there must be one place.
	All bool
	// Lines says that Old and New are whole lines: a place must begin at the start of a line.
	Lines bool
	// From and To are the part of the body to search; a To of 0 is its end. An empty Old is found at From.
	From, To int
}

// Span is a part of a body.
type Span struct{ Start, End int }

// Done describes an edit that was made.
type Done struct {
	Map    Map    // the one that was needed to find Old
	Places []Span // of Old in the original body, from left to right
	Left   []Span // if no map was needed: places that differ from Old only in line endings
}

// Result is the text after all edits.
type Result struct {
	Content []byte   // of the file
	Body    []byte   // the decoded text, if the encoding is not one of Unicode's
	Done    []Done   // one for each edit
	Changes []Change // in order, of a restricted text
}

// Change is a part of the body that was replaced.
type Change struct {
	Span
	Text string
}

// A Reason says why edits are refused.
type Reason int

const (
	Missing  Reason = iota // Old is not in the text
	Several                // Old is in several places, and All is not set
	Overlap                // two edits change the same text
	Encoding               // the file's encoding cannot hold New
	Inside                 // the change would turn bytes around the place into other characters
	TooLarge               // the content would be over the limit
	TooMany                // the edits up to this one have more than MostPlaces places
	Nothing                // the edits change nothing
	Masked                 // Old contains text that Mask has replaced
)

// Error says why no edit was made.
type Error struct {
	Reason Reason
	Edit   int    // the index of the edit
	Other  int    // the index of the edit that it overlaps with
	Map    Map    // the map that finds Old in several places
	Count  int    // of the places
	Places []Span // the first of them
	Err    error  // what the encoding cannot hold
}

func (e *Error) Error() string {
	return fmt.Sprintf("edit %d is refused for reason %d", e.Edit+1, e.Reason)
}

func (e *Error) Unwrap() error { return e.Err }

type splice struct {
	edit  int
	place Span // of Old
	at    Span // the part of it that changes
	text  string
}

// Apply makes all edits or none. Each is matched against the original text. The new content may have at most maxSize
// bytes. The error is an [*Error], or that of ctx.
func (t *Text) Apply(ctx context.Context, edits []Edit, maxSize int64) (*Result, error) {
	res, err := t.apply(ctx, edits, maxSize, false)
	if bad, ok := errors.AsType[*Error](err); ok && (bad.Reason == Inside || bad.Reason == Encoding) {
		// A legacy encoding may decode a whole text differently from its parts, and errors name places in the whole.
		return t.apply(ctx, edits, maxSize, true)
	}
	return res, err
}

func (t *Text) apply(ctx context.Context, edits []Edit, maxSize int64, coarse bool) (*Result, error) {
	res := &Result{Done: make([]Done, len(edits))}
	var splices []splice
	size, room := int64(0), MostPlaces
	for i, e := range edits {
		found, err := t.find(ctx, e, room)
		if err != nil {
			return nil, err
		}
		if err := found.refused(e, i, room); err != nil {
			return nil, err
		}
		res.Done[i].Map = found.how
		room -= len(found.places)
		c, first := t.change(e, found.how, coarse), len(splices)
		for n, p := range found.places {
			if n%checkEvery == 0 && ctx.Err() != nil {
				return nil, ctx.Err()
			}
			res.Done[i].Places = append(res.Done[i].Places, p.Span)
			splices = c.splices(splices, p)
			for ; first < len(splices); first++ {
				splices[first].edit = i
				size += int64(len(splices[first].text))
			}
			if size/2 > maxSize { // even in UTF-16
				return nil, &Error{Reason: TooLarge, Edit: i}
			}
		}
	}
	if err := t.arrange(splices); err != nil {
		return nil, err
	}
	if err := t.splice(ctx, res, splices, maxSize); err != nil {
		return nil, err
	}
	t.made = splices
	var changed []Span
	for i, e := range edits {
		if res.Done[i].Map != Exact || e.Lines || !strings.ContainsAny(e.Old, "\r\n") {
			continue
		}
		if changed == nil {
			for _, s := range splices {
				changed = append(changed, s.place)
			}
		}
		res.Done[i].Left = t.OtherEndings(ctx, e, changed)
	}
	return res, ctx.Err()
}

// arrange sorts splices by their places, which must neither overlap nor touch what is masked.
func (t *Text) arrange(splices []splice) error {
	slices.SortStableFunc(splices, func(a, b splice) int { return a.place.Start - b.place.Start })
	for i := 1; i < len(splices); i++ {
		if a, b := splices[i-1], splices[i]; b.place.Start < a.place.End && (a.edit != b.edit || a.place != b.place) {
			first, second := min(a.edit, b.edit), max(a.edit, b.edit)
			return &Error{Reason: Overlap, Edit: first, Other: second, Places: []Span{b.place}}
		}
	}
	masked := t.masked
	for _, s := range splices {
		for len(masked) > 0 && masked[0].End <= s.place.Start {
			masked = masked[1:]
		}
		if len(masked) > 0 && masked[0].Start < s.place.End {
			return &Error{Reason: Masked, Edit: s.edit, Places: masked[:1]}
		}
	}
	return nil
}

// Moved returns where a part of the body is after the last successful Apply, and whether it is unchanged.
func (t *Text) Moved(part Span) (now Span, same bool) {
	by := 0
	for _, s := range t.made {
		if s.at.Start >= part.End {
			break
		}
		if s.at.End > part.Start {
			return part, false
		}
		by += len(s.text) - (s.at.End - s.at.Start)
	}
	return Span{part.Start + by, part.End + by}, true
}

func (t *Text) splice(ctx context.Context, res *Result, splices []splice, maxSize int64) error {
	legacy := t.info.Legacy() != nil
	size, changed := int64(len(t.raw)), false
	if legacy { // the limit also applies to the text in UTF-8
		size = int64(len(t.plain))
	}
	for n, s := range splices {
		if n%checkEvery == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if !isASCII([]byte(s.text)) && t.singleByte {
			return &Error{Reason: Encoding, Edit: s.edit}
		}
		old := t.plain[s.at.Start:s.at.End]
		size += int64(t.rawSize([]byte(s.text))) - int64(t.rawSize(old))
		changed = changed || string(old) != s.text
	}
	switch {
	case size > maxSize:
		return &Error{Reason: TooLarge}
	case !changed:
		return &Error{Reason: Nothing}
	}
	raw, at, rawSize := t.bom, 0, t.rawSizes()
	out := append(make([]byte, 0, size), t.raw[:raw]...)
	for _, s := range splices {
		n := rawSize(t.plain[at:s.at.Start])
		out = append(out, t.raw[raw:raw+n]...)
		raw += n + rawSize(t.plain[s.at.Start:s.at.End])
		at = s.at.End
		if t.within != nil {
			res.Changes = append(res.Changes, Change{s.at, s.text})
		}
		var err error
		if out, err = (textfile.Info{Encoding: t.info.Encoding}).AppendEncoded(out, []byte(s.text)); err != nil {
			return &Error{Reason: Encoding, Edit: s.edit, Err: err}
		}
	}
	res.Content = append(out, t.raw[raw:]...)
	switch {
	case legacy && int64(len(res.Content)) > maxSize:
		return &Error{Reason: TooLarge}
	case legacy:
		res.Body, _ = t.info.Text(res.Content, size)
		return t.verify(res.Body, splices)
	}
	return nil
}

// verify returns an error unless body is the text after the splices.
func (t *Text) verify(body []byte, splices []splice) error {
	at, ok := 0, true
	for _, s := range splices {
		for _, part := range [][]byte{t.plain[at:s.at.Start], []byte(s.text)} {
			if body, ok = bytes.CutPrefix(body, part); !ok {
				return &Error{Reason: Inside, Edit: s.edit}
			}
		}
		at = s.at.End
	}
	if !bytes.Equal(body, t.plain[at:]) {
		return &Error{Reason: Inside, Edit: splices[len(splices)-1].edit}
	}
	return nil
}
