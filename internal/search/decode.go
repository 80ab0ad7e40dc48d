package search

import (
	"unicode/utf8"

	"github.com/spillway-go/spillway/internal/textfile"
)

// sniff determines the encoding of a file of whose beginning n bytes are in the buffer. If these are valid UTF-8 and
// not all ASCII, it is UTF-8, whatever the query says.
func (s *Searcher) sniff(n int) textfile.Info {
	head := s.buf[:min(n, textfile.SniffLen)]
	encoding := s.group.query.Encoding
	whole := head[:len(head)-textfile.Unfinished(head)]
	if encoding != "" && utf8.Valid(whole) && utf8.RuneCount(whole) < len(whole) {
		encoding = ""
	}
	return textfile.SniffAs(head, encoding)
}

// validate checks that whole lines are valid UTF-8, if the pattern is not ASCII.
func (s *Searcher) validate(lines []byte) {
	if s.group.query.NonASCII && !s.notUTF8 {
		s.notUTF8 = !utf8.Valid(lines)
	}
}
