package main

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"
)

// calls is what a function of the code calls.
type calls struct {
	framed   bool            // it has a frame on the engine's own stack, which the engine bounds
	direct   []string        // names of functions
	indirect map[string]bool // types of functions of the table
}

// unbounded returns the names of the functions that may call themselves, through others too, without a frame on the
// engine's own stack anywhere on the way: only Go's stack grows then, whose end is that of the program.
func unbounded(file *ast.File, kept map[string]bool) map[string]bool {
	graph, byType := map[string]*calls{}, map[string][]string{}
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && kept[f.Name.Name] {
			graph[f.Name.Name] = callsOf(f)
		}
	}
	for name, f := range table(file) {
		byType[f] = append(byType[f], name)
	}
	next := func(name string) []string {
		list := slices.Clone(graph[name].direct)
		for t := range graph[name].indirect {
			list = append(list, byType[t]...)
		}
		return list
	}
	found := map[string]bool{}
	for name, f := range graph {
		if f.framed {
			continue
		}
		seen := map[string]bool{}
		for queue := next(name); len(queue) > 0 && !found[name]; queue = queue[1:] {
			callee := queue[0]
			if callee == name {
				found[name] = true
			}
			if g := graph[callee]; g != nil && !g.framed && !seen[callee] {
				seen[callee] = true
				queue = append(queue, next(callee)...)
			}
		}
	}
	return found
}

func callsOf(f *ast.FuncDecl) *calls {
	c := &calls{indirect: map[string]bool{}}
	ast.Inspect(f.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			c.framed = c.framed || types.ExprString(n.Lhs[0]) == "m.g0"
		case *ast.TypeAssertExpr:
			c.indirect[types.ExprString(n.Type)] = true
		case *ast.Ident:
			if strings.HasPrefix(n.Name, "fn") || strings.HasPrefix(n.Name, "X") {
				c.direct = append(c.direct, n.Name)
			}
		}
		return true
	})
	return c
}

// table returns the functions of the table, and their types as an assertion has them.
func table(file *ast.File) map[string]string {
	typeOf, found := map[string]string{}, map[string]string{}
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok {
			typeOf[f.Name.Name] = signature(f.Type)
		}
	}
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Name.Name == "New" {
			for _, name := range callsOf(f).direct {
				found[name] = typeOf[name]
			}
		}
	}
	return found
}

func signature(t *ast.FuncType) string {
	var in, out []string
	for _, p := range t.Params.List {
		for range max(len(p.Names), 1) {
			in = append(in, types.ExprString(p.Type))
		}
	}
	if t.Results != nil {
		for _, r := range t.Results.List {
			out = append(out, types.ExprString(r.Type))
		}
	}
	text := "func(" + strings.Join(in, ", ") + ")"
	if len(out) == 1 {
		return text + " " + out[0]
	}
	if len(out) > 1 {
		return text + " (" + strings.Join(out, ", ") + ")"
	}
	return text
}

// counted returns a function that counts how deep it stands in itself, and calls the one that is renamed.
func counted(f *ast.FuncDecl) string {
	var params, args []string
	for _, p := range f.Type.Params.List {
		for _, name := range p.Names {
			params = append(params, name.Name+" "+types.ExprString(p.Type))
			args = append(args, name.Name)
		}
	}
	head := "\n\n//go:norace\nfunc (m *module) " + f.Name.Name + "(" + strings.Join(params, ", ") + ") "
	call := "m." + f.Name.Name + inner + "(" + strings.Join(args, ", ") + ")"
	if f.Type.Results == nil {
		return head + "{\nm.enter()\n" + call + "\nm.depth--\n}"
	}
	result := types.ExprString(f.Type.Results.List[0].Type)
	return head + result + " {\nm.enter()\nr := " + call + "\nm.depth--\nreturn r\n}"
}

// inner is what the name of a function that counted wraps ends with.
const inner = "inner"
