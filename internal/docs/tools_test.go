package docs_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/docs/section"
	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/all"
	"github.com/stretchr/testify/require"
)

// sections are the headings that the page of every tool has, in this order.
var sections = []string{"Arguments", "Output", "Options", "What surprises", "Result"}

// Every tool has a page of one shape, whose tables say what the code says.
func TestToolPages(t *testing.T) {
	need.Part(t, "tools/notebook")
	suite, err := tools.New(config.Config{Workspace: t.TempDir(), Tools: config.ToolNames()}, all.Parts()...)
	need.Built(t, err)
	require.NoError(t, err)
	defer suite.Close()
	for _, tool := range suite.Tools() {
		t.Run(tool.Name(), func(t *testing.T) {
			page := filepath.Join(root, "docs", tool.Name()+".md")
			data, err := os.ReadFile(page)
			require.NoError(t, err)
			var there []string
			for _, m := range regexp.MustCompile(`(?m)^## (.*)$`).FindAllStringSubmatch(string(data), -1) {
				if slices.Contains(sections, m[1]) {
					there = append(there, m[1])
				}
			}
			require.Equal(t, sections, there)
			generated(t, page, "arguments", argumentList(t, tool))
		})
	}
}

// wrapped breaks a text into lines of at most 120 columns.
func wrapped(text string) string { return wrappedAt(text, 120) }

func wrappedAt(text string, columns int) string {
	var lines []string
	line := ""
	for word := range strings.FieldsSeq(text) {
		if line != "" && len(line)+1+len(word) > columns {
			lines, line = append(lines, line), ""
		}
		line = strings.TrimPrefix(line+" "+word, " ")
	}
	return strings.Join(append(lines, line), "\n") + "\n"
}

// generated compares a section of a page with what it should be.
func generated(t *testing.T, page, name, want string) {
	if *update {
		require.NoError(t, section.Write(page, name, want))
		return
	}
	got, err := section.Read(page, name)
	require.NoError(t, err)
	require.Equal(t, want, got, "%s: go test ./internal/docs -update writes it", page)
}

// argumentList is what the schema says about a tool's arguments. They are texts unless it says otherwise.
func argumentList(t *testing.T, tool tools.Tool) string {
	var schema jsonschema.Schema
	require.NoError(t, json.Unmarshal(tool.Schema(), &schema))
	var list strings.Builder
	for _, name := range argumentNames(t, tool.Schema()) {
		p := schema.Properties[name]
		kind, known := map[string]string{"string": "", "integer": "number", "boolean": "boolean", "array": "list"}[p.Type]
		require.True(t, known, p.Type)
		if slices.Contains(schema.Required, name) {
			kind = strings.TrimPrefix(kind+", required", ", ")
		}
		if kind != "" {
			kind = " (" + kind + ")"
		}
		list.WriteString(item("`" + name + "`" + kind + ": " + strings.ReplaceAll(p.Description, "*", `\*`)))
	}
	return list.String()
}

// argumentNames are the arguments of a schema in its order, which a map forgets.
func argumentNames(t *testing.T, schema json.RawMessage) (names []string) {
	var s struct{ Properties json.RawMessage }
	require.NoError(t, json.Unmarshal(schema, &s))
	d := json.NewDecoder(strings.NewReader(string(s.Properties)))
	_, err := d.Token()
	require.NoError(t, err)
	for d.More() {
		name, err := d.Token()
		require.NoError(t, err)
		names = append(names, name.(string))
		var property json.RawMessage
		require.NoError(t, d.Decode(&property))
	}
	return names
}

// pageText returns a page of the manual.
func pageText(t *testing.T, name string) string {
	data, err := os.ReadFile(filepath.Join(root, "docs", name))
	require.NoError(t, err)
	return string(data)
}

// The map of the manual names every page.
func TestMap(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(root, "docs", "README.md"))
	require.NoError(t, err)
	for _, page := range pages(t) {
		name := filepath.Base(page)
		if filepath.Dir(page) == filepath.Join(root, "docs") && name != "README.md" {
			require.Contains(t, string(data), "]("+name+")")
		}
	}
}

// The design names every package of the library.
func TestPackages(t *testing.T) {
	need.Build(t)
	page, err := os.ReadFile(filepath.Join(root, "docs", "design.md"))
	require.NoError(t, err)
	list := exec.Command("go", "list", "./config", "./spill", "./truncation", "./tools/...", "./internal/...")
	list.Dir, list.Env = root, append(os.Environ(), "GOOS=linux", "GOARCH=amd64", "GOWORK=off")
	out, err := list.Output()
	require.NoError(t, err)
	others := regexp.MustCompile(`^(tools/)?internal/(docs|hostile|need|slowfs|suitetest|testkit)`) // for tests and measurements
	for path := range strings.Lines(string(out)) {
		name := strings.TrimPrefix(strings.TrimSpace(path), "github.com/spillway-go/spillway/")
		if !others.MatchString(name) {
			require.Contains(t, string(page), "\n- `"+name+"`: ", "docs/design.md does not name it")
		}
	}
}

// Options and variables that a page names are there.
func TestOptionNames(t *testing.T) {
	// The mark of a call, the record of a program, and a mistake that a page tells of.
	known := map[string]bool{"SPILLWAY_CALL": true, "SPILLWAY_RECORD": true, "SPILLWAY_MAX_LINE": true}
	for _, o := range config.Options() {
		known[o.Name], known[o.Env] = true, true
	}
	names := regexp.MustCompile("`((?:Read|Bash|Grep|Find|Ls|Write|Edit|Jobs|Spill|Undo)\\.[A-Z]\\w+)|\\b(SPILLWAY_\\w*[A-Z])")
	for _, page := range pages(t) {
		data, err := os.ReadFile(page)
		require.NoError(t, err)
		for _, m := range names.FindAllStringSubmatch(string(data), -1) {
			require.True(t, known[m[1]+m[2]], "%s names %s", page, m[1]+m[2])
		}
	}
}

// CONTRIBUTING.md names every file that a new tool needs a line in: those that name ls, or its arguments, result and
// options.
func TestAddATool(t *testing.T) {
	listed, err := exec.Command("git", "-C", root, "ls-files", "*.go", ":!*_test.go", ":!internal/readonly",
		":!internal/testkit", ":!internal/bench", ":!examples/bench", ":!tools/internal", ":!examples/programs", ":!examples/quickstart",
		":!examples/observe-slog").Output()
	if err != nil {
		t.Skip("no repository: ", err)
	}
	names := regexp.MustCompile(`"ls"|\bLs(Params|Result)\b|\bcfg\.Ls\b|"Ls\.|\bLs +Ls\b`)
	var want []string
	for file := range strings.Lines(string(listed)) {
		file = strings.TrimSuffix(file, "\n")
		text, err := os.ReadFile(filepath.Join(root, file))
		require.NoError(t, err)
		if file != "tools/ls.go" && names.Match(text) {
			want = append(want, file)
		}
	}
	text, err := os.ReadFile(filepath.Join(root, "CONTRIBUTING.md"))
	require.NoError(t, err)
	_, list, _ := strings.Cut(string(text), "beside those of ls: ")
	list, _, _ = strings.Cut(list, ".\n")
	var got []string
	for _, m := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(list, -1) {
		got = append(got, m[1])
	}
	slices.Sort(got)
	slices.Sort(want)
	require.Equal(t, want, got)
}
