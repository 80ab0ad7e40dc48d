package mask

import (
	"bytes"
	"io"
)

// File is a file without its secrets. It knows the line of each secret, if the file is read from its beginning or from
// a line that the caller knows. A nil File has no secrets.
type File struct {
	ReaderAt
	unit  int // bytes of a character: 2 in UTF-16
	next  int64
	lines int // newlines before next
	begun bool
	found []Finding // lines are counted from 1, the first line that was read
}

// File returns a reader of a file without its secrets. With wide it is in UTF-16, with a byte order mark or, with
// unmarked, without one.
func (m *Masker) File(file io.ReaderAt, wide, unmarked bool) *File {
	f := &File{ReaderAt: m.by().ReaderAt(file, wide && unmarked), unit: 1}
	if wide {
		f.unit = 2
	}
	return f
}

// Found returns a File that was read, in which these secrets were found.
func Found(secrets []Finding) *File { return &File{found: secrets} }

func (m *File) ReadAt(p []byte, at int64) (int, error) {
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
		case f.End > at: // it continues
			last := &m.found[len(m.found)-1]
			last.LastLine = 1 + m.lines + m.newlines(p[:min(f.End, end)-at])
		}
	}
	m.lines += m.newlines(p[:n])
	m.next += int64(n)
	return n, err
}

func (m *File) newlines(p []byte) int {
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

// Between returns the secrets in some lines of a file that was read from line begin on.
func (m *File) Between(begin, first, last int) (found []Finding) {
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
