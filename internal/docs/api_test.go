package docs_test

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/doc"
	"go/printer"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// docs/api.txt lists all that a program can use of the public packages, so that no
// change of it goes unseen.
func TestAPI(t *testing.T) {
	var text bytes.Buffer
	text.WriteString("Everything that the public packages export: go test ./internal/docs -run TestAPI -update\n")
	all := 0
	for _, p := range module(t).public() {
		symbols, fields := p.surface()
		all += len(symbols)
		fmt.Fprintf(&text, "\n%s: %d symbols, %d fields\n\n", p.path, len(symbols), len(fields))
		for _, line := range slices.Sorted(slices.Values(append(symbols, fields...))) {
			fmt.Fprintln(&text, line)
		}
	}
	fmt.Fprintf(&text, "\nTogether: %d symbols\n", all)
	path := filepath.Join(root, "docs", "api.txt")
	if *update {
		require.NoError(t, os.WriteFile(path, text.Bytes(), 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(want), text.String(), "if the change is meant, run the command in its first line, and read the difference")
}

// surface lists the constants, variables, functions, types and methods that a package
// exports, and the fields and methods inside of its types.
func (p *source) surface() (symbols, fields []string) {
	values := slices.Concat(p.doc.Consts, p.doc.Vars)
	funcs := slices.Clone(p.doc.Funcs)
	for _, typ := range p.doc.Types {
		symbols = append(symbols, "type "+typ.Name+" "+p.kind(typeOf(typ)))
		fields = append(fields, p.members(typ.Name, typeOf(typ))...)
		values = slices.Concat(values, typ.Consts, typ.Vars)
		funcs = slices.Concat(funcs, typ.Funcs)
		for _, m := range typ.Methods {
			if m.Level == 0 { // not that of an embedded type
				symbols = append(symbols, "method ("+m.Recv+") "+m.Name+p.print(m.Decl.Type)[len("func"):])
			}
		}
	}
	for _, f := range funcs {
		symbols = append(symbols, p.function(f))
	}
	for _, v := range values {
		for _, name := range v.Names {
			if ast.IsExported(name) {
				symbols = append(symbols, v.Decl.Tok.String()+" "+name)
			}
		}
	}
	return symbols, fields
}

func (p *source) function(f *doc.Func) string {
	decl := *f.Decl
	decl.Doc, decl.Body = nil, nil
	return p.print(&decl)
}

// kind is a type as one line: that of a struct or an interface without what is in it.
func (p *source) kind(typ ast.Expr) string {
	switch typ.(type) {
	case *ast.StructType:
		return "struct"
	case *ast.InterfaceType:
		return "interface"
	}
	return p.print(typ)
}

// members are the exported fields of a struct and the methods of an interface.
func (p *source) members(of string, typ ast.Expr) (list []string) {
	var inside *ast.FieldList
	switch typ := typ.(type) {
	case *ast.StructType:
		inside = typ.Fields
	case *ast.InterfaceType:
		inside = typ.Methods
	default:
		return nil
	}
	for _, f := range inside.List {
		if len(f.Names) == 0 {
			list = append(list, "type "+of+", embeds "+p.print(f.Type))
		}
		for _, name := range f.Names {
			if name.IsExported() {
				list = append(list, "type "+of+", "+name.Name+" "+p.print(f.Type))
			}
		}
	}
	return list
}

// print is the source of a node on one line.
func (p *source) print(node any) string {
	var b strings.Builder
	if err := (&printer.Config{}).Fprint(&b, token.NewFileSet(), node); err != nil {
		panic(err)
	}
	return strings.Join(strings.Fields(b.String()), " ")
}
