package credential

import (
	"bytes"
	"hash/crc32"
	"math"
)

// entropy returns the bits per byte of text, from the frequency of each byte.
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

// IsExample reports whether text is an example of a key, as in documentation or a test.
func IsExample(text []byte) bool {
	low := bytes.ToLower(text[:min(len(text), 256)])
	for _, e := range examples {
		if bytes.Contains(low, []byte(e)) {
			return true
		}
	}
	return false
}

// LooksRandom reports whether text looks like a generated key.
func LooksRandom(text []byte) bool {
	// A random text of n hexadecimal digits has about 3.4 bits a byte for n = 32.
	need := 2.6
	if len(text) < 20 {
		need = 2.2
	}
	return entropy(text) >= need && !IsExample(text)
}

// Changes returns how often the class of a character (lower case, upper case, digit, other) changes in text, divided
// by its length. Words in camel case have 0.2 or less, random texts of letters and digits 0.4 and more.
func Changes(text []byte) float64 {
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
	return checksum(body[:n]) == string(body[n:]) || Changes(body) >= 0.3 && LooksRandom(body)
}

// Mixed reports whether text changes between letters and digits as only a random one does.
func Mixed(text []byte) bool { return Changes(text) >= 0.2 && LooksRandom(text) }
