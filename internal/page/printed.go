package page

import (
	"bytes"
	"io"
	"unicode/utf8"

	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/internal/terminal"
	"github.com/spillway-go/spillway/internal/textfile"
)

// printed passes on what a terminal would show of a command's raw output, like bash and grep. It takes whole lines,
// and omits the part of the first line before the page.
type printed struct {
	w       io.Writer
	filter  *terminal.Filter
	chars   int   // characters of the first line before the page
	skipped int   // of these, characters skipped so far
	bytes   int64 // of the first line
	ended   bool  // the first line has ended
}

func newPrinted(w io.Writer, column int) *printed {
	p := &printed{w: w, chars: max(column, 1) - 1}
	p.filter = terminal.NewFilter(shown{p}, quote.NUL)
	return p
}

func (p *printed) Write(raw []byte) (int, error) { return p.filter.Write(raw) }

// close passes on a last line without an end, and corrects the numbers of the first line. It reports whether there
// were NUL bytes.
func (p *printed) close(stats *textfile.Stats) (nuls bool) {
	p.filter.Close()
	if stats.SkippedChars = p.skipped; p.ended {
		stats.LineBytes = p.bytes
	}
	return p.filter.Met().NULs > 0
}

type shown struct{ *printed }

func (p shown) Write(text []byte) (int, error) {
	rest := text
	if !p.ended {
		end := bytes.IndexByte(rest, '\n')
		if p.ended = end >= 0; !p.ended {
			end = len(rest)
		}
		p.bytes += int64(end)
		for end > 0 && p.skipped < p.chars {
			_, size := utf8.DecodeRune(rest)
			rest, end = rest[size:], end-size
			p.skipped++
		}
	}
	_, err := p.w.Write(rest)
	return len(text), err
}
