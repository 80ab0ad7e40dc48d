package truncation

import "math"

// A Limit is an upper bound. 0 means no limit, and a negative Limit lets nothing through. Use
// [AtMost] to convert a computed number, such as a budget that may be used up.
type Limit int

// AtMost returns a limit of n, which lets nothing through if n is 0 or less.
func AtMost(n int) Limit {
	if n <= 0 {
		return nothing
	}
	return Limit(n)
}

const nothing Limit = -1

// most returns a limit as a number for comparisons.
func most(limit Limit) int {
	if limit == 0 {
		return math.MaxInt
	}
	return max(int(limit), 0)
}

// Limits bounds a text; the zero value limits nothing. If several are set, the one hit
// first wins.
type Limits struct {
	Lines  Limit // lines, as sed -n counts them; strategies by characters ignore it
	Bytes  Limit // bytes of valid UTF-8
	Chars  Limit // characters: code points
	Tokens Limit // tokens of a model, as CountTokens counts them

	// CountTokens counts the tokens of a text. nil means an estimate by classes of
	// characters, which docs/truncation.md compares with a tokenizer. CountTokens is called
	// only if Tokens is not 0, with texts of at most 16 bytes per allowed token, and about
	// twenty times for a text that does not fit.
	CountTokens func(string) int
}

func (l Limits) lower(than Limits) Limits {
	lower := func(a *Limit, b Limit) {
		if most(b) < most(*a) {
			*a = b
		}
	}
	lower(&l.Lines, than.Lines)
	lower(&l.Bytes, than.Bytes)
	lower(&l.Chars, than.Chars)
	lower(&l.Tokens, than.Tokens)
	return l
}
