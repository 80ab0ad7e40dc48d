// Package textfile reads files as text: it detects their kind, encoding and line endings,
// and reads pages of lines from files of any size.
package textfile

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/binary"
	"io"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/unicode"
)

// SniffLen is the number of bytes at the start of a file that decide its kind. Git's buffer_is_binary takes 8,000.
const SniffLen = 8 << 10

const (
	UTF8    = "utf-8"
	UTF8BOM = "utf-8-bom"
	UTF16LE = "utf-16le"
	UTF16BE = "utf-16be"
)

// Info is what the start of a file reveals.
type Info struct {
	Encoding    string // of text; invalid UTF-8 counts as UTF-8
	NoBOM       bool   // there is no byte order mark, even if Encoding says so
	Likely      string // UTF16LE or UTF16BE for a binary file of unknown type that is likely UTF-16 text; or ""
	LineEndings string // of text: "lf", "crlf", "mixed", "cr" (which ends no line here), or "" if there are none
	Binary      bool   // not text
	Type        string // the MIME type of a binary file, or ""
	Name        string // the type in words: "a ZIP archive"
}

var boms = []struct{ encoding, bom string }{
	{UTF8BOM, "\xef\xbb\xbf"}, {UTF16LE, "\xff\xfe"}, {UTF16BE, "\xfe\xff"},
}

func (i Info) bom() string {
	for _, b := range boms {
		if b.encoding == i.Encoding && !i.NoBOM {
			return b.bom
		}
	}
	return ""
}

// What describes a binary file in words.
func (i Info) What() string { return cmp.Or(i.Name, "a binary file") }

func (i Info) utf8() bool { return i.Encoding == UTF8 || i.Encoding == UTF8BOM }

// Sniff classifies a file by its first SniffLen bytes, or by all of it if it is shorter. Text has no NUL byte and
// is not of a known binary format.
func Sniff(head []byte) Info {
	info := Info{Encoding: UTF8}
	for _, b := range boms {
		if bytes.HasPrefix(head, []byte(b.bom)) {
			info.Encoding = b.encoding
		}
	}
	if bytes.HasPrefix(head, []byte("\xff\xfe\x00\x00")) || bytes.HasPrefix(head, []byte("\x00\x00\xfe\xff")) {
		return Info{Binary: true, Type: "text/plain", Name: "UTF-32 data"}
	}
	if info.Encoding == UTF8 {
		if info.Type, info.Name = among(formats, head); info.Type == "" && len(head) <= mostCutOff && !utf8.Valid(head) {
			info.Type, info.Name = cutOff(head)
		}
		info.Binary = info.Type != "" || bytes.IndexByte(head, 0) >= 0
		if info.Binary && info.Type == "" {
			if info.Type, info.Name = among(weakFormats, head); info.Type == "" {
				info.Likely = guessUTF16(head)
			}
		}
	}
	if info.Binary {
		info.Encoding = ""
		return info
	}
	text := head
	if info.Encoding != UTF8 {
		text, _ = io.ReadAll(info.Reader(bytes.NewReader(head)))
		if bytes.IndexByte(text, 0) >= 0 { // the bytes look like a byte order mark by chance
			return Info{Binary: true}
		}
	}
	info.LineEndings = LineEndings(text)
	return info
}

// LineEndings returns how the lines of a text end, as Info has it.
func LineEndings(text []byte) string {
	all, crlf := bytes.Count(text, lf), bytes.Count(text, crlf)
	switch {
	case all == 0 && bytes.IndexByte(text[:min(len(text), SniffLen-1)], '\r') >= 0: // the last \r may belong to an LF
		return "cr"
	case all == 0:
		return ""
	case crlf == 0:
		return "lf"
	case crlf == all:
		return "crlf"
	}
	return "mixed"
}

// Reader converts a text file, from its start, to UTF-8 without a byte order mark. Invalid bytes stay as they are in
// UTF-8, and become U+FFFD in other encodings.
func (i Info) Reader(r io.Reader) io.Reader {
	switch i.Encoding {
	case UTF8BOM:
		b := bufio.NewReader(r)
		b.Discard(len(boms[0].bom)) // the next Read returns the error, if any
		return b
	case UTF16LE, UTF16BE:
		_, decoder := i.utf16(unicode.UseBOM)
		return decoder.Reader(r)
	}
	if decoder := i.Legacy(); decoder != nil {
		return decoder.Reader(r)
	}
	return r
}

func (i Info) utf16(bom unicode.BOMPolicy) (binary.ByteOrder, *encoding.Decoder) {
	if i.Encoding == UTF16BE {
		return binary.BigEndian, unicode.UTF16(unicode.BigEndian, bom).NewDecoder()
	}
	return binary.LittleEndian, unicode.UTF16(unicode.LittleEndian, bom).NewDecoder()
}
