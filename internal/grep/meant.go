package grep

import (
	"bytes"
	"context"
	"slices"
	"time"

	"github.com/spillway-go/spillway/internal/match"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/internal/search"
	"github.com/spillway-go/spillway/internal/workspace"
	"golang.org/x/text/unicode/norm"
)

const (
	// lookTime is how long a search that found nothing looks for escape sequences. It looks in few files, or in a
	// large one that has some in its first lookBytes: a second search takes as long as the first, 30 ms for 100 MB.
	lookTime  = time.Second
	lookBytes = 64 << 10
	// maxTried is the number of lines on which a pattern is tried before it is suggested.
	maxTried = 20
	// maxEscaped is the number of lines with escape sequences that are examined.
	maxEscaped = 1 << 20
)

// mayHaveEscapes reports whether looking for escape sequences is worthwhile.
func (s *Search) mayHaveEscapes() bool {
	if s.few() || s.several {
		return s.few()
	}
	f, _, err := s.path.OpenFile()
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, lookBytes)
	n, _ := f.ReadAt(head, 0)
	return bytes.IndexByte(head[:n], '\x1b') >= 0
}

// withEscapes calls visit with each line that has escape sequences. It reports whether these are all.
func (s *Search) withEscapes(ctx context.Context, visit func(line []byte)) (whole bool) {
	p := s.params
	if p.Multiline || !s.mayHaveEscapes() {
		return false
	}
	p.Pattern, p.Literal, p.IgnoreCase, p.OnlyMatching, p.OutputMode = "\x1b", true, false, false, ""
	p.Context, p.Before, p.After, p.Offset, p.Also, p.Limit = 0, 0, 0, 0, nil, maxEscaped
	most := lookTime
	if s.few() {
		most = fewTime
	}
	ctx, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	other, err := New(ctx, p, s.path, s.Options)
	if err != nil {
		return false
	}
	other.visit = func(l search.Line) { visit(l.Text) }
	return other.run(ctx) == nil && !other.found.More
}

// meant returns a suggestion for a pattern that matches nothing; "" for none. Facts about the files come before
// guesses.
func (s *Search) meant(ctx context.Context) string {
	for _, suggest := range []func(context.Context) string{s.atLineEnd, s.otherForm, s.escaped} {
		if said := suggest(ctx); said != "" {
			return said
		}
	}
	pattern := s.pattern
	pattern.Plain = func() bool { return plain(ctx, s.params, s.path, s.Options) }
	return pattern.Nothing()
}

// atLineEnd returns the suggestion for a pattern that matches a carriage return at the end of a line; "" if it does
// not.
func (s *Search) atLineEnd(ctx context.Context) string {
	p := s.params
	if p.Multiline || !match.HasReturn(p.Pattern, s.pattern.Options) {
		return ""
	}
	if p.Multiline = true; !finds(ctx, p, s.path, s.Options) {
		return ""
	}
	if p.OnlyMatching {
		return ". " + notice.AtLineEnd + ", and leave out only_matching"
	}
	return ". " + notice.AtLineEnd
}

// otherForm returns the suggestion for a pattern whose accents are composed differently in the files; "" if they are
// not.
func (s *Search) otherForm(ctx context.Context) string {
	p := s.params
	for _, form := range []norm.Form{norm.NFC, norm.NFD} {
		p.Pattern, p.Literal = match.InForm(s.params.Pattern, form, s.params.Literal), false
		if p.Pattern != "" && finds(ctx, p, s.path, s.Options) {
			return ". " + notice.OtherForm(quote.Inline(p.Pattern), s.params.Literal)
		}
	}
	return ""
}

// escaped returns the suggestion for a pattern that matches lines without their escape sequences; "" if none does.
func (s *Search) escaped(ctx context.Context) string {
	count, first := 0, [][]byte(nil)
	matching := s.query.Matcher.NewSearcher()
	matching.Until(ctx)
	whole := s.withEscapes(ctx, func(line []byte) {
		text := match.WithoutEscapes(line)
		if len(text) == len(line) || !matching.Line(text) {
			return
		}
		if count++; len(first) < maxTried {
			first = append(first, bytes.Clone(line))
		}
	})
	if count == 0 {
		return ""
	}
	said := notice.Escaped{Lines: count, More: !whole}
	for _, everywhere := range []bool{false, true} {
		pattern := match.AcrossEscapes(s.params.Pattern, s.pattern.Options, everywhere)
		m, err := match.Compile(pattern, match.Options{IgnoreCase: s.params.IgnoreCase})
		if pattern != "" && err == nil && !slices.ContainsFunc(first, func(line []byte) bool {
			return !m.NewSearcher().Line(line)
		}) {
			said.Pattern, said.Literal = quote.Inline(pattern), s.params.Literal
			break
		}
	}
	return ". " + said.Sentence()
}

// plainTime bounds the search for other meanings of a pattern that found nothing, such as plain text.
const plainTime = 250 * time.Millisecond

func plain(ctx context.Context, p Params, path workspace.Path, o Options) bool {
	p.Literal = true
	return finds(ctx, p, path, o)
}

// finds reports whether a search finds something within plainTime.
func finds(ctx context.Context, p Params, path workspace.Path, o Options) bool {
	ctx, cancel := context.WithTimeout(ctx, plainTime)
	defer cancel()
	p.Also, p.OnlyMatching, p.OutputMode, p.Limit, p.Offset = nil, false, modeFiles, 1, 0
	s, err := New(ctx, p, path, o)
	return err == nil && s.run(ctx) == nil && s.found.Seen > 0
}
