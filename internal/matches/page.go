package matches

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spillway-go/spillway/internal/listing"
	"github.com/spillway-go/spillway/internal/mask"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/search"
	"github.com/spillway-go/spillway/internal/tree"
	"github.com/spillway-go/spillway/truncation"
)

// Page is the shown part of a list.
type Page struct {
	truncation.Result        // of the list
	Lines             []Line // the shown lines, without dividers and separate paths
	Matches           int    // matches that begin in them
	Cut               bool   // some of the lines are cut
	Removed           int    // bytes missing from these
	Invalid           *Line  // the first line that is not valid UTF-8
	NULs              bool   // a line has NUL bytes
	Hits              tree.Hits
	Secrets           []Secrets

	LongLines notice.Notice // says that lines are cut
	LongMatch notice.Notice // says that a match is cut
	NoContext notice.Notice // says that lines near a match are missing
}

// Secrets are the secrets in the shown lines of a file.
type Secrets struct {
	Name  string // of the file, as shown
	Found []mask.Finding
}

// Page chooses what to show: everything that fits, with either all lines of a match or none. Of the first match it
// shows as many lines as fit. There must be a match.
func (m *Matches) Page() (p Page) {
	_, p.Result = m.list.Result()
	n, items := p.OutputLines, m.list.Items()
	last := -1 // the line in which the last match begins
	for i, l := range items[:n] {
		p.Matches += l.begins
		if l.begins > 0 {
			last = i
		}
	}
	if last >= 0 && p.Truncated && last+items[last].span > n {
		p.Matches--
		if n = last; items[last].begins > 1 || items[last].goesOn {
			n++ // the end of the match before it
		}
	}
	for n > 0 && items[n-1].Path == "" {
		n-- // nothing follows this divider
	}
	shown := items[:n]
	if p.Matches == 0 {
		shown = m.firstAlone(&p)
	} else if n < p.OutputLines {
		listing.ShowInstead(&p.Result, listing.Head(p.MaxLines, p.MaxBytes).Truncate(printed(shown)))
	}
	p.Lines = make([]Line, 0, len(shown))
	for i := range shown {
		if shown[i].Path != "" {
			p.add(&shown[i], m.form)
		}
	}
	if m.dropped {
		p.NoContext = notice.ContextDropped
	}
	return p
}

func (p *Page) add(l *line, form Form) {
	p.Lines = append(p.Lines, l.Line)
	if l.Cut && !p.Cut {
		p.Cut = true
		p.LongLines = notice.LongLines{Max: form.MaxLineChars, Path: l.name, Line: l.Line.Line, Column: l.column,
			Encoding: form.Encoding, Huge: l.removed+len(l.Text) > form.MaxBytes}.Notice()
	}
	p.Removed += l.removed
	if len(l.secrets) > 0 {
		p.addSecrets(l)
	}
	if l.Match {
		p.Hits.Add(l.root, l.name)
	}
	p.NULs = p.NULs || strings.Contains(l.Text, "\x00")
	if p.Invalid == nil && !utf8.ValidString(l.Text) {
		p.Invalid = &l.Line
	}
}

// addSecrets adds the secrets of a line, except one that continues from the line before.
func (p *Page) addSecrets(l *line) {
	n := len(p.Secrets)
	if n == 0 || p.Secrets[n-1].Name != l.name {
		p.Secrets = append(p.Secrets, Secrets{Name: l.name})
		n++
	}
	in := &p.Secrets[n-1]
	for _, s := range l.secrets {
		if len(in.Found) == 0 || s.Start > in.Found[len(in.Found)-1].Start {
			in.Found = append(in.Found, s)
		}
	}
}

// firstAlone shows the first match without the lines near it, because otherwise a search could never get past it: as
// many of its lines as fit, or part of the first line. That line begins with its path if there is no room for two
// lines.
func (m *Matches) firstAlone(p *Page) []line {
	first := slices.Clone(m.first.lines)
	begin := first[0]
	p.Matches = begin.begins
	i := slices.IndexFunc(m.list.Items(), func(l line) bool { return l.Path != "" })
	m.dropped = m.dropped || m.form.Around != (search.Around{}) && (i < 0 || m.list.Items()[i].begins == 0)
	limit := listing.Head(p.MaxLines, p.MaxBytes)
	one := limit.Truncate(printed(append([]line{{name: begin.name}}, first...)))
	n := one.OutputLines - 1
	if !begin.grouped || n < 1 {
		for i := range first {
			first[i].grouped = false
		}
		one = limit.Truncate(printed(first))
		n = max(one.OutputLines, 1)
	}
	if one.OutputLines > 0 {
		listing.ShowInstead(&p.Result, one)
	} else {
		listing.ShowCut(&p.Result, first[0].String())
	}
	if n < begin.span {
		p.LongMatch = notice.LongMatch(n, begin.span, begin.Line.Line+n)
	}
	return first[:n]
}

func printed(lines []line) string {
	var b strings.Builder
	for i, l := range lines {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(l.String())
	}
	return b.String()
}
