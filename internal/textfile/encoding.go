package textfile

import (
	"bytes"
	"io"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
)

// Encodings are WHATWG's names of the encodings; there are further labels, such as latin1.
var Encodings = strings.Fields(`utf-8 utf-16le utf-16be windows-1252 iso-8859-2 iso-8859-3 iso-8859-4 iso-8859-5
	iso-8859-6 iso-8859-7 iso-8859-8 iso-8859-8-i iso-8859-10 iso-8859-13 iso-8859-14 iso-8859-15 iso-8859-16
	windows-874 windows-1250 windows-1251 windows-1253 windows-1254 windows-1255 windows-1256 windows-1257 windows-1258
	ibm866 koi8-r koi8-u macintosh x-mac-cyrillic gbk gb18030 big5 euc-jp iso-2022-jp shift_jis euc-kr x-user-defined`)

// Canonical returns the name of the encoding for a WHATWG label, whose parts may be joined by hyphens, underscores,
// spaces or nothing. ok is false if the label is unknown, or its encoding cannot be decoded.
func Canonical(label string) (name string, ok bool) {
	for _, sign := range []string{"_", "-", ""} { // euc-jp, latin1
		e, err := htmlindex.Get(strings.NewReplacer("-", sign, "_", sign, " ", "").Replace(label))
		if err == nil && e != encoding.Replacement {
			name, err = htmlindex.Name(e)
			return name, err == nil
		}
	}
	return "", false
}

// Legacy returns a decoder for an encoding that is not one of Unicode's, or nil.
func (i Info) Legacy() *encoding.Decoder {
	if e := i.legacy(); e != nil {
		return e.NewDecoder()
	}
	return nil
}

// Text returns the text in a file's content. ok is false if it is over maxBytes.
func (i Info) Text(content []byte, maxBytes int64) (text []byte, ok bool) {
	room := 3 * int64(len(content)) // a byte becomes at most three in UTF-8
	if i.legacy() == nil {
		room /= 2
	}
	text = make([]byte, min(maxBytes, room+utf8.UTFMax)+1) // half of a character becomes U+FFFD
	n, err := io.ReadFull(i.Reader(bytes.NewReader(content)), text)
	return text[:n], err != nil
}

func (i Info) legacy() encoding.Encoding {
	switch i.Encoding {
	case "", UTF8, UTF8BOM, UTF16LE, UTF16BE:
		return nil
	}
	e, err := htmlindex.Get(i.Encoding)
	if err != nil {
		return nil
	}
	return e
}

// stateful is an encoding in which the meaning of bytes depends on those before them.
const stateful = "iso-2022-jp"

// SniffAs is [Sniff] for a file in the encoding of a canonical name; "" means Sniff. A byte order mark overrides the
// name, and so does a known binary format.
func SniffAs(head []byte, name string) Info {
	info := Sniff(head)
	if name == "" || info.Type != "" || !info.Binary && info.Encoding != UTF8 {
		return info
	}
	info = Info{Encoding: name, NoBOM: true}
	text, _ := io.ReadAll(info.Reader(bytes.NewReader(head)))
	if bytes.IndexByte(text, 0) >= 0 {
		return Info{Binary: true}
	}
	info.LineEndings = LineEndings(text)
	return info
}
