package report

import (
	"fmt"
	"path"
	"path/filepath"
	"strconv"
	"strings"
)

// pages finds lines that were read before. It holds a hash of each line with its file and number, and the call that
// showed it last.
type pages struct {
	lines map[uint64]int32
}

// fewLines is up to how many lines of a page may have been seen before: pages overlap a little.
const fewLines = 4

func (p *pages) judge(j *judges, e *event, counted bool) {
	if e.rec.Tool != "read" || e.Code != "" {
		return
	}
	for _, page := range pagesOf(e) {
		p.page(j, e, page, counted)
	}
}

// page is consecutive lines of a file, of which the first has that number.
type page struct {
	file  string
	first int
	text  string
}

// pagesOf are the pages of a read: none if the numbers of the lines are not known, as in a digest or a receipt.
func pagesOf(e *event) (list []page) {
	if e.args.number("column") > 1 {
		return nil
	}
	for _, run := range runsOf(e.rec) {
		if run.Line > 0 {
			text := strings.TrimSuffix(e.text[run.from:run.to], "\n")
			list = append(list, page{fileOf(run.Path), run.Line, text})
		}
	}
	return list
}

func (p *pages) page(j *judges, e *event, page page, counted bool) {
	var again strings.Builder
	lines, seen, other := 0, 0, int32(0)
	number := page.first
	for line := range strings.SplitSeq(page.text, "\n") {
		key := j.hash(e.thread, page.file, strconv.Itoa(number), line)
		before, known := p.lines[key]
		if known {
			seen++
			other = before
			again.WriteString(line)
			again.WriteByte('\n')
		}
		if known || len(p.lines) < maxLines {
			p.lines[key] = int32(e.Number)
		}
		lines++
		number++
	}
	if counted || seen == 0 || seen <= fewLines && seen < lines || strings.TrimSpace(again.String()) == "" {
		return
	}
	text := again.String()
	e.mark(Mark{
		Kind: kindSeen, How: oneLine(page.file), Bytes: min(len(text), e.Bytes), Tokens: min(tokens(text, 0), e.Tokens),
		Other: int(other), Say: fmt.Sprintf("%d of %d lines", seen, lines),
	})
}

// fileOf is the name of a file without what does not change it. The same file may have others.
func fileOf(name string) string { return path.Clean(filepath.ToSlash(name)) }
