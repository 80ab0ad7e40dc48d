package textfile

import (
	"encoding/binary"
	"io"
	"math"
	"slices"
	"sync"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/unicode"
)

// chunkSize is the size of a read. To count the lines of 1 GiB, reads of 256 KiB take as long as wc -l, mmap 1.4
// times as long and a bufio.Scanner 2.9 times.
const chunkSize = 256 << 10

// headroom is the space before a chunk for the bytes that the one before it left. It is a whole cache line, because
// the kernel copies to the beginning of one much faster than to the middle: on an AMD EPYC, 1 GiB takes 75 ms instead
// of 250.
const headroom = 64

var chunks = sync.Pool{New: func() any { b := make([]byte, headroom+chunkSize); return &b }}

// File is a text file, or a part of one, from which to read pages.
type File struct {
	r          io.ReaderAt
	begin, end int64 // the offsets of the text in the file
	info       Info
	index      *Index // may be nil
}

// NewFile returns the text in r, which info describes. It ends at size even if the file grows meanwhile; size 0, as in
// /proc, means the end of r.
func NewFile(r io.ReaderAt, size int64, info Info) File {
	if size <= 0 {
		size = math.MaxInt64
	}
	f := File{r: r, end: size, info: info}
	if info.Encoding != UTF8 {
		f.begin = int64(len(info.bom()))
	}
	return f
}

// With returns the file with an index, which may be nil.
func (f File) With(index *Index) File {
	f.index = index
	return f
}

// Reader returns what the file is read from.
func (f File) Reader() io.ReaderAt { return f.r }

// Through returns the file as read through another reader, which must keep all lengths and line ends.
func (f File) Through(r io.ReaderAt) File {
	f.r = r
	return f
}

// source reads a text in chunks of whole characters, in UTF-8. No chunk ends between a CR and an LF.
type source struct {
	r       io.ReaderAt
	at, end int64 // where to read next, and where to stop
	buf     *[]byte
	rest    []byte // bytes of buf that the last chunk left

	order   binary.ByteOrder  // for UTF-16, else nil
	decoder *encoding.Decoder // for encodings other than UTF-8, else nil
	text    []byte            // decoded
}

func (f File) source(at int64) *source {
	s := &source{r: f.r, at: at, end: f.end, buf: chunks.Get().(*[]byte)}
	switch f.info.Encoding {
	case UTF8, UTF8BOM:
	case UTF16LE, UTF16BE:
		s.order, s.decoder = f.info.utf16(unicode.IgnoreBOM)
	default:
		s.decoder = f.info.Legacy()
	}
	return s
}

// next returns the next chunk, which is valid until the next call. An error, such as io.EOF, may come with the last
// chunk.
func (s *source) next() ([]byte, error) {
	for {
		start := headroom - len(s.rest)
		copy((*s.buf)[start:], s.rest)
		buf := (*s.buf)[headroom:]
		n, err := s.r.ReadAt(buf[:min(int64(len(buf)), s.end-s.at)], s.at)
		s.at += int64(n)
		if err == nil && s.at >= s.end {
			err = io.EOF
		}
		text := (*s.buf)[start : headroom+n]
		s.rest = nil
		if err == nil {
			whole := len(text) - s.unfinished(text)
			text, s.rest = text[:whole], text[whole:]
		}
		if s.decoder != nil {
			whole := (*s.buf)[start : headroom+n]
			decoded, used := s.decode(text, s.order != nil || err != nil)
			text, s.rest = decoded, whole[used:]
		}
		if len(text) > 0 || err != nil {
			return text, err
		}
	}
}

// unfinished returns the number of bytes at the end of data that are part of a character or CRLF that continues.
func (s *source) unfinished(data []byte) int {
	if s.order != nil {
		return s.unfinished16(data)
	}
	if n := len(data); n > 0 && data[n-1] == '\r' {
		return 1
	}
	if s.decoder != nil {
		return 0 // the decoder leaves them
	}
	return Unfinished(data)
}

// Unfinished returns the number of bytes at the end of data that may begin a UTF-8
// character.
func Unfinished(data []byte) int {
	for n := 1; n < utf8.UTFMax && n <= len(data); n++ {
		if b := data[len(data)-n]; utf8.RuneStart(b) {
			if !utf8.FullRune(data[len(data)-n:]) {
				return n
			}
			return 0
		}
	}
	return 0
}

func (s *source) unfinished16(data []byte) int {
	odd := len(data) % 2
	if len(data) < 2 {
		return odd
	}
	if u := s.order.Uint16(data[len(data)-odd-2:]); u == '\r' || 0xd800 <= u && u < 0xdc00 {
		return odd + 2
	}
	return odd
}

// decode converts data to UTF-8 and returns the number of bytes used: all, if data is the last. What is not valid
// becomes U+FFFD.
func (s *source) decode(data []byte, last bool) (text []byte, used int) {
	s.text = slices.Grow(s.text[:0], 3*len(data)+utf8.UTFMax) // a byte becomes three at most
	n, used, _ := s.decoder.Transformer.Transform(s.text[:cap(s.text)], data, last)
	return s.text[:n], used
}
