package redact

import (
	"bytes"
	"encoding/base64"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spillway-go/spillway/internal/credential"
)

// commonWords are values that are no secrets, in lower case.
var commonWords = strings.Fields(`
	password passwd pass pwd secret token key apikey api_key test tests testing example none null nil true false undefined
	string str int bool
	bytes text number object any void required optional default empty foo bar baz qux admin root user guest login public
	private
	localhost development production staging enabled disabled auto always never value values name hidden masked redacted
	password1 password123 passw0rd pass123 secret123 test123 test1234 admin123 user123 abc123 qwerty123
	letmein hunter1 changeit changeme opensesame xyz abc 123 1234 12345 sesame
	postgres mysql redis mongo rabbitmq minio minioadmin sa system sysadmin oracle
`)

func isCommon(value string) bool { return slices.Contains(commonWords, strings.ToLower(value)) }

// references are parts of values that stand for another one.
var references = []string{
	"${", "{{", "}}", "$(", "<%", "%>", "process.env", "getenv", "env[", "env.", "env(", "os.environ", "secrets.",
	"vault:", "sops", "op://", "ref+", "arn:aws",
	"::", "->", "=>", "()", "(...", "...", "[redact", "***", "•••", "://", "enc[", "!ref", "!sub", "file:", "urn:",
}

// isReference reports whether a value only says where the secret comes from, or that there is one.
func isReference(value []byte) bool {
	if len(value) == 0 || strings.IndexByte("$<%{[(@*&!", value[0]) >= 0 && len(value) < 200 && !strongMix(value) {
		return true
	}
	low := bytes.ToLower(value)
	return containsAny(low, references...) || isMask(value) || isPath(value)
}

func isPath(value []byte) bool {
	s := string(value)
	isDrive := len(s) > 2 && s[1] == ':' && (s[2] == '\\' || s[2] == '/')
	isPlace := func(p string) bool { return strings.HasPrefix(s, p) }
	if isDrive || slices.ContainsFunc([]string{"/", "./", "../", "~"}, isPlace) {
		return strings.Count(s, "/") > 1 || !strongMix(value)
	}
	return slices.ContainsFunc(extensions, func(ext string) bool { return strings.HasSuffix(s, ext) })
}

// extensions are those of files that a setting may name.
var extensions = []string{
	".pem", ".key", ".crt", ".json", ".yaml", ".yml", ".txt", ".go", ".js", ".ts", ".py", ".md", ".html", ".env", ".pub",
	".conf", ".php",
}

// strongMix reports whether a value has letters of both cases and digits, mixed.
func strongMix(value []byte) bool {
	return len(value) >= 8 && bytes.ContainsAny(value, "0123456789") && credential.Changes(value) >= 0.3
}

// isWeakSecret reports whether a value that stands where only a secret does may be one.
func isWeakSecret(value []byte) bool {
	if len(value) < 3 || isReference(value) || credential.IsExample(value) || isCommon(string(value)) {
		return false
	}
	return distinct(value) >= 3
}

func distinct(value []byte) int {
	var seen class
	n := 0
	for _, c := range value {
		if !seen[c] {
			seen[c] = true
			n++
		}
	}
	return n
}

// hasMix reports whether a value has letters, and digits or signs that are not usual in names.
func hasMix(value []byte) bool {
	letters := bytes.ContainsFunc(value, func(r rune) bool { return r|0x20 >= 'a' && r|0x20 <= 'z' })
	return letters && (bytes.ContainsAny(value, "0123456789") || bytes.ContainsAny(value, "!#%^&*+?~@$"))
}

// isPassword judges what is given to a password.
func isPassword(a assigned) bool {
	v := a.value
	if !isWeakSecret(v) || !a.isText() || len(v) < 6 || !hasMix(v) {
		return false
	}
	switch {
	case !a.quoted && (a.style == inCode || a.style == inCall):
		return len(v) >= 8 && strongMix(v) && !isWordy(v)
	case a.style == inLine:
		return true
	case a.style == inCode:
		return !isWordy(v)
	}
	return !isWordy(v) || countDigits(v) >= 2 || bytes.ContainsAny(v, "!#%^&*+?~@$")
}

func countDigits(value []byte) int {
	n := 0
	for _, c := range value {
		if digits[c] {
			n++
		}
	}
	return n
}

// isKey judges what is given to a key or a token, which is made by a generator.
func isKey(a assigned) bool {
	v := a.value
	if !isWeakSecret(v) || !a.isText() || len(v) < 12 || !strongMix(v) || isWordy(v) || a.style == inCall && len(v) < 16 {
		return false
	}
	allowed := inKey
	if a.quoted && len(v) >= 32 && credential.Changes(v) >= 0.5 {
		allowed = inQuotedKey
	}
	for _, c := range bytes.TrimRight(v, "=") {
		if !allowed[c] {
			return false
		}
	}
	return true
}

// isAuth judges what is given to auth: base64 of a user and a password, or a token.
func isAuth(a assigned) bool {
	plain, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(string(a.value), "="))
	if err == nil && bytes.IndexByte(plain, ':') > 0 && utf8.Valid(plain) {
		return decodesToPassword(a.value)
	}
	return isKey(a)
}

// inKey are the bytes of generated keys. An equals sign stands at their ends only.
var inKey = credential.ClassOf("A-Za-z0-9+/_.:~%|!@#$^*-")

// inQuotedKey are those of a long random text between quotes.
var inQuotedKey = except(" \\,;")

// isText reports whether the value is one string, and no expression.
func (a assigned) isText() bool {
	v := a.value
	if bytes.ContainsAny(v, " \t") || bytes.EqualFold(v, a.key) || strings.IndexByte("+),.;", v[0]) >= 0 || isNumber(v) {
		return false
	}
	if a.quoted {
		return !bytes.Contains(v, []byte(`\u`)) && !bytes.Contains(v, []byte(`\x`)) && !bytes.Contains(v, []byte(`\U`))
	}
	if last := v[len(v)-1]; strings.IndexByte(",;{([", last) >= 0 {
		return false
	}
	if i := bytes.IndexByte(v, '('); i > 0 && word[v[i-1]] {
		return false
	}
	if a.style == inSection && isIdentifier(v) && bytes.ContainsAny(v, "_.") {
		return false
	}
	return a.style != inCode || base62[v[0]] && !namesSomething(v)
}

// namesSomething reports whether a value may be the name of a variable, and does not look random.
func namesSomething(value []byte) bool { return isIdentifier(value) && credential.Changes(value) < 0.4 }

// isIdentifier reports whether a value may be the name of a variable.
func isIdentifier(value []byte) bool {
	for _, c := range value {
		if !word[c] && c != '.' {
			return false
		}
	}
	return !digits[value[0]]
}

// isNumber reports whether a value is one, in any notation.
func isNumber(value []byte) bool {
	v := bytes.TrimPrefix(bytes.ToLower(value), []byte("0x"))
	if len(v) == len(value) {
		return len(bytes.Trim(v, "0123456789._-:")) == 0
	}
	return len(v) <= 20 && len(bytes.Trim(v, "0123456789abcdef_lu")) == 0
}

// isWordy reports whether at least three quarters of the letters and digits of a value are in words: three letters or
// more with a vowel, all of them small but the first, or all of them capitals.
func isWordy(value []byte) bool {
	all, inWords := 0, 0
	for i := 0; i < len(value); {
		if !base62[value[i]] {
			i++
			continue
		}
		n := wordLength(value[i:])
		if n >= 3 && bytes.ContainsAny(value[i:i+n], "aeiouyAEIOUY") {
			inWords += n
		}
		n = max(n, 1)
		all += n
		i += n
	}
	return inWords*4 >= all*3
}

// wordLength returns the length of the word that text begins with.
func wordLength(text []byte) int {
	isLower := func(i int) bool { return i < len(text) && 'a' <= text[i] && text[i] <= 'z' }
	isUpper := func(i int) bool { return i < len(text) && 'A' <= text[i] && text[i] <= 'Z' }
	n := 0
	for isUpper(n) {
		n++
	}
	if n > 1 {
		if isLower(n) {
			n-- // the last one begins the next word
		}
		return n
	}
	for isLower(n) {
		n++
	}
	return n
}
