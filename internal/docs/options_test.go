package docs_test

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/config"
)

// The list of options is what the code says.
func TestOptionTable(t *testing.T) {
	type row struct{ given, doc string }
	var rows []row
	names := map[row][]string{}
	ofTool := regexp.MustCompile(`result of (read|bash|grep|find|ls)$`)
	for _, o := range config.Options() {
		r := row{optionValues(o) + optionPart(o), ofTool.ReplaceAllString(o.Doc, "result of that tool")}
		if names[r] == nil {
			rows = append(rows, r)
		}
		names[r] = append(names[r], "`"+o.Name+"`")
	}
	var list strings.Builder
	for _, r := range rows {
		list.WriteString(item(strings.Join(names[r], ", ") + r.given + ": " + r.doc))
	}
	generated(t, filepath.Join(root, "docs", "configuration.md"), "options", list.String())
}

// optionPart names the part that an option needs.
func optionPart(o config.Option) string {
	if o.Part == "" {
		return ""
	}
	return ", with `" + o.Part + "`"
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
