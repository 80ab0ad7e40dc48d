package commandline

import (
	"regexp"
	"strings"
	"sync"

	"mvdan.cc/sh/v3/syntax"
)

// delimiter is the word of a here-document.
var delimiter = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(\\?[\w.-]+|'[\w.-]+'|"[\w.-]+")$`)
})

// hereDocument looks at the lines of a here-document again, as bash does. The text of one that ends too late hides
// commands, and the parser and bash disagree on that in rare cases: after <<"A\\B", and where a newline in quotes or
// behind a backslash stands between the operator and the text.
func (p *parser) hereDocument(r *syntax.Redirect) {
	word := p.written(r.Word.Pos(), r.Word.End())
	if !delimiter().MatchString(word) || !p.endsAlike(r, word) {
		p.unknown("where the here-document " + word + " ends is not known")
	}
}

func (p *parser) endsAlike(r *syntax.Redirect, word string) bool {
	newline := strings.IndexByte(p.text[r.Word.End().Offset():], '\n')
	if newline < 0 {
		return false
	}
	newline += int(r.Word.End().Offset())
	start, later := p.hereDocs[newline]
	if !later {
		start = newline + 1
	}
	if p.text[newline-1] == '\\' {
		return false
	}
	quoted := strings.ContainsAny(word, `\'"`)
	end, next := p.bodyEnd(start, strings.Trim(word, `\'"`), r.Op == syntax.DashHdoc, !quoted)
	if end < 0 {
		return false
	}
	if quoted {
		p.literal = append(p.literal, span{start - 1, end})
	}
	if p.hereDocs == nil {
		p.hereDocs = map[int]int{}
	}
	p.hereDocs[newline] = next
	if r.Hdoc == nil || len(r.Hdoc.Parts) == 0 {
		return !strings.Contains(p.text[start:end], "\n") // it is empty
	}
	return int(r.Hdoc.Pos().Offset()) == start && int(r.Hdoc.End().Offset()) == end
}

// bodyEnd returns where the last line of the here-document that begins at start ends, and where the next line begins;
// -1 if it has no last line.
func (p *parser) bodyEnd(start int, word string, tabs, joins bool) (end, next int) {
	for at := start; at < len(p.text); {
		line := ""
		for {
			rest := p.text[at:]
			stop := strings.IndexByte(rest, '\n')
			if stop < 0 {
				stop = len(rest)
			}
			line += rest[:stop]
			end = at + stop
			at = end + 1
			joined := strings.TrimRight(line, `\`)
			if !joins || (len(line)-len(joined))%2 == 0 || at >= len(p.text) || len(line) > len(word)+100 {
				break
			}
			line = line[:len(line)-1]
		}
		if tabs {
			line = strings.TrimLeft(line, "\t")
		}
		if line == word {
			return end, at
		}
	}
	return -1, -1
}
