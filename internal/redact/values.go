package redact

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"html"
	"net/url"
	"slices"
	"strings"
	"unicode/utf16"

	"github.com/spillway-go/spillway/internal/credential"
	"github.com/spillway-go/spillway/internal/mask"
)

const (
	knownKind = "known secret"
	// minValue is the length of the shortest value that is masked.
	minValue = 8
	// minLine is the length of the shortest line of a value that is masked alone.
	minLine = 16
	// maxValue is the length of the longest value.
	maxValue = 64 << 10
	// maxValues is the number of values.
	maxValues = 1000
)

// needles returns every form of every value that is a secret, and of what was found by its kind.
func needles(values []string, found []secret) []needle {
	var list []needle
	seen := map[string]bool{}
	kind := knownKind
	add := func(text string, l layout) {
		if len(text) < minNeedle || seen[text] || isPlaceholder(text) {
			return
		}
		seen[text] = true
		n := needle{text: text, kind: kind, layout: l}
		if l.wide == 0 && len(text) > maxNeedle {
			n.text, n.rest = text[:maxNeedle], text[maxNeedle:]
		}
		list = append(list, n)
	}
	for _, value := range values[:min(len(values), maxValues)] {
		for _, secret := range secretsOf(value) {
			forms(secret, add)
		}
	}
	for _, s := range found {
		kind = s.kind
		forms(s.value, add)
	}
	return list
}

// plainNeedles returns what was found by its kind as it is.
func plainNeedles(found []secret) []needle {
	list := make([]needle, len(found))
	for i, s := range found {
		n := min(len(s.value), maxNeedle)
		list[i] = needle{text: s.value[:n], rest: s.value[n:], kind: s.kind}
	}
	return list
}

// secretsOf returns what is secret in the value of a variable.
func secretsOf(value string) []string {
	value = strings.TrimSpace(value)
	if len(value) > maxValue {
		value = value[:maxValue]
	}
	if p := urlPassword(value); len(p) >= minValue {
		value = p // the address may be written in another way
	}
	if !isSecret(value) {
		return nil
	}
	list := []string{value}
	if strings.ContainsAny(value, "\r\n") {
		for line := range strings.FieldsFuncSeq(value, func(r rune) bool { return r == '\n' || r == '\r' }) {
			line = strings.TrimSpace(line)
			if len(line) >= minLine && !strings.HasPrefix(line, "-----") && isSecret(line) {
				list = append(list, line)
			}
		}
	}
	return list
}

// forms calls add with every way in which a secret may be written.
func forms(secret string, add func(string, layout)) {
	add(secret, layout{})
	for _, enc := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
		for skip := range 3 {
			add(aligned(enc, secret, skip), layout{})
		}
	}
	escaped := url.QueryEscape(secret)
	for _, s := range []string{escaped, strings.ReplaceAll(escaped, "+", "%20"), url.PathEscape(secret)} {
		add(s, layout{})
		add(lowerHex(s), layout{})
	}
	add(hex.EncodeToString([]byte(secret)), layout{})
	add(strings.ToUpper(hex.EncodeToString([]byte(secret))), layout{})
	inJSON(secret, func(s string) { add(s, layout{escaped: true}) })
	add(html.EscapeString(secret), layout{})
	little, big := wide(secret)
	add(little, layout{wide: 1})
	add(big, layout{wide: 2})
}

// aligned returns what base64 makes of secret whatever stands before and after it, if skip bytes stand before it in
// its first group.
func aligned(enc *base64.Encoding, secret string, skip int) string {
	s := enc.EncodeToString([]byte(strings.Repeat("\x00", skip) + secret))
	from := []int{0, 2, 3}[skip]
	to := len(s)
	if (skip+len(secret))%3 != 0 {
		to-- // its last character also has bits of what follows
	}
	return s[from:to]
}

// lowerHex puts the hexadecimal digits of escapes into lower case.
func lowerHex(s string) string {
	b := []byte(s)
	for i := 0; i+2 < len(b); i++ {
		if b[i] == '%' {
			copy(b[i+1:i+3], strings.ToLower(string(b[i+1:i+3])))
			i += 2
		}
	}
	return string(b)
}

// inJSON calls add with secret as it stands in strings of JSON, and in JSON that stands in a string of JSON.
func inJSON(secret string, add func(string)) {
	for _, escapeHTML := range []bool{false, true} {
		s := jsonString(secret, escapeHTML)
		for _, slash := range []string{"/", `\/`, `\u002f`, `\u002F`} {
			add(strings.ReplaceAll(s, "/", slash))
		}
		if s != secret {
			add(jsonString(s, escapeHTML))
		}
	}
}

// jsonString returns s as it stands between the quotes of a string of JSON.
func jsonString(s string, escapeHTML bool) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(escapeHTML)
	if err := enc.Encode(s); err != nil {
		return s // a string can always be encoded
	}
	quoted := strings.TrimSuffix(b.String(), "\n")
	return quoted[1 : len(quoted)-1]
}

// wide returns secret in UTF-16LE and UTF-16BE.
func wide(secret string) (little, big string) {
	var l, b []byte
	for _, u := range utf16.Encode([]rune(secret)) {
		l = append(l, byte(u), byte(u>>8))
		b = append(b, byte(u>>8), byte(u))
	}
	return string(l), string(b)
}

// urlPassword returns the password in a URL, or "" if there is none.
func urlPassword(value string) string {
	u, err := url.Parse(value)
	if err != nil || u.Scheme == "" || u.User == nil {
		return ""
	}
	p, _ := u.User.Password()
	return p
}

// isPlaceholder reports whether text may be a part of a placeholder.
func isPlaceholder(text string) bool {
	return strings.Trim(text, "* ") == "" || strings.Contains(mask.Medium, text) ||
		strings.Contains(mask.Placeholder(knownKind, mask.MaxPlaceholder), text)
}

// minDigits is the length of the shortest number that may be a secret.
const minDigits = 10

// isSecret reports whether the value of a variable that is withheld may be a secret. Others stand in texts by chance,
// or are looked up by name. These are none:
//   - values of less than minValue bytes, or of less than four different ones
//   - numbers of less than minDigits digits
//   - a word, or two joined by one of "-_. ": letters alone, all of them small but the first, or all capitals, with a
//     vowel, and at most twenty bytes together
//   - what is common in configuration, such as localhost and changeme
//   - names of files, and addresses without a password
func isSecret(value string) bool {
	switch {
	case len(value) < minValue || distinct([]byte(value)) < 4 || isCommon(value):
		return false
	case strings.Trim(value, "0123456789.:,-+ ") == "":
		return len(value) >= minDigits && strings.Trim(value, "0123456789") == ""
	case isFileName(value), isAddress(value):
		return false
	}
	return !isPlainWords(value)
}

// isPlainWords reports whether value is one or two words.
func isPlainWords(value string) bool {
	words := strings.FieldsFunc(value, func(r rune) bool { return strings.ContainsRune("-_. ", r) })
	if len(words) > 2 || len(value) > 20 {
		return false
	}
	return !slices.ContainsFunc(words, func(w string) bool {
		return wordLength([]byte(w)) < len(w) || !strings.ContainsAny(w, "aeiouyAEIOUY")
	})
}

// isFileName reports whether value is a path: it begins like one, or has slashes and does not look random, as base64
// does.
func isFileName(value string) bool {
	switch {
	case strings.ContainsAny(value, "\r\n"):
		return false
	case strings.HasPrefix(value, "~/"), strings.HasPrefix(value, "./"), strings.HasPrefix(value, "../"):
		return true
	case len(value) > 2 && value[1] == ':' && alpha[value[0]] && (value[2] == '\\' || value[2] == '/'):
		return true
	case !strings.Contains(value, "/"):
		return false
	}
	all := []byte(strings.ReplaceAll(value, "/", ""))
	if credential.Changes(all) >= 0.4 && !isWordy(all) {
		return false
	}
	return !slices.ContainsFunc(strings.Split(value, "/"), func(part string) bool {
		return len(part) >= 16 && credential.Mixed([]byte(part)) && !isWordy([]byte(part))
	})
}

// isAddress reports whether value is a URL or a host with a port, without a secret in a query.
func isAddress(value string) bool {
	u, err := url.Parse(value)
	if err == nil && u.Host != "" && u.Scheme != "" {
		return !hasSecretPart(u)
	}
	host, port, ok := strings.Cut(value, ":")
	return ok && port != "" && len(port) <= 5 && strings.Trim(port, "0123456789") == "" && strings.Contains(host, ".")
}

// hasSecretPart reports whether a URL has a user, or a part of its path or a parameter that looks random, as a webhook
// has.
func hasSecretPart(u *url.URL) bool {
	if u.User != nil {
		return true
	}
	parts := strings.FieldsFunc(u.Path+"/"+u.RawQuery, func(r rune) bool { return strings.ContainsRune("/&=", r) })
	return slices.ContainsFunc(parts, func(p string) bool {
		return len(p) >= 16 && credential.Mixed([]byte(p)) && !isWordy([]byte(p))
	})
}
