package docs_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/internal/testkit"
)

// small are functions that a call may enter more than once: they look something up, or link two hooks.
var small = map[string]bool{
	"call.go through": true, "toolset.go *toolset.tool": true, "toolset.go *toolset.has": true, "readers.go readerOf": true,
	"identify.go callID": true,
}

// One call passes few functions of package tools, each of them once. `go test ./internal/docs -run TestWay -v` lists
// them.
func TestWay(t *testing.T) {
	t.Parallel()
	need.Shell(t)
	need.Build(t)
	way, err := testkit.Build("way", t.TempDir(), "-cover", "-covermode=atomic", "-coverpkg=../../../tools,.")
	require.NoError(t, err)
	for tool, call := range map[string]struct {
		args string
		most int // functions of package tools that it may pass
	}{
		"read": {`{"path":"file"}`, 29},
		"bash": {`{"command":"echo hello"}`, 39},
		"grep": {`{"pattern":"one"}`, 30},
		"edit": {`{"path":"file","old_string":"one","new_string":"three"}`, 34},
	} {
		t.Run(tool, func(t *testing.T) {
			ws, dir := t.TempDir(), t.TempDir()
			require.NoError(t, os.WriteFile(filepath.Join(ws, "file"), []byte("one\ntwo\n"), 0o600))
			said, err := exec.Command(way, ws, dir, tool, call.args).CombinedOutput()
			require.NoError(t, err, "%s", said)
			profile := filepath.Join(dir, "profile")
			said, err = exec.Command("go", "tool", "covdata", "textfmt", "-i="+dir, "-o="+profile).CombinedOutput()
			require.NoError(t, err, "%s", said)
			entered := enteredOf(t, profile)
			for _, name := range slices.Sorted(maps.Keys(entered)) {
				t.Log(entered[name], name)
				if entered[name] > 1 && !small[name] {
					t.Errorf("%s is entered %d times", name, entered[name])
				}
			}
			t.Log(len(entered), "functions")
			require.Contains(t, entered, "suite.go *Suite.Call")
			require.LessOrEqual(t, len(entered), call.most)
		})
	}
}

// enteredOf returns how often each function of package tools was entered, as a profile says. A function literal is part
// of the function that it stands in, and counts as often as it was entered if that is more often.
func enteredOf(t *testing.T, profile string) map[string]int {
	data, err := os.ReadFile(profile)
	require.NoError(t, err)
	counts := map[string]map[[2]int]int{} // by file, and where a block begins
	for line := range strings.Lines(string(data)) {
		name, block, _ := strings.Cut(strings.TrimSpace(line), ".go:")
		var at [2]int
		var endLine, endCol, statements, count int
		if n, _ := fmt.Sscanf(block, "%d.%d,%d.%d %d %d", &at[0], &at[1], &endLine, &endCol, &statements, &count); n == 6 {
			name = filepath.Base(name) + ".go"
			if counts[name] == nil {
				counts[name] = map[[2]int]int{}
			}
			counts[name][at] = count
		}
	}
	entered := map[string]int{}
	for name, blocks := range counts {
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, filepath.Join(root, "tools", name), nil, parser.SkipObjectResolution)
		if err != nil {
			continue // of way
		}
		for _, d := range file.Decls {
			function := "a variable"
			if d, ok := d.(*ast.FuncDecl); ok {
				function = d.Name.Name
				if d.Recv != nil {
					function = types.ExprString(d.Recv.List[0].Type) + "." + function
				}
			}
			ast.Inspect(d, func(n ast.Node) bool {
				var body *ast.BlockStmt
				switch n := n.(type) {
				case *ast.FuncDecl:
					body = n.Body
				case *ast.FuncLit:
					body = n.Body
				default:
					return true
				}
				at := files.Position(body.Lbrace)
				if n := blocks[[2]int{at.Line, at.Column}]; n > 0 {
					entered[name+" "+function] = max(entered[name+" "+function], n)
				}
				return true
			})
		}
	}
	return entered
}
