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
	{"script", []string{"script"}},
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
		if !pattern(text).Match(page) {
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

// noticeList lists the notices of the golden file below the tool that is named first, each without the sentences that
// stand above it, and none whose sentences all stand in others.
func noticeList(t *testing.T, sentences []string) string {
	data, err := os.ReadFile(filepath.Join(root, "internal", "notice", "testdata", "notices.golden"))
	require.NoError(t, err)
	lists := make([][]string, len(noticeGroups))
	seen := map[string]bool{}
	lines := strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
	for entry := range slices.Chunk(lines, 2) {
		if !strings.HasPrefix(strings.TrimSpace(entry[1]), "[") {
			continue
		}
		names, _, ok := strings.Cut(entry[0], ": ")
		require.True(t, ok, "%q does not begin with a tool", entry[0])
		first, _, _ := strings.Cut(names, ", ")
		at := slices.IndexFunc(noticeGroups, func(g noticeGroup) bool { return slices.Contains(g.tools, first) })
		require.GreaterOrEqual(t, at, 0, "%q begins with no tool", entry[0])
		if said := news(seen, strings.Trim(strings.TrimSpace(entry[1]), "[]"), sentences); said != "" {
			lists[at] = append(lists[at], said)
		}
	}
	formats := map[string]int{} // how many notices have each
	for _, said := range slices.Concat(lists...) {
		for _, text := range formatsOf(said, sentences) {
			formats[text]++
		}
	}
	var list strings.Builder
	for i, g := range noticeGroups {
		fmt.Fprintf(&list, "### %s\n\n```text\n", g.heading)
		for _, said := range lists[i] {
			has := formatsOf(said, sentences)
			if !slices.ContainsFunc(has, func(text string) bool { return formats[text] == 1 }) {
				for _, text := range has {
					formats[text]--
				}
				continue
			}
			list.WriteString(strings.ReplaceAll(strings.TrimSuffix(wrappedAt(said, 118), "\n"), "\n", "\n  ") + "\n")
		}
		list.WriteString("```\n\n")
	}
	return strings.TrimSuffix(list.String(), "\n")
}

// formatsOf are the formats that a notice may have been printed by.
func formatsOf(notice string, formats []string) []string {
	return slices.DeleteFunc(slices.Clone(formats), func(text string) bool {
		return !pattern(text).MatchString(notice)
	})
}

// A notice is listed without the sentences around those that are new.
func TestNews(t *testing.T) {
	formats := []string{"Showing %d of %d lines", "Full output: %s", "Use offset=%d to continue"}
	seen := map[string]bool{}
	require.Equal(t, "Showing 1 of 2 lines", news(seen, "Showing 1 of 2 lines. Also this", formats))
	require.Empty(t, news(seen, "Showing 3 of 4 lines", formats))
	require.Equal(t, "Full output: a.log. Then. Use offset=9 to continue",
		news(seen, "Showing 3 of 4 lines. Full output: a.log. Then. Use offset=9 to continue. Also this", formats))
}

// news is the part of a notice, in whole sentences, that has the formats which are not among those seen; "" if it has
// none. They then are.
func news(seen map[string]bool, notice string, formats []string) string {
	found := slices.DeleteFunc(formatsOf(notice, formats), func(text string) bool { return seen[text] })
	if len(found) == 0 {
		return ""
	}
	for _, text := range found {
		seen[text] = true
	}
	complete := func(part []string) bool {
		has := formatsOf(strings.Join(part, ". "), found)
		return len(has) == len(found)
	}
	part := strings.Split(notice, ". ")
	for len(part) > 1 && complete(part[:len(part)-1]) {
		part = part[:len(part)-1]
	}
	for len(part) > 1 && complete(part[1:]) {
		part = part[1:]
	}
	return strings.Join(part, ". ")
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

// Every error code is explained, in the words of its comment: what happened, and after the first sentence what to do.
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
		list.WriteString(item("`" + strings.Trim(code, `"`) + "`: " + text))
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
