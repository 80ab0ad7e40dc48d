package commandline_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/internal/commandline"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/stretchr/testify/require"
)

// TestLeaves puts commands into lines of a known structure. Each of them is found, with its words.
func TestLeaves(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 2))
	rounds, unknown := testkit.Some(20_000), 0
	for range rounds {
		g := grammar{r: r}
		text := g.list(lineDepth)
		line := commandline.Parse(text)
		if line.Unknown != "" && strings.Contains(text, "<<E") {
			unknown++ // the parser does not understand some here-documents
			continue
		}
		require.Empty(t, line.Unknown, "%q", text)
		for _, leaf := range g.leaves {
			is := func(c commandline.Command) bool { return equal(c.Words, leaf) && c.Unknown == "" }
			require.True(t, slices.ContainsFunc(line.Commands, is), "%q: %q is not found\n%s", text, leaf, listing(line))
		}
	}
	require.LessOrEqual(t, unknown, rounds/10, "%d of %d lines are unknown", unknown, rounds)
}

func listing(line commandline.Line) string {
	var b strings.Builder
	for _, c := range line.Commands {
		fmt.Fprintf(&b, "\t%+v\n", c.Words)
	}
	return b.String()
}

// equal reports whether the known words of a command are these, in front of those that are not known.
func equal(words []commandline.Word, want []string) bool {
	for i, text := range want {
		if i >= len(words) || !words[i].Known || words[i].Text != text {
			return false
		}
	}
	return true
}

// grammar makes command lines, and notes the commands in them.
type grammar struct {
	r      *rand.Rand
	leaves [][]string
	bodies []string // of here-documents that begin on the next line
	run    bool     // it is made to be run: few programs, and no loop without an end
	flat   bool     // there is no newline: a here-document of the line around it begins there
}

// lineDepth is how deep the statements of a line are nested.
const lineDepth = 4

func (g *grammar) list(depth int) string {
	var b strings.Builder
	for i := range 1 + g.r.IntN(2) {
		if i > 0 {
			b.WriteString(g.separator())
		}
		b.WriteString(g.statement(depth))
	}
	if depth == lineDepth {
		b.WriteString(g.newline() + g.leaf())
	}
	return b.String()
}

func (g *grammar) separator() string {
	if g.r.IntN(3) == 0 && !g.flat {
		return g.newline()
	}
	return g.pick("; ", " && ", " || ", " | ", " |& ", " & ")
}

// newline is a newline, and the here-documents that begin behind it.
func (g *grammar) newline() string {
	text := "\n" + strings.Join(g.bodies, "")
	g.bodies = nil
	return text
}

func (g *grammar) statement(depth int) string {
	if depth == 0 {
		return g.leaf()
	}
	depth--
	switch g.r.IntN(22) {
	case 0:
		return "( " + g.list(depth) + " )"
	case 1:
		return "{ " + g.list(depth) + "; }"
	case 2:
		return "if " + g.list(depth) + "; then " + g.list(depth) + "; else " + g.list(depth) + "; fi"
	case 3:
		loop := g.pick("while ", "until ")
		if g.run {
			loop = "until "
		}
		return loop + g.list(depth) + "; do " + g.list(depth) + "; done"
	case 4:
		return "for x in a \"" + g.substitution(depth) + "\"; do " + g.list(depth) + "; done"
	case 5:
		return "case " + g.substitution(depth) + " in a|b) " + g.list(depth) + ";; *) " + g.list(depth) +
			g.pick(";; esac", "; esac")
	case 6:
		return g.pick("f() { ", "function f { ") + g.list(depth) + "; }"
	case 7:
		return g.leaf() + " " + g.word(depth) + " " + g.word(depth)
	case 8:
		return g.pick("x=", "x+=") + strings.TrimPrefix(g.word(depth), "{a,")
	case 9:
		return "a=(b " + g.substitution(depth) + " c)"
	case 10:
		return g.leaf() + " " + g.pick("> ", "< ", ">> ", "2> ", "<<< ") + g.word(depth)
	case 11:
		return "{ ! " + g.leaf() + "; }"
	case 12:
		return "[[ -n " + g.substitution(depth) + " && a == " + g.word(depth) + " ]]"
	case 13:
		return g.pick("env ", "nice -n 3 ", "timeout 5 ", "command ", "exec ", "env A=b ", "time ", "xargs -0 ") + g.leaf()
	case 14:
		if g.r.IntN(2) == 0 {
			return "sh -c '" + g.plainLeaf() + "' x"
		}
		return g.pick("bash -ec ", "eval ") + "'" + strings.ReplaceAll(g.leaf(), "'", `'\''`) + "'"
	case 15:
		return "find . -name '*.go' -exec " + g.leaf() + ` {} \;`
	case 16:
		return g.hereDocument()
	case 17:
		if g.flat {
			return g.leaf()
		}
		return g.list(depth) + " # " + g.pick("comment", "' \" ` $( (", "; rm") + g.newline() + g.leaf()
	}
	return g.leaf()
}

// word is a word with commands in it.
func (g *grammar) word(depth int) string {
	s := g.substitution(depth)
	return g.pick(s, `"`+s+`"`, `"a `+s+` b"`, "a"+s, "${x:-"+s+"}", `"${x:+a `+s+`}"`, "${x/a/"+s+"}",
		"{a,"+s+"}", "$'\\x41'"+s)
}

func (g *grammar) substitution(depth int) string {
	if g.r.IntN(4) == 0 {
		return "`" + g.plainLeaf() + "`"
	}
	if depth == 0 {
		return "$(" + g.leaf() + ")"
	}
	return "$(" + g.inside(depth-1) + ")"
}

// inside is a list without here-documents: their text would have to stand inside as well.
func (g *grammar) inside(depth int) string {
	for {
		inner := grammar{r: g.r, run: g.run, flat: g.flat || g.bodies != nil}
		text := inner.list(min(depth, 3))
		if inner.bodies == nil && !strings.HasPrefix(text, "(") && !strings.HasPrefix(text, "\n") {
			g.leaves = append(g.leaves, inner.leaves...)
			return text + g.pick("", "", " ")
		}
	}
}

func (g *grammar) hereDocument() string {
	end := fmt.Sprint("E", len(g.bodies))
	body := "text ' \" " + g.substitution(0) + "\n" + end + "\n"
	g.bodies = append(g.bodies, body)
	return g.leaf() + " <<" + end
}

// leaf is a command, in some quotes.
func (g *grammar) leaf() string {
	name, arg := g.names()
	g.leaves = append(g.leaves, []string{name, arg})
	continued := "\\\n"
	if g.flat || g.bodies != nil {
		continued = ""
	}
	quote := func(text string) string {
		return g.pick(text, text, `"`+text+`"`, "'"+text+"'", `\`+text, text[:1]+`''"`+text[1:]+`"`, "$'"+text+"'")
	}
	return quote(name) + g.pick(" ", "  ", "\t", " "+continued+" ") + quote(arg)
}

// names returns the name of a program and an argument.
func (g *grammar) names() (name, arg string) {
	programs := 1000
	if g.run {
		programs = 12
	}
	return fmt.Sprint("c", g.r.IntN(programs)), fmt.Sprint("arg", g.r.IntN(1000))
}

// plainLeaf is a command without quotes.
func (g *grammar) plainLeaf() string {
	name, arg := g.names()
	g.leaves = append(g.leaves, []string{name, arg})
	return name + " " + arg
}

func (g *grammar) pick(texts ...string) string { return texts[g.r.IntN(len(texts))] }
