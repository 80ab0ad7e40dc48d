package redaction_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/internal/suitetest"
	"github.com/stretchr/testify/require"
)

// TestWhatWasMaskedStaysMasked where nothing but the value itself tells that it is secret, after hundreds of others:
// parts of a private key, whole lines or not, and values without their names.
func TestWhatWasMaskedStaysMasked(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 1))
	var key, others strings.Builder
	key.WriteString("-----BEGIN RSA PRIVATE KEY-----\n")
	for range 25 {
		key.WriteString(lettersOf(r, 64) + "\n")
	}
	key.WriteString(lettersOf(r, 32) + "==\n-----END RSA PRIVATE KEY-----\n")
	for range 300 {
		fmt.Fprintf(&others, "token = %s\n", githubToken(lettersOf(r, 30)))
	}
	password := "aB3" + lettersOf(r, 20)
	s, _ := redacting(t, config.RedactSecrets, map[string]string{
		"key.pem": key.String(), "key.json": fmt.Sprintf("{\"key\": %q}\n", key.String()), ".env": "password=" + password + "\n", "others": others.String(),
	})
	for _, name := range []string{"key.json", ".env", "others"} {
		call(t, s, "read", tools.ReadParams{Path: name})
	}
	lines := strings.Split(key.String(), "\n")
	for command, hidden := range map[string][]string{
		"sed -n 4,9p key.pem":                lines[3:9],
		"sed -n 2p key.pem":                  lines[1:2],
		"head -c 700 key.pem | tail -c 300":  lines[8:10],
		"cut -c 10-50 key.pem | sed -n 6,7p": {lines[5][15:48], lines[6][15:48]},
		"cut -d= -f2 .env":                   {password},
		"tail -n 1 others | cut -c 9-":       {strings.Fields(others.String())[300*3-1]},
	} {
		res := call(t, s, "bash", tools.BashParams{Command: command})
		require.False(t, res.IsError, res.Text)
		for _, h := range hidden {
			for at := 0; at+pieceShown < len(h); at++ {
				require.NotContains(t, res.Text, h[at:at+pieceShown+1], command)
			}
		}
		require.Positive(t, res.Shown().Redacted, command)
	}
}

// pieceShown is less than what is masked of a key at a time: so much may be seen of a line that was cut.
const pieceShown = 15

// TestATimeoutInASecret shows nothing of it, be it a known one or one of a kind, in the result and in the files of the
// spill directory.
func TestATimeoutInASecret(t *testing.T) {
	t.Parallel()
	files := map[string]string{".clarvis/.gitignore": "*\n"}
	half := func(text string) string { return text[:len(text)*2/3] }
	for _, secret := range []string{
		half(knownValue), half(tokenValue), "password=aB3xK9mQ2vL4", "-----BEGIN RSA PRIVATE KEY-----\nMIIEow9BAx",
		"Authorization: Bearer aB3xK9mQ2vL4", "https://me:aB3xK9mQ2vL4",
	} {
		end := secret[strings.LastIndexAny(secret, "=\n :")+1:]
		t.Run(secret, func(t *testing.T) {
			t.Parallel()
			s, _ := redacting(t, config.RedactSecrets, files)
			for _, command := range []string{"printf %s '" + secret + "'; kill -9 $$", "seq 5000; printf %s '" + secret + "'; sleep 60"} {
				res := call(t, s, "bash", tools.BashParams{Command: command, TimeoutMs: 300})
				require.NotContains(t, res.Text, end[:len(end)-2], command)
				require.NotContains(t, allSpilled(t, s), end[:len(end)-2], command)
			}
			if suiteHasJobs(s) {
				res, err := s.Bash(t.Context(), tools.BashParams{Command: "printf %s '" + secret + "'; sleep 60", Background: true})
				require.NoError(t, err)
				job, err := s.Job(t.Context(), tools.JobParams{ID: res.Job, Signal: "kill", WaitMs: int((10 * time.Second).Milliseconds())})
				require.NoError(t, err)
				require.NotContains(t, res.Text+job.Text+allSpilled(t, s), end[:len(end)-2])
			}
		})
	}
	s, _ := redacting(t, config.RedactSecrets, files)
	suitetest.InTime(t, func(timeoutMs int) bool {
		res := call(t, s, "bash", tools.BashParams{Command: "printf 'Continue? '; sleep 60", TimeoutMs: timeoutMs})
		return strings.Contains(res.Text, "\nContinue? ")
	})
}

// A secret is masked with colors in it, and up to the NUL byte that separates it from the next text, as in
// /proc/self/environ, by every tool that shows it.
func TestRedactBetween(t *testing.T) {
	t.Parallel()
	const key = "AKIAQ3EGRTZVXK7M2WNB"
	colored := key[:7] + "\x1b[01;31m" + key[7:12] + "\x1b[m" + key[12:]
	for name, tt := range map[string]struct{ text, bash, read, grep string }{
		"colors": {"id: " + colored + " end\n", " end", " end", " end"},
		"NUL":    {"HOME=/root\x00ID=" + key + "\x00SHELL=/bin/sh\x00TOKEN=" + tokenValue + "\x00LAST=1\n", "SHELL=/bin/sh", "is_binary", "Skipped 1 binary file"},
	} {
		s, seen := redacting(t, config.RedactSecrets, map[string]string{"file": tt.text})
		for tool, res := range map[string]tools.Result{
			"bash": call(t, s, "bash", tools.BashParams{Command: "cat file"}),
			"read": call(t, s, "read", tools.ReadParams{Path: "file"}),
			"grep": call(t, s, "grep", tools.GrepParams{Pattern: "end|LAST", Path: "file"}),
		} {
			shown := strings.NewReplacer("\x1b[01;31m", "", "\x1b[m", "").Replace(whole(t, res))
			nothingIn(t, shown, key, tokenValue)
			want := map[string]string{"bash": tt.bash, "read": tt.read, "grep": tt.grep}[tool]
			require.Contains(t, res.Text, want, "%s of %s", tool, name)
		}
		nothingIn(t, seen.String(), key, colored, tokenValue)
	}
}

// TestRedactPartFirst shows the beginning of a key, and then all of it: what was learned from the first call must not
// keep the second from seeing the key.
func TestRedactPartFirst(t *testing.T) {
	t.Parallel()
	secret := twinKinds[5](rand.New(rand.NewPCG(3, 41))).a
	for _, first := range []string{"head -c 90 k.pem", "head -n 2 k.pem", "cut -c 1-50 k.pem"} {
		s := newSuite(t, config.Config{Redact: config.RedactSecrets}, map[string]string{"k.pem": secret + "\n"})
		texts := []string{
			call(t, s, "bash", tools.BashParams{Command: first}).Text,
			call(t, s, "bash", tools.BashParams{Command: "cat k.pem"}).Text,
			call(t, s, "read", tools.ReadParams{Path: "k.pem"}).Text,
			call(t, s, "grep", tools.GrepParams{Pattern: ".", Path: "k.pem"}).Text,
		}
		lines := strings.Split(secret, "\n")
		for i, text := range texts {
			for _, line := range lines[1 : len(lines)-1] {
				require.NotContains(t, text, line[len(line)-8:], "call %d after %s", i, first)
			}
		}
	}
}
