// Package mask says by what a suite knows the masking of secrets: by an [Engine], and by a [Masker], which does with it
// what readers, edits and commands need. Without an engine nothing is masked.
package mask

import (
	"bytes"
	"cmp"
	"encoding/json"
	"io"
	"slices"
	"strings"
	"sync"
)

// Engine masks secrets in place: a placeholder has as many bytes as the secret, and ends of lines stay, so lines,
// columns, offsets and sizes stay what they were. It is safe for concurrent use; of what it makes, only a ReaderAt is.
type Engine interface {
	// Refresh asks for the secrets again, which may be others in each call of a tool. Streams that have begun keep what
	// they know.
	Refresh()
	// Mask masks the secrets of a whole text in place. It returns the first of them, so many at most, in order.
	Mask(text []byte, most int) []Finding
	// Secrets returns the secrets of a text that are such wherever the text stands: those that are masked only because
	// another text had them are left out. The text stays as it is, and nothing is learned from it.
	Secrets(text []byte) []Finding
	// Writer returns a writer to w.
	Writer(w io.Writer) Writer
	// Reader returns a reader of r. utf16 says that a call takes the text to be UTF-16 without a byte order mark.
	Reader(r io.Reader, utf16 bool) Reader
	// ReaderAt returns a reader of r from any place.
	ReaderAt(r io.ReaderAt, utf16 bool) ReaderAt
}

// Writer masks what is written, and passes it on. It holds text back only from where a secret may have begun.
type Writer interface {
	io.Writer
	// Flush passes on what is held back: nothing follows it.
	Flush() error
	// Cut is Flush for a stream that was ended in the middle, such as by a timeout: of a secret that may have begun,
	// nothing is passed on.
	Cut() error
	// Findings returns what was masked, without the first since of them, in the order in which their ends came. There
	// are at most [MaxFindings].
	Findings(since int) []Finding
	// Count returns the number of secrets that were masked.
	Count() int
}

// Reader masks what is read.
type Reader interface {
	io.Reader
	// Findings returns what was masked, in order. There are at most [MaxFindings].
	Findings() []Finding
}

// ReaderAt masks what is read from any place.
type ReaderAt interface {
	io.ReaderAt
	// Findings returns what was masked in what was read, in order. Lines are 0. There are at most [MaxFindings].
	Findings() []Finding
}

// Finding is a place where a secret was masked.
type Finding struct {
	Kind           string
	Line, LastLine int   // from 1
	Start, End     int64 // bytes from the start of the text; End is exclusive
}

// MaxFindings is the number of findings that a stream or a text keeps; Writer.Count goes on.
const MaxFindings = 1000

// Summary returns the number of findings, and their kinds, the most frequent first.
func Summary(f []Finding) (count int, kinds []string) {
	times := map[string]int{}
	for _, x := range f {
		if times[x.Kind]++; times[x.Kind] == 1 {
			kinds = append(kinds, x.Kind)
		}
	}
	slices.SortStableFunc(kinds, func(a, b string) int { return cmp.Compare(times[b], times[a]) })
	return len(f), kinds
}

// Masker masks the secrets of a suite. It is safe for concurrent use. A nil Masker is valid, changes nothing and costs
// nothing.
type Masker struct{ engine Engine }

// New returns a Masker with an engine, or nil without one.
func New(e Engine) *Masker {
	if e == nil {
		return nil
	}
	return &Masker{e}
}

// Off reports whether m never masks anything.
func (m *Masker) Off() bool { return m == nil }

// Refresh does what [Engine] says.
func (m *Masker) Refresh() { m.by().Refresh() }

// Mask masks the secrets of a whole text in place. It returns the first [MaxFindings] of them, in order.
func (m *Masker) Mask(text []byte) []Finding { return m.by().Mask(text, MaxFindings) }

// Masked returns a text without its secrets, and the first of them, so many at most. The text stays as it is; where
// nothing is masked, it is returned itself.
func (m *Masker) Masked(text []byte, most int) (masked []byte, found []Finding) {
	if m.Off() {
		return text, nil
	}
	masked = bytes.Clone(text)
	return masked, m.engine.Mask(masked, most)
}

var scratch = sync.Pool{New: func() any { return new([]byte) }}

// maxScratch is the capacity of a buffer that is kept for the next string.
const maxScratch = 1 << 20

// String returns s with its secrets masked, or s itself if it has none, and what [Masker.Mask] returns.
func (m *Masker) String(s string) (string, []Finding) {
	if m.Off() || s == "" {
		return s, nil
	}
	buffer := scratch.Get().(*[]byte)
	*buffer = append((*buffer)[:0], s...)
	found := m.Mask(*buffer)
	if found != nil {
		s = string(*buffer)
	}
	if cap(*buffer) <= maxScratch {
		scratch.Put(buffer)
	}
	return s, found
}

// JSON returns JSON with its secrets masked. It stays JSON: where a placeholder breaks it, all of it becomes a string.
func (m *Masker) JSON(text []byte) []byte {
	if m.Off() || len(text) == 0 {
		return text
	}
	shown := bytes.Clone(text)
	if m.Mask(shown); json.Valid(shown) || !json.Valid(text) {
		return shown
	}
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(string(shown)); err != nil {
		return nil // a string can always be encoded
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// InName returns the kind of the first secret in the path of a file, or "".
func (m *Masker) InName(path string) string {
	if _, found := m.String(path); len(found) > 0 {
		return found[0].Kind
	}
	return ""
}

// Secrets does what [Engine] says.
func (m *Masker) Secrets(text []byte) []Finding { return m.by().Secrets(text) }

// CountForms returns the number of the secrets of a content, whether it is ASCII or UTF-16 of either order.
func (m *Masker) CountForms(content []byte) int {
	ascii := len(m.Secrets(content))
	n := ascii
	for _, mark := range []string{"\xff\xfe", "\xfe\xff"} {
		if bytes.HasPrefix(content, []byte(mark)) {
			return ascii // a text with a mark is masked in both forms
		}
		n += max(len(m.Secrets(append([]byte(mark), content...)))-ascii, 0)
	}
	return n
}

// Placeholder returns the first placeholder in text. A nil Masker has written none.
func (m *Masker) Placeholder(text string) (found string, ok bool) {
	for !m.Off() {
		i := strings.Index(text, Opening)
		if i < 0 {
			return "", false
		}
		text = text[i:]
		if n := placeholderLength(text[:min(len(text), MaxPlaceholder)]); n > 0 {
			return text[:n], true
		}
		text = text[len(Opening):]
	}
	return "", false
}

// Writer does what [Engine] says.
func (m *Masker) Writer(w io.Writer) Writer { return m.by().Writer(w) }

// Reader does what [Engine] says.
func (m *Masker) Reader(r io.Reader, utf16 bool) Reader { return m.by().Reader(r, utf16) }
