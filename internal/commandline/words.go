package commandline

import (
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// parts looks into the parts of a word whose text does not matter.
func (p *parser) parts(w *syntax.Word) { p.body(w, false) }

// body is parts for a word that may be quoted, as the text of a here-document is.
func (p *parser) body(w *syntax.Word, quoted bool) {
	var b builder
	if quoted {
		p.double++
		defer func() { p.double-- }()
	}
	for _, part := range w.Parts {
		p.part(part, &b, quoted)
	}
}

// word returns what a word of a command becomes: one word, or those of its braces.
func (p *parser) word(w *syntax.Word) []Word {
	var b builder
	text := p.written(w.Pos(), w.End())
	for _, part := range w.Parts {
		p.part(part, &b, false)
	}
	if b.braces && strings.Contains(text, "{") && (strings.Contains(text, ",") || strings.Contains(text, "..")) {
		if words, ok := expandBraces(text); ok && !p.posix {
			return words
		}
		return []Word{{Text: text, Many: true, Prefix: beginsBraces(text)}}
	}
	word := b.word(text)
	word.Dir = !word.Known && p.isDir(w)
	return []Word{word}
}

// value returns the value of an assignment, in which neither braces nor file names are expanded.
func (p *parser) value(w *syntax.Word) Word {
	if w == nil {
		return Word{Known: true}
	}
	var b builder
	for _, part := range w.Parts {
		p.part(part, &b, false)
	}
	b.glob, b.many = false, false
	return b.word(p.written(w.Pos(), w.End()))
}

// builder puts a word together.
type builder struct {
	text    strings.Builder // without quotes, as far as it is known
	pattern strings.Builder // the same with \ in front of what is quoted and would be part of a pattern
	unknown bool
	many    bool
	glob    bool
	braces  bool // it has a { that is not quoted
	fixed   int  // bytes of text in front of the first part that is a pattern or unknown, plus 1; 0 if there is none
	operand bool // the word begins with parts that do not begin with a dash, each of which may be empty
	loose   bool // it may be split into words of which nothing is known
}

func (b *builder) word(written string) Word {
	text := b.text.String()
	switch {
	case written == "[":
	case b.unknown:
		w := Word{Text: written, Many: b.many || b.glob}
		if !w.Many {
			w.Prefix = text[:max(b.fixed-1, 0)]
			w.Operand = b.operand && w.Prefix == "" && !strings.HasPrefix(text, "-")
		} else if !b.glob && !b.loose {
			w.Operand = text[:max(b.fixed-1, 0)] != "" && text[0] != '-' || b.operand && !strings.HasPrefix(text, "-")
		}
		return w
	case b.glob:
		return Word{Text: b.pattern.String(), Glob: true, Many: true, Prefix: text[:max(b.fixed-1, 0)]}
	}
	return Word{Text: text, Known: true}
}

// beginsBraces returns what each of the words begins with that a word with braces becomes.
func beginsBraces(written string) string {
	before, _, _ := strings.Cut(written, "{")
	if !safe(before) || strings.HasPrefix(before, "~") {
		return ""
	}
	return before
}

// open notes that the word is not known from here on.
func (b *builder) open(many bool) {
	b.fix()
	b.unknown = true
	b.many, b.loose = b.many || many, b.loose || many
	b.operand = b.operand && b.text.Len() > 0
}

// openPart is open for a part that begins with no dash, if operand is true. Empty, it leaves the beginning to what follows.
func (b *builder) openPart(many, operand bool) {
	first, loose := b.text.Len() == 0 && (!b.unknown || b.operand), b.loose || many && !operand
	b.open(many)
	b.operand, b.loose = b.operand || first && operand, loose
}

func (b *builder) fix() {
	if b.fixed == 0 {
		b.fixed = b.text.Len() + 1
	}
}

func (b *builder) quoted(text string) {
	b.text.WriteString(text)
	for i := range len(text) {
		if strings.IndexByte(`*?[]\{}`, text[i]) >= 0 {
			b.pattern.WriteByte('\\')
		}
		b.pattern.WriteByte(text[i])
	}
}

// plain adds text that is not quoted.
func (b *builder) plain(text string, first bool) {
	if first && strings.HasPrefix(text, "~") && text != "~" && !strings.HasPrefix(text, "~/") {
		b.open(false) // another user's directory, or the one before
	}
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case '\\':
			if i++; i < len(text) {
				b.quoted(text[i : i+1])
			} else {
				b.quoted(`\`) // at the end of the line it stays
			}
			continue
		case '{', '}':
			b.braces = b.braces || c == '{'
			b.pattern.WriteByte('\\') // it is no part of a pattern of the shell
		case '*', '?', '[':
			b.fix()
			b.glob = true
		}
		b.text.WriteByte(text[i])
		b.pattern.WriteByte(text[i])
	}
}

// part adds a part of a word, and looks into it.
func (p *parser) part(part syntax.WordPart, b *builder, quoted bool) {
	if p.full() {
		return
	}
	switch part := part.(type) {
	case *syntax.Lit:
		if quoted {
			b.quoted(unescape(part.Value))
		} else {
			if strings.Contains(part.Value, "<(") || strings.Contains(part.Value, ">(") {
				p.note(part.Value + " may run commands") // in ${x:-<(cmd)} bash sees more than the parser
			}
			b.plain(part.Value, b.text.Len() == 0 && !b.unknown)
		}
	case *syntax.SglQuoted:
		p.single(part, b)
	case *syntax.DblQuoted:
		if part.Dollar {
			p.bashOnly(`$"`)
		}
		if b.text.Len() == 0 && len(part.Parts) == 0 {
			b.quoted("")
		}
		p.double++
		for _, inner := range part.Parts {
			p.part(inner, b, true)
		}
		p.double--
	case *syntax.ParamExp:
		p.param(part)
		if begin := p.begin(part, quoted); begin != "" {
			b.quoted(begin)
		}
		b.openPart(!quoted || list(part), p.startsOperand(part, quoted))
	case *syntax.CmdSubst:
		p.substitution(part)
		b.openPart(!quoted, p.startsOperand(part, quoted))
	case *syntax.ArithmExp:
		if part.Bracket {
			p.bashOnly("$[")
		}
		p.arithm(part.X)
		b.open(!quoted)
	case *syntax.ProcSubst:
		p.bashOnly("<(")
		p.stmts(part.Stmts)
		if len(part.Stmts) > 0 && !b.unknown {
			b.quoted("/dev/fd/")
		}
		b.open(len(part.Stmts) == 0) // bash drops <()
	case *syntax.ExtGlob:
		// What is in there is not parsed.
		if strings.ContainsAny(part.Pattern.Value, "$`<>") {
			p.note(p.written(part.Pos(), part.End()) + " may run commands")
		}
		b.open(true)
	default:
		p.note("it has a word that is not of bash")
		b.open(true)
	}
}

// single adds a text in single quotes.
func (p *parser) single(q *syntax.SglQuoted, b *builder) {
	if p.double > 0 && strings.ContainsAny(q.Value, "$`\"") { // in "${x:-'...'}" the parser sees quotes where bash sees none
		p.note(q.Value + " may run commands")
	}
	if !q.Dollar {
		p.literal = append(p.literal, span{int(q.Left.Offset()), int(q.Right.Offset())})
		b.quoted(q.Value)
		return
	}
	p.bashOnly("$'")
	if text, ok := ansiC(q.Value); ok {
		b.quoted(text)
	} else {
		b.open(false)
	}
}

// substitution looks into $(cmd). The parser leaves a backslash in backquotes as it is where it reads on, after a
// kilobyte.
func (p *parser) substitution(c *syntax.CmdSubst) {
	if c.Backquotes && strings.Contains(p.written(c.Pos(), c.End()), `\`) && len(p.text) >= 1000 {
		p.unknown("it has a backslash in backquotes")
	}
	if c.TempFile || c.ReplyVar {
		p.unknown("${ means another thing in other versions of bash")
	}
	p.stmts(c.Stmts)
}

// list reports whether a variable may become several words, or none, even in double quotes.
func list(x *syntax.ParamExp) bool {
	if x.Param != nil && x.Param.Value == "@" || x.Names != 0 || x.Excl || x.Exp != nil {
		return true
	}
	return x.Index != nil && keys(x.Index)
}

// unescape returns a text in double quotes without its backslashes.
func unescape(text string) string {
	if !strings.Contains(text, `\`) {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] == '\\' && i+1 < len(text) && strings.IndexByte("$`\"\\\n", text[i+1]) >= 0 {
			if i++; text[i] == '\n' {
				continue
			}
		}
		b.WriteByte(text[i])
	}
	return b.String()
}

// withoutBraces escapes what is no glob once the shell has expanded it.
var withoutBraces = strings.NewReplacer("{", `\{`, "}", `\}`)

// expandBraces expands a word such as src/{a,b}.go. It knows lists without quotes, patterns and other braces in them.
func expandBraces(text string) (words []Word, ok bool) {
	texts := []string{""}
	for text != "" {
		before, rest, found := strings.Cut(text, "{")
		var elements []string
		if found {
			inside, after, closed := strings.Cut(rest, "}")
			elements = strings.Split(inside, ",")
			switch {
			case !closed || !safePattern(inside) || len(elements) == 1 && strings.Contains(inside, ".."):
				return nil, false
			case len(elements) == 1: // HEAD@{1}
				elements[0] = "{" + inside + "}"
			}
			text = after
		} else {
			text, elements = "", []string{""}
		}
		if !safePattern(before) || strings.HasPrefix(before, "~") || len(texts)*len(elements) > maxBraces {
			return nil, false
		}
		next := make([]string, 0, len(texts)*len(elements))
		for _, t := range texts {
			for _, e := range elements {
				next = append(next, t+before+e)
			}
		}
		texts = next
	}
	for _, t := range texts {
		switch {
		case strings.HasPrefix(t, "~"):
			return nil, false
		case strings.ContainsAny(t, globs):
			words = append(words, Word{Text: withoutBraces.Replace(t), Glob: true, Many: true, Prefix: t[:strings.IndexAny(t, globs)]})
		case t != "":
			words = append(words, Word{Text: t, Known: true})
		}
	}
	return words, true
}

// globs are the characters that make a word a pattern of file names.
const globs = "*?["

// safePattern is safe for a text that may be a pattern.
func safePattern(text string) bool {
	return safe(strings.Map(func(r rune) rune {
		if strings.ContainsRune(globs+"]!^", r) {
			return '.'
		}
		return r
	}, text))
}

// safe reports whether a text has only characters without a meaning to the shell.
func safe(text string) bool {
	for i := range len(text) {
		c := text[i]
		letter := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
		if !letter && strings.IndexByte("_./,=+-@%:~", c) < 0 {
			return false
		}
	}
	return true
}

// ansiC decodes the text of $'...'. It does not know NUL, which ends the text in some shells.
func ansiC(text string) (decoded string, ok bool) {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' || i+1 == len(text) {
			b.WriteByte(text[i])
			continue
		}
		i++
		c := text[i]
		if j := strings.IndexByte(`abeEfnrtv\'"?`, c); j >= 0 {
			b.WriteByte("\a\b\x1b\x1b\f\n\r\t\v\\'\"?"[j])
			continue
		}
		base, digits := 16, 0
		switch {
		case '0' <= c && c <= '7':
			base, digits = 8, 3
			i--
		case c == 'x':
			digits = 2
		case c == 'u':
			digits = 4
		case c == 'U':
			digits = 8
		default:
			return "", false // \c, or a backslash that stays in some versions
		}
		end := i + 1
		for end < len(text) && end <= i+digits && isDigit(text[end], base) {
			end++
		}
		n, err := strconv.ParseUint(text[i+1:end], base, 32)
		if err != nil || n == 0 || n > 0x7f {
			return "", false // beyond ASCII it depends on the locale
		}
		b.WriteByte(byte(n))
		i = end - 1
	}
	return b.String(), true
}

func isDigit(c byte, base int) bool {
	_, err := strconv.ParseUint(string(c), base, 8)
	return err == nil && c != '_'
}
