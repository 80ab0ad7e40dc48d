// Package mask defines the masking of secrets for a suite: an [Engine], and a [Masker], which offers what readers,
// edits and commands need. Without an engine nothing is masked.
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

// Engine masks secrets in place: a placeholder has as many bytes as the secret, and line ends stay, so that lines,
// columns, offsets and sizes do not change. It is safe for concurrent use; of what it makes, only a ReaderAt is.
type Engine interface {
	// Refresh asks for the secrets again, which may differ in each call of a tool. Streams that have begun keep
	// theirs.
	Refresh()
	// Mask masks the secrets of a whole text in place. It returns the first most of them, in order.
	Mask(text []byte, most int) []Finding
	// Secrets returns the secrets of a text that are secrets anywhere, without those that are masked only because
	// another text has them. It neither changes the text nor learns from it.
	Secrets(text []byte) []Finding
	Writer(w io.Writer) Writer
	// Reader returns a reader of r. utf16 says that the text must be read as UTF-16 without a byte order mark.
	Reader(r io.Reader, utf16 bool) Reader
	// ReaderAt returns a reader of r from any place.
	ReaderAt(r io.ReaderAt, utf16 bool) ReaderAt
}

// Writer masks what is written, and passes it on. It holds back only text in which a secret may have begun.
type Writer interface {
	io.Writer
	// Flush passes on the held text; nothing follows it.
	Flush() error
	// Cut is Flush for a stream that was ended in the middle, such as by a timeout: a secret that may have begun is
	// not passed on.
	Cut() error
	// Findings returns what was masked, without the first since findings, in the order of their ends. There are at
	// most [MaxFindings].
	Findings(since int) []Finding
	// Count returns the number of secrets that were masked.
	Count() int
}

type Reader interface {
	io.Reader
	// Findings returns what was masked, in order. There are at most [MaxFindings].
	Findings() []Finding
}

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

// MaxFindings bounds the findings that a stream or a text keeps; Writer.Count continues.
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

// Refresh is [Engine.Refresh].
func (m *Masker) Refresh() { m.by().Refresh() }

// Mask masks the secrets of a whole text in place. It returns the first [MaxFindings] of them, in order.
func (m *Masker) Mask(text []byte) []Finding { return m.by().Mask(text, MaxFindings) }

// Masked returns a text without its secrets, and the first most of them. It does not change the text, and returns the
// same slice if nothing is masked.
func (m *Masker) Masked(text []byte, most int) (masked []byte, found []Finding) {
	if m.Off() {
		return text, nil
	}
	masked = bytes.Clone(text)
	return masked, m.engine.Mask(masked, most)
}

var scratch = sync.Pool{New: func() any { return new([]byte) }}

// maxScratch is the largest buffer that is kept for the next string.
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

// JSON returns JSON with its secrets masked. It stays JSON: if a placeholder breaks it, all of it becomes a string.
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
		return nil // a string always encodes
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

// Secrets is [Engine.Secrets].
func (m *Masker) Secrets(text []byte) []Finding { return m.by().Secrets(text) }

// CountForms returns the number of secrets in a content, read as ASCII or as UTF-16 of either order.
func (m *Masker) CountForms(content []byte) int {
	ascii := len(m.Secrets(content))
	n := ascii
	for _, mark := range []string{"\xff\xfe", "\xfe\xff"} {
		if bytes.HasPrefix(content, []byte(mark)) {
			return ascii // a text with a byte order mark is masked in both forms
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

// Writer is [Engine.Writer].
func (m *Masker) Writer(w io.Writer) Writer { return m.by().Writer(w) }

// Reader is [Engine.Reader].
func (m *Masker) Reader(r io.Reader, utf16 bool) Reader { return m.by().Reader(r, utf16) }
