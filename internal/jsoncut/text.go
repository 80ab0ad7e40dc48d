package jsoncut

import (
	"fmt"
	"unicode/utf8"

	"github.com/spillway-go/spillway/internal/size"
)

// Bytes kept of both ends of a string or a number.
const (
	headBytes = 512
	tailBytes = 256
)

// text is the source of a string, without its quotes, or of another scalar. Of a long one it has both ends.
type text struct {
	head, tail []byte
	size       int // of all of it
	whole      int // bytes of head in whole characters, once tail is in use
}

func (t *text) add(p []byte) {
	t.size += len(p)
	if n := min(len(p), headBytes-len(t.head)); t.whole == 0 {
		t.head = append(t.head, p[:n]...)
		p = p[n:]
	}
	if len(p) == 0 {
		return
	}
	if t.whole == 0 {
		t.whole = units(t.head, headBytes)
		t.tail = append(t.tail, t.head[t.whole:]...)
		t.head = t.head[:t.whole]
	}
	for len(p) > 0 {
		n := min(len(p), 16*tailBytes)
		t.tail = append(t.tail, p[:n]...)
		if p = p[n:]; len(t.tail) > 16*tailBytes {
			t.shorten(2 * tailBytes)
		}
	}
}

// shorten drops whole characters from the beginning of the tail until it has at most most bytes.
func (t *text) shorten(most int) {
	from := 0
	for len(t.tail)-from > most {
		from = min(from+unit(t.tail[from:]), len(t.tail))
	}
	t.tail = append(t.tail[:0], t.tail[from:]...)
}

// finish returns the text in minimal memory, or in the buffer if it fits.
func (t *text) finish(buffer []byte) text {
	if len(t.tail) > tailBytes {
		t.shorten(tailBytes)
	}
	f := text{size: t.size}
	if size := len(t.head) + len(t.tail); cap(buffer) < size {
		buffer = make([]byte, 0, size)
	}
	f.head = append(buffer, t.head...)
	if len(t.head)+len(t.tail) == t.size {
		f.head = append(f.head, t.tail...)
		return f
	}
	f.tail = append([]byte(nil), t.tail...)
	return f
}

func (t *text) reset() { *t = text{head: t.head[:0], tail: t.tail[:0]} }

func (t text) long() bool { return len(t.head) < t.size }

// units returns how many of the first bytes are whole characters, up to most.
func units(p []byte, most int) (n int) {
	for n < len(p) {
		size := unit(p[n:])
		if n+size > min(most, len(p)) {
			break
		}
		n += size
	}
	return n
}

// unit returns the length of the first character: an escape sequence, two for a surrogate pair, or one in UTF-8.
func unit(p []byte) int {
	switch {
	case p[0] < utf8.RuneSelf && p[0] != '\\':
		return 1
	case p[0] != '\\':
		if !utf8.FullRune(p) {
			return len(p) + 1
		}
		_, size := utf8.DecodeRune(p)
		return size
	case len(p) < 2:
		return 2
	case p[1] != 'u':
		return 2
	case len(p) < 4:
		return 6
	case p[2]|0x20 == 'd' && (p[3] == '8' || p[3] == '9' || p[3]|0x20 == 'a' || p[3]|0x20 == 'b'):
		if len(p) < 8 {
			return 12
		}
		if p[6] == '\\' && p[7] == 'u' {
			return 12
		}
	}
	return 6
}

// quoted returns a string with its quotes. If it has more than most bytes, it has both ends.
func (t text) quoted(most int) string {
	if t.size <= most && !t.long() {
		return `"` + string(t.head) + `"`
	}
	head, tail := t.head, t.tail
	if !t.long() {
		tail = head
	}
	head = head[:units(head, most*2/3)]
	tail = text{tail: append([]byte(nil), tail...)}.last(most / 3)
	left := t.size - len(head) - len(tail)
	if left <= 0 {
		return `"` + string(t.head) + `"`
	}
	return fmt.Sprintf(`"%s[%s bytes left out]%s"`, head, size.Thousands(left), tail)
}

func (t text) last(most int) []byte {
	t.shorten(most)
	return t.tail
}
