package notice

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spillway-go/spillway/internal/need"
)

// readers are tests of what answers questions about results: records, reports, replays, scripts and adapters. Of the last
// two they are those that look at values; others repeat what a text says.
var readers = []struct{ dir, tests string }{
	{"tools/record", "."}, {"internal/report", "."}, {"internal/replay", "."},
	{"tools/script", "^Test(Results|Nothing|Going|Text|JobDeeds)"},
	{"examples/adapters/mcptools", "^Test(Errors|IDs|Links|Differences|Digest|Image|Progress|Sizes|WhatRemains|Promises)"},
}

// worded are the packages with sentences of tools: notices, how commands end, and what errors advise.
var worded = []string{"notice", "exit", "advice"}

// No program of the project reads a sentence that a tool words: all of them answer the same when every word of every
// sentence is another one. The words keep their lengths, as limits count them.
func TestWordingIsForReadersAlone(t *testing.T) {
	need.Build(t)
	overlay := struct{ Replace map[string]string }{map[string]string{}}
	var files []string
	for _, dir := range worded {
		found, err := filepath.Glob(filepath.Join("..", dir, "*.go"))
		require.NoError(t, err)
		files = append(files, found...)
	}
	sentences := 0
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		text, n := reworded(t, name)
		sentences += n
		path, err := filepath.Abs(name)
		require.NoError(t, err)
		overlay.Replace[path] = filepath.Join(t.TempDir(), filepath.Base(name))
		require.NoError(t, os.WriteFile(overlay.Replace[path], text, 0o600))
	}
	require.Greater(t, sentences, 350)
	encoded, err := json.Marshal(overlay)
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "overlay.json")
	require.NoError(t, os.WriteFile(file, encoded, 0o600))
	for _, r := range readers {
		t.Run(r.dir, func(t *testing.T) {
			cmd := exec.Command("go", "test", "-short", "-count=1", "-overlay", file, "-run", r.tests, ".")
			cmd.Dir = filepath.Join("..", "..", filepath.FromSlash(r.dir))
			out, err := cmd.CombinedOutput()
			require.NoError(t, err, "%s", out)
		})
	}
}

var word = regexp.MustCompile(`[A-Za-z]*[a-z]{2}\b`)

// reworded returns a file with the last letter of each word of its sentences changed, and how many
// sentences it has: literals with a space.
func reworded(t *testing.T, name string) (text []byte, sentences int) {
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, name, text, 0)
	require.NoError(t, err)
	var literals []*ast.BasicLit
	ast.Inspect(file, func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING && strings.Contains(lit.Value, " ") {
			literals = append(literals, lit)
		}
		return true
	})
	for _, lit := range slices.Backward(literals) {
		said, err := strconv.Unquote(lit.Value)
		require.NoError(t, err)
		other := word.ReplaceAllStringFunc(said, func(w string) string {
			last := w[len(w)-1]
			return w[:len(w)-1] + string('a'+(last-'a'+7)%26)
		})
		if other == said {
			continue
		}
		sentences++
		from := set.Position(lit.Pos()).Offset
		text = slices.Concat(text[:from], []byte(strconv.Quote(other)), text[from+len(lit.Value):])
	}
	return text, sentences
}
