package redact

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// randomKey returns a private key with a first line.
func randomKey(r *rand.Rand, first string) string {
	lines := []string{"-----BEGIN RSA PRIVATE KEY-----", first}
	for range 5 {
		lines = append(lines, randomLetters(r, 64))
	}
	return strings.Join(append(lines, "-----END RSA PRIVATE KEY-----", ""), "\n")
}

func randomLetters(r *rand.Rand, n int) string {
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	b := make([]byte, n)
	for i := range b {
		b[i] = letters[r.IntN(len(letters))]
	}
	return string(b)
}

// requireNoPart fails if a part of a secret of so many bytes is shown.
func requireNoPart(t *testing.T, secret, shown string, size int, of ...any) {
	t.Helper()
	for line := range strings.Lines(secret) {
		for i := 0; i+size < len(line) && !strings.HasPrefix(line, "-----"); i++ {
			require.NotContains(t, shown, line[i:i+size], of...)
		}
	}
}

// TestPartFirst masks a part of a secret, which is learned, and then more of it.
func TestPartFirst(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 41))
	secrets := map[string]string{
		"":                       randomKey(r, randomLetters(r, 64)),
		"TOKEN=":                 "ghp_" + randomLetters(r, 36),
		"password=":              "aB3" + randomLetters(r, 31),
		"api_key: ":              "aB3" + randomLetters(r, 45),
		"Authorization: Bearer ": "aB3" + randomLetters(r, 45),
	}
	for before, secret := range secrets {
		text := "x = 1\n" + before + secret + "\n"
		for part := len("x = 1\n" + before); part < len(text); part += 5 {
			for _, end := range []string{"", "\n"} {
				redactor := New(Options{Kinds: true})
				redactor.Refresh()
				redactor.Mask([]byte(text[:part] + end))
				redactor.Refresh()
				shown := []byte(text)
				redactor.Mask(shown)
				requireNoPart(t, secret, string(shown), 4, "%s after %d bytes: %s", before, part, shown)

				var stream strings.Builder
				w := redactor.NewWriter(&stream)
				for rest := text; rest != ""; {
					n := min(len(rest), 1+r.IntN(40))
					_, err := w.Write([]byte(rest[:n]))
					require.NoError(t, err)
					rest = rest[n:]
				}
				require.NoError(t, w.Flush())
				require.Equal(t, string(shown), stream.String())
			}
		}
	}
}

// TestKnownLineOfOtherKey has a value that begins like the key of another: all keys of OpenSSH do.
func TestKnownLineOfOtherKey(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 41))
	first := "b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAABlwAAAAdzc2gt"
	known, other := randomKey(r, first), randomKey(r, first)
	redactor := New(Options{Kinds: true, Values: func() []string { return []string{known} }})
	redactor.Refresh()
	shown := []byte(other)
	redactor.Mask(shown)
	requireNoPart(t, other, string(shown), 4, "%s", shown)
}
