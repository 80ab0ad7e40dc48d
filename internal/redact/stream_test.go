package redact

import (
	"bytes"
	"io"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/spillway-go/spillway/internal/mask"
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
		"\n", "\r\n", " ", "=", ":", "\"", "'", "@", "/", "-", "_", ".", ",", "\\n", "\\", "a", "s3cr3t-V4",
		"aaaaaaa", "x", "日",
		"\x1b[31m", "\x1b[K", "\x1b", "[", "m", "\x1b]8;;", "\a", "\xff\xfe", "\x00", "password", "Authorization: ",
		"Bearer ",
		"://", "user:", "[redacted]", "[redact", "token", "ghp_", "AKIA", "-----BEGIN ", "PRIVATE KEY-----",
		"-----END ",
		"export ", "API_KEY", "secret", "eyJ", "Q~", "0123456789", "Zx9Kq2Lm8Vn4Bt7R",
		"MIIEvQIBADANBgkqhkiG9w0BAQEFAASC",
		"Cookie: ", "sid=", ";", "curl ", "-u ", "--user ", "machine h login l password ", "<password>",
		"</password>", "value: ", "+", "#",
		"-----END RSA PRIVATE KEY-----", "Private-Lines: 4\n", "\n  ", "\n+", "\n12:", "DEK-Info: ", "SK", "sk-",
		":AA", "pat", "key-", "(",
		"https://", "AccountKey=", "?sig=", "set-", "basic ", "dXNlcjpodW50ZXIy", "hunter2!", "**********", "        ",
	}
	list = append(list, slices.Sorted(maps.Values(secretTexts))...)
	for _, n := range needles(values, nil) {
		list = append(list, n.text+n.rest)
	}
	return list
}

// secretTexts have a secret of a kind each.
var secretTexts = map[string]string{
	"GitHub token":        "ghp_16C7e42F292c6912E7710c838347Ae178B4a",
	"GitLab token":        "glpat-Zx9Kq2Lm8Vn4Bt7RcW1p",
	"AWS access key":      "AKIAQ3EGRTZVXK7M2WNB",
	"Slack token":         "xoxb-482910573846-591827364509-aZ3kQ9mX7pL2vT8nR4wY6sB1",
	"Stripe key":          "sk_live_9aKx2mQ7vL4nR8tW3yB6cE1f",
	"Twilio key":          "SK5f2a9c1e7b3d8046f1a2c3e4d5b6978a",
	"JWT":                 "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiI5MTIzIn0.q9mX7pL2vT8nR4wY6sB1aZ3kQ9mX7pL2vT8nR4wY6sA",
	"password in a URL":   "postgres://app:tr0ub4dor@db.internal/x",
	"password":            "DB_PASSWORD=tr0ub4dor-Zx9",
	"secret":              "client_secret: \"9aKx2mQ7vL4nR8tW3yB6cE1f\"",
	"token":               "--token=9aKx2mQ7vL4nR8tW3yB6cE1f",
	"API key":             "X-Api-Key: 9aKx2mQ7vL4nR8tW3yB6cE1f",
	"authorization":       "Authorization: Bearer 9aKx2mQ7vL4nR8tW3yB6cE1f",
	"cookie":              "Cookie: sid=9aKx2mQ7vL4nR8tW3yB6cE1f; a=b",
	"password of a user":  "curl -u bob:tr0ub4dor https://h/",
	"private key":         "-----BEGIN EC PRIVATE KEY-----\nMHcCAQEEIIrYSSNQFaA2Hwf1duRSxKtLYX5CB04fSeQ6tF1aY/PuoAoGCCqGSM49\nAwEHoUQD\n-----END EC PRIVATE KEY-----",
	"Azure client secret": "abc8Q~Zx9Kq2Lm8Vn4Bt7RcW1pYs3Tf6Gh0JkLmQw",
	"Telegram bot token":  "5839201746:AAHq9mX7pL2vT8nR4wY6sB1aZ3kQ9mX7pL2",
	"SendGrid key":        "SG.9aKx2mQ7vL4nR8tW3yB6cE.1f9aKx2mQ7vL4nR8tW3yB6cE1f9aKx2mQ7vL4nR8tW3",
	"Airtable token":      "patZx9Kq2Lm8Vn4Bt.5f2a9c1e7b3d8046f1a2c3e4d5b6978a5f2a9c1e7b3d8046f1a2c3e4d5b6978a",
	"Azure storage key":   "AccountKey=q9mX7pL2vT8nR4wY6sB1aZ3kQ9mX7pL2vT8nR4wY6sB1aZ3kq9mX7pL2vT8nR4wY6sB1aZ3kQ9mX7pL2vT8nR4wY==",
}

// TestKinds masks each of secretTexts.
func TestKinds(t *testing.T) {
	r := New(Options{Kinds: true})
	for kind, text := range secretTexts {
		masked, found := r.String(text + "\n")
		require.Len(t, found, 1, "%s became %s", text, masked)
		require.Equal(t, kind, found[0].Kind)
		require.Equal(t, 1, found[0].Line)
		require.Contains(t, masked, mask.Placeholder(kind, int(found[0].End-found[0].Start)))
	}
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
	found := r.Mask(whole, mask.MaxFindings)
	require.Len(t, whole, len(text))
	for i, c := range text {
		if c == '\n' || whole[i] == '\n' {
			require.Equal(t, c, whole[i], "%q became %q", text, whole)
		}
	}
	again := bytes.Clone(whole)
	require.Empty(t, r.Mask(again, mask.MaxFindings), "%q became %q, and that %q", text, whole, again)
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

	read := r.Reader(iotest.OneByteReader(bytes.NewReader(text)), false)
	all, err := io.ReadAll(read)
	require.NoError(t, err)
	require.Equal(t, string(whole), string(all))
	require.Equal(t, found, read.Findings())

	at := r.ReaderAt(bytes.NewReader(text), false)
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
	for seed := range uint64(testkit.Some(4000)) {
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

// TestCut ends a stream at every byte of a text with secrets: of one that had begun, fewer than four bytes are passed on
// beyond what such secrets begin with, and words that are not one stay.
func TestCut(t *testing.T) {
	for kind, secret := range map[string]string{
		"known": secretValue, "token": secretTexts["GitHub token"], "key": secretTexts["private key"], "JWT": secretTexts["JWT"],
		"password": "password=9aKz2mQ8vT4x", "header": "Authorization: Bearer 9aKz2mQ8vT4xR7nP1sW3",
	} {
		hidden := secret[max(strings.LastIndexAny(secret[:min(len(secret), 40)], "=\n "), 0):]
		for n := range len(secret) {
			r := New(Options{Values: func() []string { return []string{secretValue} }, Kinds: true})
			var out bytes.Buffer
			w := r.NewWriter(&out)
			_, err := w.Write([]byte("some words\n" + secret[:n]))
			require.NoError(t, err)
			require.NoError(t, w.Cut())
			require.Len(t, out.String(), len("some words\n")+n)
			require.Contains(t, out.String(), "some words\n")
			for i := 0; i+minCut+4 <= len(hidden); i++ {
				if part := hidden[i : i+minCut+4]; strings.Contains(secret[:n], part) {
					require.NotContains(t, out.String(), part, "%s cut at %d", kind, n)
				}
			}
			require.False(t, r.learned.changed(0), "a part was learned")
		}
	}
	for _, text := range []string{"Password: ", "Continue? [y/N] ", "50% done", "token> "} {
		var out bytes.Buffer
		w := New(Options{Kinds: true}).NewWriter(&out)
		_, err := w.Write([]byte(text))
		require.NoError(t, err)
		require.NoError(t, w.Cut())
		require.Equal(t, text, out.String())
	}
}

// A text that begins as UTF-16 may go on in ASCII, as cat of two files prints it. Whatever takes all of it for UTF-16
// makes characters of the rest, from which that can be read. So both forms of a secret are masked.
func TestTextBehindUTF16(t *testing.T) {
	secret := secretTexts["GitHub token"]
	for _, order := range []int{0, 1} {
		little, big := wide("first: " + secret + "\n")
		text := byteOrderMarks[order] + []string{little, big}[order] + "TOKEN=" + secret + "\nlast: " + values[1] + "\n"
		for _, size := range []int{1, 2, 7, 1 << 10} {
			var out bytes.Buffer
			w := both().NewWriter(&out)
			for rest := []byte(text); len(rest) > 0; {
				n := min(size, len(rest))
				_, err := w.Write(rest[:n])
				require.NoError(t, err)
				rest = rest[n:]
			}
			require.NoError(t, w.Flush())
			masked := []byte(text)
			found := both().Mask(masked, mask.MaxFindings)
			for _, got := range []string{out.String(), string(masked)} {
				require.Len(t, got, len(text))
				for _, form := range []string{secret, values[1], little[len("first: ")*2 : len(little)-2], big[len("first: ")*2 : len(big)-2]} {
					require.NotContains(t, got, form)
				}
				require.Contains(t, got, "TOKEN=[redacted")
			}
			require.Len(t, found, 3)
			require.Len(t, w.Findings(0), 3)
			for _, f := range found {
				require.Contains(t, string(masked[f.Start:f.End]), "[")
			}
		}
	}
}
