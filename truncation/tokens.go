package truncation

import "unicode"

// EstimateTokens estimates the number of tokens in a text without a tokenizer's tables:
// one token for every seven letters of a word, three digits of a number or two punctuation
// marks, rounded up, and a little less than one for each Chinese, Japanese or Korean character.
//
// On the samples in testdata/tokens (prose in five languages, code, logs, JSON, hashes and
// emoji) it is within 19 % of OpenAI's o200k_base, and 2 % above it in total; see
// docs/truncation.md. For another model, or for exact counts, set Limits.CountTokens.
func EstimateTokens(text string) int {
	tokens, run, kind, last := 0.0, 0, class(0), rune(0)
	end := func() {
		tokens += kind.tokens(run)
		run = 0
	}
	for _, r := range text {
		k := classOf(r)
		if k != kind {
			if last == ' ' && run == 1 && (k <= foreign || k == mark) {
				run = 0 // a space belongs to the word after it
			}
			end()
			kind = k
		}
		run++
		last = r
	}
	end()
	return int(tokens + 0.999)
}

// class is a kind of character. Adjacent characters of one kind form tokens.
type class uint8

const (
	letter  class = iota // ASCII
	foreign              // letters of other alphabets
	digit
	mark // ASCII punctuation
	blank
	wide  // of Chinese, Japanese and Korean
	other // emoji, box drawing
)

func classOf(r rune) class {
	switch {
	case r|0x20 >= 'a' && r|0x20 <= 'z':
		return letter
	case r >= '0' && r <= '9':
		return digit
	case r == ' ' || r == '\n' || r == '\t' || r == '\r':
		return blank
	case r < 0x80:
		return mark
	case r >= 0x2E80 && r < 0xE000 || r >= 0xFF00 && r < 0xFFF0 || r >= 0x20000 && r < 0x30000:
		return wide
	case unicode.IsLetter(r):
		return foreign
	}
	return other
}

// each is the most adjacent characters of a class that form one token; partOf is how much of a token a character of
// another class is.
var (
	each   = [...]int{letter: 7, foreign: 5, digit: 3, mark: 2}
	partOf = [...]float64{wide: 0.8, other: 0.6}
)

func (c class) tokens(n int) float64 {
	switch {
	case int(c) < len(each):
		return float64((n + each[c] - 1) / each[c])
	case c == blank:
		return min(float64(n), 1)
	}
	return partOf[c] * float64(n)
}
