package edit

import (
	"bytes"
	"context"
	"strings"
	"unicode/utf8"
)

// place is a place of Old.
type place struct {
	Span
	shift *shift // nil if there is none
}

// found is what was found of an edit.
type found struct {
	how    Map
	places []place
	count  int // of all places, which overlap where only one is wanted
	end    int // of the last one
}

// most is the number of places that are kept of those where only one is wanted.
const most = 10

// refused returns the error for places that cannot be what was meant, or that there is no room for.
func (f *found) refused(e Edit, i, room int) error {
	bad := &Error{Edit: i, Map: f.how, Count: f.count}
	for _, p := range f.places[:min(len(f.places), most)] {
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

// search is the search for one Old.
type search struct {
	*Text
	Edit
	ctx    context.Context // the search lives no longer than the call, and its maps share one signature
	room   int             // for places, where all are wanted: the others are only counted
	window []byte          // of the body, from From on
	found  found
}

func (t *Text) search(ctx context.Context, e Edit, room int) *search {
	if e.To == 0 {
		e.To = len(t.body)
	}
	return &search{Text: t, Edit: e, ctx: ctx, room: room, window: t.body[e.From:e.To]}
}

// find finds an edit's places, by the first map that finds any.
func (t *Text) find(ctx context.Context, e Edit, room int) (*found, error) {
	s := t.search(ctx, e, room)
	if e.Old == "" {
		s.add(Span{e.From, e.From}, nil)
		return &s.found, nil
	}
	if (t.order() != nil || t.info.Legacy() != nil) && !utf8.ValidString(e.Old) {
		return &s.found, nil // a part of a character would be a place
	}
	for _, way := range []struct {
		how  Map
		find func()
	}{
		{Exact, s.exact},
		{LineEndings, s.anyEndings},
		{Trailing, s.trimmed},
		{Unicode, func() { s.folded(t.unicode, foldAll(t.unicode, []byte(e.Old)), false) }},
		{Indentation, s.indented},
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

// Find returns the places of an edit's Old, by the first map that finds any: how many there are,
// and the first ones.
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

// useful reports whether a map can find more than those before it.
func (s *search) useful(how Map) bool {
	switch how {
	case LineEndings:
		return strings.ContainsRune(s.Old, '\r') || bytes.IndexByte(s.window, '\r') >= 0 || strings.HasSuffix(s.Old, "\n") && !bytes.HasSuffix(s.window, newline)
	case Unicode:
		return !s.ascii || !isASCII([]byte(s.Old))
	case Indentation:
		return strings.Trim(s.Old, " \t\r\n") != ""
	}
	return true
}

// add takes a place, and reports whether to go on.
func (s *search) add(at Span, by *shift) bool {
	f := &s.found
	if s.All && at.Start < f.end {
		return true
	}
	if s.Lines && at.Start > 0 && s.body[at.Start-1] != s.end {
		return true
	}
	f.count++
	f.end = at.End
	if s.All && f.count <= s.room || f.count <= most {
		f.places = append(f.places, place{at, by})
	}
	return f.count%checkEvery != 0 || s.ctx.Err() == nil
}

func (s *search) exact() {
	index(s.window, []byte(s.Old), func(at int) bool {
		return s.add(Span{s.From + at, s.From + at + len(s.Old)}, nil)
	})
}

func (s *search) anyEndings() {
	s.folded(s.endings, foldAll(s.endings, []byte(s.Old)), false)
}

// left returns where the lines of Old stand with other endings, but for what the splices replace.
func (t *Text) left(ctx context.Context, e Edit, splices []splice) (left []Span) {
	s := t.search(ctx, e, MostPlaces)
	s.All = true
	if e.Lines || !strings.ContainsAny(e.Old, "\r\n") || !s.useful(LineEndings) {
		return nil
	}
	s.anyEndings()
	for _, p := range s.found.places {
		for len(splices) > 0 && splices[0].place.End <= p.Start {
			splices = splices[1:]
		}
		if len(splices) == 0 || splices[0].place.Start >= p.End {
			left = append(left, p.Span)
		}
	}
	return left
}

// folded finds a pattern, which a fold made of Old, in what it makes of the text. With atEnd what follows
// must be the end of a line, and the white space in front of that belongs to the place.
func (s *search) folded(f fold, pattern []byte, atEnd bool) {
	text := foldAll(f, s.window)
	if !bytes.HasSuffix(text, newline) {
		text = append(text, '\n')
	}
	starts, ends := cursor{fold: f, text: s.window, last: true}, cursor{fold: f, text: s.window}
	index(text, pattern, func(at int) bool {
		start, whole := starts.find(at)
		if ends.at < starts.at {
			ends = starts
			ends.last = false
		}
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

// trimmed finds Old without regard to white space at line ends. Behind the last line ending of Old that is
// the beginning of a line if there is nothing else.
func (s *search) trimmed() {
	last := s.Old[strings.LastIndexByte(s.Old, '\n')+1:]
	if strings.Trim(last, " \t") == "" {
		s.folded(s.trailing, append(foldAll(s.trailing, []byte(s.Old[:len(s.Old)-len(last)])), last...), false)
		return
	}
	s.folded(s.trailing, foldAll(s.trailing, []byte(s.Old)), isBlank(last[len(last)-1]))
}
