package capture

import (
	"bytes"
	"compress/gzip"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/spillway-go/spillway/internal/match"
	"github.com/spillway-go/spillway/internal/spill"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/spillway-go/spillway/truncation"
	"github.com/stretchr/testify/require"
)

// inUTF16 returns a text in UTF-16LE.
func inUTF16(text string) string {
	var b strings.Builder
	for _, u := range utf16.Encode([]rune(text)) {
		b.Write([]byte{byte(u), byte(u >> 8)})
	}
	return b.String()
}

func gzipped(text string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write([]byte(text))
	w.Close()
	return b.String()
}

// random returns bytes of all values.
func random(n int) string {
	r := rand.New(rand.NewPCG(4, 2))
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return string(b)
}

// cyrillic is a text in windows-1251.
const cyrillic = "\xcf\xf0\xe8\xe2\xe5\xf2, \xfd\xf2\xee \xf2\xe5\xea\xf1\xf2 \xed\xe0 \xf0\xf3\xf1\xf1\xea\xee\xec " +
	"\xff\xe7\xfb\xea\xe5, \xea\xee\xf2\xee\xf0\xfb\xe9 \xed\xe5 \xe2 UTF-8.\n"

const french = "L'\xe9t\xe9 dernier, les \xe9l\xe8ves ont d\xe9j\xe0 visit\xe9 le ch\xe2teau.\n"

// shownOf returns what is shown of an output that comes in chunks.
func shownOf(t *testing.T, policy truncation.Policy, chunks ...string) Text {
	o := newOutput(t, policy, false)
	for _, chunk := range chunks {
		o.Stdout().Write([]byte(chunk))
	}
	shown := o.Finish(false)
	o.Close()
	return shown[0]
}

func TestNotText(t *testing.T) {
	log := strings.Repeat("2026-11-26 a line of a log that is text\n", 1000)
	names := strings.Repeat("./cmd/main.go\x00./a b/c.txt\x00", 100)
	policy := truncation.Policy{Strategy: truncation.Tail, Limits: truncation.Limits{Lines: 2000, Bytes: 30 << 10}, Unmarked: true}
	for _, tt := range []struct {
		name, printed string
		want          NotText
	}{
		{"ASCII", log, NotText{}},
		{"UTF-8", "déjà vu, 世界 😀\n", NotText{}},
		{"escapes", strings.Repeat("\x1b[1;32mok\x1b[0m \x1b]0;title\a\b\f\v\r\n", 100), NotText{}},
		{"one NUL", "a\x00b\n", NotText{NULs: 1}},
		{"nothing but a NUL", "\x00", NotText{NULs: 1}},
		{"names that end in NUL", names, NotText{NULs: 200}},
		{"names of one letter", "a\x00b\x00c\x00d\x00", NotText{NULs: 4}},
		{"arguments, some empty", "sh\x00-c\x00\x00true\x00", NotText{NULs: 4}},
		{"a log with a bad byte", log + "\xff\n" + log, NotText{Invalid: 1}},
		{"a log with a few bad bytes", log + "\x00\x01\x02\x03\x04\x00\x00\xff\xfe\n", NotText{NULs: 3, Invalid: 2}},
		{"marks of a prompt", strings.Repeat("\x01\x1b[1m\x02$\x01\x1b[0m\x02 ", 50), NotText{}},
		{"windows-1251", strings.Repeat(cyrillic, 20), NotText{Invalid: 760, Likely: "windows-1251"}},
		{"windows-1251 with names that end in NUL", strings.ReplaceAll(strings.Repeat(cyrillic, 20), "\n", "\x00"),
			NotText{NULs: 20, Invalid: 760, Likely: "windows-1251", unread: true}},
		{"windows-1251 with a few control characters", strings.Repeat(cyrillic, 20) + "\x01\x02\x03\x04\x05\x06\x01\x02\x03\x04", NotText{Invalid: 760}},
		{"the mark of a picture", "\x89PNG\r\n\x1a\n", NotText{Binary: true, Type: "image/png", Name: "a PNG image"}},
		{"windows-1252 behind a log", strings.Repeat(log, 3) + french, NotText{Invalid: 8, Likely: "windows-1252"}},
		{"UTF-16 with a mark", "\xff\xfe" + inUTF16("wide 世界\r\n"), NotText{Encoding: "utf-16le"}},
		{"UTF-16 without a mark", inUTF16("Windows PowerShell\r\n"), NotText{Encoding: "utf-16le"}},
		{"text like a picture", "GIF89a is how a GIF begins\xff\n", NotText{Invalid: 1}},
		{"compressed", gzipped(log), NotText{Binary: true, Type: "application/gzip", Name: "gzip compressed data"}},
		{"a picture", "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01", NotText{Binary: true, Type: "image/png", Name: "a PNG image"}},
		{"random", random(5000), NotText{Binary: true}},
		{"NULs", strings.Repeat("\x00", 5000), NotText{Binary: true}},
		{"random behind a log", log + random(100_000), NotText{Binary: true}},
		{"a picture before a log", "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\n" + log, NotText{NULs: 3, Invalid: 1}},
		{"a page of UTF-32", strings.ReplaceAll(inUTF16("wide text "), "\x00", "\x00\x00\x00"), NotText{Binary: true}},
	} {
		got := shownOf(t, policy, tt.printed)
		require.LessOrEqual(t, len(got.Text), 30<<10, tt.name)
		require.NotContains(t, got.Text, "\x00", tt.name)
		n := got.NotText
		if n.head = nil; n.Binary {
			require.LessOrEqual(t, len(got.Text), 4*firstBytes, tt.name)
			require.Regexp(t, `^[ -~]+$`, got.Text, tt.name)
			require.True(t, got.Cut && got.Truncated && got.Saved.Path != "", tt.name)
		}
		require.Equal(t, tt.want, n, tt.name)
		require.Equal(t, n.Likely != "" || got.Cut, got.Saved.Path != "", tt.name)
	}
}

// What an output is, and what is shown of it, does not depend on how it comes.
func TestNotTextInChunks(t *testing.T) {
	policies := []truncation.Policy{
		{Strategy: truncation.Tail, Limits: truncation.Limits{Lines: 5, Bytes: 1024}, Unmarked: true},
		{Strategy: truncation.HeadTailLines, Limits: truncation.Limits{Lines: 100, Bytes: 4096}, First: 3, Last: 3},
	}
	pieces := []string{
		"line of text\n", "caf\xe9\n", french, cyrillic, "\x00", "name\x00", "\x00\x00\x00", random(300), "\xff\xfe", "\xff",
		inUTF16("wide\n"), inUTF16("世界"), "\x1b[1m", "é", "\xe4\xb8", "\x01\x02\x03", gzipped("text"), "\x89PNG\r\n\x1a\n", "\r", "\n",
	}
	for seed := range testkit.Some(2000) {
		r := rand.New(rand.NewPCG(uint64(seed), 11))
		var b strings.Builder
		for range 1 + r.IntN(6) {
			b.WriteString(strings.Repeat(pieces[r.IntN(len(pieces))], 1+r.IntN(4)*r.IntN(40)))
		}
		printed, chunks := b.String(), []string(nil)
		for rest := printed; rest != ""; {
			n := min(1+r.IntN(1+r.IntN(400)), len(rest))
			chunks, rest = append(chunks, rest[:n]), rest[n:]
		}
		policy := policies[r.IntN(len(policies))]
		whole, parts := shownOf(t, policy, printed), shownOf(t, policy, chunks...)
		msg := fmt.Sprintf("seed %d: %q", seed, printed)
		require.Equal(t, whole.NotText, parts.NotText, msg)
		if policy.Unmarked { // a marker names the file
			require.Equal(t, whole.Text, parts.Text, msg)
			require.Equal(t, len(whole.said()), len(parts.said()), msg)
		}
		require.NotContains(t, whole.Text, "\x00", msg)
	}
}

// The parts of a job are judged one by one: each by what is new.
func TestNotTextInParts(t *testing.T) {
	for _, first := range []bool{true, false} {
		policy := truncation.Policy{Strategy: truncation.Tail, Limits: truncation.Limits{Lines: 100, Bytes: 30 << 10}, Unmarked: true}
		o := newOutput(t, policy, false)
		o.Publish()
		r := o.Reader()
		if !first {
			r = o.NewReader()
		}
		next := func(printed string) Text {
			o.Stdout().Write([]byte(printed))
			texts, err := r.Take(t.Context())
			require.NoError(t, err)
			return texts[0]
		}
		require.Equal(t, "begun\n", next("begun\n").Text)
		noise := next(random(3000) + "\n")
		require.True(t, noise.Binary)
		require.Empty(t, noise.Unfinished)
		require.NotEmpty(t, noise.Saved.Path)
		ok := next("caf\xe9 d\xe9j\xe0 vu\n")
		require.Equal(t, NotText{Invalid: 3, Likely: "windows-1252", unread: true}, ok.NotText) // the file begins with noise
		require.Equal(t, "caf� d�j� vu\n", ok.Text)
		require.False(t, next("done\n").Any())
		o.Complete()
		o.Close()
	}
}

// Text in UTF-16 is decoded in parts, also where only the start of the stream says what it is.
func TestDecodedInParts(t *testing.T) {
	o := newOutput(t, truncation.Policy{Strategy: truncation.Tail, Unmarked: true}, false)
	o.Publish()
	r, all := o.NewReader(), ""
	text := inUTF16("世界, 你好\n")
	for _, printed := range []string{"\xff\xfe" + inUTF16("wide\n") + text[:3], text[3:], inUTF16("done\n")} {
		o.Stdout().Write([]byte(printed))
		texts, err := r.Take(t.Context())
		require.NoError(t, err)
		require.Equal(t, "utf-16le", texts[0].Encoding)
		all += texts[0].Text
	}
	require.Equal(t, "wide\n世界, 你好\ndone\n", all)
	o.Complete()
	o.Close()
}

// The encoding is guessed from where the bytes are, also after a part that ended at a line.
func TestGuessedInParts(t *testing.T) {
	o := newOutput(t, truncation.Policy{Strategy: truncation.Tail, Unmarked: true}, false)
	defer o.Close()
	o.Publish()
	r := o.Reader()
	o.Stdout().Write([]byte(strings.Repeat("a line\n", 20_000)))
	_, err := r.Take(t.Context())
	require.NoError(t, err)
	o.Stdout().Write([]byte("ready\n" + strings.Repeat("another line\n", 20_000) + french))
	m, err := match.Compile("^ready", match.Options{})
	require.NoError(t, err)
	found := r.Search(m).Await(t.Context(), ended)
	_, _, err = r.TakeUntil(t.Context(), found, 5)
	require.NoError(t, err)
	texts, err := r.Take(t.Context())
	require.NoError(t, err)
	require.Equal(t, NotText{Invalid: 8, Likely: "windows-1252"}, texts[0].NotText)
}

// Updates of a command that prints no text say what it prints.
func TestSnapshotOfNotText(t *testing.T) {
	o := New(Options{Spill: spill.NewDir(t.TempDir()), Kind: "bash", Policy: truncation.Policy{Strategy: truncation.Tail, Unmarked: true},
		Recent: truncation.Policy{Strategy: truncation.Tail, Limits: truncation.Limits{Lines: 20}}, Name: func(p string) string { return p }, Open: os.Open})
	defer o.Close()
	o.Stdout().Write([]byte(gzipped(random(2000))))
	_, _, tail := o.Snapshot()
	require.Equal(t, "[The output is not text, but gzip compressed data (2.0KB)]\n", tail)
}

func TestEscaped(t *testing.T) {
	for _, tt := range []struct {
		raw, want string
		room, n   int
	}{
		{"", "", 10, 0},
		{"a\\\r\n\t\"", `a\\\r\n\t"`, 99, 6},
		{"\x001\x00\x00a\x7f\xff", `\x001\0\0a\x7f\xff`, 99, 7},
		{"\xff\xff", `\xff`, 7, 1},
		{"ab", "", 0, 0},
	} {
		got, n := escaped([]byte(tt.raw), tt.room)
		require.Equal(t, tt.want, got, hex.EncodeToString([]byte(tt.raw)))
		require.Equal(t, tt.n, n)
	}
}
