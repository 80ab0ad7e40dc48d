package docs_test

import (
	"fmt"
	"go/ast"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Every exported symbol of a public package has a doc comment that begins with
// its name. A field, a constant and a method of an interface may have a comment
// behind it or over its group instead; a field with a jsonschema tag is described
// by that.
func TestEverySymbolIsDocumented(t *testing.T) {
	found := map[string]bool{}
	for _, p := range module(t).public() {
		for _, fault := range p.undocumented() {
			if _, ok := undescribed[fault.symbol]; !ok {
				t.Error(fault)
			}
			found[fault.symbol] = true
		}
	}
	for symbol := range undescribed {
		if !found[symbol] {
			t.Errorf("%s is documented, or gone: leave it out of undescribed", symbol)
		}
	}
}

// undescribed are symbols that have no comment, with the reason.
var undescribed = map[string]string{}

// What the documents and the doc comments call a symbol is one.
func TestNamedSymbolsAreThere(t *testing.T) {
	all := module(t)
	var list []string
	for _, pattern := range []string{"README.md", "CHANGELOG.md", "CONTRIBUTING.md", "docs/*.md", "examples/*/README.md"} {
		found, err := filepath.Glob(filepath.Join(root, pattern))
		require.NoError(t, err)
		list = append(list, found...)
	}
	require.Greater(t, len(list), 10)
	for _, page := range list {
		data, err := os.ReadFile(page)
		require.NoError(t, err)
		for _, gone := range all.gone(string(data)) {
			t.Errorf("%s names %s, which is no symbol", page, gone)
		}
	}
	for _, p := range all {
		for _, fault := range p.brokenLinks(all) {
			t.Error(fault)
		}
	}
}

// Every exported function and method is in an Example of its package that runs:
// in one of its own, or called in one of its type.
func TestEveryEntryPointHasAnExample(t *testing.T) {
	used := map[string]bool{}
	for _, p := range module(t).public() {
		for _, name := range p.unshown() {
			if _, ok := withoutExample[name]; !ok {
				t.Errorf("%s is in no Example of its own, and called in none of its type", name)
			}
			used[name] = true
		}
		for _, name := range p.silent() {
			t.Errorf("%s has no output to check, so it does not run", name)
		}
	}
	for name := range withoutExample {
		if !used[name] {
			t.Errorf("%s has an Example, or is gone: leave it out of withoutExample", name)
		}
	}
}

// withoutExample are entry points that need no Example, with the reason.
var withoutExample = map[string]string{}

// ofInterfaces are methods that are called through an interface of the standard
// library, which says what they do: by fmt, errors, encoding, encoding/json and io.
var ofInterfaces = []string{"Error", "Unwrap", "String", "MarshalJSON", "Write"}

// values are the names that the documents give to values of our types, besides
// those of the type itself with a small letter, as suite for Suite.
var values = map[string]string{"p": "Policy", "cfg": "Config", "res": "Result", "w": "Writer"}

// gone lists what a document names and is not there. In code within a line, these
// are taken for symbols:
//
//   - pkg.Name and pkg.Type.Member, if pkg is a package of this module;
//   - Type.Member, if Type is an exported type of a public package, or the customary
//     name of a value of such a type: suite.Add, p.Cut;
//   - Name(), a call without arguments: a function or a method.
//
// A member is a field or a method, those of embedded types included. Names that
// belong to other packages, as os.Root, and names alone, as MaxBytes, are not
// looked at: what they mean is not certain.
func (all packages) gone(markdown string) (list []string) {
	text := fence.ReplaceAllString(markdown, "\n\n")
	for _, paragraph := range regexp.MustCompile(`\n\s*\n`).Split(text, -1) {
		for _, span := range codeSpan.FindAllString(paragraph, -1) {
			for _, m := range named.FindAllStringSubmatch(span, -1) {
				if name, call := m[1], m[2] != ""; !all.known(name, call) && !slices.Contains(list, name) {
					list = append(list, name)
				}
			}
		}
	}
	return list
}

var (
	codeSpan = regexp.MustCompile("`[^`]+`")
	named    = regexp.MustCompile(`(?:^|[^\w./-])([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)(\(\))?`)
)

// known reports whether a name is a symbol of this module, or is none of its
// concern.
func (all packages) known(name string, call bool) bool {
	first, rest, dotted := strings.Cut(name, ".")
	if !dotted {
		return !call || !ast.IsExported(name) || all.hasFunc(name)
	}
	if !ast.IsExported(strings.Split(rest, ".")[0]) {
		return true // a file, a command, a key of JSON
	}
	is, ours := all.look(first, rest)
	return is || !ours
}

// there reports whether a dotted name is a symbol of this module.
func (all packages) there(name string) bool {
	first, rest, _ := strings.Cut(name, ".")
	is, _ := all.look(first, rest)
	return is
}

// look reports whether a package, or a type of a public one, has a symbol, and whether there is that package or type.
func (all packages) look(first, rest string) (is, ours bool) {
	for _, p := range all {
		if p.name == first {
			ours = true
			if p.has(all, rest) {
				return true, true
			}
		}
	}
	if ours {
		return false, true
	}
	typ := values[first]
	if typ == "" {
		typ = strings.ToUpper(first[:1]) + first[1:]
	}
	for _, p := range all.public() {
		if p.types[typ] != nil {
			ours = true
			if p.has(all, typ+"."+rest) {
				return true, true
			}
		}
	}
	return false, ours
}

// hasFunc reports whether a public package has a function or a method of that name.
func (all packages) hasFunc(name string) bool {
	for _, p := range all.public() {
		for symbol := range p.funcs {
			if symbol == name || strings.HasSuffix(symbol, "."+name) {
				return true
			}
		}
	}
	return false
}

// unshown lists the entry points that no Example shows: functions and methods but
// those of interfaces. A method, and a function that go doc lists under a type, is
// shown by an Example of its own or called in one of the type: ExampleT, ExampleT_x
// or that of another method of it.
func (p *source) unshown() (list []string) {
	for _, symbol := range slices.Sorted(maps.Keys(p.funcs)) {
		typ, method, isMethod := strings.Cut(symbol, ".")
		if !isMethod {
			typ, method = p.listedUnder[symbol], symbol
		} else if slices.Contains(ofInterfaces, method) {
			continue
		}
		if !p.shown(symbol, typ, method) {
			list = append(list, p.name+"."+symbol)
		}
	}
	return list
}

func (p *source) shown(symbol, typ, called string) bool {
	for _, ex := range p.examples {
		name, _, _ := strings.Cut(ex.Name, "_")
		switch {
		case ex.Name == strings.ReplaceAll(symbol, ".", "_"):
			return true
		case strings.HasPrefix(ex.Name, strings.ReplaceAll(symbol, ".", "_")+"_"):
			return true
		case typ != "" && name == typ && calls(ex.Code, called):
			return true
		}
	}
	return false
}

// calls reports whether code has a call of that name.
func calls(code ast.Node, name string) (found bool) {
	ast.Inspect(code, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			switch f := call.Fun.(type) {
			case *ast.SelectorExpr:
				found = found || f.Sel.Name == name
			case *ast.Ident:
				found = found || f.Name == name
			}
		}
		return !found
	})
	return found
}

// silent lists the Examples that are compiled and not run.
func (p *source) silent() (list []string) {
	for _, ex := range p.examples {
		if ex.Output == "" && !ex.EmptyOutput {
			list = append(list, fmt.Sprintf("%s.Example%s", p.name, ex.Name))
		}
	}
	return list
}
