package tools

import (
	"bytes"

	"github.com/spillway-go/spillway/internal/redact"
	"github.com/spillway-go/spillway/internal/textfile"
)

// maskedFile is a file without its secrets, of which it knows the lines, if it is read from its beginning or from a
// line that the caller knows.
type maskedFile struct {
	*redact.ReaderAt
	unit  int // bytes of a character: 2 in UTF-16
	next  int64
	lines int // newlines in front of next
	begun bool
	found []redact.Finding // with lines from 1, the one that was read first
}

// newMasked returns what a file of that kind is read from, without its secrets.
func newMasked(r *redact.Redactor, text textfile.File, kind textfile.Info) *maskedFile {
	m := &maskedFile{ReaderAt: r.NewReaderAt(text.Reader()), unit: 1}
	if kind.Encoding == textfile.UTF16LE || kind.Encoding == textfile.UTF16BE {
		m.unit = 2
		if kind.NoBOM {
			m.ReaderAt = r.NewUTF16ReaderAt(text.Reader())
		}
	}
	return m
}

// ReadAt reads the file.
func (m *maskedFile) ReadAt(p []byte, at int64) (int, error) {
	n, err := m.ReaderAt.ReadAt(p, at)
	if !m.begun {
		m.begun, m.next = true, at
	}
	if at != m.next { // a look elsewhere, such as for the end of a line
		return n, err
	}
	for _, f := range m.Findings() {
		switch end := at + int64(n); {
		case f.Start >= end:
		case f.Start >= at || f.End > at && len(m.found) == 0:
			f.Line = 1 + m.lines + m.newlines(p[:max(f.Start-at, 0)])
			f.LastLine = 1 + m.lines + m.newlines(p[:min(f.End, end)-at])
			m.found = append(m.found, f)
		case f.End > at: // it goes on
			last := &m.found[len(m.found)-1]
			last.LastLine = 1 + m.lines + m.newlines(p[:min(f.End, end)-at])
		}
	}
	m.lines += m.newlines(p[:n])
	m.next += int64(n)
	return n, err
}

// newlines counts the newlines in a part of the file.
func (m *maskedFile) newlines(p []byte) int {
	n := bytes.Count(p, []byte{'\n'})
	if m.unit == 1 || n == 0 {
		return n
	}
	n = 0
	for ; len(p) > 1; p = p[2:] {
		if p[0] == '\n' && p[1] == 0 || p[0] == 0 && p[1] == '\n' {
			n++
		}
	}
	return n
}

// between returns the secrets in some lines of a file that was read from line begin on.
func (m *maskedFile) between(begin, first, last int) (found []redact.Finding) {
	if m == nil {
		return nil
	}
	for _, f := range m.found {
		f.Line, f.LastLine = f.Line+begin-1, f.LastLine+begin-1
		if f.Line <= last && f.LastLine >= first {
			found = append(found, f)
		}
	}
	return found
}
