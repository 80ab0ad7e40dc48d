package match

import (
	"math"
	"regexp/syntax"
	"slices"
	"unicode/utf8"
)

// facts is what is known about every match of a node of the syntax tree.
type facts struct {
	exact    literals // all that the node can match; nil if that is not a small set
	prefix   literals // every match begins with one of these
	suffix   literals // every match ends with one of these
	required literals // every match contains one of these, the most selective set found
	before   int      // the most characters of a match in front of a literal of required
	length   int      // the most characters of a match
}

// unbounded is the length of a match that has no limit.
const unbounded = math.MaxInt32

func exactly(set literals) facts {
	f := facts{exact: set, prefix: set, suffix: set, length: set.longest()}
	f.consider(set, 0)
	return f
}

// consider makes set, which has at most before characters in front of it, the required literals if it is more
// selective than those.
func (f *facts) consider(set literals, before int) {
	if set.usable() && (f.required == nil || set.moreSelective(f.required)) {
		f.required, f.before = set, before
	}
}

// extractor finds the literals of a syntax tree.
type extractor struct {
	lines bool // a match never contains a newline
}

// facts returns what is known about re, which need not be simplified.
func (e extractor) facts(re *syntax.Regexp) facts {
	switch re.Op {
	case syntax.OpEmptyMatch:
		return exactly(emptyText)
	case syntax.OpBeginLine, syntax.OpEndLine, syntax.OpBeginText, syntax.OpEndText,
		syntax.OpWordBoundary, syntax.OpNoWordBoundary:
		return exactly(assertion)
	case syntax.OpLiteral:
		return e.literal(re.Rune, re.Flags&syntax.FoldCase != 0)
	case syntax.OpCharClass:
		return e.class(re.Rune)
	case syntax.OpCapture:
		return e.facts(re.Sub[0])
	case syntax.OpConcat:
		subs := make([]facts, len(re.Sub))
		for i, sub := range re.Sub {
			subs[i] = e.facts(sub)
		}
		return concat(subs)
	case syntax.OpAlternate:
		return e.alternate(re.Sub)
	case syntax.OpQuest:
		return optional(e.facts(re.Sub[0]))
	case syntax.OpPlus:
		return repeat(e.facts(re.Sub[0]), 1, -1)
	case syntax.OpRepeat:
		return repeat(e.facts(re.Sub[0]), re.Min, re.Max)
	case syntax.OpStar:
		return facts{length: unbounded}
	}
	return facts{length: 1} // OpAnyChar, OpAnyCharNotNL, OpNoMatch
}

// literal returns the facts of a literal, split where a character has other forms than the two cases of an ASCII
// letter.
func (e extractor) literal(rs []rune, fold bool) facts {
	var parts []facts
	var text []byte
	folds := false
	flush := func() {
		if len(text) > 0 {
			parts = append(parts, exactly(literals{{text: string(text), fold: folds}}))
		}
		text, folds = text[:0], false
	}
	for _, r := range rs {
		forms := []rune{r}
		if fold {
			forms = orbit(r)
		}
		set := e.runes(forms)
		if len(set) == 1 && (len(forms) == 1 || set[0].fold) {
			text, folds = append(text, set[0].text...), folds || set[0].fold
			continue
		}
		flush()
		parts = append(parts, facts{exact: set, prefix: set, suffix: set, length: 1})
	}
	if flush(); len(parts) == 1 {
		return parts[0]
	}
	return concat(parts)
}

// runes returns the set of the characters rs, with one literal for both cases of an ASCII letter, and without the
// newline if no match contains one. It is nil if a character cannot be searched for as bytes: U+FFFD also matches every
// byte that is not valid UTF-8.
func (e extractor) runes(rs []rune) literals {
	set := literals{}
	for _, r := range rs {
		if r == utf8.RuneError || !utf8.ValidRune(r) {
			return nil
		}
		x := literal{text: string(r)}
		lower := r | 0x20
		if r < utf8.RuneSelf && isLetter(byte(r)) && slices.Contains(rs, lower) && slices.Contains(rs, lower&^0x20) {
			x = literal{text: string(lower), fold: true}
		}
		if !slices.Contains(set, x) && !(e.lines && r == '\n') {
			set = append(set, x)
		}
	}
	return set
}

// class returns the facts of a class. ranges holds the first and the last character of each range.
func (e extractor) class(ranges []rune) facts {
	const most = 8
	var rs []rune
	for i := 0; i < len(ranges); i += 2 {
		lo, hi := ranges[i], ranges[i+1]
		if hi-lo >= most || len(rs)+int(hi-lo) >= most {
			return facts{length: 1}
		}
		for r := lo; r <= hi; r++ {
			rs = append(rs, r)
		}
	}
	set := e.runes(rs)
	if set == nil {
		return facts{length: 1}
	}
	return exactly(set)
}

// concat returns the facts of nodes that follow one another.
func concat(subs []facts) facts {
	var f facts
	current, whole := emptyText, true // current ends at the node before this one
	before := 0                       // the most characters in front of current
	for _, sub := range subs {
		length := f.length
		f.length = plus(length, sub.length)
		if set := cross(current, sub.exact); set != nil {
			if len(set) > len(current) {
				f.consider(current, before)
			}
			current = set
			continue
		}
		start := cross(current, sub.prefix)
		if start == nil {
			start = current
		}
		f.consider(current, before)
		f.consider(start, before)
		f.consider(sub.required, plus(length, sub.before))
		if whole {
			f.prefix, whole = start, false
		}
		if current = sub.suffix; current == nil {
			current = emptyText
		}
		before = f.length
	}
	f.consider(current, before)
	f.suffix = current
	if whole {
		f.exact, f.prefix = current, current
	}
	return f
}

// alternate returns the facts of an alternation: what holds for all branches.
func (e extractor) alternate(subs []*syntax.Regexp) facts {
	none := literals{}
	f := facts{exact: none, prefix: none, suffix: none, required: none}
	for _, sub := range subs {
		g := e.facts(sub)
		f.exact = union(f.exact, g.exact)
		f.prefix = union(f.prefix, g.prefix)
		f.suffix = union(f.suffix, g.suffix)
		f.required = union(f.required, g.required)
		f.before, f.length = max(f.before, g.before), max(f.length, g.length)
	}
	if f.exact != nil {
		f.consider(f.exact, 0)
	}
	return f
}

// optional returns the facts of a node that may be left out.
func optional(f facts) facts {
	set := union(f.exact, emptyText)
	return facts{exact: set, prefix: set, suffix: set, length: f.length}
}

// repeat returns the facts of a node repeated from low to high times; a high of -1 is any number. Eight repetitions
// make its literals long enough.
func repeat(f facts, low, high int) facts {
	const most = 8
	switch {
	case low == 0 && high == 0:
		return exactly(emptyText)
	case low == 0 && high < 0:
		return facts{length: unbounded}
	case low == 0:
		return facts{length: times(f.length, high)}
	}
	g := concat(slices.Repeat([]facts{f}, min(low, most)))
	if low != high || low > most {
		g.exact = nil
	}
	if g.length = unbounded; high >= 0 {
		g.length = times(f.length, high)
	}
	return g
}

// hasSurrogate reports whether re has half of a UTF-16 pair. No UTF-8 text contains one, but package regexp finds it as
// U+FFFD in some patterns.
func hasSurrogate(re *syntax.Regexp) bool {
	if re.Op == syntax.OpLiteral || re.Op == syntax.OpCharClass {
		for _, r := range re.Rune {
			if 0xD800 <= r && r <= 0xDFFF && !utf8.ValidRune(r) {
				return true
			}
		}
	}
	return slices.ContainsFunc(re.Sub, hasSurrogate)
}
