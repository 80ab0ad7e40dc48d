package notice

import (
	"fmt"
	"strings"

	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/internal/size"
)

// NULs says what stands for a NUL byte in a text.
const NULs Notice = quote.NUL + " stands for a NUL byte"

// NULsIn is NULs for a text that may have had NUL bytes, if it shows one.
func NULsIn(text string, may bool) Notice {
	if may && strings.Contains(text, quote.NUL) {
		return NULs
	}
	return ""
}

// Decoded says that an output was not in UTF-8 and is shown as text all the same.
func Decoded(encoding string) Notice {
	return Notice("The output is shown decoded from " + encoding)
}

// NotValidOutput is an output of a command that is not valid UTF-8.
type NotValidOutput struct {
	Likely string // the encoding that it looks like, or ""
	Path   string // the file with all of it, as read takes it; "" if there is none, or nothing to read it with
}

// Notice says what is shown in place of invalid bytes, and what to do.
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

// Binary is an output of a command that is not text.
type Binary struct {
	Name  string // what it is, with an article; or ""
	Bytes int64  // its size
	Shown int    // how many of these are shown, in escapes
}

// Notice says what was printed, and what of it is shown.
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
