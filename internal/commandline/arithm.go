package commandline

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// arithm looks into an arithmetic expression. A variable in it stands for the expression that is its
// value, and an expression runs the substitutions of an array's subscript: after x='a[$(id)]', $((x)) runs id.
// So all but numbers is unknown.
func (p *parser) arithm(x syntax.ArithmExpr) {
	if p.full() {
		return
	}
	switch x := x.(type) {
	case *syntax.BinaryArithm:
		p.arithm(x.X)
		p.arithm(x.Y)
	case *syntax.UnaryArithm:
		p.arithm(x.X)
	case *syntax.ParenArithm:
		p.arithm(x.X)
	case *syntax.Word:
		p.parts(x)
		for _, part := range x.Parts {
			if !numeric(part) {
				p.note(p.written(x.Pos(), x.End()) + " can be an expression that runs commands")
			}
		}
	default:
		p.note("it has arithmetic that is not of bash")
	}
}

// numeric reports whether a part of an arithmetic expression is a number whatever happens.
func numeric(part syntax.WordPart) bool {
	switch part := part.(type) {
	case *syntax.Lit:
		return number(part.Value)
	case *syntax.ParamExp:
		if part.Excl || part.Index != nil || part.Exp != nil || part.Slice != nil || part.Repl != nil || part.Param == nil {
			return false
		}
		return part.Length || strings.Contains("?#$!", part.Param.Value) && part.Param.Value != ""
	case *syntax.ArithmExp:
		return true
	}
	return false
}

// number reports whether a text is a number: 10, 0x1f, 16#ff.
func number(text string) bool {
	if text == "" || text[0] < '0' || text[0] > '9' {
		return false
	}
	return strings.Trim(text, "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ#@_") == ""
}

// subscript looks into an array's subscript.
func (p *parser) subscript(x syntax.ArithmExpr) {
	if w, ok := x.(*syntax.Word); ok {
		if lit := w.Lit(); lit == "@" || lit == "*" {
			return
		}
	}
	if x != nil {
		p.arithm(x)
	}
}

// test looks into the expression of [[.
func (p *parser) test(x syntax.TestExpr) {
	if p.full() {
		return
	}
	switch x := x.(type) {
	case *syntax.BinaryTest:
		switch x.Op {
		case syntax.TsEql, syntax.TsNeq, syntax.TsLeq, syntax.TsGeq, syntax.TsLss, syntax.TsGtr:
			for _, side := range []syntax.TestExpr{x.X, x.Y} {
				if w, ok := side.(*syntax.Word); ok {
					p.arithm(w)
				} else {
					p.note("it compares what is not a number")
				}
			}
			return
		}
		p.test(x.X)
		p.test(x.Y)
	case *syntax.UnaryTest:
		p.test(x.X)
		if w, ok := x.X.(*syntax.Word); ok && (x.Op == syntax.TsVarSet || x.Op == syntax.TsRefVar) {
			p.names(p.word(w)...)
		}
	case *syntax.ParenTest:
		p.test(x.X)
	case *syntax.Word:
		p.parts(x)
	default:
		p.note("it has a test that is not of bash")
	}
}

// param looks into the expansion of a variable.
func (p *parser) param(x *syntax.ParamExp) {
	name := ""
	if x.Param != nil {
		name = x.Param.Value
	}
	if x.NestedParam != nil || len(x.Modifiers) > 0 || x.Flags != nil {
		p.note(p.written(x.Pos(), x.End()) + " is not of bash")
	}
	if x.Excl && x.Names == 0 && !keys(x.Index) {
		// After x='a[$(id)]', ${!x} runs id.
		p.note("${!" + name + "} can be an expansion that runs commands")
	}
	p.subscript(x.Index)
	if x.Slice != nil {
		p.bashOnly("${x:0:1}")
		for _, y := range []syntax.ArithmExpr{x.Slice.Offset, x.Slice.Length} {
			if y != nil {
				p.arithm(y)
			}
		}
	}
	if x.Repl != nil {
		p.partsOf(x.Repl.Orig)
		p.partsOf(x.Repl.With)
	}
	if x.Exp == nil {
		return
	}
	p.partsOf(x.Exp.Word)
	switch x.Exp.Op {
	case syntax.OtherParamOps:
		if w := x.Exp.Word; w == nil || w.Lit() == "" || !strings.Contains("QEAaKkUuL", w.Lit()) {
			p.note(p.written(x.Pos(), x.End()) + " runs what is in the variable")
		}
	case syntax.AssignUnset, syntax.AssignUnsetOrNull:
		p.names(Word{Text: name, Known: true})
	}
}

// keys reports whether an index is that of ${!a[@]}.
func keys(index syntax.ArithmExpr) bool {
	w, ok := index.(*syntax.Word)
	return ok && (w.Lit() == "@" || w.Lit() == "*")
}

func (p *parser) partsOf(w *syntax.Word) {
	if w != nil {
		p.parts(w)
	}
}
