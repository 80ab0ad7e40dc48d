package docs_test

import (
	"encoding/json"
	"errors"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spillway-go/spillway/internal/need"
)

// maxAssigned is how many fields of a type may be assigned elsewhere than where its values are made.
const maxAssigned = 8

// assigned are the types that exceed it, with the number of these fields, which may only fall: what a reader of one has
// to know of the order of calls. Those of parsers, filters and counts are their state, and stay.
var assigned = map[string]int{
	"internal/capture.Text": 9, "internal/celledit.book": 10,
	"internal/commandline.Command": 12,
	"internal/commandline.parser":  22, "internal/grep.Params": 12, "internal/grep.tally": 9,
	"internal/jsoncut.node": 11, "internal/match.dfa": 9, "internal/matches.Page": 9, "internal/proc.tree": 9,
	"internal/readonly.finding": 11, "internal/readonly.program": 9, "internal/redact.stage": 12,
	"internal/redact.terminal": 9, "internal/report.Call": 10, "internal/report.Sums": 20,
	"internal/report.Tool": 9, "internal/sandbox.Sandbox": 14, "internal/search.Line": 12,
	"internal/search.found": 9, "internal/search.scan": 11, "internal/shapes.Finder": 10,
	"internal/shapes.shape": 13, "internal/terminal.Filter": 11, "internal/terminal.rows": 14,
	"internal/walk.listing": 11, "tools.BashResult": 11, "tools.Shown": 14, "tools/script.run": 16,
}

// A value is complete when it is made: few fields of a type are assigned in functions that do not return one.
func TestAssigned(t *testing.T) {
	need.Build(t)
	is := assignedFields(t, "./config/...", "./tools/...", "./truncation/...", "./spill/...", "./internal/...")
	for name, fields := range is {
		if len(fields) <= maxAssigned {
			delete(is, name)
			continue
		}
		t.Logf("%s: %d", name, len(fields))
		require.LessOrEqual(t, len(fields), assigned[name], "%s is not complete when it is made: %v", name, fields)
	}
	for name := range assigned {
		require.Contains(t, is, name, "it has at most %d: leave it out of the list", maxAssigned)
	}
}

// assignedFields returns the fields of each type of some packages that are assigned in functions of its package that do
// not return one.
func assignedFields(t *testing.T, patterns ...string) map[string]map[string]bool {
	list := exec.Command("go", append([]string{"list", "-export", "-deps", "-json=ImportPath,Dir,GoFiles,Export,DepOnly"}, patterns...)...)
	list.Dir, list.Env = root, append(os.Environ(), "GOOS=linux", "GOARCH=amd64", "CGO_ENABLED=0", "GOWORK=off")
	out, err := list.Output()
	require.NoError(t, err)
	type listed struct {
		ImportPath, Dir, Export string
		GoFiles                 []string
		DepOnly                 bool
	}
	var own []listed
	exports := map[string]string{}
	for decoder := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p listed
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			break
		}
		exports[p.ImportPath] = p.Export
		if !p.DepOnly && !strings.Contains(p.ImportPath, "/quickjs") {
			own = append(own, p)
		}
	}
	found := map[string]map[string]bool{}
	fset := token.NewFileSet()
	imports := importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })
	for _, p := range own {
		var files []*ast.File
		for _, name := range p.GoFiles {
			file, err := parser.ParseFile(fset, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
			require.NoError(t, err)
			files = append(files, file)
		}
		info := &types.Info{Selections: map[*ast.SelectorExpr]*types.Selection{}, Types: map[ast.Expr]types.TypeAndValue{}}
		pkg, err := (&types.Config{Importer: imports}).Check(p.ImportPath, fset, files, info)
		require.NoError(t, err)
		for _, file := range files {
			for _, decl := range file.Decls {
				if f, ok := decl.(*ast.FuncDecl); ok && f.Body != nil {
					assignments(f, pkg, info, found)
				}
			}
		}
	}
	return found
}

// assignments notes the fields that a function assigns of types that it does not return.
func assignments(f *ast.FuncDecl, pkg *types.Package, info *types.Info, found map[string]map[string]bool) {
	made := map[*types.Named]bool{}
	if f.Type.Results != nil {
		for _, result := range f.Type.Results.List {
			made[namedOf(info.TypeOf(result.Type))] = true
		}
	}
	note := func(target ast.Expr) {
		selector, ok := target.(*ast.SelectorExpr)
		if !ok {
			return
		}
		s := info.Selections[selector]
		if s == nil || s.Kind() != types.FieldVal || len(s.Index()) > 1 { // a field of an embedded type is that one's
			return
		}
		typ := namedOf(s.Recv())
		if typ == nil || typ.Obj().Pkg() != pkg || made[typ] {
			return
		}
		name := strings.TrimPrefix(pkg.Path(), modulePath+"/") + "." + typ.Obj().Name()
		if found[name] == nil {
			found[name] = map[string]bool{}
		}
		found[name][s.Obj().Name()] = true
	}
	ast.Inspect(f.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, target := range n.Lhs {
				note(target)
			}
		case *ast.IncDecStmt:
			note(n.X)
		}
		return true
	})
}

// namedOf is the type that a type or a pointer to one has the name of, or nil.
func namedOf(t types.Type) *types.Named {
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	if n, ok := t.(*types.Named); ok {
		return n.Origin()
	}
	return nil
}
