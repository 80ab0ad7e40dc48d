package commandline

import (
	"path"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// call collects a simple command, and those that it runs.
func (p *parser) call(c *syntax.CallExpr, s *syntax.Stmt) {
	cmd := Command{Assigned: slices.Clone(p.assigned)}
	input := p.input
	p.input = anything
	for _, a := range c.Assigns {
		cmd.Front = append(cmd.Front, p.assign(a))
	}
	cmd.Assigned = append(cmd.Assigned, cmd.Front...)
	for _, w := range c.Args {
		cmd.Words = append(cmd.Words, p.word(w)...)
	}
	p.input = input
	p.finish(cmd, s)
	p.input = anything
}

// declClause collects export, declare and the like.
func (p *parser) declClause(c *syntax.DeclClause, s *syntax.Stmt) {
	if c.Variant.Value != "export" && c.Variant.Value != "readonly" && c.Variant.Value != "local" {
		p.bashOnly(c.Variant.Value)
	}
	cmd := Command{Words: []Word{{Text: c.Variant.Value, Known: true}}, Assigned: p.assigned}
	for _, a := range c.Args {
		if a.Naked && a.Name == nil {
			cmd.Words = append(cmd.Words, p.word(a.Value)...)
			continue
		}
		cmd.Words = append(cmd.Words, p.assign(a))
	}
	p.finish(cmd, s)
}

func (p *parser) finish(cmd Command, s *syntax.Stmt) {
	cmd.Redirects = p.redirects(s.Redirs)
	cmd.Stdout = slices.ContainsFunc(s.Redirs, stdout)
	end := s.Cmd.End()
	for _, r := range s.Redirs {
		if r.Word.End().After(end) {
			end = r.Word.End()
		}
	}
	cmd.Text = p.written(s.Cmd.Pos(), end)
	if s.Cmd.Pos().After(s.Pos()) && !s.Negated {
		cmd.Text = p.written(s.Pos(), end) // a redirection is in front of it
	}
	cmd.Unknown = p.doubt
	p.run(cmd)
}

// assign returns an assignment as a word, and notes what the value of an array can run.
func (p *parser) assign(a *syntax.Assign) Word {
	text := a.Name.Value
	if a.Index != nil {
		p.bashOnly("an array")
		p.arrays = true
		p.subscript(a.Index)
		text = p.written(a.Name.Pos(), a.Index.End()) + "]"
	}
	if a.Naked {
		return Word{Text: text, Known: true}
	}
	if text += "="; a.Append {
		text = strings.TrimSuffix(text, "=") + "+="
	}
	if a.Array != nil {
		p.bashOnly("an array")
		p.arrays = true
		for _, e := range a.Array.Elems {
			p.subscript(e.Index)
			p.partsOf(e.Value)
		}
		return Word{Text: p.written(a.Pos(), a.End()), Prefix: text}
	}
	v := p.value(a.Value)
	if !v.Known {
		return Word{Text: text + v.Text, Prefix: text + v.Prefix}
	}
	return Word{Text: text + v.Text, Known: true}
}

// run collects a command, or those that it runs if it is a wrapper.
func (p *parser) run(c Command) {
	if p.full() {
		return
	}
	if len(c.Words) == 0 {
		p.doubt = c.Unknown
		if len(c.Assigned) > 0 {
			p.names(c.Assigned...)
		}
		c.Unknown, c.ShellOnly = p.doubt, true
		p.emit(c)
		return
	}
	if first := c.Words[0]; !first.Known {
		if c.Unknown == "" {
			c.Unknown = first.Text + " can be any program"
		}
		p.emit(c)
		p.lost() // it can be cd as well
		return
	}
	name := program(c.Words[0].Text)
	if w, ok := wrappers[name]; ok {
		p.wrapper(c, w)
		return
	}
	if read, ok := readers[name]; ok {
		read(p, c)
		return
	}
	p.doubt = c.Unknown
	if builtin, ok := builtins[name]; ok && name == c.Words[0].Text {
		builtin(p, &c)
	}
	c.Unknown = p.doubt
	p.emit(c)
	p.carry(c)
}

// program returns the name of a program in a system's directory, and the path of any other.
func program(word string) string {
	if dir, name := path.Split(word); slices.Contains(systemDirs, dir) {
		return name
	}
	return word
}

var systemDirs = []string{"/bin/", "/usr/bin/", "/sbin/", "/usr/sbin/", "/usr/local/bin/", "/opt/homebrew/bin/"}

// lost notes that the directory is not known any more.
func (p *parser) lost() {
	p.dirs = nil
	p.moves++
}

// move adds the directory of a cd, which may fail or not be made, so that those before stay.
func (p *parser) move(dir string) {
	p.moves++
	if p.dirs == nil {
		return
	}
	dirs := slices.Clone(p.dirs)
	for _, from := range p.dirs {
		to, ok := join(from, dir)
		if !ok {
			p.dirs = nil
			return
		}
		if !slices.Contains(dirs, to) {
			dirs = append(dirs, to)
		}
	}
	if p.dirs = dirs; len(dirs) > maxDirs {
		p.dirs = nil
	}
}

// join returns the directory that dir means in another one, as the shell does it, without a look at links.
func join(from, dir string) (joined string, ok bool) {
	switch {
	case strings.HasPrefix(dir, "~"):
		return path.Clean(dir), !strings.Contains(dir, "..")
	case path.IsAbs(dir):
		return path.Clean(dir), true
	case strings.HasPrefix(from, "~") && strings.Contains(dir, ".."):
		return "", false
	}
	if joined = path.Join(from, dir); joined == "." {
		joined = ""
	}
	return joined, true
}
