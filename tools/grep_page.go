package tools

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/redact"
	"github.com/spillway-go/spillway/internal/search"
	"github.com/spillway-go/spillway/truncation"
)

// grepPage is what of a list is shown.
type grepPage struct {
	lines     []GrepLine
	matches   int
	cut       bool // some of the lines are
	long      notice.LongLines
	removed   int       // bytes that these lack
	invalid   *GrepLine // the first line that is not valid UTF-8
	nuls      bool      // a line has NUL bytes
	longMatch notice.Notice
	noContext notice.Notice
	hits      ignoredHits
	secrets   []pathSecrets
}

// pathSecrets are the secrets in the lines of a file that are shown.
type pathSecrets struct {
	name  string // of the file, as it is shown
	found []redact.Finding
}

// page chooses what is shown: all that fits, but of a match all of its lines or, if it
// is not the first one, none.
func (g *grep) page(list *truncation.Result) (p grepPage) {
	n := list.OutputLines
	last := -1 // the line in which the last match begins
	for i, line := range g.list.items[:n] {
		p.matches += line.begins
		if line.begins > 0 {
			last = i
		}
	}
	if last >= 0 && list.Truncated && last+g.list.items[last].span > n {
		p.matches--
		if n = last; g.list.items[last].begins > 1 || g.list.items[last].goesOn {
			n++ // the end of the match before it
		}
	}
	for n > 0 && g.list.items[n-1].Path == "" {
		n-- // nothing follows this divider
	}
	shown := g.list.items[:n]
	if p.matches == 0 {
		shown = g.firstAlone(list, &p)
	} else if n < list.OutputLines {
		showInstead(list, head(list.MaxLines, list.MaxBytes).Truncate(printed(shown)))
	}
	for i, line := range shown {
		if line.Path != "" {
			p.lines = append(p.lines, line.GrepLine)
			if line.Cut && !p.cut {
				p.cut = true
				p.long = notice.LongLines{Max: g.cfg.Grep.MaxLineChars, Path: line.name, Line: line.Line, Column: line.column,
					Encoding: g.query.Encoding}
			}
			p.removed += line.removed
			p.addSecrets(line)
			if line.Match {
				p.hits.add(line.root)
			}
			p.nuls = p.nuls || strings.Contains(line.Text, "\x00")
			if p.invalid == nil && !utf8.ValidString(line.Text) {
				p.invalid = &shown[i].GrepLine
			}
		}
	}
	if g.dropped {
		p.noContext = notice.ContextDropped
	}
	return p
}

// addSecrets adds the secrets of a line, but for one that goes on from the line before.
func (p *grepPage) addSecrets(line shownLine) {
	if len(line.secrets) == 0 {
		return
	}
	n := len(p.secrets)
	if n == 0 || p.secrets[n-1].name != line.name {
		p.secrets = append(p.secrets, pathSecrets{name: line.name})
		n++
	}
	in := &p.secrets[n-1]
	for _, s := range line.secrets {
		if len(in.found) == 0 || s.Start > in.found[len(in.found)-1].Start {
			in.found = append(in.found, s)
		}
	}
}

// longLines returns the notice for lines that are cut; "" if none is.
func (p *grepPage) longLines() notice.Notice {
	if !p.cut {
		return ""
	}
	return p.long.Notice()
}

// firstAlone shows the first match without what is near it, or a search could never get
// past it: all of its lines, or as many as fit, or a part of the first. That has its path in
// front if there is no room for two lines.
func (g *grep) firstAlone(list *truncation.Result, p *grepPage) []shownLine {
	first := slices.Clone(g.first.lines)
	line := first[0]
	p.matches = line.begins
	i := slices.IndexFunc(g.list.items, func(l shownLine) bool { return l.Path != "" })
	g.dropped = g.dropped || g.query.Around != (search.Around{}) && (i < 0 || g.list.items[i].begins == 0)
	limit := head(list.MaxLines, list.MaxBytes)
	one := limit.Truncate(printed(append([]shownLine{{name: line.name}}, first...)))
	n := one.OutputLines - 1
	if !line.grouped || n < 1 {
		for i := range first {
			first[i].grouped = false
		}
		one = limit.Truncate(printed(first))
		n = max(one.OutputLines, 1)
	}
	if one.OutputLines > 0 {
		showInstead(list, one)
	} else {
		showCut(list, first[0].String())
	}
	if n < line.span {
		p.longMatch = notice.LongMatch(n, line.span, line.Line+n)
	}
	return first[:n]
}

// printed returns lines as a list has them.
func printed(lines []shownLine) string {
	var b strings.Builder
	for i, line := range lines {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(line.String())
	}
	return b.String()
}

// result returns what was found. Only a search that came to its end knows that there is nothing.
func (g *grep) result(ended bool) (GrepResult, error) {
	found := max(g.seen-g.offset, 0)
	res := GrepResult{
		Matches: found, Ignored: g.left.Ignored, SkippedBinary: g.left.Binary, SkippedLarge: g.left.Large,
		NotUTF8: g.left.NotUTF8, Unreadable: g.left.Unreadable, RulesCut: g.left.Rules,
	}
	if found == 0 {
		if g.seen > 0 {
			return res, errorf(CodeInvalidInput, "offset %d is beyond the end: there are %d %s", g.offset, g.seen, g.what())
		}
		if ended {
			res.Text = g.nothing()
		}
		var unsearched notice.Notice
		if g.redact != nil && ended {
			unsearched = notice.NotSearched
		}
		left := g.left.none(g.telling, ended)
		res.Text = notice.Append(res.Text, left, unsearched, ifRoom(g.corrected, left, unsearched))
		return res, nil
	}
	_, list := g.list.result()
	page := g.page(&list)
	shown := notice.Matches{Found: found, More: g.more, What: g.what(), Shown: page.matches}
	res.Lines, res.LinesTruncated, res.IgnoredHits = page.lines, page.cut, page.hits.count
	if g.more {
		res.LimitReached = g.limit
	}
	whole := list
	whole.TotalBytes += page.removed
	res.set(whole)
	res.limited, res.linesCut = g.more, res.LinesTruncated
	if g.more || shown.Shown < found {
		res.NextOffset = g.offset + shown.Shown
	}
	if list.Truncated {
		res.Truncation = &list
	}
	for _, s := range page.secrets {
		res.redacted(s.name, s.found)
	}
	said := notice.Fit(res.redactedNotice(), g.limitReached(found), shown.ListLimit(list), notice.Continue(res.NextOffset), page.longLines(),
		page.longMatch, page.noContext, g.lowered(), nulsIn(list.Text, page.nuls), g.notValid(page.invalid, ended), page.hits.notice(),
		g.corrected)
	left := g.left.found(g.telling, ended && !g.more, !ended, notice.Room(said...))
	res.Text = notice.Append(list.Text, append(said, left)...)
	return res, nil
}

// limitReached returns the notice for a search that found more than its limit; "" for others.
func (g *grep) limitReached(found int) notice.Notice {
	if !g.more {
		return ""
	}
	reached := notice.LimitReached{Limit: g.limit, Found: found, One: "match", Many: g.what(), Refine: true}
	if g.query.Count {
		reached.One = "file"
	}
	reached.Continued = g.offset > 0
	return reached.Notice()
}

// lowered says which argument for context was over the maximum.
func (g *grep) lowered() notice.Notice {
	if g.query.Count {
		return ""
	}
	p := g.params
	return cmp.Or(notice.Lowered("before", int64(p.Before), maxContext),
		notice.Lowered("after", int64(p.After), maxContext),
		notice.Lowered("context", int64(p.Context), maxContext))
}

// nothing returns the text of a search that found no match.
func (g *grep) nothing() string {
	text, p := "No matches found", g.params
	if p.Glob != "" && g.list.visited.Load() == 0 {
		return text + ". No file matches the glob " + show(p.Glob) + likeRegexp(p.Glob)
	}
	return text + patternHint(p)
}

// what a search counts.
func (g *grep) what() string {
	if g.query.Count {
		return "files"
	}
	return "matches"
}
