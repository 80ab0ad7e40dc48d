// Package shelf moves results into the spill directory, and returns a line to put in their place.
package shelf

import (
	"path"
	"path/filepath"
	"strings"

	"github.com/spillway-go/spillway/internal/fault"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/internal/spill"
	"github.com/spillway-go/spillway/internal/textfile"
)

// maxLine bounds the line for a result, with a long name of the tool, notices and two files.
const maxLine = 3 << 10

type Shelf struct {
	Spill *spill.Dir
	Name  func(path string) string // returns the shown form of a file's path
	Opens bool                     // a tool of the suite can open files of that directory
}

type Result struct {
	notice.Shelved        // Put fills in Lines, Bytes and files
	Text           string // of the result
	Full           string // a file that has all of it already, as texts name it; "" for none
	FullStderr     string // the file with all of stderr, if Full has only stdout
	FullLines      int    // of these files; -1 if not counted
}

// Put keeps the text of a result, unless files have it already, and returns the line. A text that is shorter than the
// line, or is such a line, is returned unchanged.
func (s *Shelf) Put(res Result) (string, error) {
	line, kept := s.kept(res)
	text := readable(res.Text)
	if !kept {
		line.Lines, line.Bytes = notice.Lines(text), int64(len(text))
		line.File = s.shown("result-xxxxxxxx.txt") // as long as the real name
	}
	short := notice.Append(res.Text, notice.ImagesNotKept(line.Images))
	if len(short) <= len(line.Line()) || s.isShelved(short) {
		return short, nil
	}
	if !s.Opens {
		return "", fault.Errorf(fault.Denied, "the suite has no read, grep or bash of its own to open a shelved "+
			"result. Keep the result as it is, or add read to Tools")
	}
	if !kept {
		file, err := s.Spill.Shelve(text)
		if err != nil {
			return "", err
		}
		line.File = s.shown(filepath.Base(file))
	}
	return line.Line(), nil
}

// kept describes a result, and reports whether files have all of it already.
func (s *Shelf) kept(res Result) (line notice.Shelved, kept bool) {
	line = res.Shelved
	if res.Full == "" {
		return line, false
	}
	bytes, kept := s.renew(res.Full)
	if kept && res.FullStderr != "" {
		var more int64
		more, kept = s.renew(res.FullStderr)
		bytes += more
	}
	if kept {
		line.File, line.Stderr, line.Bytes, line.Lines = res.Full, res.FullStderr, bytes, res.FullLines
	}
	return line, kept
}

// isShelved reports whether a text is a line that stands for a result already, or as good as one: short, and with the
// names of files that are there. It makes these young.
func (s *Shelf) isShelved(text string) (ok bool) {
	if len(text) > maxLine || strings.Contains(text, "\n") {
		return false
	}
	dir := strings.TrimSuffix(s.shown("x"), `"`)
	dir = dir[:len(dir)-len("x")]
	for i, rest := range strings.Split(text, dir) {
		if i == 0 {
			continue
		}
		base := rest[:len(rest)-len(strings.TrimLeft(rest, nameChars))]
		base = strings.TrimSuffix(base, ".") // of a sentence
		if _, err := s.Spill.Renew(base); err != nil {
			return false
		}
		ok = true
	}
	return ok
}

// nameChars are those of the names of files in a spill directory.
const nameChars = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-."

// shown returns a file of the spill directory as read takes it.
func (s *Shelf) shown(base string) string {
	return quote.Name(s.Name(filepath.Join(s.Spill.Path(), base)))
}

// renew gives a file with a full output the age of a new one, and returns its size. It returns false if the file is
// gone, or is not in the directory of this suite.
func (s *Shelf) renew(name string) (bytes int64, ok bool) {
	base := strings.TrimSuffix(path.Base(name), `"`)
	if s.shown(base) != name {
		return 0, false
	}
	bytes, err := s.Spill.Renew(base)
	return bytes, err == nil
}

// readable changes a text so that read and grep take its file for text, whatever it begins with.
func readable(text string) string {
	text = strings.ReplaceAll(text, "\x00", "\u2400")
	head := text[:min(len(text), textfile.SniffLen)]
	if kind := textfile.Sniff([]byte(head)); kind.Binary || kind.Encoding != textfile.UTF8 {
		text = "\ufeff" + text
	}
	return text
}
