package page

import (
	"bytes"
	"io"
	"unicode/utf8"

	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/internal/terminal"
	"github.com/spillway-go/spillway/internal/textfile"
)

// printed passes on what a terminal would show of the raw output of a command, as bash and grep show it. It is written
// whole lines, of which it omits what is before the page in the first.
type printed struct {
	w       io.Writer
	filter  *terminal.Filter
	chars   int   // characters before the page in its first line
	skipped int   // of these
	bytes   int64 // of the first line
	ended   bool  // it has
}

// newPrinted returns a printed for a page that begins at a character of its first line.
func newPrinted(w io.Writer, column int) *printed {
	p := &printed{w: w, chars: max(column, 1) - 1}
	p.filter = terminal.NewFilter(shown{p}, quote.NUL)
	return p
}

func (p *printed) Write(raw []byte) (int, error) { return p.filter.Write(raw) }

// close passes on a last line that has no end, and corrects what is known of the first line. It reports whether there
// were NUL bytes.
func (p *printed) close(stats *textfile.Stats) (nuls bool) {
	p.filter.Close()
	if stats.SkippedChars = p.skipped; p.ended {
		stats.LineBytes = p.bytes
	}
	return p.filter.Met().NULs > 0
}

// shown receives the text.
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
