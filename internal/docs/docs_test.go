// Package docs_test keeps README.md and docs/ true: it compiles every Go snippet,
// loads every configuration, makes every call that is shown and compares its
// result, and follows every link.
package docs_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/all"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "rewrite the calls' results and the generated tables; read them before you commit them")

const root = "../.."

func pages(t *testing.T) []string {
	list, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	require.NoError(t, err)
	community, err := filepath.Glob(filepath.Join(root, ".github", "*.md"))
	require.NoError(t, err)
	list = append(list, community...)
	for _, name := range []string{"README.md", "CONTRIBUTING.md", "CHANGELOG.md"} {
		list = append(list, filepath.Join(root, name))
	}
	return list
}

// block is a fenced block of a page.
type block struct {
	page  string
	line  int
	info  string // behind the fence: "go", "json", "call"
	text  string
	start int // where text is in the page
}

var fence = regexp.MustCompile("(?ms)^```([^\n]*)\n(.*?)^```$")

func blocks(t *testing.T, page string) []block {
	data, err := os.ReadFile(page)
	require.NoError(t, err)
	var list []block
	for _, m := range fence.FindAllSubmatchIndex(data, -1) {
		list = append(list, block{filepath.Base(page), 1 + bytes.Count(data[:m[0]], []byte("\n")), string(data[m[2]:m[3]]), string(data[m[4]:m[5]]), m[4]})
	}
	return list
}

// Every block of Go compiles, as a file or as the body of a function. Their module shares a workspace with this one,
// which is then compiled as it always is; for a module that requires it, it would be compiled once more.
func TestGoSnippets(t *testing.T) {
	t.Parallel()
	need.Build(t)
	dir := t.TempDir()
	abs, err := filepath.Abs(root)
	require.NoError(t, err)
	write(t, filepath.Join(dir, "go.mod"), "module snippets\n\ngo 1.26.0\n")
	write(t, filepath.Join(dir, "go.work"), "go 1.26.0\n\nuse (\n\t.\n\t"+filepath.ToSlash(abs)+"\n)\n")
	n := 0
	for _, page := range pages(t) {
		for _, b := range blocks(t, page) {
			if b.info == "go" && (b.page != "checkpoint.md" || need.HasPart("tools/checkpoint")) {
				n++
				write(t, filepath.Join(dir, fmt.Sprintf("%s_%d", strings.TrimSuffix(b.page, ".md"), b.line), "main.go"), program(b))
			}
		}
	}
	require.NotZero(t, n)
	cmd := exec.Command("go", "vet", "./...")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK="+filepath.Join(dir, "go.work"))
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
}

func write(t *testing.T, path, text string) {
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
}

// imports are what a snippet may use without saying so.
var imports = map[string]string{
	"context": "context", "json": "encoding/json", "fmt": "fmt", "errors": "errors", "os": "os", "log": "log", "strings": "strings", "time": "time", "io": "io",
	"exec": "os/exec", "tools": "github.com/spillway-go/spillway/tools", "config": "github.com/spillway-go/spillway/config",
	"record":     "github.com/spillway-go/spillway/tools/record",
	"checkpoint": "github.com/spillway-go/spillway/tools/checkpoint",
	"notebook":   "github.com/spillway-go/spillway/tools/notebook",
	"patch":      "github.com/spillway-go/spillway/tools/patch",
	"permission": "github.com/spillway-go/spillway/tools/permission",
	"redaction":  "github.com/spillway-go/spillway/tools/redaction",
	"sandbox":    "github.com/spillway-go/spillway/tools/sandbox",
	"script":     "github.com/spillway-go/spillway/tools/script",
	"truncation": "github.com/spillway-go/spillway/truncation", "spill": "github.com/spillway-go/spillway/spill",
}

// program makes a file of a snippet. What it names without declaring it, of an
// agent's own, is declared here.
func program(b block) string {
	if strings.HasPrefix(b.text, "package ") {
		return b.text
	}
	var p strings.Builder
	p.WriteString("package main\n\n")
	for name, path := range imports {
		if regexp.MustCompile(`\b` + name + `\.`).MatchString(b.text) {
			fmt.Fprintf(&p, "import %s %q\n", name, path)
		}
	}
	given := map[string]string{
		"ctx": "context.Context", "suite": "*tools.Suite", "cfg": "config.Config", "err": "error", "res": "tools.Result", "args": "json.RawMessage",
		"text": "string", "stream": "io.Reader",
	}
	declared := regexp.MustCompile(`(?m)(^|\W)((\w+, )*\w+) :?= `)
	for _, m := range declared.FindAllStringSubmatch(b.text, -1) {
		for _, name := range strings.Split(m[2], ", ") {
			if strings.Contains(m[0], ":=") {
				delete(given, name)
			}
		}
	}
	var params []string
	for name, typ := range given {
		if !regexp.MustCompile(`\b` + name + `\b`).MatchString(b.text) {
			continue
		}
		params = append(params, name+" "+typ)
		if pkg, _, ok := strings.Cut(strings.TrimPrefix(typ, "*"), "."); ok && !strings.Contains(p.String(), "import "+pkg+" ") {
			fmt.Fprintf(&p, "import %s %q\n", pkg, imports[pkg])
		}
	}
	fmt.Fprintf(&p, "\nfunc main() {}\n\nfunc snippet(%s) error {\n%s\nreturn nil\n}\n", strings.Join(params, ", "), b.text)
	return p.String()
}

// Every block of Go that names a file behind the fence is a part of that file, but
// for how far it is indented: code of another module, which is compiled there.
func TestQuotedCode(t *testing.T) {
	for _, page := range pages(t) {
		for _, b := range blocks(t, page) {
			name, ok := strings.CutPrefix(b.info, "go ")
			if !ok {
				continue
			}
			file, err := os.ReadFile(filepath.Join(root, name))
			require.NoError(t, err, "%s:%d", b.page, b.line)
			if !strings.Contains(unindented(string(file)), unindented(b.text)) {
				t.Errorf("%s:%d: this is not in %s", b.page, b.line, name)
			}
		}
	}
}

func unindented(text string) string {
	return regexp.MustCompile(`(?m)^[ \t]+`).ReplaceAllString(text, "")
}

// Every block of JSON that is a configuration loads.
func TestConfigurations(t *testing.T) {
	for _, page := range pages(t) {
		for _, b := range blocks(t, page) {
			if b.info != "json" {
				continue
			}
			file := filepath.Join(t.TempDir(), "spillway.json")
			write(t, file, b.text)
			cfg, err := config.Load(file)
			require.NoError(t, err, "%s:%d", b.page, b.line)
			_, err = cfg.Resolved()
			require.NoError(t, err, "%s:%d", b.page, b.line)
		}
	}
}

// Every call gives what the page says. A block "call" holds calls, each a tool
// with its arguments on one line and the result's text below, with a blank line
// between two of them. Lines "# with OPTION VALUE" in front of the first one are
// the configuration of all. Calls of one page share a workspace.
func TestCalls(t *testing.T) {
	for _, page := range pages(t) {
		t.Run(filepath.Base(page), func(t *testing.T) {
			if filepath.Base(page) == "notebook.md" {
				need.Part(t, "tools/notebook")
			}
			checkCalls(t, page, bySuite)
		})
	}
}

var (
	spillName = regexp.MustCompile(`(bash|job|json|before)-[b-z2-9]{8}\b`)
	pid       = regexp.MustCompile(`pid \d+( \(.*sleep 300.*?\))?`) // before a child calls exec, its command is the shell's
	callLine  = regexp.MustCompile(`(?m)^(read|bash|grep|find|ls|write|edit|apply_patch|job) \{.*\}\n`)
	age       = regexp.MustCompile(`, for \d+s,`)
)

// A callFunc makes a call, and returns its text.
type callFunc func(tool, args string) string

// An opener starts what makes the calls of a block, of which head is the configuration.
type opener func(t *testing.T, where, dir, head string, calls int) callFunc

func checkCalls(t *testing.T, page string, open opener) {
	data, err := os.ReadFile(page)
	require.NoError(t, err)
	c := caller{dir: workspace(t), open: open}
	var changed []byte
	rest := 0
	for _, b := range blocks(t, page) {
		if !strings.HasPrefix(b.info, "call") {
			continue
		}
		where := fmt.Sprintf("%s:%d", b.page, b.line)
		require.Equal(t, "call", b.info, "%s: write the configuration where a reader sees it, as lines \"# with Bash.MaxLines 2\" of the block", where)
		got := c.block(t, where, b.text)
		if !*update {
			require.Equal(t, b.text, got, where)
		}
		changed = append(append(changed, data[rest:b.start]...), got...)
		rest = b.start + len(b.text)
	}
	if *update {
		require.NoError(t, os.WriteFile(page, append(changed, data[rest:]...), 0o644))
	}
}

// caller makes the calls of a page.
type caller struct {
	dir     string
	open    opener
	spilled string // the last file that a call made
}

// block makes the calls of a block, and gives it as it should be.
func (c *caller) block(t *testing.T, where, text string) string {
	calls := callLine.FindAllStringIndex(text, -1)
	require.NotEmpty(t, calls, "%s: no call is in this block", where)
	head := text[:calls[0][0]]
	call := c.open(t, where, c.dir, head, len(calls))
	list := make([]string, len(calls))
	for i, at := range calls {
		line := text[at[0]:at[1]]
		tool, args, _ := strings.Cut(line, " ")
		result := call(tool, spillName.ReplaceAllString(strings.TrimSpace(args), c.spilled))
		if name := spillName.FindString(result); name != "" {
			c.spilled = name
		}
		got := spillName.ReplaceAllString(result, "${1}-k3x9q2mf")
		got = age.ReplaceAllString(got, ", for 12s,")
		list[i] = line + strings.TrimSuffix(pid.ReplaceAllString(got, "pid 4711 (sleep 300)"), "\n") + "\n"
	}
	return head + strings.Join(list, "\n")
}

// bySuite makes the calls of a block with a suite.
func bySuite(t *testing.T, where, dir, head string, _ int) callFunc {
	values := map[string]any{}
	for _, o := range with(t, where, head) {
		values[o.name] = o.value // a name with a dot does for nested objects
		if json.Valid([]byte(o.value)) {
			values[o.name] = json.RawMessage(o.value)
		}
	}
	data, err := json.Marshal(values)
	require.NoError(t, err, where)
	file := filepath.Join(t.TempDir(), "spillway.json")
	write(t, file, string(data))
	cfg, err := config.Load(file)
	require.NoError(t, err, where)
	cfg.Workspace = dir
	cfg.Jobs.Settle = time.Minute // longer than what a page waits for takes, wherever that is
	suite, err := tools.New(cfg, all.Parts()...)
	need.Built(t, err)
	require.NoError(t, err, where)
	t.Cleanup(func() { suite.Close() })
	return func(tool, args string) string {
		res, err := suite.Call(t.Context(), tool, json.RawMessage(args))
		require.NoError(t, err, where)
		return res.Text
	}
}

type setting struct{ name, value string }

// with are the lines "# with OPTION VALUE" of a block.
func with(t *testing.T, where, head string) (list []setting) {
	for line := range strings.Lines(head) {
		rest, ok := strings.CutPrefix(line, "# with ")
		name, value, two := strings.Cut(strings.TrimSpace(rest), " ")
		require.True(t, ok && two, "%s: this is neither a call nor \"# with OPTION VALUE\": %s", where, line)
		list = append(list, setting{name, value})
	}
	return list
}

// Every example that coming-from.md names is there, and the other way round.
func TestComingFrom(t *testing.T) {
	page, err := os.ReadFile(filepath.Join(root, "docs", "coming-from.md"))
	require.NoError(t, err)
	source, err := os.ReadFile(filepath.Join(root, "tools", "coming_from_test.go"))
	require.NoError(t, err)
	var named, there []string
	for _, m := range regexp.MustCompile("(?m)^`(Example_\\w+)`$").FindAllStringSubmatch(string(page), -1) {
		named = append(named, m[1])
	}
	for _, m := range regexp.MustCompile(`func (Example_\w+)\(`).FindAllStringSubmatch(string(source), -1) {
		there = append(there, m[1])
	}
	require.Len(t, there, 7)
	require.Equal(t, there, named)
}

// What has another spelling than in earlier builds is gone, and the new one is there.
func TestEarlierBuilds(t *testing.T) {
	_, table, ok := strings.Cut(pageText(t, "coming-from.md"), "## Earlier builds\n\n```text\n")
	require.True(t, ok)
	table, _, _ = strings.Cut(table, "\n```")
	all, name := module(t), regexp.MustCompile(`\b[A-Za-z]+\.[A-Z]\w+`)
	there := func(name string) bool {
		_, _, isOption := config.Config{}.Lookup(name)
		return isOption || all.there(name)
	}
	for line := range strings.Lines(table) {
		m := regexp.MustCompile(`^(\S.*?)  +(\S.*)\n?$`).FindStringSubmatch(line)
		require.NotNil(t, m, line)
		olds, news := name.FindAllString(m[1], -1), name.FindAllString(m[2], -1)
		require.NotEmpty(t, olds, line)
		require.NotEmpty(t, news, line)
		for _, old := range olds {
			require.False(t, there(old), old)
		}
		for _, is := range news {
			require.True(t, there(is), is)
		}
	}
}

// Links lead to files that are there, and to headings of these.
func TestLinks(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)#]*)(#[^)]*)?\)`)
	for _, page := range pages(t) {
		data, err := os.ReadFile(page)
		require.NoError(t, err)
		for _, m := range link.FindAllStringSubmatch(fence.ReplaceAllString(string(data), ""), -1) {
			if strings.Contains(m[1], "://") {
				continue
			}
			target := page
			if m[1] != "" {
				target = filepath.Join(filepath.Dir(page), m[1])
				if _, err := os.Stat(target); err != nil {
					t.Errorf("%s leads to %s, which is not there", page, m[1])
					continue
				}
			}
			if m[2] != "" {
				require.Contains(t, anchors(t, target), m[2], "%s leads to %s", page, m[1])
			}
		}
	}
}

var heading = regexp.MustCompile(`(?m)^#+ (.*)$`)

var notInAnchors = regexp.MustCompile(`[^\pL\pN _-]`)

// anchors are the names of a page's headings in links.
func anchors(t *testing.T, page string) (list []string) {
	data, err := os.ReadFile(page)
	require.NoError(t, err)
	for _, m := range heading.FindAllStringSubmatch(fence.ReplaceAllString(string(data), ""), -1) {
		plain := notInAnchors.ReplaceAllString(strings.ToLower(m[1]), "")
		list = append(list, "#"+strings.ReplaceAll(plain, " ", "-"))
	}
	return list
}
