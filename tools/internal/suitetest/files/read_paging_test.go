package files_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/spillway-go/spillway/tools"
	"github.com/stretchr/testify/require"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
)

// nextCall matches what a notice of read tells to call, at the end of a text.
var nextCall = regexp.MustCompile(`(?s)^(?:(.*)\n)?\[[^\n]*(?:Use offset=(-?\d+)(?: column=(\d+))? to continue(?:\. The file has \d+ lines?)?|Use (?:offset=\d+ )?(column)=1 to read it in pieces)\]$`)

// unseen matches what stands behind a page without a visible character.
var unseen = regexp.MustCompile(`\n\n?\[(?:\d+ empty lines?|Only [^\n]+: \d+ bytes?)\]$`)

// pages reads a file from a place on by what the notices say alone, and puts the
// pages together as docs/read.md says: without the bracket and the blank line.
func readPages(t *testing.T, s *tools.Suite, p tools.ReadParams, prefix *regexp.Regexp) string {
	var all strings.Builder
	for range 10_000 {
		res := call(t, s, "read", p)
		require.False(t, res.IsError, res.Text)
		m := nextCall.FindStringSubmatch(res.Text)
		if m == nil {
			shown := res.Details.(tools.ReadResult)
			if i := unseen.FindStringIndex(res.Text); i != nil {
				res.Text = res.Text[:i[0]]
				if shown.FinalNewline {
					res.Text += "\n"
				}
			}
			all.WriteString(strip(res.Text, prefix))
			return all.String()
		}
		if m[4] != "" {
			p.Column = 1
			continue
		}
		text := m[1]
		if m[3] != "" { // a piece: the line does not end here
			text = strings.TrimSuffix(text, "\n")
		}
		all.WriteString(strip(text, prefix))
		p.Offset, _ = strconv.Atoi(m[2])
		p.Column, _ = strconv.Atoi(m[3])
	}
	t.Fatal("the pages come to no end")
	return ""
}

// strip takes the numbers off lines.
func strip(text string, prefix *regexp.Regexp) string {
	if prefix == nil {
		return text
	}
	return prefix.ReplaceAllString(text, "")
}

// randomText has lines of lengths around limits, in characters of one to four
// bytes.
func randomLines(r *rand.Rand, limit int) string {
	alphabets := []string{"abc d", "äöüß", "世界你好", "😀🎉", "aä世😀"}
	alphabet := []rune(alphabets[r.IntN(len(alphabets))])
	lengths := []int{0, 1, 2, 40, limit/2 - 1, limit - 2, limit - 1, limit, limit + 1, 2 * limit, 2*limit + 1, 1000, 1001}
	var b strings.Builder
	for n := 1 + r.IntN(12); n > 0; n-- {
		for bytes := lengths[r.IntN(len(lengths))]; bytes > 0; {
			c := string(alphabet[r.IntN(len(alphabet))])
			b.WriteString(c)
			bytes -= len(c)
		}
		if n > 1 || r.IntN(2) == 0 {
			b.WriteString("\n")
		}
	}
	return b.String()
}

// Pages put together are the file, to the byte.
func TestPagesAreTheFile(t *testing.T) {
	for _, cfg := range []config.Config{
		{MaxBytes: 1024, ReadOnly: true},
		{MaxBytes: 1024, MaxLines: 3, ReadOnly: true},
		{MaxBytes: 2500, MaxLines: 2, ReadOnly: true},
		{MaxBytes: 1024, ReadOnly: true, Read: config.Read{LineNumbers: true}},
	} {
		t.Run(fmt.Sprint(cfg.MaxBytes, cfg.MaxLines, cfg.Read.LineNumbers), func(t *testing.T) {
			t.Parallel()
			pagesAreTheFile(t, cfg)
		})
	}
}

func pagesAreTheFile(t *testing.T, cfg config.Config) {
	var prefix *regexp.Regexp
	if cfg.Read.LineNumbers {
		prefix = regexp.MustCompile(`(?m)^ *\d+\t`)
	}
	s, write := rewritable(t, cfg)
	for seed := range testkit.Some(150) {
		r := rand.New(rand.NewPCG(uint64(seed), 7))
		text := randomLines(r, cfg.MaxBytes)
		if text == "" {
			continue
		}
		write(text)
		p := tools.ReadParams{Path: "f"}
		if r.IntN(3) == 0 {
			p.Limit = 1 + r.IntN(4)
		}
		require.Equal(t, text, readPages(t, s, p, prefix), "seed %d", seed)
	}
}

// rewritable is a suite, and a function that writes its file f.
func rewritable(t *testing.T, cfg config.Config) (*tools.Suite, func(string)) {
	cfg.Workspace = t.TempDir()
	return newSuite(t, cfg, nil), func(text string) {
		require.NoError(t, os.WriteFile(filepath.Join(cfg.Workspace, "f"), []byte(text), 0o600))
	}
}

// So are those of a file whose count is remembered, and of one that is read from
// its end.
func TestPagesOfALargeFile(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for i := 0; b.Len() < testkit.Some(20<<20); i++ {
		fmt.Fprintf(&b, "line %d of a large file with an é in it, so that characters are not bytes\n", i)
	}
	b.WriteString(strings.Repeat("0123456789é", 30_000) + "\nend")
	text := b.String()
	lines := strings.SplitAfter(text, "\n")
	last := func(n int) string { return strings.Join(lines[len(lines)-n:], "") }
	s, write := rewritable(t, config.Config{ReadOnly: true})
	write(text)
	require.Equal(t, last(3000), readPages(t, s, tools.ReadParams{Path: "f", Offset: len(lines) - 2999}, nil))
	s, write = rewritable(t, config.Config{ReadOnly: true})
	log := strings.Repeat("an ordinary line of a log\n", testkit.Some(800_000))
	write(log)
	require.Equal(t, log[len(log)-5000*26:], readPages(t, s, tools.ReadParams{Path: "f", Offset: -5000}, nil))
	write(text)
	require.Equal(t, last(50), readPages(t, s, tools.ReadParams{Path: "f", Offset: -50}, nil))
}

// Pages of a file in another encoding are what it holds, and so they are without a byte
// order mark where the encoding usually has one.
func TestPagesInAnEncoding(t *testing.T) {
	t.Parallel()
	s, write := rewritable(t, config.Config{MaxBytes: 1024, ReadOnly: true})
	for _, name := range []string{"windows-1252", "koi8-r", "shift_jis", "iso-2022-jp", "gb18030", "big5", "utf-16le"} {
		e, err := htmlindex.Get(name)
		require.NoError(t, err)
		for seed := range testkit.Some(20) {
			data, err := encoding.ReplaceUnsupported(e.NewEncoder()).String("a b\n" + randomLines(rand.New(rand.NewPCG(uint64(seed), 8)), 1024))
			require.NoError(t, err)
			text, err := e.NewDecoder().String(data)
			require.NoError(t, err)
			write(data)
			require.Equal(t, text, readPages(t, s, tools.ReadParams{Path: "f", Encoding: name}, nil), "%s, seed %d", name, seed)
		}
	}
}
