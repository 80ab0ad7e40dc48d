package redact

import (
	"bytes"
	"encoding/base64"
	"strings"

	"github.com/spillway-go/spillway/internal/credential"
	"github.com/spillway-go/spillway/internal/mask"
)

// wait says that a decision depends on what follows, and that the secret, if it is one, begins at hold.
func wait(hold int) result { return result{verdict: more, hold: hold} }

// found says that text[start:end] is a secret, and what follows it of a class, unless that is nil.
func found(start, end int, rest *class) result {
	r := result{verdict: yes, match: match{start: start, end: end}}
	if rest != nil {
		r.tail = allOf{rest}
	}
	return r
}

// isMask reports whether text is a placeholder, or begins with one.
func isMask(text []byte) bool {
	return bytes.HasPrefix(text, []byte(mask.Opening)) || len(bytes.Trim(text, "* ")) == 0
}

// decodesToPassword reports whether text is base64 of a user and a password.
func decodesToPassword(text []byte) bool {
	plain, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(string(text), "="))
	if err != nil {
		return false
	}
	i := bytes.IndexByte(plain, ':')
	for _, s := range []string{"secret", "password", "open sesame"} {
		if bytes.Contains(bytes.ToLower(plain), []byte(s)) {
			return false
		}
	}
	for _, c := range plain {
		if c < ' ' || c == 0x7f {
			return false
		}
	}
	return i >= 0 && i < len(plain)-1 && !credential.IsExample(plain[i+1:]) && !isCommon(string(plain[i+1:]))
}
