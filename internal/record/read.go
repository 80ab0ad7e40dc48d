package record

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"iter"
)

// MaxLine is the size in bytes of a line that is read, above that of any line that a suite writes.
const MaxLine = 16 << 20

// Lines yields the lines of a record with their numbers, from 1, without their ends. A line is valid until the next
// one. It leaves out empty lines, and a last line without an end, which nobody has finished. A line over [MaxLine] is an
// error, behind which the next line follows; any other error is that of the reader, and the last.
func Lines(r io.Reader) iter.Seq2[Line, error] {
	return func(yield func(Line, error) bool) {
		in := bufio.NewReaderSize(r, 64<<10)
		var text []byte
		for n := 1; ; n++ {
			text = text[:0]
			size := 0
			for {
				part, err := in.ReadSlice('\n')
				if size += len(part); size <= MaxLine {
					text = append(text, part...)
				}
				if err == nil {
					break
				}
				if err == io.EOF {
					return
				}
				if err != bufio.ErrBufferFull {
					yield(Line{Number: n}, err)
					return
				}
			}
			var err error
			if size > MaxLine {
				text, err = nil, fmt.Errorf("the line has more than %d bytes", MaxLine)
			} else if text = bytes.TrimSpace(text); len(text) == 0 {
				continue
			}
			if !yield(Line{n, text}, err) {
				return
			}
		}
	}
}

// Line is a line of a record.
type Line struct {
	Number int
	Text   []byte
}
