package docs_test

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spillway-go/spillway/config"
)

// optionPages are the pages that list the options of a group or part; configuration.md lists all others.
var optionPages = map[string]string{
	"Read": "read.md", "Bash": "bash.md", "Jobs": "job.md", "Grep": "grep.md", "Find": "find.md", "Ls": "ls.md",
	"Edit": "edit.md", "Undo": "write.md",
	"tools/permission": "permissions.md", "tools/redaction": "redaction.md", "tools/sandbox": "sandbox.md",
	"tools/checkpoint": "checkpoint.md",
}

// ofTool ends what is said of an option that several tools have, each for itself.
var ofTool = regexp.MustCompile(`result of (read|bash|grep|find|ls)$`)

// optionPage is the page that lists an option.
func optionPage(o config.Option) string {
	group, _, _ := strings.Cut(o.Name, ".")
	if page := optionPages[o.Part]; page != "" {
		return page
	}
	if page := optionPages[group]; page != "" && !ofTool.MatchString(o.Doc) {
		return page
	}
	return "configuration.md"
}

// Each option stands on one page, as the code has it; configuration.md leads to the others.
func TestOptionLists(t *testing.T) {
	lists := map[string]bool{}
	for _, o := range config.Options() {
		lists[optionPage(o)] = true
	}
	for page := range lists {
		generated(t, filepath.Join(root, "docs", page), "options", optionList(page))
		if page != "configuration.md" {
			require.Contains(t, pageText(t, "configuration.md"), "]("+page+"#options)")
		}
	}
}

// optionList is the list of a page: options of which the same is said share an item.
func optionList(page string) string {
	type row struct{ given, doc string }
	var rows []row
	names := map[row][]string{}
	for _, o := range config.Options() {
		if optionPage(o) != page {
			continue
		}
		r := row{optionValues(o), ofTool.ReplaceAllString(o.Doc, "result of that tool")}
		if names[r] == nil {
			rows = append(rows, r)
		}
		names[r] = append(names[r], "`"+o.Name+"`")
	}
	var list strings.Builder
	for _, r := range rows {
		list.WriteString(item(strings.Join(names[r], ", ") + r.given + ": " + r.doc))
	}
	return list.String()
}

// optionValues is what the list says of an option's default and floor: not that it is false, or must be positive.
func optionValues(o config.Option) string {
	var list []string
	if o.Default != "" && o.Default != "false" {
		list = append(list, o.Default)
	}
	if !slices.Contains([]string{"", "1", "1ns", "1ms"}, o.Floor) {
		list = append(list, "≥"+o.Floor)
	}
	if list == nil {
		return ""
	}
	return " (" + strings.Join(list, ", ") + ")"
}
