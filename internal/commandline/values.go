package commandline

import (
	"maps"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// values are what is known of the values of the line's own variables, at the command at hand. A variable is only known
// if one place alone gives it a value, and always before the command.
type values struct {
	once     map[string]bool   // the variables that one place alone gives a value
	operands map[string]bool   // those whose value does not begin with a dash
	dirs     map[string]bool   // those whose value ends in a slash
	commits  map[string]bool   // those whose value is names of commits, without blanks in them
	prefix   map[string]string // what the value begins with
	split    bool              // the text sets IFS, at which what is not quoted is split
	level    int               // lists of commands around the command
	open     bool              // the text has what may give any variable a value, or git another meaning
}

// valuesIn returns what can be known in a text. There is nothing in one with a function, which may be called in place
// of a program, or with a builtin that names variables in its words.
func valuesIn(file *syntax.File) values {
	count, open := map[string]int{}, false
	syntax.Walk(file, func(node syntax.Node) bool {
		switch n := node.(type) {
		case *syntax.FuncDecl, *syntax.CoprocClause, *syntax.DeclClause, *syntax.LetClause, *syntax.ArithmCmd,
			*syntax.ArithmExp, *syntax.CStyleLoop:
			open = true
		case *syntax.ForClause:
			open = open || n.Select
		case *syntax.WordIter:
			count[n.Name.Value]++
		case *syntax.Assign:
			open = open || n.Index != nil || n.Array != nil || n.Append
			if n.Name != nil {
				count[n.Name.Value]++
			}
		case *syntax.ParamExp:
			open = open || n.Index != nil || n.Slice != nil || n.Excl ||
				n.Exp != nil && (n.Exp.Op == syntax.AssignUnset || n.Exp.Op == syntax.AssignUnsetOrNull)
		case *syntax.Redirect:
			open = open || n.N != nil && strings.HasPrefix(n.N.Value, "{")
		case *syntax.CallExpr:
			if name, ok := readsOne(n.Args); ok {
				count[name]++
			} else {
				open = open || len(n.Args) > 0 && assigns(n.Args)
			}
		}
		return !open
	})
	once := map[string]bool{}
	for name, n := range count {
		once[name] = !open && n == 1 && own(name)
	}
	return values{once: once, operands: map[string]bool{}, dirs: map[string]bool{}, commits: map[string]bool{},
		prefix: map[string]string{}, split: count["IFS"] > 0, open: open}
}

// assigns reports whether a command may give a variable a value.
func assigns(args []*syntax.Word) bool {
	name := args[0].Lit()
	_, named := assigners[name]
	switch {
	case name == "printf" && len(args) > 1:
		quoted, ok := args[1].Parts[0].(*syntax.SglQuoted)
		return !ok || len(args[1].Parts) > 1 || quoted.Dollar || strings.HasPrefix(quoted.Value, "-") || Assigns(quoted.Value)
	case named || name == "":
		return true
	}
	return slices.Contains([]string{"eval", "source", ".", "trap", "builtin", "command", "exec", "alias", "enable"}, name)
}

// learn notes what a statement that has run makes of variables.
func (p *parser) learn(s *syntax.Stmt) {
	c, ok := s.Cmd.(*syntax.CallExpr)
	if !ok || p.nested > 0 || p.values.level != 1 || len(c.Args) > 0 || len(s.Redirs) > 0 || s.Background {
		return
	}
	for _, a := range c.Assigns {
		if a.Value == nil || !p.values.once[a.Name.Value] {
			continue
		}
		if part, ok := only(a.Value); ok && printedBy(part) != anything {
			p.values.operands[a.Name.Value] = true
			p.values.commits[a.Name.Value] = printedBy(part) == commits
		}
	}
}

// alone runs what learns nothing that holds behind it.
func (p *parser) alone(f func()) {
	operands, commits := maps.Clone(p.values.operands), maps.Clone(p.values.commits)
	f()
	p.values.operands, p.values.commits = operands, commits
}

// only returns the only part of a word, without quotes.
func only(w *syntax.Word) (part syntax.WordPart, ok bool) {
	if len(w.Parts) != 1 {
		return nil, false
	}
	if q, is := w.Parts[0].(*syntax.DblQuoted); is {
		if len(q.Parts) != 1 || q.Dollar {
			return nil, false
		}
		return q.Parts[0], true
	}
	return w.Parts[0], true
}

// variableOf returns the variable of "$x" or "${x}"; "" for any other part.
func variableOf(part syntax.WordPart) string {
	x, ok := part.(*syntax.ParamExp)
	if !ok || x.Param == nil || x.Excl || x.Length || x.Width || x.IsSet ||
		x.Index != nil || x.Slice != nil || x.Repl != nil || x.Names != 0 || x.Exp != nil {
		return ""
	}
	return x.Param.Value
}

// startsOperand reports whether no word that a part becomes begins with a dash.
func (p *parser) startsOperand(part syntax.WordPart, quoted bool) bool {
	name := variableOf(part)
	switch {
	case p.nested > 0 || p.values.open:
		return false
	case quoted:
		return p.values.operands[name] || printedBy(part) != anything
	}
	return !p.values.split && (p.values.commits[name] || printedBy(part) == commits)
}

// begin returns what a variable in double quotes begins with, as far as that is known.
func (p *parser) begin(part syntax.WordPart, quoted bool) string {
	if !quoted || p.nested > 0 || p.values.open {
		return ""
	}
	return p.values.prefix[variableOf(part)]
}

// isDir reports whether a word is "$d" alone, and ends in a slash.
func (p *parser) isDir(w *syntax.Word) bool {
	_, quoted := w.Parts[0].(*syntax.DblQuoted)
	part, ok := only(w)
	return ok && quoted && p.nested == 0 && p.values.dirs[variableOf(part)]
}

// iterate notes what the variable of a loop is while body runs.
func (p *parser) iterate(name string, items []Word, body func()) {
	if !p.values.once[name] || p.nested > 0 || len(items) == 0 {
		body()
		return
	}
	operand := func(w Word) bool { return w.Operand || w.Begin() != "" && w.Begin()[0] != '-' }
	all := func(is func(Word) bool) bool {
		return !slices.ContainsFunc(items, func(w Word) bool { return !is(w) })
	}
	p.values.operands[name] = all(operand)
	p.values.commits[name] = all(func(w Word) bool { // a substitution that was split, without a quoted blank beside it
		return w.Operand && w.Many && !strings.ContainsAny(w.Text, `"'\\`)
	})
	p.values.prefix[name] = begins(items)
	p.values.dirs[name] = all(func(w Word) bool {
		return operand(w) || (w.Known || w.Glob) && strings.HasSuffix(w.Text, "/")
	})
	body()
	delete(p.values.operands, name)
	delete(p.values.commits, name)
	delete(p.values.prefix, name)
	delete(p.values.dirs, name)
}

// begins returns what all of some words begin with; nothing if that may be a ~, which becomes a directory.
func begins(words []Word) string {
	prefix := words[0].Begin()
	for _, w := range words[1:] {
		for !strings.HasPrefix(w.Begin(), prefix) {
			prefix = prefix[:len(prefix)-1]
		}
	}
	if strings.HasPrefix(prefix, "~") {
		return ""
	}
	return prefix
}
