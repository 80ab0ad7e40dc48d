package shapes

import (
	"bytes"
	"math/bits"
	"unicode/utf8"
)

// maxTokens is how many tokens of a line its shape consists of.
const maxTokens = 64

// A token is a word, a masked part or a punctuation mark of a line.
type token uint64

// The tokens that stand for what is masked, and those that separate the items of a list.
const (
	maskedNumber token = 1 + iota // also times, dates and sizes
	maskedName                    // identifiers, paths, hexadecimal numbers
	maskedQuote                   // text in quotes
	maskedError                   // names that end in Error or Exception
	indented                      // white space at the beginning
	comma        token = ','
)

func (t token) masked() bool { return t < indented }

// literal reports whether the token is a word of three letters at least.
func (t token) literal() bool { return t >= 1<<63 }

// class is a kind of byte.
type class uint8

const (
	mark  class = iota // punctuation, and control characters
	blank              // space
	lower              // letters, and all that is not ASCII
	upper
	digit
	joiner // joins letters and digits to a name
)

var classes = func() (all [256]class) {
	for c := range all {
		switch b := byte(c); {
		case b == ' ' || b == '\t' || b == '\r':
			all[c] = blank
		case b >= 'a' && b <= 'z' || b >= 0x80:
			all[c] = lower
		case b >= 'A' && b <= 'Z':
			all[c] = upper
		case isDigit(b):
			all[c] = digit
		}
	}
	for _, b := range []byte(`_.-/\@+~%#$`) {
		all[b] = joiner
	}
	return all
}()

// tokenize returns the tokens of a line in a buffer of its caller's.
func tokenize(text []byte, buffer *[maxTokens]token) []token {
	l := lexer{text: text, tokens: buffer[:0]}
	if len(text) > 0 && classes[text[0]] == blank {
		l.add(indented)
	}
	if mark, is := result(text); is {
		l.add(token(mark))
		l.add(maskedQuote) // what was tested, in words
		return l.tokens
	}
	for l.at < len(text) && len(l.tokens) < maxTokens {
		l.next()
	}
	return l.tokens
}

// result reports whether a line is that of a test runner for one test, and returns a character for its result.
func result(text []byte) (mark rune, is bool) {
	text = bytes.TrimLeft(text, " \t")
	if len(text) == 0 {
		return 0, false
	}
	switch c := text[0]; {
	case c >= 0x80:
		mark, _ = utf8.DecodeRune(text)
		switch mark {
		case '✓', '✔', '√', '✅', '✖', '✗', '✕', '✘', '❌', '×', '⨯', '●', '○', '﹣':
			return mark, true
		}
	case bytes.HasPrefix(text, []byte("ok ")) && bytes.Contains(text, []byte(" - ")):
		return 'o', true
	case bytes.HasPrefix(text, []byte("not ok ")):
		return 'n', true
	case bytes.HasSuffix(text, []byte(" ... ok")):
		return '.', true
	}
	return 0, false
}

// literalAt returns where the first token of a line is that the function accepts, or 0.
func literalAt(text []byte, is func(token) bool) int {
	var buffer [maxTokens]token
	l := lexer{text: text, tokens: buffer[:0]}
	for l.at < len(text) && len(l.tokens) < maxTokens {
		at, n := l.at, len(l.tokens)
		l.next()
		if len(l.tokens) > n && is(l.tokens[n]) {
			return at
		}
	}
	return 0
}

type lexer struct {
	text   []byte
	at     int
	tokens []token
}

// next takes a part of the line, which may be no token.
func (l *lexer) next() {
	switch c := l.text[l.at]; {
	case classes[c] == blank:
		l.at++
	case c == '\\' && l.escapeAt(l.at):
		l.at += 2
	case (c == '"' || c == '\'' || c == '`') && l.quote(c):
	case l.startsWord():
		l.word()
	default:
		l.add(token(c))
		for l.at++; l.at < len(l.text) && l.text[l.at] == c; l.at++ { // a line of dashes is as one dash
		}
	}
}

// add adds a token. The same masks one after the other, with or without commas, are as one.
func (l *lexer) add(t token) {
	if n := len(l.tokens); t.masked() && n > 0 {
		if l.tokens[n-1] == t {
			return
		}
		if n > 1 && l.tokens[n-1] == comma && l.tokens[n-2] == t {
			l.tokens = l.tokens[:n-1]
			return
		}
	}
	l.tokens = append(l.tokens, t)
}

// escapeAt reports whether an escaped character starts there, as a line break in JSON.
func (l *lexer) escapeAt(at int) bool {
	if at+1 == len(l.text) {
		return false
	}
	switch l.text[at+1] {
	case 'n', 't', 'r', '"':
		return true
	}
	return false
}

// quote takes text in quotes, if they end in this line. What a colon or an equals sign precedes, such as a value in
// JSON, is taken word by word, and so is a key.
func (l *lexer) quote(c byte) bool {
	from := l.at + 1
	if l.at > 0 {
		switch before := l.text[l.at-1]; {
		case before == ':' || before == '=' || before == ' ' && l.at > 1 && l.text[l.at-2] == ':' && c == '"':
			return false
		case c == '\'' && classes[before] >= lower: // an apostrophe
			return false
		}
	}
	end, word := from, true
	for ; end < len(l.text) && l.text[end] != c; end++ {
		if l.text[end] == '\\' {
			end++
		} else if class := classes[l.text[end]]; class != lower && class != upper {
			word = false
		}
	}
	if end >= len(l.text) {
		return false
	}
	isKey := end+1 < len(l.text) && l.text[end+1] == ':' && c == '"'
	if isKey || word && end-from <= 12 {
		l.add(token(c))
		l.literal(from, end)
	} else {
		l.add(maskedQuote)
	}
	l.at = end + 1
	return true
}

// Of FNV-1a.
const (
	hashBasis uint64 = 14695981039346656037
	hashPrime        = 1099511628211
)

// literal adds a part of the text as it is.
func (l *lexer) literal(from, to int) {
	h := hashBasis
	for _, c := range l.text[from:to] {
		h = (h ^ uint64(c)) * hashPrime
	}
	l.add(wordToken(h, to-from))
}

// startsWord reports whether a word starts here.
func (l *lexer) startsWord() bool {
	switch classes[l.text[l.at]] {
	case lower, upper, digit:
		return true
	case joiner:
		if c := l.text[l.at]; c == '-' || c == '+' || c == '_' || c == '#' || l.at+1 == len(l.text) {
			return false
		}
		next := classes[l.text[l.at+1]]
		return next == lower || next == upper || next == digit || l.text[l.at+1] == '/'
	}
	return false
}

// word takes a word, a number or a name.
func (l *lexer) word() {
	text, from := l.text, l.at
	at, end := from, from // end is behind the last letter, digit or slash
	var digits, joiners, others int
	camel, before, h := false, mark, hashBasis
	for ; at < len(text); at++ {
		c := text[at]
		k := classes[c]
		if k < lower {
			break
		}
		if k == joiner {
			if c == '\\' && l.escapeAt(at) {
				break
			}
			others++
			if c != '/' {
				continue // it may be a full stop
			}
		}
		if k == digit {
			digits++
		} else if k == upper && before == lower {
			camel = true
		}
		h = (h ^ uint64(c)) * hashPrime
		before, joiners, end = k, others, at+1
	}
	l.at = max(end, from+1)
	switch name := text[from:l.at]; {
	case classes[name[0]] == digit && !isHex(name, digits+joiners):
		l.add(maskedNumber)
	case (camel || joiners > 0) && isError(name):
		l.add(maskedError)
	case digits > 0 || joiners > 0 || camel || len(name) > 24:
		l.add(maskedName)
	default:
		l.add(wordToken(h, len(name)))
	}
}

// wordToken returns the token of a word with that hash. One of a letter or two tells nothing.
func wordToken(h uint64, size int) token {
	if size < 3 {
		return token(h>>2 | 1<<62)
	}
	return token(h | 1<<63)
}

// isHex reports whether a word that begins with a digit looks like a hexadecimal identifier; digits says how much of it
// is no letter.
func isHex(word []byte, digits int) bool {
	if len(word) < 6 || digits == len(word) {
		return false
	}
	for _, c := range word {
		if !isDigit(c) && c|0x20-'a' > 5 && c != '-' {
			return false
		}
	}
	return true
}

// isError reports whether a name is that of an exception.
func isError(name []byte) bool {
	return bytes.HasSuffix(name, []byte("Error")) || bytes.HasSuffix(name, []byte("Exception")) ||
		bytes.HasSuffix(name, []byte("_error"))
}

// mix returns what a token at that place contributes to the hash of a shape.
func (t token) mix(at int) uint64 {
	h := (uint64(t) + uint64(at+1)*0x9e3779b97f4a7c15) * 0xff51afd7ed558ccd
	return (h ^ h>>32) * 0xc4ceb9fe1a85ec53
}

// sum returns the hash of a shape.
func sum(tokens []token) uint64 {
	h := uint64(len(tokens))
	for i, t := range tokens {
		h += t.mix(i)
	}
	return bits.RotateLeft64(h, 32) ^ h
}
