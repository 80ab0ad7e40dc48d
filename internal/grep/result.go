package grep

import (
	"cmp"
	"context"

	"github.com/spillway-go/spillway/internal/fault"
	"github.com/spillway-go/spillway/internal/leftout"
	"github.com/spillway-go/spillway/internal/mask"
	"github.com/spillway-go/spillway/internal/matches"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/internal/search"
	"github.com/spillway-go/spillway/internal/textfile"
)

type Result struct {
	matches.Page               // the shown part; zero if empty
	Text         string        // Page with the notices
	Found        int           // matches, or files, behind the offset and up to the limit
	More         bool          // there are more
	NextOffset   int           // the offset to continue with; 0 if there is no more
	Left         leftout.Notes // what was not searched
}

// leaveOut records what a search left out. In files that are not UTF-8 it may have missed non-ASCII text, so it
// guesses the encoding of the first.
func (s *Search) leaveOut(ctx context.Context, stats search.Stats) {
	left := &s.left
	left.Bash, left.Whole, left.MaxBytes = s.Has("bash"), s.params.Multiline, s.query.MaxBytes
	if stats.InPieces {
		left.LongLines = search.MaxLine
	}
	decoded := stats.Decoded
	if s.found.Seen == 0 { // the encoding may be the reason
		decoded = stats.Silent
	}
	left.DecodedFrom = decoded.From
	names := func(c search.Counted) (shown []string) {
		for _, name := range c.First {
			shown = append(shown, quote.Name(s.named(name)))
		}
		return shown
	}
	left.Binary, left.BinaryFirst, left.Sets.Binary = stats.Binary.Files, names(stats.Binary), stats.Binary.Set
	left.Large, left.LargeFirst, left.Sets.Large = stats.Large.Files, names(stats.Large), stats.Large.Set
	left.NotUTF8, left.NotFirst, left.Sets.NotUTF8 = stats.NotUTF8.Files, names(stats.NotUTF8), stats.NotUTF8.Set
	left.Decoded, left.DecodedFirst, left.Sets.Decoded = decoded.Files, names(decoded.Counted), decoded.Set
	if stats.NotUTF8.Files > 0 && ctx.Err() == nil {
		left.Likely = s.guess(s.named(stats.NotUTF8.First[0]), nil)
	}
}

// named returns the path of a file in the search; "" if the search is of one file.
func (s *Search) named(file string) string {
	if file == "" {
		return s.path.Name
	}
	return s.path.Prefix() + file
}

// guess returns the likely encoding of a named file, of which part is a part; or "".
func (s *Search) guess(name string, part []byte) string {
	path, err := s.Place.Workspace.Resolve(name)
	if err != nil {
		return ""
	}
	f, _, err := path.OpenFile()
	if err != nil {
		return ""
	}
	defer f.Close()
	return textfile.GuessFile(f, part)
}

// result returns what was found. Only a search that completed knows that there is nothing.
func (s *Search) result(ctx context.Context) (Result, error) {
	ended := ctx.Err() == nil
	offset, seen := s.params.Offset, s.found.Seen
	res := Result{Found: max(seen-offset, 0), More: s.found.More, Left: s.left}
	if res.Found == 0 {
		if seen > 0 {
			return res, fault.Errorf(fault.InvalidInput, "offset %d is beyond the end: there are %d %s", offset, seen, s.counted)
		}
		res.Text = s.nothing(ctx, ended)
		return res, nil
	}
	res.Page = s.found.Page()
	if res.More || res.Matches < res.Found {
		res.NextOffset = offset + res.Matches
	}
	var secrets []mask.Finding
	for _, in := range res.Secrets {
		secrets = append(secrets, in.Found...)
	}
	shown := notice.Matches{Found: res.Found, More: res.More, What: s.counted, Shown: res.Matches}
	var reached, inAll, invalid notice.Notice
	if res.More {
		reached, inAll = s.limitReached(res.Found), s.tally.notice(offset+res.Found, s.counted)
	}
	if res.Invalid != nil {
		invalid = s.notValid(res.Invalid, ended)
	}
	said := notice.Fit(s.pattern.EmptyAlternative(), notice.Redacted(mask.Summary(secrets)), reached,
		shown.ListLimit(res.Page.Result), notice.Continue(res.NextOffset, res.More && offset == 0), inAll,
		res.LongLines, res.LongMatch, res.NoContext, s.lowered(),
		notice.NULsIn(res.Page.Text, res.NULs), invalid, res.Hits.Notice(), s.Corrected)
	left := s.left.Found(s.First, ended && !res.More, !ended, notice.Room(said...))
	res.Text = notice.Append(res.Page.Text, append(said, left)...)
	return res, nil
}

func (s *Search) limitReached(found int) notice.Notice {
	one := "match"
	if s.query.Count {
		one = "file"
	}
	return notice.LimitReached{Limit: s.params.Limit, Found: found, One: one, Many: s.counted, Refine: true,
		Continued: s.params.Offset > 0}.Notice()
}

// lowered says which argument for context exceeded the maximum.
func (s *Search) lowered() notice.Notice {
	if s.query.Count {
		return ""
	}
	p := s.params
	return cmp.Or(notice.Lowered("before", int64(p.Before), maxContext),
		notice.Lowered("after", int64(p.After), maxContext),
		notice.Lowered("context", int64(p.Context), maxContext))
}

// notValid returns the notice for line, the first shown line that is not valid UTF-8. Only a completed search has time
// to guess the encoding of its file.
func (s *Search) notValid(line *matches.Line, ended bool) notice.Notice {
	bad := notice.NotValid{Encoding: textfile.UTF8, Path: quote.Name(line.Path)}
	if ended {
		bad.Likely = s.guess(line.Path, []byte(line.Text))
	}
	return bad.Found()
}

func (s *Search) nothing(ctx context.Context, ended bool) string {
	left := s.left.None(s.First, ended)
	if !ended {
		return notice.Append("", left, notice.IfRoom(s.Corrected, left))
	}
	text := notice.NoMatches
	if s.lacks > 0 {
		text += ". " + notice.Lacking(s.lacks)
	} else if glob := s.params.Glob; glob != "" && s.found.Visited().Load() == 0 {
		text += ". No file matches the glob " + quote.Value(glob) + s.missed.hint()
	} else {
		text += s.meant(ctx)
	}
	var none, unsearched notice.Notice
	if skipped := s.left.Binary + s.left.Large; s.several && skipped > 0 && s.found.Visited().Load() <= int64(skipped) {
		none = notice.NoneSearched
	}
	if !s.Place.Redact.Off() {
		unsearched = notice.NotSearched
	}
	return notice.Append(text, left, none, unsearched, notice.IfRoom(s.Corrected, left, none, unsearched))
}
