package docs_test

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/build"
	"go/doc"
	"go/doc/comment"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

const modulePath = "github.com/spillway-go/spillway"

// packages are those of the module, found and not listed.
type packages []*source

// public are the packages of the library. What else can be imported, below examples, is there to be copied.
func (all packages) public() (list packages) {
	for _, p := range all {
		parts := strings.Split(p.path, "/")
		if !slices.Contains(parts, "internal") && !slices.Contains(parts, "examples") {
			list = append(list, p)
		}
	}
	return list
}

// source is a package as its documentation has it.
type source struct {
	path, name  string
	fset        *token.FileSet
	doc         *doc.Package
	types       map[string]ast.Expr // exported types
	funcs       map[string]bool     // exported functions, and methods as Type.Method
	others      map[string]bool     // exported constants and variables
	listedUnder map[string]string   // the type that go doc lists a function under
	examples    []*doc.Example
}

// module returns the packages of this module, which are read once. Programs, which nothing can import, what is
// generated, and modules inside of it are left out.
func module(t *testing.T) packages {
	all, err := readModule()
	require.NoError(t, err)
	require.Greater(t, len(all.public()), 3)
	return all
}

var readModule = sync.OnceValues(func() (all packages, err error) {
	err = filepath.WalkDir(root, func(dir string, d fs.DirEntry, err error) error {
		if abs, _ := filepath.Abs(dir); abs == filepath.Clean(os.TempDir()) {
			return fs.SkipDir // what other tests make and remove
		}
		if err != nil || !d.IsDir() {
			return err
		}
		_, err = os.Stat(filepath.Join(dir, "go.mod"))
		if d.Name() == "testdata" || dir != root && (err == nil || strings.HasPrefix(d.Name(), ".") && d.Name() != "..") {
			return fs.SkipDir
		}
		built, err := build.ImportDir(dir, 0)
		if err != nil || built.Name == "main" {
			return nil // no Go files for this system
		}
		files := map[string]string{}
		for _, name := range slices.Concat(built.GoFiles, built.TestGoFiles, built.XTestGoFiles) {
			data, err := os.ReadFile(filepath.Join(dir, name))
			if err != nil {
				return err
			}
			if !bytes.HasPrefix(data, []byte("// Code generated")) {
				files[filepath.Join(dir, name)] = string(data)
			}
		}
		rel, err := filepath.Rel(root, dir)
		if err != nil {
			return err
		}
		p, err := parse(path.Join(modulePath, filepath.ToSlash(rel)), files)
		all = append(all, p)
		return err
	})
	return all, err
})

// parse reads a package from the texts of its files.
func parse(importPath string, files map[string]string) (*source, error) {
	p := &source{path: importPath, fset: token.NewFileSet(), types: map[string]ast.Expr{}, funcs: map[string]bool{}, others: map[string]bool{}, listedUnder: map[string]string{}}
	var list, tests []*ast.File
	for name, text := range files {
		file, err := parser.ParseFile(p.fset, name, text, parser.ParseComments)
		if err != nil {
			return nil, err
		}
		if list = append(list, file); strings.HasSuffix(name, "_test.go") {
			tests = append(tests, file)
		}
	}
	var err error
	p.doc, err = doc.NewFromFiles(p.fset, list, importPath, doc.PreserveAST)
	if err != nil {
		return nil, err
	}
	p.name, p.examples = p.doc.Name, doc.Examples(tests...)
	values := slices.Concat(p.doc.Consts, p.doc.Vars)
	for _, f := range p.doc.Funcs {
		p.funcs[f.Name] = true
	}
	for _, typ := range p.doc.Types {
		p.types[typ.Name] = typeOf(typ)
		values = slices.Concat(values, typ.Consts, typ.Vars)
		for _, f := range typ.Funcs {
			p.funcs[f.Name], p.listedUnder[f.Name] = true, typ.Name
		}
		for _, m := range typ.Methods {
			p.funcs[typ.Name+"."+m.Name] = true
		}
	}
	for _, v := range values {
		for _, name := range v.Names {
			p.others[name] = true
		}
	}
	return p, nil
}

func typeOf(typ *doc.Type) ast.Expr {
	for _, spec := range typ.Decl.Specs {
		if s, ok := spec.(*ast.TypeSpec); ok && s.Name.Name == typ.Name {
			return s.Type
		}
	}
	return nil
}

// has reports whether a symbol, as Name, Type.Member or Type.Field.Member, is there.
func (p *source) has(all packages, symbol string) bool {
	typ, member, _ := strings.Cut(symbol, ".")
	if p.funcs[symbol] || member == "" && (p.others[symbol] || p.types[symbol] != nil) {
		return true
	}
	if member == "" {
		return false
	}
	member, rest, _ := strings.Cut(member, ".")
	if p.funcs[typ+"."+member] {
		return rest == ""
	}
	for _, f := range fieldsOf(p.types[typ]) {
		in, name := p.named(all, f.Type)
		names := f.Names
		switch {
		case len(names) == 0 && name == member:
			names = []*ast.Ident{{Name: name}}
		case len(names) == 0 && in != nil && in.has(all, name+"."+member):
			return true // promoted
		}
		for _, n := range names {
			if n.Name == member && ast.IsExported(member) {
				return rest == "" || in == nil || in.has(all, name+"."+rest)
			}
		}
	}
	return false
}

// fieldsOf are the fields of a struct, or the methods of an interface.
func fieldsOf(typ ast.Expr) []*ast.Field {
	switch typ := typ.(type) {
	case *ast.StructType:
		return typ.Fields.List
	case *ast.InterfaceType:
		return typ.Methods.List
	}
	return nil
}

// named is the type that an expression names, and its package; nil if that is not
// of this module.
func (p *source) named(all packages, typ ast.Expr) (in *source, name string) {
	switch typ := typ.(type) {
	case *ast.StarExpr:
		return p.named(all, typ.X)
	case *ast.Ident:
		if p.types[typ.Name] != nil {
			in = p
		}
		return in, typ.Name
	case *ast.SelectorExpr:
		for _, other := range all {
			if x, ok := typ.X.(*ast.Ident); ok && other.name == x.Name {
				in = other
			}
		}
		return in, typ.Sel.Name
	}
	return nil, ""
}

// fault is something that is wrong with a symbol.
type fault struct{ at, symbol, what string }

func (f fault) String() string { return f.at + ": " + f.symbol + " " + f.what }

func (p *source) fault(at token.Pos, symbol, what string) fault {
	return fault{p.fset.Position(at).String(), strings.TrimSuffix(p.name+"."+symbol, "."), what}
}

// undocumented lists what has no doc comment.
func (p *source) undocumented() (list []fault) {
	if p.doc.Doc == "" {
		list = append(list, fault{p.path, p.name, "has no package comment"})
	}
	values, funcs := slices.Concat(p.doc.Consts, p.doc.Vars), p.doc.Funcs
	for _, typ := range p.doc.Types {
		values, funcs = slices.Concat(values, typ.Consts, typ.Vars), slices.Concat(funcs, typ.Funcs, typ.Methods)
		list = append(list, p.comment(typ.Decl.Pos(), typ.Name, typ.Doc)...)
		list = append(list, p.fields(typ.Name, typeOf(typ))...)
	}
	for _, f := range funcs {
		name := f.Name
		if f.Recv != "" {
			name = strings.TrimPrefix(f.Recv, "*") + "." + name
		}
		list = append(list, p.comment(f.Decl.Pos(), name, f.Doc)...)
	}
	for _, v := range values {
		for _, spec := range v.Decl.Specs {
			s := spec.(*ast.ValueSpec)
			for _, name := range s.Names {
				if v.Doc == "" && s.Doc == nil && s.Comment == nil && name.IsExported() {
					list = append(list, p.fault(s.Pos(), name.Name, "has no comment, and its group has none"))
				}
			}
		}
	}
	return list
}

// comment checks the doc comment of a type, a function or a method.
func (p *source) comment(at token.Pos, symbol, text string) []fault {
	words := strings.Fields(text)
	if len(words) > 1 && slices.Contains([]string{"A", "An", "The"}, words[0]) {
		words = words[1:]
	}
	name := symbol[strings.LastIndex(symbol, ".")+1:]
	switch {
	case len(words) == 0:
		return []fault{p.fault(at, symbol, "has no doc comment")}
	case strings.TrimRight(words[0], ",.:;") != name && !strings.HasPrefix(text, name+" and "):
		return []fault{p.fault(at, symbol, "has a doc comment that does not begin with its name")}
	}
	return nil
}

// fields checks those of a struct and the methods of an interface. Fields on lines
// that follow each other are a group; a comment over the first one is for all.
func (p *source) fields(typ string, expr ast.Expr) (list []fault) {
	group, last := false, 0
	for _, f := range fieldsOf(expr) {
		if line := p.fset.Position(f.Pos()).Line; line != last+1 || f.Doc != nil {
			group = f.Doc != nil
		}
		last = p.fset.Position(f.End()).Line
		tag := ""
		if f.Tag != nil {
			tag = reflect.StructTag(strings.Trim(f.Tag.Value, "`")).Get("jsonschema")
		}
		for _, name := range f.Names {
			if !group && f.Comment == nil && tag == "" && name.IsExported() {
				list = append(list, p.fault(name.Pos(), typ+"."+name.Name, "has no comment"))
			}
		}
	}
	return list
}

// brokenLinks lists the [Symbol] of doc comments, those of fields included, that
// lead nowhere.
func (p *source) brokenLinks(all packages) (list []fault) {
	check := func(at token.Pos, symbol, text string) {
		for _, name := range p.linked(all, text) {
			list = append(list, p.fault(at, symbol, fmt.Sprintf("links to [%s], which is not there", name)))
		}
	}
	check(token.NoPos, "", p.doc.Doc)
	funcs := p.doc.Funcs
	values := slices.Concat(p.doc.Consts, p.doc.Vars)
	for _, typ := range p.doc.Types {
		check(typ.Decl.Pos(), typ.Name, typ.Doc)
		funcs, values = slices.Concat(funcs, typ.Funcs, typ.Methods), slices.Concat(values, typ.Consts, typ.Vars)
		for _, f := range fieldsOf(typeOf(typ)) {
			check(f.Pos(), typ.Name, f.Doc.Text()+"\n\n"+f.Comment.Text())
		}
	}
	for _, f := range funcs {
		check(f.Decl.Pos(), strings.TrimPrefix(f.Recv+"."+f.Name, "."), f.Doc)
	}
	for _, v := range values {
		check(v.Decl.Pos(), strings.Join(v.Names, ", "), v.Doc)
	}
	return list
}

// linkText is what a link looks like that was not understood.
var linkText = regexp.MustCompile(`\[(\*?(?:[a-z]\w*\.)?[A-Z]\w*(?:\.[A-Z]\w*)*)\]`)

// linked lists the links of a comment to symbols that are not there.
func (p *source) linked(all packages, text string) (gone []string) {
	inspect := func(texts []comment.Text) {
		for _, text := range texts {
			switch text := text.(type) {
			case comment.Plain:
				for _, m := range linkText.FindAllStringSubmatch(string(text), -1) {
					gone = append(gone, m[1])
				}
			case comment.Italic:
			case *comment.DocLink:
				symbol := strings.TrimPrefix(text.Recv+"."+text.Name, ".")
				for _, other := range all {
					if other.path == text.ImportPath && symbol != "" && !other.has(all, symbol) {
						gone = append(gone, other.name+"."+symbol)
					}
				}
			}
		}
	}
	var blocks func(list []comment.Block)
	blocks = func(list []comment.Block) {
		for _, b := range list {
			switch b := b.(type) {
			case *comment.Paragraph:
				inspect(b.Text)
			case *comment.List:
				for _, item := range b.Items {
					blocks(item.Content)
				}
			}
		}
	}
	blocks(p.doc.Parser().Parse(text).Content)
	return gone
}
