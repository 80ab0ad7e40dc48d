package docs_test

import (
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

// A resultGroup is a heading of docs/results.md, with the types below it.
type resultGroup struct {
	heading string
	types   []string
}

var resultGroups = []resultGroup{
	{"Every call", []string{"Result", "Error", "Shown", "truncation.Result", "truncation.Line", "truncation.Document", "Redaction"}},
	{"read", []string{"ReadResult", "FileResult", "Receipt", "ImageInfo", "Image"}},
	{"bash and job", []string{"BashResult", "NotText", "SandboxInfo", "config.HostUse", "JobResult", "JobState", "JobMatch"}},
	{"grep, find and ls", []string{"GrepResult", "GrepLine", "FindResult", "FindEntry", "LsResult"}},
	{"write, edit and apply_patch", []string{
		"WriteResult", "EditResult", "EditDone", "ChangeResult", "FileChange", "ChangeSpan",
	}},
	{"Added tools", []string{"TruncatedDetails"}},
}

// results are the types that docs/results.md begins with, besides what the methods of a suite return.
var results = []string{"tools.Result", "tools.Error", "tools.ChangeResult", "tools.TruncatedDetails"}

// docs/results.md has every field of every result, and of the types in them: what several results share once.
func TestResults(t *testing.T) {
	all := module(t)
	sections := map[string]string{}
	for _, r := range all.results() {
		sections[r.title()] = r.section(t, all)
	}
	require.Greater(t, len(sections), 25)
	text := all.sharedSection(t)
	for _, g := range resultGroups {
		text.WriteString("## " + g.heading + "\n")
		for _, name := range g.types {
			require.Contains(t, sections, name, "no result has this type")
			text.WriteString("\n### " + name + "\n\n" + sections[name])
			delete(sections, name)
		}
		text.WriteString("\n")
	}
	require.Empty(t, sections, "resultGroups puts these below no heading")
	generated(t, filepath.Join(root, "docs", "results.md"), "results", strings.TrimSuffix(text.String(), "\n"))
}

// What the first list of docs/results.md leads to is there.
func TestGuesses(t *testing.T) {
	all := module(t)
	data, err := os.ReadFile(filepath.Join(root, "docs", "results.md"))
	require.NoError(t, err)
	table, _, ok := strings.Cut(string(data), "<!-- results -->")
	require.True(t, ok)
	rows := regexp.MustCompile("(?m)^- `.*`.*: (.*)$").FindAllStringSubmatch(table, -1)
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
	p := parsed(t, "x", map[string]string{"x.go": "package x\n\n// T is a type.\ntype T struct {\n\tA int // of it\n" +
		"\n\t// B and C are both.\n\tB int `json:\"b,omitempty\"`\n\tC int `json:\"-\"`\n\n\tD int\n\te int\n}\n"})
	var got []string
	for _, f := range (result{p, "T"}).fields() {
		got = append(got, f.name+"|"+f.json+"|"+f.comment)
	}
	require.Equal(t, []string{"A||of it", "B|b?|B and C are both.", "C|-|B and C are both.", "D||"}, got)
}

// A comment ends where it has said what the field is.
func TestShortComments(t *testing.T) {
	for comment, want := range map[string]string{
		"of it":                                  "of it",
		"A is the number of lines. It may be 0.": "the number of lines",
		"A and B are those of v1.2, as sent":     "those of v1.2, as sent",
		"such as \"x\"; \"\" if there is none":   "such as \"x\"",
		"More says that there is more":           "there is more",
	} {
		require.Equal(t, want, field{comment: comment}.short(), comment)
	}
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
		if text == "" {
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
				list = append(list, field{name.Name, f.Type, tag, text})
			}
		}
	}
	return list
}

// section is the first paragraph of the type's doc comment, and a list of its fields: only the names of those that
// several results share.
func (r result) section(t *testing.T, all packages) string {
	var embedded, fields []field
	var shared []string
	for _, f := range r.fields() {
		switch {
		case f.name == "":
			embedded = append(embedded, f)
		case all.shared(r, f):
			shared = append(shared, "`"+f.name+"`")
		default:
			fields = append(fields, f)
		}
	}
	also := ""
	if shared != nil {
		also = "Has " + strings.Join(shared, ", ") + "."
	}
	var text strings.Builder
	text.WriteString(wrapped(strings.Join(slices.DeleteFunc([]string{r.doc(), r.embeds(all, embedded), also},
		func(s string) bool { return s == "" }), " ")) + "\n")
	var line []string // what shares an item
	for len(fields) > 0 {
		n := 1
		for n < len(fields) && fields[n].short() == fields[0].short() {
			n++
		}
		next := r.item(t, all, fields[:n])
		if len(strings.Join(append(line, next), "; ")) > itemLength {
			text.WriteString(item(strings.Join(line, "; ")))
			line = nil
		}
		line = append(line, next)
		fields = fields[n:]
	}
	if line != nil {
		text.WriteString(item(strings.Join(line, "; ")))
	}
	return text.String()
}

// itemLength is how long an item is that has several fields: a line.
const itemLength = 118

// doc is the first paragraph of the type's doc comment, without saying of which tool it is the result.
func (r result) doc() string {
	for _, typ := range r.in.doc.Types {
		if typ.Name == r.name {
			first, _, _ := strings.Cut(strings.TrimSpace(typ.Doc), "\n\n")
			first = regexp.MustCompile(`^\w+ is the result of \w+\.\s`).ReplaceAllString(first, "")
			first = regexp.MustCompile(`^(An? )?`+r.name+` (is |are )?`).ReplaceAllString(first, "")
			first = strings.ToUpper(first[:1]) + first[1:]
			return regexp.MustCompile(`\[(\*?\w[\w.]*)\]`).ReplaceAllString(first, "`$1`")
		}
	}
	return ""
}

// embeds names the types whose fields the result has, too.
func (r result) embeds(all packages, embedded []field) string {
	var list []string
	for _, f := range embedded {
		text := r.link(all, f)
		if f.comment != "" {
			text += " (" + f.comment + ")"
		}
		list = append(list, text)
	}
	if list == nil {
		return ""
	}
	return "Embeds " + strings.Join(list, " and ") + "."
}

// item describes a field, or several that share a comment.
func (r result) item(t *testing.T, all packages, fields []field) string {
	var names []string
	for _, f := range fields {
		name := r.link(all, f)
		if in := f.inJSON(); in == "-" {
			name += "\\*"
		} else if in != "" {
			name += " (`" + in + "`)"
		}
		names = append(names, name)
	}
	if fields[0].comment == "" {
		t.Errorf("%s.%s has no comment", r.title(), fields[0].name)
	}
	return strings.Join(names, ", ") + ": " + fields[0].short()
}

// inJSON is the field's name in JSON if it is another than the page says of all, and "-" if JSON has none.
func (f field) inJSON() string {
	name := strings.TrimSuffix(f.json, "?")
	upper := regexp.MustCompile(`^[A-Z]+([A-Z][a-z]+|s$|$)|^[A-Z]`) // URLPath: URL and Path, NULs: NUL and s
	lower := upper.ReplaceAllStringFunc(f.name, func(begin string) string {
		last := regexp.MustCompile(`[A-Z][a-z]+$`).FindString(begin)
		return strings.ToLower(strings.TrimSuffix(begin, last)) + last
	})
	if name == lower {
		return ""
	}
	return name
}

// short is the comment up to its first full stop or semicolon, without the field's name in front. What follows is in
// go doc: mostly what zero means, which the page says once.
func (f field) short() string {
	name := regexp.MustCompile(`^[A-Z]\w*( and [A-Z]\w*)? (is|are|names|says that|reports that) `)
	text := name.ReplaceAllString(f.comment, "")
	if end := regexp.MustCompile(`\. [A-Z]|; `).FindStringIndex(text); end != nil {
		text = text[:end[0]]
	}
	return strings.TrimSuffix(text, ".")
}

// link is the name of a field, or of its type if it is embedded, which leads to the section of the type if it has one.
func (r result) link(all packages, f field) string {
	text := "`" + f.name + "`"
	if f.name == "" {
		text = "`" + r.in.print(f.typ) + "`"
	}
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
