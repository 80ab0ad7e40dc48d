package edit

import (
	"bytes"
	"context"
	"strings"
	"unicode/utf8"
)

type place struct {
	Span
	shift *shift // nil if the indentation is the same
}

type found struct {
	how    Map
	places []place
	count  int // of all places, which may overlap if only one is wanted
	end    int // of the last place
}

// maxListed is the number of places that are kept if only one is wanted.
const maxListed = 10

// refused returns the error if a search found no place, several where one is wanted, or more than room.
func (f *found) refused(e Edit, i, room int) error {
	bad := &Error{Edit: i, Map: f.how, Count: f.count}
	for _, p := range f.places[:min(len(f.places), maxListed)] {
		bad.Places = append(bad.Places, p.Span)
	}
	switch {
	case f.count == 0:
		bad.Reason = Missing
	case !e.All && f.count > 1:
		bad.Reason = Several
	case f.count > room:
		bad.Reason = TooMany
	default:
		return nil
	}
	return bad
}

type search struct {
	*Text
	Edit
	ctx    context.Context // the search does not outlive the call
	room   int             // how many places to keep if all are wanted; further ones are only counted
	window []byte          // the part of the body to search
	found  found
}

func (t *Text) search(ctx context.Context, e Edit, room int) *search {
	if e.To == 0 {
		e.To = len(t.body)
	}
	return &search{Text: t, Edit: e, ctx: ctx, room: room, window: t.body[e.From:e.To]}
}

// find finds the places of an edit with the first map that finds any.
func (t *Text) find(ctx context.Context, e Edit, room int) (*found, error) {
	s := t.search(ctx, e, room)
	if e.Old == "" {
		s.add(Span{e.From, e.From}, nil)
		return &s.found, nil
	}
	if (t.order != nil || t.info.Legacy() != nil) && !utf8.ValidString(e.Old) {
		return &s.found, nil // matches would be inside characters
	}
	for _, way := range []struct {
		how  Map
		find func()
	}{
		{Exact, func() {
			index(s.window, []byte(e.Old), func(at int) bool {
				return s.add(Span{e.From + at, e.From + at + len(e.Old)}, nil)
			})
		}},
		{LineEndings, s.anyEndings},
		{Trailing, func() { s.trimmed(t.trailing) }},
		{Unicode, func() { s.folded(t.unicode, foldAll(t.unicode, []byte(e.Old)), false) }},
		{Indentation, s.indented},
		{Loose, func() { s.trimmed(t.loose) }},
	} {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if s.found.how = way.how; s.useful(way.how) {
			way.find()
		}
		if s.found.count > 0 {
			break
		}
	}
	return &s.found, ctx.Err()
}

// Find finds the places of an edit with the first map that finds any. It returns the first of them, and their number.
func (t *Text) Find(ctx context.Context, e Edit) (first []Span, count int, how Map, err error) {
	found, err := t.find(ctx, e, 0)
	if err != nil {
		return nil, 0, Exact, err
	}
	for _, p := range found.places {
		first = append(first, p.Span)
	}
	return first, found.count, found.how, nil
}

// useful reports whether a map can find more than the maps before it.
func (s *search) useful(how Map) bool {
	switch how {
	case LineEndings:
		return strings.ContainsRune(s.Old, '\r') || bytes.IndexByte(s.window, '\r') >= 0 ||
			strings.HasSuffix(s.Old, "\n") && !bytes.HasSuffix(s.window, newline)
	case Unicode, Loose:
		return !s.ascii || !isASCII([]byte(s.Old))
	case Indentation:
		return strings.Trim(s.Old, " \t\r\n") != ""
	}
	return true
}

func (s *search) add(at Span, by *shift) bool {
	f := &s.found
	if _, ok := s.part(at); !ok {
		return true
	}
	if s.All && at.Start < f.end {
		return true
	}
	if s.Lines && at.Start > 0 && s.body[at.Start-1] != s.end {
		return true
	}
	f.count++
	f.end = at.End
	if s.All && f.count <= s.room || f.count <= maxListed {
		f.places = append(f.places, place{at, by})
	}
	return f.count%checkEvery != 0 || s.ctx.Err() == nil
}

func (s *search) anyEndings() {
	s.folded(s.endings, foldAll(s.endings, []byte(s.Old)), false)
}

// OtherEndings returns the places of Old with other line endings that do not touch the changed parts, which must be
// sorted.
func (t *Text) OtherEndings(ctx context.Context, e Edit, changed []Span) (left []Span) {
	s := t.search(ctx, e, MostPlaces)
	s.All = true
	if !strings.ContainsAny(e.Old, "\r\n") || !s.useful(LineEndings) {
		return nil
	}
	s.anyEndings()
	for _, p := range s.found.places {
		for len(changed) > 0 && changed[0].End <= p.Start {
			changed = changed[1:]
		}
		if len(changed) == 0 || changed[0].Start >= p.End {
			left = append(left, p.Span)
		}
	}
	return left
}

// folded searches the folded text for a pattern, which is Old after the same fold. With atEnd, a place must reach the
// end of a line, including its trailing white space.
func (s *search) folded(f fold, pattern []byte, atEnd bool) {
	text := foldAll(f, s.window)
	if !bytes.HasSuffix(text, newline) {
		text = append(text, '\n')
	}
	starts, ends := cursor{fold: f, text: s.window, last: true}, cursor{fold: f, text: s.window}
	index(text, pattern, func(at int) bool {
		start, whole := starts.find(at)
		end, ok := ends.find(at + len(pattern))
		for atEnd && end < len(s.window) && isBlank(s.window[end]) {
			end++
		}
		if !whole || !ok || atEnd && end < len(s.window) && s.ending(s.window, end) == 0 {
			return true
		}
		return s.add(Span{s.From + start, s.From + end}, nil)
	})
}

// trimmed finds Old by a fold that removes white space at line ends. White space after Old's last line ending is the
// beginning of a line.
func (s *search) trimmed(f fold) {
	last := s.Old[strings.LastIndexByte(s.Old, '\n')+1:]
	if strings.Trim(last, " \t") == "" {
		s.folded(f, append(foldAll(f, []byte(s.Old[:len(s.Old)-len(last)])), last...), false)
		return
	}
	s.folded(f, foldAll(f, []byte(s.Old)), isBlank(last[len(last)-1]))
}
