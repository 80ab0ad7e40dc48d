package commandline

import (
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

func (p *parser) stmts(list []*syntax.Stmt) {
	defer func(double int) { p.double = double }(p.double)
	p.double = 0
	p.values.level++
	defer func() { p.values.level-- }()
	for _, s := range list {
		if p.full() {
			return
		}
		if s.Background {
			p.alone(func() { p.stmt(s) })
			continue
		}
		p.stmt(s)
		p.learn(s)
	}
}

// stmt collects the commands of a statement. What cannot be known of a compound command's own words, and its
// redirections, become a command without words.
func (p *parser) stmt(s *syntax.Stmt) {
	if s == nil || p.full() {
		return
	}
	doubt := p.doubt
	p.doubt = ""
	defer func() { p.doubt = doubt }()
	switch c := s.Cmd.(type) {
	case *syntax.CallExpr:
		p.call(c, s)
		return
	case *syntax.DeclClause:
		p.declClause(c, s)
		return
	}
	p.compound(s.Cmd)
	redirects := p.redirects(s.Redirs)
	if p.doubt == "" && len(redirects) == 0 {
		return
	}
	c := Command{Redirects: redirects, Unknown: p.doubt, ShellOnly: true}
	if c.Text = p.written(s.Pos(), s.End()); len(redirects) > 0 && p.doubt == "" {
		texts := make([]string, len(redirects))
		for i, r := range redirects {
			texts[i] = r.Text
		}
		c.Text = strings.Join(texts, " ")
	}
	p.emit(c)
}

func (p *parser) compound(c syntax.Command) {
	switch c := c.(type) {
	case nil:
	case *syntax.BinaryCmd:
		p.chain(c)
	case *syntax.Subshell:
		p.stmts(c.Stmts)
	case *syntax.Block:
		p.stmts(c.Stmts)
	case *syntax.IfClause:
		for ; c != nil; c = c.Else {
			p.stmts(c.Cond)
			p.stmts(c.Then)
		}
	case *syntax.WhileClause:
		p.loop(func() {
			p.stmts(c.Cond)
			p.stmts(c.Do)
		})
	case *syntax.ForClause:
		p.forLoop(c)
	case *syntax.CaseClause:
		p.parts(c.Word)
		for _, item := range c.Items {
			for _, w := range item.Patterns {
				p.parts(w)
			}
			p.stmts(item.Stmts)
		}
	case *syntax.FuncDecl:
		if c.RsrvWord {
			p.bashOnly("function")
		}
		from, moves := len(p.line.Commands), p.moves
		if p.stmt(c.Body); p.moves != moves {
			p.lost() // it may be called again and again
		}
		p.bodies = append(p.bodies, span{from, len(p.line.Commands)})
	case *syntax.ArithmCmd:
		p.bashOnly("((")
		p.arithm(c.X)
	case *syntax.LetClause:
		p.bashOnly("let")
		for _, x := range c.Exprs {
			p.arithm(x)
		}
	case *syntax.TestClause:
		p.bashOnly("[[")
		p.test(c.X)
	case *syntax.TimeClause:
		rest := strings.TrimLeft(p.text[c.Time.Offset()+uint(len("time")):], " \t")
		if rest = strings.TrimLeft(strings.TrimPrefix(rest, "-p"), " \t"); strings.HasPrefix(rest, "--") {
			p.unknown("what time -- runs is not known") // the parser takes -- for a program
		}
		p.stmt(c.Stmt)
	case *syntax.CoprocClause:
		// The parser takes rm for a name in coproc rm x | cat, and y=1 for a program in coproc y=1 rm x.
		p.unknown("what coproc runs is not known")
		p.stmt(c.Stmt)
	default:
		p.note("it has syntax that is not of bash")
	}
}

// chain collects the commands of a list or pipe. Of a long one the tree is as deep as it is long, on the left.
func (p *parser) chain(c *syntax.BinaryCmd) {
	right := []*syntax.BinaryCmd{c}
	for {
		if c.Op == syntax.PipeAll {
			p.bashOnly("|&")
		}
		left, ok := c.X.Cmd.(*syntax.BinaryCmd)
		if !ok || len(c.X.Redirs) > 0 {
			break
		}
		c = left
		right = append(right, c)
	}
	p.stmt(c.X)
	if c.Op == syntax.AndStmt || c.Op == syntax.OrStmt {
		p.learn(c.X)
	}
	for i := len(right) - 1; i >= 0; i-- {
		to, input := right[i].Y, anything
		if right[i].Op == syntax.Pipe {
			input = p.fed(right[i].X, to)
		}
		p.eachLine(to, input, func() { p.reading(to, input) })
	}
}

// loop collects the commands of a loop. Those in front of a cd or an export run behind it in the second round.
func (p *parser) loop(body func()) {
	from, moves, exported := len(p.line.Commands), p.moves, len(p.assigned)
	body()
	p.expose(span{from, len(p.line.Commands)}, p.assigned[exported:])
	if p.moves != moves {
		p.adrift(span{from, len(p.line.Commands)})
		p.lost()
	}
}

func (p *parser) forLoop(c *syntax.ForClause) {
	name, items := "", []Word(nil)
	switch l := c.Loop.(type) {
	case *syntax.WordIter:
		for _, w := range l.Items {
			items = append(items, p.word(w)...)
		}
		name = l.Name.Value
		p.names(Word{Text: name, Known: true})
	case *syntax.CStyleLoop:
		p.bashOnly("for ((")
		for _, x := range []syntax.ArithmExpr{l.Init, l.Cond, l.Post} {
			if x != nil {
				p.arithm(x)
			}
		}
	}
	if c.Select {
		p.bashOnly("select")
	}
	p.iterate(name, items, func() { p.loop(func() { p.stmts(c.Do) }) })
}

// redirects returns the redirections to and from files, and looks into here-documents.
func (p *parser) redirects(list []*syntax.Redirect) (files []Redirect) {
	for _, r := range list {
		if r.N != nil && strings.HasPrefix(r.N.Value, "{") {
			p.names(Word{Text: strings.Trim(r.N.Value, "{}"), Known: true})
		}
		if r.Hdoc != nil {
			p.body(r.Hdoc, true)
		}
		switch r.Op {
		case syntax.Hdoc, syntax.DashHdoc:
			p.hereDocument(r)
			continue
		case syntax.WordHdoc:
			p.bashOnly("<<<")
			p.parts(r.Word)
			continue
		}
		if from := r.Word.Pos(); r.Op == syntax.DplIn || r.Op == syntax.DplOut {
			// In bash >&-x closes a descriptor, and x is a word of its own.
			if word := p.written(from, r.Word.End()); strings.HasPrefix(word, "-") && word != "-" {
				p.unknown("what " + word + " behind a redirection means is not known")
			}
		}
		words := p.word(r.Word)
		path := Word{Text: p.written(r.Word.Pos(), r.Word.End()), Many: true}
		if len(words) == 1 {
			path = words[0]
		}
		file := Redirect{Text: p.written(r.Pos(), r.Word.End()), Path: path}
		file.Writes = r.Op != syntax.RdrIn && r.Op != syntax.DplIn
		if path.Known && inherited(r.Op, path.Text) {
			p.note(file.Text + " may lead to a file of the shell's own")
		}
		switch {
		case r.Op == syntax.DplIn, r.Op == syntax.DplOut && path.Known && descriptor(path.Text):
			continue
		case len(r.Word.Parts) == 1 && isProcess(r.Word.Parts[0]), noFile(path):
			continue
		case network(path):
			p.note(path.Text + " is a connection to the network")
		}
		files = append(files, file)
	}
	return files
}

// stdout reports whether a redirection is of the output, to a file that is no device or to /dev/null.
func stdout(r *syntax.Redirect) bool {
	switch r.Op {
	case syntax.RdrOut, syntax.AppOut, syntax.RdrClob, syntax.RdrAll, syntax.AppAll:
		file := r.Word.Lit()
		return (r.N == nil || r.N.Value == "1") && file != "" && (file == "/dev/null" || !strings.HasPrefix(file, "/dev/"))
	}
	return false
}

func isProcess(part syntax.WordPart) bool {
	_, ok := part.(*syntax.ProcSubst)
	return ok
}

// descriptor reports whether the word of >& names a descriptor: 1, 3- or -.
func descriptor(word string) bool {
	word = strings.TrimSuffix(word, "-")
	return strings.Trim(word, "0123456789") == ""
}

// inherited reports whether the word of a redirection names a descriptor, for >& or by a path, that may be one by which
// the shell hands on its state: those from 7 up. One that the line has opened itself is not told apart.
func inherited(op syntax.RedirOperator, word string) bool {
	number, isPath := strings.CutPrefix(word, "/dev/fd/")
	n, err := strconv.Atoi(strings.TrimSuffix(number, "-"))
	return err == nil && n >= 7 && (isPath || op == syntax.DplIn || op == syntax.DplOut)
}

// noFile reports whether a path is that of nothing, or of an open descriptor.
func noFile(path Word) bool {
	if !path.Known {
		return false
	}
	switch path.Text {
	case "/dev/null", "/dev/stdin", "/dev/stdout", "/dev/stderr":
		return true
	}
	fd, ok := strings.CutPrefix(path.Text, "/dev/fd/")
	return ok && fd != "" && strings.Trim(fd, "0123456789") == ""
}

// network reports whether bash may open a connection for a path.
func network(path Word) bool {
	text := path.Text
	if !path.Known {
		text = path.Prefix
	}
	return strings.HasPrefix(text, "/dev/tcp/") || strings.HasPrefix(text, "/dev/udp/")
}

func (p *parser) note(doubt string) {
	if p.doubt == "" {
		p.doubt = doubt
	}
}

// bashOnly notes syntax that means another thing in a POSIX shell: there, [[ a || rm x ]] runs rm.
func (p *parser) bashOnly(syntax string) {
	if p.posix {
		p.unknown(syntax + " means another thing in a POSIX shell")
	}
}
