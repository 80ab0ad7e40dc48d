package commandline

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// printed is what is known of what a command prints.
type printed int

const (
	anything printed = iota
	place            // it begins with no dash, and may have several lines
	lines            // each begins with no dash, if it is not empty
	commits          // also, each of its words is the name of a commit, or a word that git was given
)

// printedBy returns what is known of a substitution.
func printedBy(part syntax.WordPart) printed {
	if sub, ok := part.(*syntax.CmdSubst); ok && len(sub.Stmts) == 1 {
		return prints(sub.Stmts[0])
	}
	return anything
}

// maxSelecting is how many commands of a pipe may select what the first one prints.
const maxSelecting = 8

// prints returns what is known of a statement. Of a pipe, each command must be known: head 1 reads a file of that name.
func prints(s *syntax.Stmt) printed { return printsBelow(s, maxSelecting) }

func printsBelow(s *syntax.Stmt, room int) printed {
	if room < 0 || s.Negated || s.Background || s.Coprocess || !quiet(s.Redirs) {
		return anything
	}
	switch c := s.Cmd.(type) {
	case *syntax.BinaryCmd:
		if c.Op == syntax.Pipe && selects(c.Y) {
			return eachOf(printsBelow(c.X, room-1))
		}
	case *syntax.CallExpr:
		words := literals(c)
		switch {
		case len(words) == 1 && words[0] == "pwd":
			return place
		case len(words) > 2 && words[0] == "git":
			return gitPrints(words[1], words[2:])
		}
	}
	return anything
}

// quiet reports whether redirections leave the output as it is: 2>/dev/null does. 2>&1 does not, nor does 2>/dev/stdout.
func quiet(redirs []*syntax.Redirect) bool {
	return !slices.ContainsFunc(redirs, func(r *syntax.Redirect) bool {
		return r.N == nil || r.N.Value != "2" || r.Op != syntax.RdrOut || r.Word.Lit() != "/dev/null"
	})
}

// selects reports whether a command prints lines of its input and no others: head -1, head -n 1, tail -n1, sort, tac.
func selects(s *syntax.Stmt) bool {
	c, ok := s.Cmd.(*syntax.CallExpr)
	if !ok || s.Negated || s.Background || s.Coprocess || !quiet(s.Redirs) {
		return false
	}
	words := literals(c)
	switch {
	case len(words) == 1:
		return slices.Contains([]string{"head", "tail", "sort", "tac", "cat"}, words[0])
	case len(words) < 1 || words[0] != "head" && words[0] != "tail":
		return false
	case len(words) == 3:
		return words[1] == "-n" && digits(words[2])
	}
	n, is := strings.CutPrefix(words[1], "-")
	return len(words) == 2 && is && digits(strings.TrimPrefix(n, "n"))
}

// literals returns the words of a command in which nothing is expanded; none of any other one.
func literals(c *syntax.CallExpr) (words []string) {
	if len(c.Assigns) > 0 {
		return nil
	}
	for _, w := range c.Args {
		text, ok := literal(w)
		if !ok {
			return nil
		}
		words = append(words, text)
	}
	return words
}

// literal returns the text of a word in which nothing is expanded.
func literal(w *syntax.Word) (text string, ok bool) {
	add := func(part syntax.WordPart, quoted bool) bool {
		lit, is := part.(*syntax.Lit)
		if !is || strings.Contains(lit.Value, `\`) || !quoted && !plain(lit.Value) {
			return false
		}
		text += lit.Value
		return true
	}
	for _, part := range w.Parts {
		switch part := part.(type) {
		case *syntax.SglQuoted:
			text += part.Value
			if part.Dollar {
				return "", false
			}
		case *syntax.DblQuoted:
			if part.Dollar || slices.ContainsFunc(part.Parts, func(p syntax.WordPart) bool { return !add(p, true) }) {
				return "", false
			}
		default:
			if !add(part, false) {
				return "", false
			}
		}
	}
	return text, text != "" && text[0] != '~'
}

var revisionSigns = strings.NewReplacer("^", "", "{", "", "}", "")

// plain reports whether a text has only characters without a meaning to the shell, and those of revisions, such as
// HEAD^{commit} and @{u}.
func plain(text string) bool {
	if strings.Contains(text, "{") && (strings.Contains(text, ",") || strings.Contains(text, "..")) {
		return false
	}
	return safe(revisionSigns.Replace(text))
}

// commitOptions are options with which git prints names of commits, and what it was given; those that end in = have a
// value. --abbrev-ref is none: the name of a branch can begin with a dash. Neither is --boundary, which prints one.
var commitOptions = map[string][]string{
	"merge-base": {"-a", "--all", "--octopus", "--independent", "--fork-point"},
	"rev-parse":  {"-q", "--quiet", "--verify", "--short", "--short="},
	"rev-list":   walkOptions,
	"log":        walkOptions,
}

var walkOptions = []string{"--max-count=", "--skip=", "--since=", "--after=", "--until=", "--before=", "--author=",
	"--grep=", "--all", "--branches", "--tags", "--remotes", "--merges", "--no-merges", "--first-parent", "--reverse",
	"--topo-order", "--date-order", "--abbrev-commit", "--follow", "--diff-filter=", "-i"}

// gitPrints returns what is known of what a subcommand of git prints. The words of log are not known: with
// log.showSignature, it also prints what a signature says.
func gitPrints(sub string, args []string) printed {
	options, ok := commitOptions[sub]
	if !ok {
		return anything
	}
	if sub == "rev-parse" && len(args) == 1 && (args[0] == "--show-toplevel" || args[0] == "--absolute-git-dir") {
		return place
	}
	walks, formatted := sub == "log" || sub == "rev-list", sub != "log"
	for i := 0; i < len(args); i++ {
		name, value, has := strings.Cut(args[i], "=")
		if has {
			name += "="
		}
		switch {
		case args[i][0] != '-':
			if sub == "rev-parse" && !plain(args[i]) {
				return anything // it may print it
			}
		case walks && args[i] == "--":
			i = len(args)
		case walks && args[i] == "-n" && i+1 < len(args) && digits(args[i+1]):
			i++
		case walks && digits(args[i][1:]), slices.Contains(options, name):
		case sub == "log" && len(args[i]) > 2 && (args[i][:2] == "-S" || args[i][:2] == "-G"):
		case sub == "log" && (name == "--format=" || name == "--pretty=") && printsCommit(value):
			formatted = true
		default:
			return anything
		}
	}
	switch {
	case !formatted:
		return anything
	case sub == "log":
		return lines
	}
	return commits
}

// printsCommit reports whether a format of git is the name of the commit alone.
func printsCommit(format string) bool {
	format = strings.TrimPrefix(strings.TrimPrefix(format, "t"), "format:")
	return format == "%H" || format == "%h"
}

func digits(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }

// fed returns what a command in a pipe reads from the one in front of it.
func (p *parser) fed(from, to *syntax.Stmt) printed {
	if p.nested > 0 || p.values.open || !quiet(to.Redirs) {
		return anything
	}
	return eachOf(prints(from))
}

// eachOf returns what is known of each line of what is printed.
func eachOf(p printed) printed {
	if p == place {
		return anything
	}
	return p
}

// reading collects a command that reads what is printed: git rev-list -5 HEAD | xargs git show.
func (p *parser) reading(to *syntax.Stmt, input printed) {
	if c, ok := to.Cmd.(*syntax.CallExpr); ok && len(c.Args) > 0 && c.Args[0].Lit() == "xargs" {
		p.input = input
	}
	p.stmt(to)
	p.input = anything
}

// eachLine notes what the variable of a loop is that reads what is printed: git log --format=%h | while read -r c.
func (p *parser) eachLine(to *syntax.Stmt, input printed, body func()) {
	loop, ok := to.Cmd.(*syntax.WhileClause)
	if !ok || input == anything || loop.Until || len(loop.Cond) != 1 || len(loop.Cond[0].Redirs) > 0 ||
		loop.Cond[0].Negated || loop.Cond[0].Background || loop.Cond[0].Coprocess {
		body()
		return
	}
	c, ok := loop.Cond[0].Cmd.(*syntax.CallExpr)
	if !ok || len(c.Assigns) > 0 {
		body()
		return
	}
	if name, ok := readsOne(c.Args); ok && p.values.once[name] {
		p.values.operands[name], p.values.commits[name] = true, input == commits
		defer func() {
			delete(p.values.operands, name)
			delete(p.values.commits, name)
		}()
	}
	body()
}

// readsOne returns the variable that read, or read -r, gives a line.
func readsOne(args []*syntax.Word) (name string, ok bool) {
	words := literals(&syntax.CallExpr{Args: args})
	if len(words) == 3 && words[1] == "-r" {
		words = slices.Delete(words, 1, 2)
	}
	if len(words) != 2 || words[0] != "read" || !own(words[1]) {
		return "", false
	}
	return words[1], true
}
