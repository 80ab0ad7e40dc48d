package capture

import (
	"bytes"
	"cmp"
	"context"
	"strings"
	"time"

	"github.com/spillway-go/spillway/internal/match"
	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/internal/terminal"
)

// Match is a line that was looked for.
type Match struct {
	Line int    // its number in the whole stream, from 1; 0 if there is none
	Text string // the line as a value is quoted, up to 200 characters of it
}

// Search looks for a line in an output that grows.
type Search struct {
	out     *Output
	seekers []*seeker // one a stream; none if nothing is looked for
}

// Search looks from the last line that was shown to the reader in part. A nil matcher looks for
// nothing.
func (r *Reader) Search(m *match.Matcher) *Search {
	o := r.out
	search := &Search{out: o}
	if m == nil {
		return search
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	for i, s := range o.streams {
		from := r.views[i].position
		k := &seeker{
			stream: s, offset: from.from, before: from.lines, half: from.half, first: true,
			buffer: make([]byte, 32<<10), search: m.NewSearcher(),
		}
		k.filter = terminal.NewFilter(&k.lines)
		search.seekers = append(search.seekers, k)
	}
	return search
}

// newlineWait is how long a line that matches has to end. Many programs print the end of a
// line apart; a prompt has none.
const newlineWait = 50 * time.Millisecond

// Await returns when a line matches, when ended is closed, after which nothing is printed, or when
// ctx ends.
func (s *Search) Await(ctx context.Context, ended <-chan struct{}) Match {
	var line int                // the one that has matched and may end
	var ending <-chan time.Time // when it is taken as it is
	for late := false; ; {
		all := false
		select {
		case <-ended: // before the output is read: that is all of it then
			all = true
		default:
		}
		var changed <-chan struct{}
		if len(s.seekers) > 0 {
			changed = s.out.changes()
		}
		var half Match
		for _, k := range s.seekers {
			if found := k.next(ctx); found.Line > 0 {
				return found
			}
			half = cmp.Or(half, k.matched)
		}
		if half.Line != line {
			line, late, ending = half.Line, false, nil
			if line > 0 {
				ending = time.After(newlineWait)
			}
		}
		if all || late {
			return half
		}
		select {
		case <-changed:
		case <-ended:
		case <-ending:
			late = true
		case <-ctx.Done():
			return half
		}
	}
}

// seeker looks for a line in a stream.
type seeker struct {
	stream *stream
	offset int64 // in the raw output
	buffer []byte
	filter *terminal.Filter
	lines  bytes.Buffer // whole lines that were not looked at
	search *match.Searcher

	before  int    // lines before lines
	half    string // the first line as it was shown; if that matches, the line is not new
	first   bool   // the first line is not over
	matched Match  // the last line, if it has no end, and matched at some time
}

// next looks at what was printed since, up to the first line that matches. One that matches
// but has no end yet, such as a prompt, is not returned but kept in matched.
func (k *seeker) next(ctx context.Context) Match {
	k.search.Until(ctx)
	for ctx.Err() == nil {
		n, _ := k.stream.readAt(k.buffer, k.offset)
		if n == 0 {
			break
		}
		k.offset += int64(n)
		k.filter.Write(k.buffer[:n])
		if found := k.whole(); found.Line > 0 {
			return found
		}
	}
	last := k.filter.Pending()
	if len(last) > 0 && k.search.Line(last) && !k.old() {
		k.matched = k.found(0, last)
	}
	return Match{}
}

// whole looks at the lines that are whole.
func (k *seeker) whole() Match {
	text := k.lines.Bytes()
	for from := 0; ; {
		start, end, ok := k.search.Next(text, from)
		if !ok {
			break
		}
		k.first = k.first && start == 0
		if !k.old() {
			return k.found(bytes.Count(text[:start], []byte("\n")), text[start:end])
		}
		k.first, from = false, min(end+1, len(text))
	}
	k.first = k.first && len(text) == 0
	if n := bytes.Count(text, []byte("\n")); n > 0 {
		k.before, k.matched = k.before+n, Match{}
	}
	k.lines.Reset()
	return Match{}
}

// old reports whether the line at hand is one that matched already when it was shown in part.
func (k *seeker) old() bool { return k.first && k.half != "" && k.search.Line([]byte(k.half)) }

// found returns the match in a line; before is the number of lines in front of it.
func (k *seeker) found(before int, line []byte) Match {
	return Match{k.before + before + 1, strings.TrimSpace(quote.Value(string(line)))}
}
