package search

import (
	"unicode/utf8"

	"github.com/spillway-go/spillway/internal/textfile"
)

// sniff looks at the beginning of a file, of which n bytes are in the buffer. What has
// characters of UTF-8 there, and nothing else, is in UTF-8.
func (s *Searcher) sniff(n int) textfile.Info {
	head := s.buf[:min(n, textfile.SniffLen)]
	encoding := s.group.query.Encoding
	if valid := head[:len(head)-textfile.Unfinished(head)]; encoding != "" && utf8.Valid(valid) && utf8.RuneCount(valid) < len(valid) {
		encoding = ""
	}
	return textfile.SniffAs(head, encoding)
}

// validate looks at whole lines, as they are searched, if it matters that they are UTF-8.
func (s *Searcher) validate(lines []byte) {
	if s.group.query.NonASCII && !s.notUTF8 {
		s.notUTF8 = !utf8.Valid(lines)
	}
}
