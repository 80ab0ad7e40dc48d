package notice

import (
	"fmt"
	"strings"

	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/internal/size"
)

const NULs Notice = quote.NUL + " stands for a NUL byte"

// NULsIn is NULs if the text may have had NUL bytes and shows one.
func NULsIn(text string, may bool) Notice {
	if may && strings.Contains(text, quote.NUL) {
		return NULs
	}
	return ""
}

func Decoded(encoding string) Notice {
	return Notice("The output is shown decoded from " + encoding)
}

// NotValidOutput describes a command's output that is not valid UTF-8.
type NotValidOutput struct {
	Likely string // its likely encoding, or ""
	Path   string // the file with all of it, for read; "" if there is none, or no tool to read it with
}

// Notice says what replaces invalid bytes, and what to do.
func (v NotValidOutput) Notice() Notice {
	if v.Likely == "" {
		return NotValid{Encoding: "utf-8"}.Notice()
	}
	said := fmt.Sprintf("%s. It looks like %s", notValid("this", "utf-8"), v.Likely)
	if v.Path == "" {
		return Notice(fmt.Sprintf("%s. End the command with | iconv -f %s -t utf-8 to see it",
			said, strings.TrimPrefix(v.Likely, "x-")))
	}
	return Notice(fmt.Sprintf("%s. Use read with path=%s encoding=%s to see it", said, v.Path, v.Likely))
}

// Binary describes a command's output that is not text.
type Binary struct {
	Name  string // the kind of data, with an article; or ""
	Bytes int64  // its size
	Shown int    // bytes of it that are shown, escaped
}

func (b Binary) Notice() Notice {
	if b.Name == "" {
		b.Name = "binary data"
	}
	said := fmt.Sprintf("The output is not text, but %s (%s)", b.Name, size.Format(b.Bytes))
	switch {
	case b.Shown == 0:
		return Notice(said)
	case int64(b.Shown) == b.Bytes:
		return Notice(said + ", shown escaped")
	}
	return Notice(fmt.Sprintf("%s. Its first %d bytes are shown escaped", said, b.Shown))
}
