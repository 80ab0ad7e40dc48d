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

// needles returns every form of every value that is a secret.
func needles(values []string) []needle {
	var list []needle
	seen := map[string]bool{}
	add := func(text string, l layout) {
		if len(text) < minNeedle || seen[text] || isPlaceholder(text) {
			return
		}
		seen[text] = true
		n := needle{text: text, layout: l}
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
	return list
}

// secretsOf returns what is secret in the value of a variable.
func secretsOf(value string) []string {
	value = strings.TrimSpace(value)
	if len(value) > maxValue {
		value = value[:maxValue]
	}
	if p := urlPassword(value); p != "" {
		value = p
	}
	if !isSecret(value) {
		return nil
	}
	list := []string{value}
	if strings.ContainsAny(value, "\r\n") {
		for line := range strings.FieldsFuncSeq(value, func(r rune) bool { return r == '\n' || r == '\r' }) {
			if line = strings.TrimSpace(line); len(line) >= minLine && isSecret(line) {
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

// inJSON calls add with secret as it stands in strings of JSON.
func inJSON(secret string, add func(string)) {
	var plain strings.Builder
	enc := json.NewEncoder(&plain)
	enc.SetEscapeHTML(false)
	if enc.Encode(secret) != nil {
		return
	}
	s := strings.TrimSuffix(plain.String(), "\n")
	s = s[1 : len(s)-1]
	add(s)
	add(strings.ReplaceAll(s, "/", `\/`))
	all, err := json.Marshal(secret)
	if err == nil {
		add(string(all[1 : len(all)-1]))
	}
	slashes := strings.ReplaceAll(string(all[1:len(all)-1]), "/", `\u002f`)
	add(slashes)
	add(strings.ReplaceAll(slashes, `\u002f`, `\u002F`))
	if s != secret {
		// JSON in a string of JSON.
		if twice, err := json.Marshal(s); err == nil {
			add(string(twice[1 : len(twice)-1]))
		}
	}
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
	return strings.Trim(text, "* ") == "" || slices.ContainsFunc(placeholders(), func(p string) bool { return strings.Contains(p, text) })
}

func placeholders() []string {
	return []string{placeholder(knownKind, maxPlaceholder), medium, short}
}

// isSecret reports whether a value may be a secret.
func isSecret(value string) bool {
	return len(value) >= minValue
}
