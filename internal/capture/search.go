package capture

import (
	"bytes"
	"cmp"
	"context"
	"time"

	"github.com/spillway-go/spillway/internal/match"
	"github.com/spillway-go/spillway/internal/terminal"
)

// Match is a line that matches a pattern.
type Match struct {
	Line int    // its number in the whole stream, from 1; 0 without a match
	Text string // the line as returned by quote.Value

	stream int   // the index of the stream
	end    int64 // where the raw output continues after the line, or after the part printed so far
}

// Search looks for a line in a growing output.
type Search struct {
	out     *Output
	seekers []*seeker // one for each stream, or none
}

// Search returns a search that begins after what the reader was shown. With a nil matcher it finds nothing.
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
			stream: s, index: i, offset: from.from, before: from.lines + from.over, old: from.bytes, shown: from.partial != "",
			buffer: make([]byte, 32<<10), search: m.NewSearcher(),
		}
		k.filter = terminal.NewFilter(&k.lines, "") // one line for each line of the raw output
		search.seekers = append(search.seekers, k)
	}
	return search
}

// newlineWait is how long Await waits for the end of a matching line. Many programs print the newline separately; a
// prompt has none.
const newlineWait = 50 * time.Millisecond

// Await returns when a line matches, when ctx ends, or when ended is closed, after which nothing more is printed.
func (s *Search) Await(ctx context.Context, ended <-chan struct{}) Match {
	var line int                // the number of a matching line without an end
	var ending <-chan time.Time // fires when Await stops waiting for the end
	for late := false; ; {
		all := false
		select {
		case <-ended: // checked before reading, so that the output is complete then
			all = true
		default:
		}
		var changed <-chan struct{}
		if len(s.seekers) > 0 {
			changed = s.out.changes()
		}
		var partial Match
		for _, k := range s.seekers {
			if found := k.next(ctx); found.Line > 0 {
				return found
			}
			partial = cmp.Or(partial, k.matched)
		}
		if partial.Line != line {
			line, late, ending = partial.Line, false, nil
			if line > 0 {
				ending = time.After(newlineWait)
			}
		}
		if all || late {
			return partial
		}
		select {
		case <-changed:
		case <-ended:
		case <-ending:
			late = true
		case <-ctx.Done():
			return partial
		}
	}
}

type seeker struct {
	stream *stream
	index  int   // of the stream
	offset int64 // in the raw output
	buffer []byte
	filter *terminal.Filter
	lines  bytes.Buffer // whole lines that were not searched yet
	search *match.Searcher

	before  int    // the number of lines before these
	old     int64  // the offset up to which the reader was shown the raw output
	shown   bool   // the current line is the one at old
	partial []byte // the shown part of this line
	matched Match  // the last line, if it matched but has no end yet
}

// skip reads the part of the last line that the reader was shown.
func (k *seeker) skip(ctx context.Context) {
	for k.offset < k.old && ctx.Err() == nil {
		n, _ := k.stream.readAt(k.buffer[:min(int64(len(k.buffer)), k.old-k.offset)], k.offset)
		if n == 0 {
			return
		}
		k.filter.Write(k.buffer[:n])
		k.lines.Reset()
		k.offset += int64(n)
		k.partial = k.filter.Pending()
	}
}

// next searches what was printed since the last call, up to the first matching line. If the last line matches but has
// no end yet, such as a prompt, next sets matched instead of returning it.
func (k *seeker) next(ctx context.Context) Match {
	k.search.Until(ctx)
	k.skip(ctx)
	for ctx.Err() == nil && k.offset >= k.old {
		n, _ := k.stream.readAt(k.buffer, k.offset)
		if n == 0 {
			break
		}
		k.filter.Write(k.buffer[:n])
		if found, lines := k.whole(); found.Line > 0 {
			found.end = k.offset + int64(lengthOf(k.buffer[:n], lines))
			return found
		}
		k.offset += int64(n)
	}
	last := k.filter.Pending()
	if len(last) > 0 && k.search.Line(last) && k.isNew(last) {
		k.matched = k.found(0, last)
	}
	return Match{}
}

// lengthOf returns the length of the first lines of a chunk, or of the whole chunk if it has fewer.
func lengthOf(chunk []byte, lines int) int {
	end := 0
	for ; lines > 0; lines-- {
		n := bytes.IndexByte(chunk[end:], '\n') + 1
		if n == 0 {
			return len(chunk)
		}
		end += n
	}
	return end
}

// whole searches the whole lines, and returns their number up to the matching one.
func (k *seeker) whole() (found Match, lines int) {
	text := k.lines.Bytes()
	for from := 0; ; {
		start, end, ok := k.search.Next(text, from)
		if !ok {
			break
		}
		k.shown = k.shown && start == 0
		if k.isNew(text[start:end]) {
			before := bytes.Count(text[:start], []byte("\n"))
			return k.found(before, text[start:end]), before + 1
		}
		k.shown, from = false, min(end+1, len(text))
	}
	k.shown = k.shown && len(text) == 0
	if n := bytes.Count(text, []byte("\n")); n > 0 {
		k.before, k.matched = k.before+n, Match{}
	}
	k.lines.Reset()
	return Match{}, 0
}

// isNew reports whether the current line, which matches, has a match that the reader was not shown. A shown match that
// has become longer is not new.
func (k *seeker) isNew(line []byte) bool {
	if !k.shown || !bytes.HasPrefix(line, k.partial) {
		return true
	}
	n := len(k.partial)
	for start, end := range k.search.InLine(line) {
		if end > n && (start >= n || !k.begins(start)) {
			return true
		}
	}
	return false
}

// begins reports whether a match begins at a place in the shown part of the current line.
func (k *seeker) begins(at int) bool {
	for start := range k.search.InLine(k.partial) {
		if start >= at {
			return start == at
		}
	}
	return false
}

func (k *seeker) found(before int, line []byte) Match {
	return Match{
		Line: k.before + before + 1, Text: visible(string(line)), stream: k.index, end: k.offset,
	}
}
