package redact

import (
	"bytes"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/stretchr/testify/require"
)

// values are those of the tests.
var values = []string{
	"correct-Horse/battery+Staple=7", "s3cr3t-V4lue-0001", "s3cr3t-V4lue-0001-and-longer", "aaaaaaaaab",
	"-----BEGIN X-----\nMIIEvQIBADANBgkqhkiG9w0BAQ\nEFAASCBKcwggSjAgEAAoIB\n-----END X-----", "ünicode-päss-w0rd",
}

func both() *Redactor {
	return New(Options{Values: func() []string { return values }, Kinds: true})
}

// parts are what random texts are made of.
func parts() []string {
	list := []string{
		"\n", "\r\n", " ", "=", ":", "\"", "'", "@", "/", "-", "_", ".", ",", "\\n", "\\", "a", "s3cr3t-V4", "aaaaaaa", "x", "日",
		"\x1b[31m", "\x1b[K", "\x1b", "[", "m", "\x1b]8;;", "\a", "\xff\xfe", "\x00", "password", "Authorization: ", "Bearer ",
		"://", "user:", "[redacted]", "[redact", "token", "ghp_", "AKIA", "-----BEGIN ", "PRIVATE KEY-----", "-----END ",
		"export ", "API_KEY", "secret", "eyJ", "Q~", "0123456789", "Zx9Kq2Lm8Vn4Bt7R", "MIIEvQIBADANBgkqhkiG9w0BAQEFAASC",
		samples("GitHub token"), samples("password in a URL"),
	}
	for _, n := range needles(values) {
		list = append(list, n.text+n.rest)
	}
	return list
}

func samples(kind string) string {
	switch kind {
	case "GitHub token":
		return "ghp_" + strings.Repeat("aB3dE6gH9", 4)
	}
	return "postgres://app:tr0ub4dor@db.internal/x"
}

func randomText(r *rand.Rand, list []string) []byte {
	var b bytes.Buffer
	for range r.IntN(30) {
		s := list[r.IntN(len(list))]
		if r.IntN(8) == 0 && len(s) > 0 {
			s = s[:r.IntN(len(s))]
		}
		b.WriteString(s)
	}
	return b.Bytes()
}

// requireSame checks what must hold of every text.
func requireSame(t *testing.T, r *Redactor, text []byte, seed uint64) {
	whole := bytes.Clone(text)
	found := r.Mask(whole)
	require.Len(t, whole, len(text))
	for i, c := range text {
		if c == '\n' || whole[i] == '\n' {
			require.Equal(t, c, whole[i], "%q became %q", text, whole)
		}
	}
	again := bytes.Clone(whole)
	require.Empty(t, r.Mask(again), "%q became %q, and that %q", text, whole, again)
	require.Equal(t, string(whole), string(again))

	random := rand.New(rand.NewPCG(seed, 1))
	var out bytes.Buffer
	w := r.NewWriter(&out)
	for rest := text; len(rest) > 0; {
		n := min(len(rest), 1+random.IntN(1+random.IntN(40)))
		_, err := w.Write(rest[:n])
		require.NoError(t, err)
		rest = rest[n:]
		require.Equal(t, len(text)-len(rest), out.Len()+len(w.Pending()), "%q", text)
	}
	require.NoError(t, w.Flush())
	require.Equal(t, string(whole), out.String(), "%q in chunks", text)
	require.ElementsMatch(t, found, w.Findings(0), "%q", text)

	read := r.NewReader(iotest.OneByteReader(bytes.NewReader(text)))
	all, err := io.ReadAll(read)
	require.NoError(t, err)
	require.Equal(t, string(whole), string(all))
	require.Equal(t, found, read.Findings())

	at := r.NewReaderAt(bytes.NewReader(text))
	for range 3 {
		from := random.IntN(len(text) + 1)
		p := make([]byte, random.IntN(len(text)+1-from))
		n, err := at.ReadAt(p, int64(from))
		require.NoError(t, err)
		require.Equal(t, string(whole[from:from+n]), string(p))
	}
}

func TestChunks(t *testing.T) {
	list := parts()
	r := both()
	for seed := range uint64(testkit.Some(20000)) {
		requireSame(t, r, randomText(rand.New(rand.NewPCG(seed, 0)), list), seed)
	}
}

func FuzzChunks(f *testing.F) {
	list := parts()
	for seed := range uint64(20) {
		f.Add(randomText(rand.New(rand.NewPCG(seed, 0)), list), seed)
	}
	r := both()
	f.Fuzz(func(t *testing.T, text []byte, seed uint64) { requireSame(t, r, text, seed) })
}
