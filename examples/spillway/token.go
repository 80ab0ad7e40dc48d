package main

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"fmt"
	"io"
	"net/http"
	"os"
	"regexp"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/auth"
)

// tokenVariable is the environment variable of the token. Its name looks like that
// of a secret, and so commands that bash runs do not have it.
const tokenVariable = "MCP_SERVER_TOKEN"

// maxToken is how long a file with a token may be.
const maxToken = 4 << 10

// tokenForm is what a token may be: characters that RFC 6750 allows in a header,
// and more of them than anybody guesses.
var tokenForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9._~+/-]{16,}=*$`) })

// findToken takes the token from a file, or from the environment. Without either it
// is empty.
func findToken(file string) (token string, err error) {
	from := tokenVariable
	token = os.Getenv(tokenVariable)
	if file != "" {
		from = "-token-file " + file
		if token, err = readToken(file); err != nil {
			return "", fmt.Errorf("%s: %w", from, err)
		}
	} else if token == "" {
		return "", nil
	}
	if !tokenForm().MatchString(token) {
		return "", fmt.Errorf("%s: not a token. It takes 16 characters or more of A-Z a-z 0-9 . _ ~ + / -, "+
			"as `openssl rand -hex 32` makes them", from)
	}
	return token, nil
}

func readToken(file string) (string, error) {
	f, err := os.Open(file)
	if err != nil {
		return "", err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return "", err
	}
	if err := private(info); err != nil {
		return "", err
	}
	data, err := io.ReadAll(io.LimitReader(f, maxToken+1))
	if len(data) > maxToken {
		return "", fmt.Errorf("not a token: it is larger than %d bytes", maxToken)
	}
	return strings.TrimSpace(string(data)), err
}

// verifier compares tokens in a time that says nothing about the right one, not even
// its length.
func verifier(token string) auth.TokenVerifier {
	want := sha256.Sum256([]byte(token))
	return func(_ context.Context, given string, _ *http.Request) (*auth.TokenInfo, error) {
		got := sha256.Sum256([]byte(given))
		if subtle.ConstantTimeCompare(got[:], want[:]) != 1 {
			return nil, auth.ErrInvalidToken
		}
		return &auth.TokenInfo{}, nil
	}
}
