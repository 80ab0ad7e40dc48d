package suitetest

import (
	"encoding/json"
	"hash/crc32"
	"testing"

	"github.com/spillway-go/spillway/tools"
	"github.com/stretchr/testify/require"
)

// KnownValue is a value that only the environment makes a secret. It was never valid.
const KnownValue = "rosebud-Kx93mq-tulip"

// TokenValue looks like a secret anywhere. It was never valid.
var TokenValue = GithubToken("R4nd0mLooking0nlyF0rTh1sTest00")

// GithubToken returns what has the form of a token: 30 letters and digits, and their checksum.
func GithubToken(random string) string {
	const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	sum, check := crc32.ChecksumIEEE([]byte(random)), ""
	for range 6 {
		check, sum = digits[sum%62:sum%62+1]+check, sum/62
	}
	return "ghp_" + random + check
}

// Whole returns all that a result holds, as a host could log it.
func Whole(t *testing.T, res tools.Result) string {
	details, err := json.Marshal(res.Details)
	require.NoError(t, err)
	return res.Text + "\n" + string(details)
}

// NothingIn fails if a text has one of the values, or a part of one.
func NothingIn(t *testing.T, text string, values ...string) {
	t.Helper()
	for _, value := range values {
		for _, part := range []string{value, value[:len(value)-2], value[2:]} {
			require.NotContains(t, text, part)
		}
	}
}
