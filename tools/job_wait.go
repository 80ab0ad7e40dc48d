package tools

import (
	"bytes"
	"context"
	"strings"
	"time"

	"github.com/spillway-go/spillway/internal/match"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/terminal"
)

// JobMatch is the line that a call of job waited for.
type JobMatch struct {
	Line int    `json:"line"` // its number in the whole output, from 1
	Text string `json:"text"` // the line, up to 200 characters of it
}

// found says what the wait for argument has found.
func (j *Job) found(f JobMatch, argument string, waited time.Duration) notice.Notice {
	switch {
	case f.Line > 0:
		return notice.Matched(f.Line, f.Text)
	case isClosed(j.process.Gone()):
		return notice.NeverMatched(argument)
	}
	return notice.NotMatched(argument, waited)
}

// await returns when the job has ended, when one of seek finds a line, after d, or when ctx
// or the suite ends.
func (j *Job) await(ctx context.Context, seek []*seeker, d time.Duration) (found JobMatch) {
	ctx, cancel := context.WithTimeout(ctx, d)
	defer cancel()
	defer context.AfterFunc(j.suite.living, cancel)()
	if len(seek) > 0 {
		j.files.RLock()
		defer j.files.RUnlock()
	}
	for {
		gone := isClosed(j.process.Gone()) // before the output: that is all of it then
		changed := j.changes(len(seek) > 0)
		for _, s := range seek {
			if found = s.next(ctx); found.Line > 0 {
				return found
			}
		}
		if gone {
			return JobMatch{}
		}
		select {
		case <-changed:
		case <-j.process.Gone():
		case <-ctx.Done():
			return JobMatch{}
		}
	}
}

// changes returns a channel that is closed when something is printed; nil if that is not
// wanted.
func (j *Job) changes(wanted bool) <-chan struct{} {
	if !wanted {
		return nil
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.wake == nil {
		j.wake = make(chan struct{})
	}
	return j.wake
}

// seeker looks for a line in the file of an output that grows, from where it was shown last.
type seeker struct {
	from   *capture
	offset int64 // in the raw output
	buffer []byte
	filter *terminal.Filter
	lines  bytes.Buffer // whole lines that were not looked at
	search *match.Searcher

	before int    // lines before lines
	half   string // the first line as it was shown; if that matches, the line is not new
	first  bool   // the first line is not over
}

// seek returns what looks for a line, from the last one that was shown in part. A nil matcher
// looks for none.
func (o *output) seek(m *match.Matcher) (list []*seeker) {
	if m == nil {
		return nil
	}
	for _, c := range o.streams() {
		s := &seeker{from: c, buffer: make([]byte, 32<<10), search: m.NewSearcher(), first: true}
		s.filter = terminal.NewFilter(&s.lines)
		c.mu.Lock()
		s.offset, s.before, s.half = c.job.from, c.job.lines, c.job.half
		c.mu.Unlock()
		list = append(list, s)
	}
	return list
}

// next looks at what was printed since, up to the first line that matches. It also takes a
// line that has no end yet, as that of a prompt.
func (s *seeker) next(ctx context.Context) JobMatch {
	s.search.Until(ctx)
	for ctx.Err() == nil {
		s.from.mu.Lock()
		n, _ := s.from.spill.ReadAt(s.buffer, s.offset)
		s.from.mu.Unlock()
		if n == 0 {
			break
		}
		s.offset += int64(n)
		s.filter.Write(s.buffer[:n])
		if found := s.whole(); found.Line > 0 {
			return found
		}
	}
	last := s.filter.Pending()
	if len(last) > 0 && s.search.Line(last) && !s.old() {
		return s.found(0, last)
	}
	return JobMatch{}
}

// whole looks at the lines that are whole.
func (s *seeker) whole() JobMatch {
	text := s.lines.Bytes()
	for from := 0; ; {
		start, end, ok := s.search.Next(text, from)
		if !ok {
			break
		}
		s.first = s.first && start == 0
		if !s.old() {
			return s.found(bytes.Count(text[:start], []byte("\n")), text[start:end])
		}
		s.first, from = false, min(end+1, len(text))
	}
	s.first = s.first && len(text) == 0
	s.before += bytes.Count(text, []byte("\n"))
	s.lines.Reset()
	return JobMatch{}
}

// old reports whether the line at hand is one that matched already when it was shown in part.
func (s *seeker) old() bool { return s.first && s.half != "" && s.search.Line([]byte(s.half)) }

// found returns the match in a line; before is the number of lines in front of it.
func (s *seeker) found(before int, line []byte) JobMatch {
	return JobMatch{s.before + before + 1, strings.TrimSpace(show(string(line)))}
}
