package docs_test

import (
	"cmp"
	"fmt"
	"go/ast"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// results are the types that docs/results.md begins with, besides what the methods of a suite return.
var results = []string{"tools.Result", "tools.Error", "tools.TruncatedDetails", "config.Event", "tools.ToolStats"}

// docs/results.md has every field of every result, and of the types in them.
func TestResults(t *testing.T) {
	all := module(t)
	page := filepath.Join(root, "docs", "results.md")
	data, err := os.ReadFile(page)
	require.NoError(t, err)
	var names []string
	for _, r := range all.results() {
		names = append(names, r.title())
		t.Run(r.title(), func(t *testing.T) { generated(t, page, r.title(), r.section(t, all)) })
	}
	require.Greater(t, len(names), 25)
	for _, m := range regexp.MustCompile(`(?m)^<!-- (\w.*) -->$`).FindAllStringSubmatch(string(data), -1) {
		require.Contains(t, names, m[1], "no result has the type of this section")
	}
}

// What the first table of docs/results.md leads to is there.
func TestGuesses(t *testing.T) {
	all := module(t)
	data, err := os.ReadFile(filepath.Join(root, "docs", "results.md"))
	require.NoError(t, err)
	table, _, ok := strings.Cut(string(data), "\n## ")
	require.True(t, ok)
	rows := regexp.MustCompile("(?m)^\\| `.*` \\| (.*) \\|$").FindAllStringSubmatch(table, -1)
	require.Greater(t, len(rows), 10)
	for _, row := range rows {
		fields := regexp.MustCompile("`(\\w+\\.[\\w.]+)(?:\\(\\))?`").FindAllStringSubmatch(row[1], -1)
		require.NotEmpty(t, fields, row[0])
		for _, f := range fields {
			there := slices.ContainsFunc(all.public(), func(p *source) bool { return p.has(all, f[1]) })
			require.True(t, there, "%s: there is no %s", row[0], f[1])
		}
	}
}

// A field of a result without a comment, and one that only its group describes, are told apart.
func TestFieldComments(t *testing.T) {
	p := parse(t, "x", map[string]string{"x.go": "package x\n\n// T is a type.\ntype T struct {\n\tA int // of it\n" +
		"\n\t// B and C are both.\n\tB int `json:\"b,omitempty\"`\n\tC int `json:\"-\"`\n\n\tD int\n\te int\n}\n"})
	var got []string
	for _, f := range (result{p, "T"}).fields() {
		got = append(got, f.name+"|"+f.json+"|"+f.comment)
	}
	require.Equal(t, []string{"A||of it", "B|b?|B and C are both.", "C|-|B and C are both.", "D||"}, got)
}

// result is a type of the page about results.
type result struct {
	in   *source
	name string
}

// title is the type's heading: its name, with the package where that is not tools.
func (r result) title() string {
	if r.in.name == "tools" {
		return r.name
	}
	return r.in.name + "." + r.name
}

// results lists the types that the methods of a suite return, those of the list above, and then the structs in their
// fields.
func (all packages) results() (list []result) {
	add := func(in *source, name string) {
		if in == nil || slices.Contains(list, result{in, name}) {
			return
		}
		if _, ok := in.types[name].(*ast.StructType); ok {
			list = append(list, result{in, name})
		}
	}
	for _, p := range all.public() {
		for _, name := range results {
			if in, name, _ := strings.Cut(name, "."); in == p.name {
				add(p, name)
			}
		}
		for _, typ := range p.doc.Types {
			for _, m := range typ.Methods {
				if typ.Name == "Suite" && m.Decl.Type.Results != nil {
					for _, res := range m.Decl.Type.Results.List {
						if in, name := p.named(all, res.Type); strings.HasSuffix(name, "Result") {
							add(in, name)
						}
					}
				}
			}
		}
	}
	for i := 0; i < len(list); i++ { // it grows
		for _, f := range list[i].fields() {
			add(list[i].in.named(all, f.elem()))
		}
	}
	return list
}

// field is an exported field of a result.
type field struct {
	name    string // "" if it is embedded
	typ     ast.Expr
	json    string // "-" if JSON has none, followed by ? if it is left out where it is zero
	comment string
	shared  bool // the comment is that over a group
}

// elem is the type of the field, or that of its elements.
func (f field) elem() ast.Expr {
	if list, ok := f.typ.(*ast.ArrayType); ok {
		return list.Elt
	}
	return f.typ
}

// fields are the exported fields of a result. One without a comment has that over the fields on the lines before.
func (r result) fields() (list []field) {
	group, last := "", 0
	for _, f := range fieldsOf(r.in.types[r.name]) {
		if line := r.in.fset.Position(f.Pos()).Line; line != last+1 || f.Doc != nil {
			group = f.Doc.Text()
		}
		last = r.in.fset.Position(f.End()).Line
		text := f.Comment.Text()
		shared := text == ""
		if shared {
			text = group
		}
		text = strings.Join(strings.Fields(text), " ")
		tag := ""
		if f.Tag != nil {
			tag = reflect.StructTag(strings.Trim(f.Tag.Value, "`")).Get("json")
		}
		tag, options, _ := strings.Cut(tag, ",")
		if options == "omitempty" {
			tag += "?"
		}
		if len(f.Names) == 0 {
			list = append(list, field{typ: f.Type, comment: text})
		}
		for _, name := range f.Names {
			if name.IsExported() {
				list = append(list, field{name.Name, f.Type, tag, text, shared})
			}
		}
	}
	return list
}

// section is what the type's doc comment says, and a table of its fields.
func (r result) section(t *testing.T, all packages) string {
	var text strings.Builder
	for _, typ := range r.in.doc.Types {
		if typ.Name == r.name {
			doc := regexp.MustCompile(`\[(\*?\w[\w.]*)\]`).ReplaceAllString(typ.Doc, "`$1`")
			for paragraph := range strings.SplitSeq(strings.TrimSpace(doc), "\n\n") {
				text.WriteString(wrapped(paragraph) + "\n")
			}
		}
	}
	fields := r.fields()
	inJSON := slices.ContainsFunc(fields, func(f field) bool { return strings.Trim(f.json, "-") != "" })
	if inJSON {
		text.WriteString("| field | type | JSON | what it is |\n|---|---|---|---|\n")
	} else {
		text.WriteString("| field | type | what it is |\n|---|---|---|\n")
	}
	for len(fields) > 0 {
		n := 1
		for n < len(fields) && fields[0].shared && fields[n].shared && fields[n].comment == fields[0].comment {
			n++
		}
		var names, types, jsons []string
		for _, f := range fields[:n] {
			names, types = append(names, "`"+f.name+"`"), append(types, r.link(all, f))
			if name := strings.Trim(f.json, "-"); name != "" {
				jsons = append(jsons, "`"+name+"`")
			}
		}
		comment := strings.ReplaceAll(fields[0].comment, "|", `\|`)
		if fields[0].name == "" {
			names, comment = []string{"its fields"}, cmp.Or(comment, "are fields of this result too")
		} else if comment == "" {
			t.Errorf("%s.%s has no comment", r.title(), fields[0].name)
		}
		cells := []string{strings.Join(names, ", "), strings.Join(slices.Compact(types), ", "), strings.Join(jsons, ", "),
			comment}
		if !inJSON {
			cells = slices.Delete(cells, 2, 3)
		}
		fmt.Fprintf(&text, "| %s |\n", strings.Join(cells, " | "))
		fields = fields[n:]
	}
	return text.String()
}

// link is the type of a field, which leads to its section if it has one.
func (r result) link(all packages, f field) string {
	text := "`" + r.in.print(f.typ) + "`"
	in, name := r.in.named(all, f.elem())
	if in == nil {
		return text
	}
	to := result{in, name}
	if _, ok := in.types[name].(*ast.StructType); !ok {
		return text
	}
	return "[" + text + "](#" + strings.ToLower(strings.ReplaceAll(to.title(), ".", "")) + ")"
}
