package redact

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"hash/crc32"
	"math"
	"strings"
)

// wait says that a decision depends on what follows, and that the secret, if it is one, begins at hold.
func wait(hold int) result { return result{verdict: more, hold: hold} }

// found says that text[start:end] is a secret, and what follows it as long as rest says so.
func found(start, end int, rest tail) result {
	return result{verdict: yes, match: match{start: start, end: end, tail: rest}}
}

// prefixed returns the check of a token: its literal, no part of a word, and at least n bytes of a class. What follows
// of that class belongs to it. valid gets those n bytes; nil is looksRandom.
func prefixed(c *class, n int, valid func(body []byte) bool) func(v *view, at, after int) result {
	if valid == nil {
		valid = looksRandom
	}
	return func(v *view, at, after int) result {
		if word[v.before(at)] {
			return result{}
		}
		end, known := v.run(after, c, n)
		switch {
		case !known:
			return wait(at)
		case end < after+n || !valid(v.text[after:end]):
			return result{}
		}
		return found(at, end, c)
	}
}

// exactly is prefixed for a token that ends after n bytes: no letter, digit or underscore follows.
func exactly(c *class, n int, valid func(body []byte) bool) func(v *view, at, after int) result {
	check := prefixed(c, n, valid)
	return func(v *view, at, after int) result {
		r := check(v, at, after)
		if r.verdict != yes {
			return r
		}
		if r.end == len(v.text) && !v.end {
			return wait(at)
		}
		if r.end < len(v.text) && word[v.text[r.end]] {
			return result{}
		}
		r.tail = nil
		return r
	}
}

// isMask reports whether text is a placeholder, or begins with one.
func isMask(text []byte) bool {
	return bytes.HasPrefix(text, []byte(opening)) || len(bytes.Trim(text, "* ")) == 0
}

// entropy returns the bits that a byte of text holds, by how often each occurs.
func entropy(text []byte) float64 {
	var times [256]int
	for _, c := range text {
		times[c]++
	}
	bits := 0.0
	for _, n := range times {
		if n > 0 {
			p := float64(n) / float64(len(text))
			bits -= p * math.Log2(p)
		}
	}
	return bits
}

// examples are parts of keys in documentation and tests, in lower case.
var examples = []string{
	"example", "xxxx", "your", "placeholder", "dummy", "fake", "sample", "redacted", "changeme", "change_me",
	"change-me",
	"insert", "replace", "deadbeef", "abcdef", "123456", "012345", "987654", "qwerty", "aaaaa", "00000", "11111",
	"010203", "....", "****", "testtest",
	"mock", "synthetic", "testpass", "test-", "test_", "-test", "_test", "notreal", "not-real", "not_real", "invalid",
	"foobar", "test_token", "test-token", "mytoken", "mysecret", "my_secret", "my-secret",
}

// isExample reports whether text is what stands for a key in documentation or in a test.
func isExample(text []byte) bool {
	low := bytes.ToLower(text[:min(len(text), 256)])
	for _, e := range examples {
		if bytes.Contains(low, []byte(e)) {
			return true
		}
	}
	return false
}

// looksRandom reports whether text may be what a generator of keys made.
func looksRandom(text []byte) bool {
	// A random text of n hexadecimal digits has about 3.4 bits a byte for n = 32.
	need := 2.6
	if len(text) < 20 {
		need = 2.2
	}
	return entropy(text) >= need && !isExample(text)
}

// changes returns how often the class of a character changes in text, for each of its bytes: small letter, capital,
// digit, other. Words in camel case have 0.2 or less, random texts of letters and digits 0.4 and more.
func changes(text []byte) float64 {
	kind := func(c byte) int {
		switch {
		case 'a' <= c && c <= 'z':
			return 0
		case 'A' <= c && c <= 'Z':
			return 1
		case '0' <= c && c <= '9':
			return 2
		}
		return 3
	}
	n := 0
	for i := 1; i < len(text); i++ {
		if kind(text[i]) != kind(text[i-1]) {
			n++
		}
	}
	return float64(n) / float64(max(len(text), 1))
}

const base62Digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

// checksum returns the six characters with which GitHub and npm end their tokens.
func checksum(body []byte) string {
	sum := crc32.ChecksumIEEE(body)
	var s [6]byte
	for i := range s {
		s[len(s)-1-i] = base62Digits[sum%62]
		sum /= 62
	}
	return string(s[:])
}

// summed reports whether a token ends with its checksum. Without one it must look random.
func summed(body []byte) bool {
	n := len(body) - 6
	return checksum(body[:n]) == string(body[n:]) || changes(body) >= 0.3 && looksRandom(body)
}

// mixed reports whether text changes between letters and digits as only a random one does.
func mixed(text []byte) bool { return changes(text) >= 0.2 && looksRandom(text) }

const (
	maxHeader = 4 << 10 // bytes of the header of a JWT
	// exampleClaims is how the claims of the token on jwt.io begin, which stands in many tests.
	exampleClaims = "eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIi"
)

var jwtTail = classOf("A-Za-z0-9_.-")

// jwt is the check of a JSON web token: its header is an object with an algorithm.
func jwt(v *view, at, after int) result {
	if p := v.before(at); word[p] || p == '.' || p == '-' || p == '/' || p == '+' {
		return result{}
	}
	end, known := v.run(at, token, maxHeader)
	switch {
	case !known:
		return wait(at)
	case end == len(v.text) || v.text[end] != '.':
		return result{}
	}
	header := make([]byte, base64.RawURLEncoding.DecodedLen(end-at))
	n, err := base64.RawURLEncoding.Decode(header, v.text[at:end])
	var fields struct{ Alg string }
	if err != nil || json.Unmarshal(header[:n], &fields) != nil || fields.Alg == "" {
		return result{}
	}
	yes, known := v.has(end+1, exampleClaims)
	switch {
	case !known:
		return wait(at)
	case yes:
		return result{}
	}
	claims, known := v.run(end+1, jwtTail, 8)
	switch {
	case !known:
		return wait(at)
	case claims < end+1+8:
		return result{}
	}
	return found(at, claims, jwtTail)
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
	return i >= 0 && i < len(plain)-1 && !isExample(plain[i+1:]) && !isCommon(string(plain[i+1:]))
}
