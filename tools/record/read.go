package record

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"os"

	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/internal/workspace"
)

// Read yields the lines of a record. A line that cannot be read yields an error that names it, and
// Read continues after it; an unfinished last line, which a crash may leave, is skipped. An error
// of the file ends the sequence, and so does a version of the format that this Spillway does not
// know. Read holds one line in memory; a line over 16 MiB is an error. The file must be a regular
// one. To include what was recorded before the last rotation, first read the file with ".1"
// appended to its name.
func Read(path string) iter.Seq2[Line, error] {
	return func(yield func(Line, error) bool) {
		f, _, err := workspace.OpenRegular(os.OpenFile, path)
		if err != nil {
			yield(Line{}, fmt.Errorf("record: the record cannot be read: %w", err))
			return
		}
		defer f.Close()
		for text, err := range lines(f) {
			var line Line
			if err == nil {
				err = json.Unmarshal(text.text, &line)
			}
			if err != nil {
				err = fmt.Errorf("record: line %d of the record %s: %w", text.number, quote.Value(path), err)
				line = Line{}
			}
			newer := line.Version > version
			if newer {
				err = fmt.Errorf("record: line %d of the record %s begins a record of version %d, but this program "+
					"reads version %d at most. Take a newer one", text.number, quote.Value(path), line.Version, version)
			}
			if !yield(line, err) || newer {
				return
			}
		}
	}
}

// maxLine is the size in bytes of a line that is read, above that of any line that a suite writes.
const maxLine = 16 << 20

// lines yields the lines of a record with their numbers, from 1, without their ends. A line is valid until the next
// one. It leaves out empty lines, and a last line without an end, which nobody has finished. A line over maxLine is an
// error, behind which the next line follows; any other error is that of the reader, and the last.
func lines(r io.Reader) iter.Seq2[numbered, error] {
	return func(yield func(numbered, error) bool) {
		in := bufio.NewReaderSize(r, 64<<10)
		var text []byte
		for n := 1; ; n++ {
			text = text[:0]
			size := 0
			for {
				part, err := in.ReadSlice('\n')
				if size += len(part); size <= maxLine {
					text = append(text, part...)
				}
				if err == nil {
					break
				}
				if err == io.EOF {
					return
				}
				if err != bufio.ErrBufferFull {
					yield(numbered{number: n}, err)
					return
				}
			}
			var err error
			if size > maxLine {
				text, err = nil, fmt.Errorf("the line has more than %d bytes", maxLine)
			} else if text = bytes.TrimSpace(text); len(text) == 0 {
				continue
			}
			if !yield(numbered{n, text}, err) {
				return
			}
		}
	}
}

// numbered is a line as it stands in the file.
type numbered struct {
	number int
	text   []byte
}
