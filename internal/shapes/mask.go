package shapes

import (
	"bytes"
	"math/bits"
	"unicode/utf8"
)

// maxTokens bounds the tokens of a line that make its shape.
const maxTokens = 64

// A token is a word, a masked part or a punctuation mark of a line.
type token uint64

// The tokens for masked parts, which differ from punctuation in ASCII, and those that separate the items of a list.
const (
	maskedNumber token = utf8.RuneSelf + iota // also times, dates and sizes
	maskedName                                // identifiers, paths, hexadecimal numbers
	maskedQuote                               // text in quotes
	maskedError                               // names that end in Error or Exception
	indented                                  // white space at the beginning
	comma        token = ','

	shortWord token = 1 << 62 // a bit of words of one or two letters
	longWord  token = 1 << 63 // a bit of longer words
)

func (t token) masked() bool { return t >= maskedNumber && t < indented }

// literal reports whether the token is a word of at least three letters.
func (t token) literal() bool { return t >= longWord }

// class is a kind of byte. The classes of bytes in words are bits, so that a word can collect them.
type class uint8

const (
	mark  class = 0 // punctuation and control characters
	lower class = 1 // letters and everything outside ASCII
	upper class = 2
	digit class = 4
	join  class = 8 // joins letters and digits to a name
	blank class = 16

	alnum = lower | upper | digit
	word  = alnum | join
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
		all[b] = join
	}
	return all
}()

// Further properties of a byte in a word.
const (
	notHex class = 32  // never in a hexadecimal identifier
	escape class = 128 // a backslash
)

// kindOf has the class and the properties of each byte in words.
var kindOf = func() (all [256]class) {
	for c, k := range classes {
		if k&word == 0 {
			continue
		}
		if b := byte(c); !isDigit(b) && (b|0x20)-'a' > 5 && b != '-' {
			k |= notHex
		}
		all[c] = k
	}
	all['\\'] |= escape
	return all
}()

// tokenize returns the tokens of a line in the caller's buffer.
func tokenize(text []byte, buffer *[maxTokens]token) []token {
	l := lexer{text: text, tokens: buffer[:0]}
	if len(text) > 0 && classes[text[0]] == blank {
		l.add(indented)
	}
	if mark, is := result(text); is {
		l.add(mark)
		l.add(maskedQuote) // the description of the test
		return l.tokens
	}
	for l.at < len(text) && len(l.tokens) < maxTokens {
		l.next()
	}
	return l.tokens
}

// result reports whether a line is a test runner's result for one test, and returns a token for it.
func result(text []byte) (mark token, is bool) {
	if mark, is = marked(text); is {
		return mark, true
	}
	if v := verdictOf(text); v.state != unsaid {
		return wordToken(text[v.from:v.to]), true
	}
	return 0, false
}

// marked reports whether a line begins with a mark for the outcome of a test, or with its number among the failed
// ones, and returns a token for that.
func marked(text []byte) (mark token, is bool) {
	at := skipBlanks(text, 0)
	if at == len(text) {
		return 0, false
	}
	switch c := text[at]; {
	case c >= 0x80:
		r, _ := utf8.DecodeRune(text[at:])
		switch r {
		case '✓', '✔', '√', '✅', '✖', '✗', '✕', '✘', '❌', '×', '⨯', '●', '○', '﹣':
			return token(r), true
		}
	case c == '!':
		return '!', isCross(text[at:])
	case isDigit(c):
		return ')', isNumbered(text)
	case c == 'o' && bytes.HasPrefix(text[at:], []byte("ok ")):
		return 'o', isDigit(text[min(at+len("ok "), len(text)-1)]) || bytes.Contains(text, []byte(" - "))
	case c == 'n' && bytes.HasPrefix(text[at:], []byte("not ok ")):
		return 'n', true
	}
	return 0, false
}

// literalAt returns the place of the first token that the function accepts, or 0.
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
	last   token // the last token, even if it was merged with the one before
}

// next takes a part of the line, which may have no token.
func (l *lexer) next() {
	c := l.text[l.at]
	switch k := classes[c]; {
	case k&alnum != 0:
		l.word()
	case k == blank:
		l.at++
	case c == '\\' && escapeAt(l.text, l.at):
		l.at += 2
	case k == join && startsName(l.text, l.at):
		l.word()
	case (c == '"' || c == '\'' || c == '`') && l.quote(c):
	default:
		l.add(token(c))
		for l.at++; l.at < len(l.text) && l.text[l.at] == c; l.at++ { // a line of dashes counts as one dash
		}
	}
}

// add adds a token. Repeated masks, with or without commas, count as one.
func (l *lexer) add(t token) {
	l.last = t
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

// escapeAt reports whether an escaped character starts here, such as a line break in JSON.
func escapeAt(text []byte, at int) bool {
	if at+1 == len(text) {
		return false
	}
	switch text[at+1] {
	case 'n', 't', 'r', '"':
		return true
	}
	return false
}

// quote takes text in quotes, if the quotes end in this line.
func (l *lexer) quote(c byte) bool {
	end, t := quoteAt(l.text, l.at)
	if end == 0 {
		return false
	}
	if t == maskedQuote {
		l.add(t)
	} else {
		l.add(token(c))
		l.add(t)
	}
	l.at = end
	return true
}

// wordToken returns the token of a word. Words of one or two letters are marked, because they mean little.
func wordToken(word []byte) token {
	const prime = 0x9e3779b97f4a7c15
	h := uint64(len(word)) * prime
	p := word
	for ; len(p) >= 8; p = p[8:] {
		h = (h ^ load(p)) * prime
		h ^= h >> 32
	}
	rest := uint64(0)
	for i, c := range p {
		rest |= uint64(c) << (8 * i)
	}
	h = (h ^ rest) * prime
	h ^= h >> 29
	if len(word) < 3 {
		return token(h>>2) | shortWord
	}
	return token(h) | longWord
}

// startsName reports whether a name starts here with a joining character, as in /usr or .git.
func startsName(text []byte, at int) bool {
	switch c := text[at]; {
	case c == '-' || c == '+' || c == '_' || c == '#' || at+1 == len(text):
		return false
	default:
		next := text[at+1]
		return classes[next]&alnum != 0 || next == '/'
	}
}

func (l *lexer) word() {
	end, t := wordAt(l.text, l.at)
	l.at = end
	l.add(t)
}

// wordAt returns the end of the word at from, and its token.
func wordAt(text []byte, from int) (end int, t token) {
	var kinds, before, camel class
	end = from
	for end < len(text) {
		k := kindOf[text[end]]
		if k-1 >= escape-1 && (k == 0 || escapeAt(text, end)) {
			break
		}
		kinds |= k
		camel |= k & (before << 1) // upper case after lower case
		before = k
		end++
	}
	if before&join != 0 && text[end-1] != '/' { // it may be a full stop
		for end--; end > from+1 && classes[text[end-1]] == join && text[end-1] != '/'; end-- {
		}
		kinds = 0
		for _, c := range text[from:end] {
			kinds |= kindOf[c]
		}
	}
	end = max(end, from+1)
	switch name := text[from:end]; {
	case isDigit(name[0]) && !(kinds&notHex == 0 && len(name) >= minHex && kinds&(lower|upper) != 0):
		return end, maskedNumber
	case camel&upper|kinds&(digit|join) == 0:
		if len(name) > 24 {
			return end, maskedName
		}
		return end, wordToken(name)
	case isError(name):
		return end, maskedError
	}
	return end, maskedName
}

// minHex is the least length of a hexadecimal identifier, so that a number with a unit is not taken for one.
const minHex = 6

func isHex(word []byte) bool {
	for _, c := range word {
		if !isDigit(c) && c|0x20-'a' > 5 && c != '-' {
			return false
		}
	}
	return len(word) >= minHex
}

func isError(name []byte) bool {
	if len(name) == 0 || name[len(name)-1] != 'r' && name[len(name)-1] != 'n' { // quick exit for most names
		return false
	}
	return bytes.HasSuffix(name, []byte("Error")) || bytes.HasSuffix(name, []byte("Exception")) ||
		bytes.HasSuffix(name, []byte("_error"))
}

// mix returns what a token at a place contributes to the hash of a shape.
func (t token) mix(at int) uint64 {
	h := (uint64(t) + uint64(at+1)*0x9e3779b97f4a7c15) * 0xff51afd7ed558ccd
	return (h ^ h>>32) * 0xc4ceb9fe1a85ec53
}

func sum(tokens []token) uint64 {
	h := uint64(len(tokens))
	for i, t := range tokens {
		h += t.mix(i)
	}
	return bits.RotateLeft64(h, 32) ^ h
}
