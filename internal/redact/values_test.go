package redact

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"net/url"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/internal/mask"
	"github.com/stretchr/testify/require"
)

func TestIsSecret(t *testing.T) {
	for _, s := range []string{
		"hunter2-hunter3", "tr0ub4dor&3", "9aKx2mQ7vL4nR8tW", "5f2a9c1e7b3d8046", "1234567890",
		"correct-horse-battery-staple",
		"p@ssw0rd!", "qjrbsftk", "qitngc-NTUVK-qvydho", "/8aKx2mQ7vL4nR8tW3yB6cE1f/A0+Q==", "Zx9Kq2Lm/Vn4Bt7Rc",
		"postgres://app@db/x?password=9aKx2mQ7vL4nR8tW",
		"https://hooks.slack.com/services/T0/B0/9aKx2mQ7vL4nR8tW3yB6cE1f", "https://9aKx2mQ7@host/", "päßwörter!",
		"-----BEGIN X-----\nMIIEvQIBADANBgkqhkiG9w0BAQ",
	} {
		require.True(t, isSecret(s), s)
	}
	for _, s := range []string{
		"", "short", "true", "localhost", "development", "Production", "POSTGRES", "changeme", "password",
		"123456789", "2026-11-23", "10.0.0.1:5432",
		"/home/user/.ssh/id_ed25519", "~/.netrc", "./secrets/key.pem", "../x/yyyyyy", `C:\Users\me\key.pem`,
		"D:/keys/a.pem", "config/secrets/app.yaml",
		"https://api.internal/v1/items", "db.internal:5432", "user-service", "my_database", "aaaaaaaaaaaa",
		"abababababab", "us-east", "DEV_SERVER",
		"/tmp/ssh-XXXXXXabcd/agent.123",
	} {
		require.False(t, isSecret(s), s)
	}
}

func TestSecretsOf(t *testing.T) {
	require.Equal(t, []string{"tr0ub4dor&3"}, secretsOf("postgres://app:tr0ub4dor%263@db:5432/x"))
	require.Equal(t, []string{"9aKx2mQ7vL4n"}, secretsOf("  9aKx2mQ7vL4n\n"))
	require.Nil(t, secretsOf("development"))
	key := "-----BEGIN X-----\nMIIEvQIBADANBgkqhkiG9w0BAQ\nshort\nEFAASCBKcwggSjAgEAAoIB\n-----END X-----"
	require.Equal(t, []string{key, "MIIEvQIBADANBgkqhkiG9w0BAQ", "EFAASCBKcwggSjAgEAAoIB"}, secretsOf(key))
	require.Len(t, secretsOf(strings.Repeat("9aKx2mQ7", maxValue))[0], maxValue)
	many := make([]string, maxValues+1)
	for i := range many {
		many[i] = fmt.Sprintf("9aKx2mQ7-%06d", i)
	}
	r := New(Options{Values: func() []string { return many }})
	masked, _ := r.String(many[maxValues-1] + " " + many[maxValues])
	require.Equal(t, "[redacted]       "[:len(many[0])]+" "+many[maxValues], masked)
}

// TestForms masks a value in each form.
func TestForms(t *testing.T) {
	value := `9aKx/2mQ7"vL+4nR8&tW=3y~B`
	r := New(Options{Values: func() []string { return []string{value} }})
	little, big := wide(value)
	texts := []string{
		value, url.QueryEscape(value), url.PathEscape(value), strings.ToLower(url.QueryEscape("/")) + "x" + lowerHex(url.QueryEscape(value)),
		hex.EncodeToString([]byte(value)), strings.ToUpper(hex.EncodeToString([]byte(value))),
		`{"a":"9aKx\/2mQ7\"vL+4nR8\u0026tW=3y~B"}`, `9aKx/2mQ7\"vL+4nR8&tW=3y~B`,
		`9aKx\u002f2mQ7\"vL+4nR8\u0026tW=3y~B`, `\"9aKx/2mQ7\\\"vL+4nR8&tW=3y~B\"`,
		"9aKx/2mQ7&#34;vL+4nR8&amp;tW=3y~B", little, big,
	}
	for before := range 4 {
		for after := range 4 {
			text := []byte(strings.Repeat("x", before) + value + strings.Repeat("y", after))
			for _, enc := range []*base64.Encoding{base64.StdEncoding, base64.URLEncoding, base64.RawStdEncoding, base64.RawURLEncoding} {
				texts = append(texts, enc.EncodeToString(text))
			}
		}
	}
	for _, text := range texts {
		for _, around := range []string{"", "a", " ", "\n"} {
			masked, found := r.String(around + text + around)
			require.Len(t, found, 1, "%q", text)
			require.Equal(t, knownKind, found[0].Kind)
			require.Len(t, masked, len(text)+2*len(around))
			require.Less(t, found[0].Start, int64(len(around)+12), "%q", text)
			require.Greater(t, found[0].End, int64(len(around)+len(text)-12), "%q", text)
		}
	}
}

// TestOverlap masks values that overlap.
func TestOverlap(t *testing.T) {
	r := New(Options{Values: func() []string { return []string{"9aKx2mQ7vL4n", "vL4nR8tW3yB6", "9aKx2mQ7vL4nR8"} }})
	masked, found := r.String("x9aKx2mQ7vL4nR8tW3yB6x")
	require.Equal(t, "x[redacted]          x", masked)
	require.Len(t, found, 1)
	// The longest that begins at a place is masked as one.
	masked, _ = r.String("9aKx2mQ7vL4nR8 9aKx2mQ7vL4n.")
	require.Equal(t, "[redacted]     [redacted]  .", masked)
}

// TestLongValue masks as much of a long value as there is.
func TestLongValue(t *testing.T) {
	var b strings.Builder
	for i := range 400 {
		fmt.Fprintf(&b, "%x:", i*7919)
	}
	value := b.String()
	r := New(Options{Values: func() []string { return []string{value} }})
	masked, found := r.String(value[:maxNeedle+50] + "!")
	require.Equal(t, "[redacted: known secret]"+strings.Repeat(" ", maxNeedle+50-24)+"!", masked)
	require.Len(t, found, 1)
	masked, _ = r.String(value[:maxNeedle-1])
	require.Equal(t, value[:maxNeedle-1], masked)
	masked, found = r.String(value + value)
	require.Empty(t, strings.Trim(strings.ReplaceAll(masked, "[redacted: known secret]", ""), " "))
	require.Len(t, found, 2)
}

// TestLearned remembers the secrets that were found last, and none that may stand elsewhere by chance.
func TestLearned(t *testing.T) {
	var l learned
	key := func(i int) string { return fmt.Sprintf("Kx9%03dvQ2mZt7Lp4", i) }
	for i := range maxLearned + 50 {
		l.add([]byte(key(i)), "key")
		l.add([]byte(key(i)), "key")
	}
	list, version := l.now()
	require.Len(t, list, maxLearned)
	require.Equal(t, secret{key(50), "key"}, list[0])
	for _, other := range []string{key(60), "Kx9vQ2mZt7Lp4aB", "/usr/local/share/doc", strings.Repeat("Kx9vQ2mZ", 200)} {
		l.add([]byte(other), "key")
	}
	_, same := l.now()
	require.Equal(t, version, same)

	r := New(Options{Kinds: true})
	encoded := hex.EncodeToString([]byte("AKIAQ4WTK7PZ3MXN5RVB"))
	shown, _ := r.String("id AKIAQ4WTK7PZ3MXN5RVB\n" + encoded)
	require.Contains(t, shown, encoded)
	r.Refresh()
	shown, found := r.String("id AKIAQ4WTK7PZ3MXN5RVB\n" + encoded)
	require.NotContains(t, shown, encoded)
	require.Equal(t, []string{"AWS access key", "AWS access key"}, []string{found[0].Kind, found[1].Kind})
}

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
				redactor.Mask([]byte(text[:part]+end), mask.MaxFindings)
				redactor.Refresh()
				shown := []byte(text)
				redactor.Mask(shown, mask.MaxFindings)
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
	redactor.Mask(shown, mask.MaxFindings)
	requireNoPart(t, other, string(shown), 4, "%s", shown)
}
