package redact

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"testing"
	"unicode/utf16"

	"github.com/spillway-go/spillway/internal/mask"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/stretchr/testify/require"
)

func TestMain(m *testing.M) {
	testkit.InMemory()
	os.Exit(m.Run())
}

const secretValue = "9aKx2mQ7vL4nR8tW"

func knowing(values ...string) *Redactor {
	return New(Options{Values: func() []string { return values }})
}

func TestNil(t *testing.T) {
	for _, e := range []mask.Engine{nil, New(Options{}), knowing(), knowing("short")} {
		r := mask.New(e)
		r.Refresh()
		text := []byte("a " + secretTexts["GitHub token"])
		require.Nil(t, r.Mask(text))
		s, found := r.String(string(text))
		require.Equal(t, string(text), s)
		require.Nil(t, found)
		var out bytes.Buffer
		w := r.Writer(&out)
		n, err := w.Write(text)
		require.NoError(t, err)
		require.Equal(t, len(text), n)
		require.NoError(t, w.Flush())
		require.Equal(t, string(text), out.String())
		require.Zero(t, w.Count())
		require.Nil(t, w.Findings(0))
		if own, ok := w.(*Writer); ok {
			require.Nil(t, own.Pending())
		}
		rd := r.Reader(bytes.NewReader(text), false)
		all, err := io.ReadAll(rd)
		require.NoError(t, err)
		require.Equal(t, text, all)
		require.Nil(t, rd.Findings())
		at := r.File(bytes.NewReader(text), false, false)
		n, err = at.ReadAt(all, 0)
		require.NoError(t, err)
		require.Equal(t, text, all[:n])
		require.Nil(t, at.Findings())
	}
}

func TestRefresh(t *testing.T) {
	values := []string{secretValue}
	r := New(Options{Values: func() []string { return values }})
	before := r.NewWriter(io.Discard)
	values = []string{"tr0ub4dor&3-x"}
	s, _ := r.String(secretValue)
	require.Equal(t, "[redacted]      ", s, "nobody asked for the values again")
	r.Refresh()
	e := r.current.Load()
	r.Refresh()
	require.Same(t, e, r.current.Load(), "the values are the same")
	s, _ = r.String(secretValue + " tr0ub4dor&3-x")
	require.Equal(t, secretValue+" [redacted]   ", s)
	_, err := before.Write([]byte(secretValue + " tr0ub4dor&3-x\n"))
	require.NoError(t, err)
	require.Equal(t, 1, before.Count(), "a stream keeps its values")
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() {
			for range 100 {
				r.Refresh()
				r.String("x tr0ub4dor&3-x")
			}
		})
	}
	wait.Wait()
}

func TestPlaceholder(t *testing.T) {
	for n, want := range map[int]string{
		1: "*", 7: "*******", 8: "[redact]", 9: "[redact] ", 10: "[redacted]", 23: "[redacted]             ", 24: "[redacted: known secret]",
		26: "[redacted: known secret]  ",
	} {
		text := []byte(strings.Repeat("x", n))
		layout{}.fill(text, knownKind)
		require.Equal(t, want, string(text))
		found, ok := mask.New(New(Options{Kinds: true})).Placeholder("a " + want + " b [redacted]")
		require.True(t, ok)
		if n >= 8 {
			require.Equal(t, strings.TrimRight(want, " "), found)
		}
	}
	for _, s := range []string{"", "[redact", "[redacted", "[redacted: ", "[redacted: x\n]", "[redacted: ]", "[redaction]", "[redacted: " + strings.Repeat("x", mask.MaxPlaceholder) + "]"} {
		_, ok := mask.New(New(Options{Kinds: true})).Placeholder(s)
		require.False(t, ok, s)
	}
	for _, u := range rules {
		require.LessOrEqual(t, mask.FullLength(u.kind), mask.MaxPlaceholder, u.kind)
	}
}

func TestLines(t *testing.T) {
	found := both().Mask([]byte("a\nb "+secretTexts["GitHub token"]+"\n"+secretTexts["private key"]+"\n"+secretTexts["JWT"]), mask.MaxFindings)
	require.Len(t, found, 3)
	require.Equal(t, [][2]int{{2, 2}, {3, 6}, {7, 7}}, [][2]int{{found[0].Line, found[0].LastLine}, {found[1].Line, found[1].LastLine}, {found[2].Line, found[2].LastLine}})
	require.Equal(t, [2]int64{4, 44}, [2]int64{found[0].Start, found[0].End})
}

// TestHeld says what a writer holds back.
func TestHeld(t *testing.T) {
	r := New(Options{Values: func() []string { return []string{secretValue} }, Kinds: true})
	for text, held := range map[string]string{
		"Password: ": "", "password=": "", "Continue? [y/n] ": "", "$ ": "", "Enter token> ": "", "value \n": "", "100%": "",
		"x 9aK": "9aK", "x 9aKx2mQ7vL4nR8t": "9aKx2mQ7vL4nR8t", "x 9aKz": "", "x ghp_16C7e42F292c6912E": "ghp_16C7e42F292c6912E",
		"password=9aKz2m": "9aKz2m", "-----BEGIN EC PRIVATE KEY-----\n": "-----BEGIN EC PRIVATE KEY-----\n",
	} {
		var out bytes.Buffer
		w := r.NewWriter(&out)
		_, err := w.Write([]byte(text))
		require.NoError(t, err)
		require.Equal(t, strings.TrimSuffix(text, held), out.String())
		require.Len(t, w.Pending(), len(held))
		require.NoError(t, w.Flush())
		require.Len(t, out.String(), len(text))
		require.Nil(t, w.Pending())
	}
	// What is held back is shown as if the stream ended there.
	w := r.NewWriter(io.Discard)
	_, err := w.Write([]byte("password=9aKz2mQ8"))
	require.NoError(t, err)
	require.Equal(t, "[redact]", string(w.Pending()))
	require.Zero(t, w.Count())
	require.NoError(t, w.Flush())
	require.Equal(t, 1, w.Count())
}

// TestKeyIsMaskedAtOnce writes a key in pieces: after its first line nothing but the start of a line is held back.
func TestKeyIsMaskedAtOnce(t *testing.T) {
	var out bytes.Buffer
	w := New(Options{Kinds: true}).NewWriter(&out)
	written := 0
	for _, l := range append([]string{"-----BEGIN RSA PRIVATE KEY-----\n"}, strings.SplitAfter(strings.Repeat(strings.Repeat("MIIEvQIBADANBgkq", 4)+"\n", 100), "\n")...) {
		n, err := w.Write([]byte(l))
		require.NoError(t, err)
		if written += n; written > 100 {
			require.LessOrEqual(t, written-out.Len(), minKeyLine)
		}
	}
	_, err := w.Write([]byte("total 48\n"))
	require.NoError(t, err)
	require.NoError(t, w.Flush())
	require.Equal(t, "total 48\n", out.String()[out.Len()-9:])
	require.Empty(t, strings.Trim(strings.TrimPrefix(out.String()[:out.Len()-9], "[redacted: private key]"), " \n"))
	// A key without an end is masked up to a bound.
	masked, found := New(Options{Kinds: true}).String("-----BEGIN PRIVATE KEY-----\n" + strings.Repeat("MIIEvQIBADANBgkq\n", maxKey/8))
	require.Len(t, found, 1)
	require.InDelta(t, maxKey, found[0].End, 200)
	require.Contains(t, masked, "MIIEvQIBADANBgkq")
}

type failing struct{ after int }

func (f *failing) Write(p []byte) (int, error) {
	if f.after--; f.after < 0 {
		return 0, errors.New("no space")
	}
	return len(p), nil
}

func TestWriterFails(t *testing.T) {
	w := both().NewWriter(&failing{after: 1})
	n, err := w.Write(bytes.Repeat([]byte("text\n"), piece))
	require.EqualError(t, err, "no space")
	require.Equal(t, piece, n)
	_, err = w.Write([]byte("x"))
	require.EqualError(t, err, "no space")
	require.EqualError(t, w.Flush(), "no space")
}

func TestReaderAt(t *testing.T) {
	key := "-----BEGIN RSA PRIVATE KEY-----\n" + strings.Repeat(strings.Repeat("MIIEvQIBADANBgkq", 4)+"\n", 200) + "-----END RSA PRIVATE KEY-----\n"
	text := strings.Repeat("line of text\n", 20000) + key + strings.Repeat("line of text\n", 20000) + secretTexts["JWT"] + "\n"
	r := New(Options{Kinds: true})
	whole, found := r.String(text)
	require.Len(t, found, 2)
	counted := &counter{rd: strings.NewReader(text)}
	at := r.ReaderAt(counted, false)
	p := make([]byte, 1000)
	begin := int64(strings.Index(text, key))
	for _, off := range []int64{begin + 5000, begin + 12000, begin, 7, int64(len(text)) - 1000, begin + int64(len(key)) - 10} {
		n, err := at.ReadAt(p, off)
		require.NoError(t, err)
		require.Equal(t, whole[off:off+int64(n)], string(p))
	}
	n, err := at.ReadAt(p, int64(len(text))-10)
	require.ErrorIs(t, err, io.EOF)
	require.Equal(t, 10, n)
	_, err = at.ReadAt(p, int64(len(text))+5)
	require.ErrorIs(t, err, io.EOF)
	list := at.Findings()
	require.Len(t, list, 2)
	for i := range list {
		require.Equal(t, [2]int64{found[i].Start, found[i].End}, [2]int64{list[i].Start, list[i].End})
		require.Zero(t, list[i].Line)
	}
	// Reading from the start to the end scans everything once.
	counted.n = 0
	all, err := io.ReadAll(io.NewSectionReader(r.ReaderAt(counted, false), 0, int64(len(text))))
	require.NoError(t, err)
	require.Equal(t, whole, string(all))
	require.LessOrEqual(t, counted.n, len(text)+2*piece)
}

// counter counts what is read.
type counter struct {
	rd io.ReaderAt
	n  int
}

func (c *counter) ReadAt(p []byte, off int64) (int, error) {
	n, err := c.rd.ReadAt(p, off)
	c.n += n
	return n, err
}

func TestWide(t *testing.T) {
	for _, order := range []int{0, 1} {
		text := encode("\ufeffäöü "+secretTexts["GitHub token"]+"\r\n"+secretValue+" "+secretTexts["password"]+"\n世界", order)
		r := New(Options{Values: func() []string { return []string{secretValue} }, Kinds: true})
		found := r.Mask(text, mask.MaxFindings)
		require.Len(t, found, 3)
		require.Equal(t, encode("\ufeffäöü [redacted: GitHub token]                \r\n[redacted]       DB_PASSWORD=[redacted]   \n世界", order), text)
		require.Equal(t, [2]int64{10, 90}, [2]int64{found[0].Start, found[0].End})
		require.Equal(t, 2, found[1].Line)
		// Values are found without a mark, and at odd offsets.
		text = append([]byte("x"), encode("say "+secretValue+"!", order)...)
		require.Len(t, r.Mask(text, mask.MaxFindings), 1)
		require.Equal(t, append([]byte("x"), encode("say [redacted]      !", order)...), text)
	}
}

func encode(s string, low int) []byte {
	var b []byte
	for _, u := range utf16.Encode([]rune(s)) {
		pair := [2]byte{byte(u >> 8), byte(u)}
		if low == 0 {
			pair[0], pair[1] = pair[1], pair[0]
		}
		b = append(b, pair[:]...)
	}
	return b
}

// TestTerminal masks secrets that have escape sequences in them, as grep and rg print them.
func TestTerminal(t *testing.T) {
	r := New(Options{Values: func() []string { return []string{secretValue} }, Kinds: true})
	masked, found := r.String("a\x1b[1m:\x1b[m9aKx\x1b[01;31m\x1b[K2mQ7\x1b[m\x1b[KvL4nR8tW\x1b[m.\x1b[0m")
	require.Equal(t, "a\x1b[1m:\x1b[m[red\x1b[01;31m\x1b[Kacte\x1b[m\x1b[Kd]      \x1b[m.\x1b[0m", masked)
	require.Len(t, found, 1)
	require.Equal(t, masked[found[0].Start:found[0].End], "[red\x1b[01;31m\x1b[Kacte\x1b[m\x1b[Kd]      ")
	masked, _ = r.String("\x1b]8;;https://bob:tr0ub4dor@h/\x1b\\link\x1b]8;;\x1b\\")
	require.Equal(t, "\x1b]8;;https://bob:[redact] @h/\x1b\\link\x1b]8;;\x1b\\", masked)
	masked, _ = r.String("\x1b[\n" + secretValue + "\x1b(B\x1b")
	require.Equal(t, "\x1b[\n[redacted]      \x1b(B\x1b", masked)
}

// TestBrokenSequences masks what follows an escape sequence that is none.
func TestBrokenSequences(t *testing.T) {
	r := knowing("0123456789012345", "ünicode-päss-w0rd")
	for text, want := range map[string]string{
		"\x1b[0123456789012345": "\x1b[[redacted]      ", "\x1bünicode-päss-w0rd": "\x1b[redacted]         ", "\x1b\x1b[m0123456789012345": "\x1b\x1b[m[redacted]      ",
		"\x1b[" + strings.Repeat("1;", maxSequence) + "0123456789012345m": "\x1b[" + strings.Repeat("1;", maxSequence) + "[redacted]      m",
	} {
		masked, _ := r.String(text)
		require.Equal(t, want, masked)
	}
}

// TestTokenAsUser masks a token and the password behind it as one.
func TestTokenAsUser(t *testing.T) {
	token := secretTexts["GitHub token"]
	masked, found := New(Options{Kinds: true}).String("https://" + token + ":x-oauth-b4sic@github.com/")
	require.Equal(t, "https://[redacted: GitHub token]"+strings.Repeat(" ", len(token)-10)+"@github.com/", masked)
	require.Len(t, found, 1)
}

// TestFindingsAreBounded goes on counting.
func TestFindingsAreBounded(t *testing.T) {
	text := []byte(strings.Repeat(secretValue+"\n", mask.MaxFindings+10))
	w := knowing(secretValue).NewWriter(io.Discard)
	_, err := w.Write(text)
	require.NoError(t, err)
	require.Equal(t, mask.MaxFindings+10, w.Count())
	require.Len(t, w.Findings(0), mask.MaxFindings)
	require.Len(t, w.Findings(mask.MaxFindings-1), 1)
	require.Empty(t, w.Findings(mask.MaxFindings))
	require.Len(t, knowing(secretValue).Mask(text, mask.MaxFindings), mask.MaxFindings)
}

// TestLinear looks at hostile texts, whole and as streams, and counts the bytes that rules look at: a bounded number for
// each byte.
func TestLinear(t *testing.T) {
	testkit.NotUnderRace(t)
	long := strings.Repeat("ab1", 200)
	values := []string{long + "X9", strings.Repeat("a", 300) + "b1", secretValue}
	size, stream := 1<<20, 1<<15
	if testing.Short() {
		size, stream = size/4, stream/4
	}
	for _, s := range []string{
		"password=", "password", "-----BEGIN ", "-----BEGIN PRIVATE KEY-----\n",
		"-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkq\n", "eyJ", "eyJhbGciOiJIUzI1NiJ9.",
		"://:@", "://a:", "://", "ab1", "a", "9aKx2mQ7vL4nR8t", "Cookie: a=b; ", "Authorization: Bearer ",
		"token: \"", "secret ", "\\", "\"", "curl -u ",
		"-u a:", "\x1b[", "\x1b", "ghp_", "Private-Lines: 4\n", "MT", "patA", "SG.", "_key=", " ", "password: \n",
		"key-", "[redacted]", "sk-", "AKIA", "1:", ":AA",
		"login password ", "<password>", "\xff\xfe", "password\\\\\\\"", "Proc-Type:\n",
	} {
		text := []byte(strings.Repeat(s, size/len(s)))
		for _, whole := range []bool{true, false} {
			e := New(Options{Values: func() []string { return values }, Kinds: true}).engine()
			p := e.pipe()
			n, most := len(text), 2*maxNeedle
			if whole {
				p.push(text)
			} else {
				n, most = min(n, stream), 12*maxNeedle // a write looks at the last places again
				for i := range n {
					p.push(text[i : i+1])
				}
			}
			p.flush()
			for _, st := range p.stages {
				require.Less(t, st.work, most*n, "%q, whole: %v, %T", s, whole, st.finder)
				require.LessOrEqual(t, cap(st.text), 4*max(Window, len(text)*b2i(whole)), "%q", s)
			}
		}
	}
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

func ExampleRedactor() {
	r := mask.New(New(Options{Values: func() []string { return []string{"9aKx2mQ7vL4nR8tW"} }, Kinds: true}))
	text, found := r.String("KEY=9aKx2mQ7vL4nR8tW\nTOKEN=ghp_16C7e42F292c6912E7710c838347Ae178B4a\n")
	fmt.Printf("%q\n", text)
	fmt.Println(mask.Summary(found))
	// Output:
	// "KEY=[redacted]      \nTOKEN=[redacted: GitHub token]                \n"
	// 2 [known secret GitHub token]
}

// String masks a string as a suite does.
func (r *Redactor) String(s string) (string, []mask.Finding) { return mask.New(r).String(s) }
