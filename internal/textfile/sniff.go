// Package textfile reads files as text: it detects their kind, encoding and line endings,
// and reads pages of lines from files of any size.
package textfile

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/binary"
	"io"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/unicode"
)

// SniffLen is the number of bytes at the start of a file that decide its kind. Git's buffer_is_binary takes 8,000.
const SniffLen = 8 << 10

// The encodings that are detected.
const (
	UTF8    = "utf-8"
	UTF8BOM = "utf-8-bom"
	UTF16LE = "utf-16le"
	UTF16BE = "utf-16be"
)

// Info is what the start of a file reveals.
type Info struct {
	Encoding    string // of text; invalid UTF-8 counts as UTF-8
	NoBOM       bool   // there is no byte order mark, whatever the Encoding
	Likely      string // UTF16LE or UTF16BE for a binary file of no known type that is likely to be text in it; or ""
	LineEndings string // of text: "lf", "crlf", "mixed", "cr" (which end no line here), or "" if there are none
	Binary      bool   // not text
	Type        string // the MIME type of a binary file, or ""
	Name        string // the type in words: "a ZIP archive"
}

var boms = []struct{ encoding, bom string }{
	{UTF8BOM, "\xef\xbb\xbf"}, {UTF16LE, "\xff\xfe"}, {UTF16BE, "\xfe\xff"},
}

// bom returns the byte order mark of the file, or "".
func (i Info) bom() string {
	for _, b := range boms {
		if b.encoding == i.Encoding && !i.NoBOM {
			return b.bom
		}
	}
	return ""
}

func (i Info) utf8() bool { return i.Encoding == UTF8 || i.Encoding == UTF8BOM }

// Sniff classifies a file by its first SniffLen bytes, or by all of it if it is shorter. Text has no NUL byte and
// does not begin like a known binary format.
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
		info.Type, info.Name = magic(head)
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
		if bytes.IndexByte(text, 0) >= 0 { // it begins like a byte order mark by chance
			return Info{Binary: true}
		}
	}
	info.LineEndings = lineEndings(text)
	return info
}

// lineEndings names how the lines of text end.
func lineEndings(text []byte) string {
	all, crlf := bytes.Count(text, lf), bytes.Count(text, crlf)
	switch {
	case all == 0 && bytes.IndexByte(text[:min(len(text), SniffLen-1)], '\r') >= 0: // the last one may belong to an LF
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

// format is a binary format, recognised by its bytes at one offset.
type format struct {
	at          int
	magic, mime string
	name        string // "" stands for "data of type" and mime
}

// formats are recognised by bytes that no text begins with.
var formats = []format{
	{0, "\x89PNG\r\n\x1a\n", "image/png", "a PNG image"},
	{0, "\xff\xd8\xff", "image/jpeg", "a JPEG image"},
	{0, "GIF87a", "image/gif", "a GIF image"},
	{0, "GIF89a", "image/gif", "a GIF image"},
	{0, "%PDF-", "application/pdf", "a PDF document"},
	{0, "PK\x03\x04", "application/zip", "a ZIP archive"},
	{0, "PK\x05\x06", "application/zip", "an empty ZIP archive"},
	{0, "\x1f\x8b\x08", "application/gzip", "gzip compressed data"},
	{0, "\x7fELF", "application/x-executable", "an ELF executable"},
	{0, "\xcf\xfa\xed\xfe", "application/x-mach-binary", "a Mach-O executable"},
	{0, "\xce\xfa\xed\xfe", "application/x-mach-binary", "a Mach-O executable"},
	{0, "\xfd7zXZ\x00", "application/x-xz", "xz compressed data"},
	{0, "\x28\xb5\x2f\xfd", "application/zstd", "zstd compressed data"},
	{0, "7z\xbc\xaf\x27\x1c", "application/x-7z-compressed", "a 7z archive"},
	{0, "Rar!\x1a\x07", "application/vnd.rar", "a RAR archive"},
	{0, "SQLite format 3\x00", "application/vnd.sqlite3", "an SQLite database"},
	{0, "\x00asm", "application/wasm", "a WebAssembly module"},
	{0, "\xca\xfe\xba\xbe", "application/java-vm", "a Java class or a universal Mach-O executable"},
	{0, "\x04\x22\x4d\x18", "application/x-lz4", "lz4 compressed data"},
	{0, "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "application/x-ole-storage", "an old Microsoft Office document"},
	{257, "ustar", "application/x-tar", "a tar archive"},
}

// weakFormats are the formats of files that are known to be binary: a text may begin with the same bytes.
// net/http detects most of them, but is large to compile for a program that only reads files.
var weakFormats = []format{
	{0, "MZ", "application/vnd.microsoft.portable-executable", "a Windows executable"},
	{0, "BZh", "application/x-bzip2", "bzip2 compressed data"},
	{0, "!<arch>\n", "application/x-archive", "an ar archive"},
	{0, "BM", "image/bmp", ""},
	{0, "\x00\x00\x01\x00", "image/x-icon", ""},
	{0, "II*\x00", "image/tiff", ""},
	{0, "MM\x00*", "image/tiff", ""},
	{4, "ftypheic", "image/heic", ""},
	{4, "ftypavif", "image/avif", ""},
	{4, "ftypqt", "video/quicktime", ""},
	{4, "ftyp", "video/mp4", ""},
	{0, "\x1a\x45\xdf\xa3", "video/webm", ""},
	{8, "AVI ", "video/avi", ""},
	{8, "WAVE", "audio/wave", ""},
	{8, "AIFF", "audio/aiff", ""},
	{0, "ID3", "audio/mpeg", ""},
	{0, "OggS\x00", "application/ogg", ""},
	{0, "MThd\x00\x00\x00\x06", "audio/midi", ""},
	{0, "\x00\x01\x00\x00", "font/ttf", ""},
	{0, "OTTO", "font/otf", ""},
	{0, "ttcf", "font/collection", ""},
	{0, "wOFF", "font/woff", ""},
	{0, "wOF2", "font/woff2", ""},
}

// magic returns the format of a file that begins as no text does, or "".
func magic(head []byte) (mime, name string) {
	if bytes.HasPrefix(head, []byte("RIFF")) && len(head) >= 12 && string(head[8:12]) == "WEBP" {
		return "image/webp", "a WebP image"
	}
	return among(formats, head)
}

// among returns the first of the formats that a file begins like, or "".
func among(formats []format, head []byte) (mime, name string) {
	for _, f := range formats {
		if len(head) >= f.at && bytes.HasPrefix(head[f.at:], []byte(f.magic)) {
			return f.mime, cmp.Or(f.name, "data of type "+f.mime)
		}
	}
	return "", ""
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

// utf16 returns the byte order and the decoder of a text in UTF-16.
func (i Info) utf16(bom unicode.BOMPolicy) (binary.ByteOrder, *encoding.Decoder) {
	if i.Encoding == UTF16BE {
		return binary.BigEndian, unicode.UTF16(unicode.BigEndian, bom).NewDecoder()
	}
	return binary.LittleEndian, unicode.UTF16(unicode.LittleEndian, bom).NewDecoder()
}
