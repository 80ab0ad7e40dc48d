package redact

import (
	"bytes"
	"slices"
	"strings"
)

// commonWords are values that are no secrets, in lower case.
var commonWords = strings.Fields(`
	password passwd pass pwd secret token key apikey api_key test tests testing example none null nil true false undefined string str int bool
	bytes text number object any void required optional default empty foo bar baz qux admin root user guest login public private
	localhost development production staging enabled disabled auto always never value values name hidden masked redacted
	password1 password123 passw0rd pass123 secret123 test123 test1234 admin123 user123 abc123 qwerty123 letmein hunter1 changeit changeme
	postgres mysql redis mongo rabbitmq minio minioadmin sa system sysadmin oracle
`)

func isCommon(value string) bool { return slices.Contains(commonWords, strings.ToLower(value)) }

// references are parts of values that stand for another one.
var references = []string{
	"${", "{{", "}}", "$(", "<%", "%>", "process.env", "getenv", "env[", "env.", "env(", "os.environ", "secrets.", "vault:", "sops", "op://", "ref+", "arn:aws",
	"::", "->", "=>", "()", "(...", "...", "[redact", "***", "•••", "://", "enc[", "!ref", "!sub", "file:",
}

// isReference reports whether a value only says where the secret comes from, or that there is one.
func isReference(value []byte) bool {
	if len(value) == 0 || strings.IndexByte("$<%{[(@*&!", value[0]) >= 0 && len(value) < 200 && !strongMix(value) {
		return true
	}
	low := bytes.ToLower(value)
	return slices.ContainsFunc(references, func(s string) bool { return bytes.Contains(low, []byte(s)) }) || isMask(value) || isPath(value)
}

// isPath reports whether a value is the name of a file.
func isPath(value []byte) bool {
	s := string(value)
	switch {
	case strings.HasPrefix(s, "/"), strings.HasPrefix(s, "./"), strings.HasPrefix(s, "../"), strings.HasPrefix(s, "~"), len(s) > 2 && s[1] == ':' && (s[2] == '\\' || s[2] == '/'):
		return bytes.Count(value, []byte("/")) > 1 || !strongMix(value)
	}
	for _, ext := range []string{".pem", ".key", ".crt", ".json", ".yaml", ".yml", ".txt", ".go", ".js", ".ts", ".py", ".md", ".html", ".env", ".pub", ".conf", ".php"} {
		if strings.HasSuffix(s, ext) {
			return true
		}
	}
	return false
}

// strongMix reports whether a value has letters of both cases and digits, mixed.
func strongMix(value []byte) bool {
	return len(value) >= 8 && bytes.ContainsAny(value, "0123456789") && changes(value) >= 0.3
}

// isWeakSecret reports whether a value that stands where only a secret does may be one.
func isWeakSecret(value []byte) bool {
	if len(value) < 3 || isReference(value) || isExample(value) || isCommon(string(value)) {
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
	if !isWeakSecret(v) || bytes.Contains(v, []byte(" ")) || bytes.EqualFold(v, a.key) {
		return false
	}
	switch {
	case a.style != inCode:
		return len(v) >= 6 && hasMix(v) && (!isName(v) || countDigits(v) >= 3)
	case a.quoted:
		return len(v) >= 6 && hasMix(v) && !isName(v)
	}
	return len(v) >= 8 && strongMix(v) && !isName(v)
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
	if !isWeakSecret(v) || bytes.Contains(v, []byte(" ")) || bytes.EqualFold(v, a.key) {
		return false
	}
	return len(v) >= 12 && strongMix(v) && !isName(v)
}

// isName reports whether a value is made of words, as the name of a variable or of a test is.
func isName(value []byte) bool {
	return changes(value) < 0.15 && !bytes.ContainsAny(value, "!#%^&*+?~@$")
}
