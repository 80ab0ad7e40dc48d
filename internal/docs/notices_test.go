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

// A noticeGroup is a heading of notices.md, with the tools whose notices stand under it.
type noticeGroup struct {
	heading string
	tools   []string
}

var noticeGroups = []noticeGroup{
	{"all tools", []string{"all"}},
	{"read", []string{"read"}},
	{"bash", []string{"bash"}},
	{"job", []string{"job"}},
	{"grep", []string{"grep"}},
	{"find and ls", []string{"find", "ls"}},
	{"write", []string{"write", "apply_patch"}},
	{"previews", []string{"preview"}},
	{"added tools", []string{"added"}},
	{"shelved results", []string{"shelved"}},
}

// Every sentence that a notice may have is in notices.md, which lists the notices of the golden file.
func TestNoticeList(t *testing.T) {
	sentences := noticeSentences(t)
	require.Greater(t, len(sentences), 60)
	generated(t, noticesPage, "notices", noticeList(t, sentences))
	page, err := os.ReadFile(noticesPage)
	require.NoError(t, err)
	page = regexp.MustCompile(`\n +`).ReplaceAll(page, []byte(" ")) // a list, wrapped
	for _, text := range sentences {
		if !regexp.MustCompile(pattern(text)).Match(page) {
			t.Errorf("docs/notices.md does not have %q: add a row to internal/notice/notice_test.go", text)
		}
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

// noticeList lists the notices of the golden file below the tool that is named first. It leaves out a notice that
// adds no sentence to those of the tool above it.
func noticeList(t *testing.T, sentences []string) string {
	data, err := os.ReadFile(filepath.Join(root, "internal", "notice", "testdata", "notices.golden"))
	require.NoError(t, err)
	lists := make([]strings.Builder, len(noticeGroups))
	seen := map[string]bool{}
	lines := strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
	for entry := range slices.Chunk(lines, 2) {
		if !strings.HasPrefix(strings.TrimSpace(entry[1]), "[") {
			continue
		}
		names, when, ok := strings.Cut(entry[0], ": ")
		require.True(t, ok, "%q does not begin with a tool", entry[0])
		first, others, _ := strings.Cut(names, ", ")
		at := slices.IndexFunc(noticeGroups, func(g noticeGroup) bool { return slices.Contains(g.tools, first) })
		require.GreaterOrEqual(t, at, 0, "%q begins with no tool", entry[0])
		if !news(seen, first, strings.TrimSpace(entry[1]), sentences) {
			continue
		}
		if len(noticeGroups[at].tools) > 1 {
			when = names + ": " + when
		} else if others != "" {
			when += " (" + others + ", too)"
		}
		lists[at].WriteString(item(when + ": `" + strings.TrimSpace(entry[1]) + "`"))
	}
	var list strings.Builder
	for i, g := range noticeGroups {
		fmt.Fprintf(&list, "### %s\n\n%s\n", g.heading, lists[i].String())
	}
	return strings.TrimSuffix(list.String(), "\n")
}

// news reports whether a notice has a sentence that is not among those seen of a tool.
func news(seen map[string]bool, tool, notice string, sentences []string) (found bool) {
	for _, text := range sentences {
		key := tool + "\x00" + text
		if !seen[key] && regexp.MustCompile(pattern(text)).MatchString(notice) {
			seen[key], found = true, true
		}
	}
	return found
}

// item is an item of a list, wrapped.
func item(text string) string {
	return "- " + strings.ReplaceAll(strings.TrimSuffix(wrappedAt(text, 118), "\n"), "\n", "\n  ") + "\n"
}

// pattern is an expression for what a format prints.
func pattern(format string) string {
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
	return p.String()
}

// Every error code is explained, in the words of its comment: what happened, and after the first sentence what to do.
func TestErrorCodes(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, "tools", "errors.go"), nil, parser.ParseComments)
	require.NoError(t, err)
	codes := codeValues(t)
	var table strings.Builder
	table.WriteString("| code | what happened | what to do |\n|---|---|---|\n")
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
		what, advice, _ := strings.Cut(text, ". ")
		fmt.Fprintf(&table, "| `%s` | %s | %s |\n", strings.Trim(code, `"`), strings.TrimSuffix(what, "."), strings.TrimSuffix(advice, "."))
		return true
	})
	require.Equal(t, 15, n)
	generated(t, noticesPage, "errors", table.String())
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
