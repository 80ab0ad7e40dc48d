package docs_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/scanner"
	"go/token"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/internal/testkit"
)

// weight is what a program pays for. The numbers are bounds that may only fall.
type weight struct {
	megabytes float64 // of the program for linux/amd64 without symbols
	packages  int
	lines     int // of the module's code, without comments and blank lines
}

// weights are those of the example programs.
var weights = map[string]weight{
	"five":       {9.5, 230, 43_800},
	"reviewer":   {9.5, 230, 43_800},
	"confined":   {15.0, 323, 59_400},
	"everything": {15.3, 330, 62_100},
}

// heavy are packages that the tools alone do not need.
var heavy = []string{"net", "net/http", "crypto/tls", "mvdan.cc/sh/v3/syntax", "golang.org/x/net/idna"}

// A program pays for the parts that it imports. `go test ./internal/docs -run TestWeight -v` prints what each example
// program pays.
func TestWeight(t *testing.T) {
	need.Build(t)
	for name, most := range weights {
		t.Run(name, func(t *testing.T) {
			program := "./examples/programs/" + name
			is := weigh(t, program)
			is.megabytes = megabytes(t, program)
			t.Logf("%s: %.1f MB, %d packages, %d lines", name, is.megabytes, is.packages, is.lines)
			require.LessOrEqual(t, is.megabytes, most.megabytes)
			require.LessOrEqual(t, is.packages, most.packages)
			require.LessOrEqual(t, is.lines, most.lines)
		})
	}
}

// A cost is what a program writes to have a part, and the page that says how much larger that makes it.
type cost struct{ page, use string }

// costs are the parts, by the name of their package.
var costs = map[string]cost{
	"checkpoint": {"checkpoint.md", "c := checkpoint.New(); tools.New(config.Config{}, c.Part()); id, _ := c.Take(nil); c.List(nil); c.Rewind(nil, id)"},
	"notebook":   {"notebook.md", "tools.New(config.Config{}, notebook.Part())"},
	"patch":      {"apply_patch.md", "tools.New(config.Config{}, patch.Part())"},
	"permission": {"permissions.md", "tools.New(config.Config{}, permission.Part())"},
	"record":     {"record.md", `rec, _ := record.Open("", config.Config{}); tools.New(config.Config{Observe: rec.Observe})`},
	"redaction":  {"redaction.md", "tools.New(config.Config{}, redaction.Part())"},
	"sandbox":    {"sandbox.md", "tools.New(config.Config{}, sandbox.Part())"},
	"script":     {"script.md", "suite, _ := tools.New(config.Config{}); tool, _ := script.New(suite, script.Options{}); suite.Add(tool)"},
}

// The page of each part and the README say how much larger it makes a program.
func TestCosts(t *testing.T) {
	need.Build(t)
	for _, part := range partLine.FindAllStringSubmatch(testkit.ReadFile(t, filepath.Join(root, "tools", "all", "all.go")), -1) {
		require.Contains(t, costs, part[1])
	}
	readme := testkit.ReadFile(t, filepath.Join(root, "README.md"))
	said := map[string]float64{}
	for part, c := range costs {
		page := testkit.ReadFile(t, filepath.Join(root, "docs", c.page))
		first, _, _ := strings.Cut(page, "\n## ")
		m := regexp.MustCompile(`adds\s+([\d.]+)\s+MB`).FindStringSubmatch(first)
		require.NotNil(t, m, "the beginning of %s does not say what the part %s adds", c.page, part)
		require.Regexp(t, `(?m)^- \[`+part+`\]\(docs/`+c.page+`\), `+m[1]+` MB: `, readme)
		mb, err := strconv.ParseFloat(m[1], 64)
		require.NoError(t, err)
		said[part] = mb
	}
	if testing.Short() {
		t.Skip("links a program for each part")
	}
	const program = "package main\n\nimport (\n\t\"" + modulePath + "/config\"\n\t\"" + modulePath + "/tools\"\n%s)\n\nfunc main() { %s }\n"
	size := func(importing, use string) float64 {
		dir := filepath.Join(root, "examples", "programs", "five")
		file := filepath.Join(dir, "main.go")
		abs, err := filepath.Abs(file)
		require.NoError(t, err)
		other := filepath.Join(t.TempDir(), "main.go")
		require.NoError(t, os.WriteFile(other, fmt.Appendf(nil, program, importing, use), 0o600))
		listed, err := json.Marshal(map[string]any{"Replace": map[string]string{abs: other}})
		require.NoError(t, err)
		overlay := filepath.Join(t.TempDir(), "overlay.json")
		require.NoError(t, os.WriteFile(overlay, listed, 0o600))
		return megabytes(t, "./examples/programs/five", "-overlay", overlay)
	}
	alone := size("", "tools.New(config.Config{})")
	for part, c := range costs {
		more := size("\t\""+modulePath+"/tools/"+part+"\"\n", c.use) - alone
		t.Logf("%s adds %.2f MB", part, more)
		require.InDelta(t, more, said[part], 0.1, part)
	}
}

// weigh counts the packages of a program, and the lines of those of this module.
func weigh(t *testing.T, program string) (w weight) {
	list := exec.Command("go", "list", "-deps", "-json=ImportPath,Dir,GoFiles", program)
	list.Dir, list.Env = root, append(os.Environ(), "GOOS=linux", "GOARCH=amd64", "CGO_ENABLED=0", "GOWORK=off")
	out, err := list.Output()
	require.NoError(t, err)
	decoder := json.NewDecoder(strings.NewReader(string(out)))
	for {
		var pkg struct {
			ImportPath, Dir string
			GoFiles         []string
		}
		if err := decoder.Decode(&pkg); errors.Is(err, io.EOF) {
			return w
		} else {
			require.NoError(t, err)
		}
		w.packages++
		if !strings.HasSuffix(program, "confined") && !strings.HasSuffix(program, "everything") {
			require.NotContains(t, heavy, pkg.ImportPath)
		}
		if !strings.HasPrefix(pkg.ImportPath, modulePath+"/") {
			continue
		}
		for _, file := range pkg.GoFiles {
			code, err := os.ReadFile(filepath.Join(pkg.Dir, file))
			require.NoError(t, err)
			w.lines += codeLines(code)
		}
	}
}

// codeLines counts the lines of a file that have code.
func codeLines(code []byte) (n int) {
	var s scanner.Scanner
	set := token.NewFileSet()
	file := set.AddFile("", -1, len(code))
	s.Init(file, code, nil, 0)
	last := 0 // the last line that is counted
	for {
		pos, tok, text := s.Scan()
		if tok == token.EOF {
			return n
		}
		if tok == token.SEMICOLON && text == "\n" {
			continue
		}
		begin := file.Line(pos)
		end := begin + strings.Count(text, "\n")
		n += end - max(begin-1, last)
		last = end
	}
}

// megabytes returns the size of a program.
func megabytes(t *testing.T, program string, flags ...string) float64 {
	path := filepath.Join(t.TempDir(), "program")
	args := append([]string{"build", "-trimpath", "-ldflags=-s -w", "-o", path}, flags...)
	build := exec.Command("go", append(args, program)...)
	build.Dir, build.Env = root, append(os.Environ(), "GOOS=linux", "GOARCH=amd64", "CGO_ENABLED=0", "GOWORK=off")
	said, err := build.CombinedOutput()
	require.NoError(t, err, "%s", said)
	info, err := os.Stat(path)
	require.NoError(t, err)
	return float64(info.Size()) / 1e6
}

func TestCodeLines(t *testing.T) {
	for code, want := range map[string]int{
		"": 0, "package a\n": 1, "package a // b\n\n/* c\nd */\nvar x = `1\n2`\n": 3, "package a; var (\nx = 1; y = 2\n)": 3,
	} {
		require.Equal(t, want, codeLines([]byte(code)), fmt.Sprintf("%q", code))
	}
}
