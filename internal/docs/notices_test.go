package docs_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var noticesPage = filepath.Join(root, "docs", "notices.md")

// Every sentence that a notice may have is in the golden file, to which notices.md sends whoever looks for one.
func TestNoticeList(t *testing.T) {
	sentences := noticeSentences(t)
	require.Greater(t, len(sentences), 60)
	const golden = "internal/notice/testdata/notices.golden"
	data, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(golden)))
	require.NoError(t, err)
	page, err := os.ReadFile(noticesPage)
	require.NoError(t, err)
	require.Contains(t, string(page), "](../"+golden+")")
	for _, text := range sentences {
		if !pattern(text).Match(data) {
			t.Errorf("the golden file does not have %q: add a row to internal/notice/notice_test.go", text)
		}
	}
	examples := regexp.MustCompile("(?m)^- [^`\n]*: `(.*)`$").FindAllSubmatch(page, -1)
	require.Len(t, examples, 7)
	for _, example := range examples {
		said := slices.ContainsFunc(sentences, func(text string) bool { return pattern(text).Match(example[1]) })
		require.True(t, said, "no notice says %s", example[1])
	}
}

// noticeSentences are the formats of the source of which notices are made.
func noticeSentences(t *testing.T) (list []string) {
	files, err := filepath.Glob(filepath.Join(root, "internal", "notice", "*.go"))
	require.NoError(t, err)
	for _, path := range files {
		if strings.HasSuffix(path, "_test.go") || filepath.Base(path) == "done.go" { // what was done is no notice
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		require.NoError(t, err)
		ast.Inspect(file, func(node ast.Node) bool {
			if call, ok := node.(*ast.CallExpr); ok && fmt.Sprint(call.Fun) == "len" {
				return false // of which only the length is needed
			}
			lit, ok := node.(*ast.BasicLit)
			if !ok || lit.Kind != token.STRING {
				return true
			}
			text, err := strconv.Unquote(lit.Value)
			require.NoError(t, err)
			if strings.Count(text, " ") >= 2 && !strings.HasPrefix(text, " -") { // not a word, or options of a command
				list = append(list, text)
			}
			return true
		})
	}
	return list
}

// item is an item of a list, wrapped.
func item(text string) string {
	return "- " + strings.ReplaceAll(strings.TrimSuffix(wrappedAt(text, 118), "\n"), "\n", "\n  ") + "\n"
}

// patterns are the expressions that pattern has made.
var patterns = map[string]*regexp.Regexp{}

// pattern is an expression for what a format prints.
func pattern(format string) *regexp.Regexp {
	if p := patterns[format]; p != nil {
		return p
	}
	var p strings.Builder
	for _, part := range regexp.MustCompile(`%.|[^%]+`).FindAllString(format, -1) {
		switch part {
		case "%d":
			p.WriteString(`\d+`)
		case "%s", "%v":
			p.WriteString(`.*`)
		default:
			p.WriteString(regexp.QuoteMeta(part))
		}
	}
	patterns[format] = regexp.MustCompile(p.String())
	return patterns[format]
}

// Every error code is explained, in the first sentence of its comment: what happened. What to do, the error itself says.
func TestErrorCodes(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, "tools", "errors.go"), nil, parser.ParseComments)
	require.NoError(t, err)
	codes := codeValues(t)
	var list strings.Builder
	n := 0
	ast.Inspect(file, func(node ast.Node) bool {
		spec, ok := node.(*ast.ValueSpec)
		if !ok || fmt.Sprint(spec.Type) != "Code" {
			return true
		}
		n++
		code := codes[spec.Values[0].(*ast.SelectorExpr).Sel.Name]
		text, ok := strings.CutPrefix(strings.Join(strings.Fields(spec.Doc.Text()), " "), spec.Names[0].Name+": ")
		require.True(t, ok, "the comment of %s begins with its name", code)
		text, _, _ = strings.Cut(text, ". ")
		list.WriteString(item("`" + strings.Trim(code, `"`) + "`: " + strings.TrimSuffix(text, ".")))
		return true
	})
	require.Equal(t, 16, n)
	generated(t, noticesPage, "errors", list.String())
}

// codeValues returns the error codes by the names of their constants.
func codeValues(t *testing.T) map[string]string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, "internal", "fault", "fault.go"), nil, 0)
	require.NoError(t, err)
	values := map[string]string{}
	ast.Inspect(file, func(node ast.Node) bool {
		if spec, ok := node.(*ast.ValueSpec); ok {
			values[spec.Names[0].Name] = spec.Values[0].(*ast.BasicLit).Value
		}
		return true
	})
	return values
}
