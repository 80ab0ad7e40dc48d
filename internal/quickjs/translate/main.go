// Command translate writes ../quickjs.go: QuickJS-NG as Go code that can be stopped in any loop.
//
//	go -C internal/quickjs/translate run . -out ../quickjs.go
//
// It takes the WebAssembly build of quickjs-ng from the npm package quickjs-wasi, has wasm2go translate it, drops the
// functions that nothing reaches from the exports below, and puts a check at the head of each loop.
package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha512"
	"encoding/base64"
	"flag"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"io"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// The package with the WebAssembly, and what the registry says that it is.
const (
	source    = "quickjs-wasi@3.7.0"
	integrity = "6nOShBtCglrQL6yH+hptIfEdA1WlSmvY/Mm5Ypn9IvtsaDsrYIg8x+xoIXQt02w66a0f1eLTAj1lhfgAbJ4WVw=="
)

// exports are the functions that package quickjs calls.
var exports = []string{
	"_initialize", "wasm_malloc", "wasm_free", "qjs_init", "qjs_set_max_stack_size", "qjs_get_quickjs_version",
	"qjs_set_promise_rejection_handler", "qjs_eval", "qjs_call", "qjs_new_host_function", "qjs_new_string", "qjs_new_number",
	"qjs_get_undefined", "qjs_get_global", "qjs_get_prop_string", "qjs_set_prop_string", "qjs_get_string_len",
	"qjs_free_cstring", "qjs_get_float64", "qjs_is_exception", "qjs_is_string", "qjs_is_number", "qjs_get_exception",
	"qjs_free_value", "qjs_get_value_ptr", "qjs_is_job_pending", "qjs_execute_pending_job", "qjs_is_promise",
	"qjs_promise_state", "qjs_promise_result", "qjs_is_proxy", "qjs_get_class_name",
}

func main() {
	log.SetFlags(0)
	out := flag.String("out", "../quickjs.go", "the file to write")
	flag.Parse()
	code, err := translated()
	if err == nil {
		err = os.WriteFile(*out, code, 0o644)
	}
	if err != nil {
		log.Fatal(err)
	}
}

// translated returns the Go code.
func translated() ([]byte, error) {
	dir, err := os.MkdirTemp("", "translate-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	wasm, err := fetch(dir)
	if err != nil {
		return nil, err
	}
	cmd := exec.Command("go", "tool", "wasm2go", "-unsafe", "-pkg", "quickjs")
	cmd.Stdin, cmd.Stderr = bytes.NewReader(wasm), os.Stderr
	raw, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("wasm2go: %w", err)
	}
	return stoppable(raw)
}

// fetch returns quickjs.wasm of the package.
func fetch(dir string) ([]byte, error) {
	cmd := exec.Command("npm", "pack", "--silent", source)
	cmd.Dir, cmd.Stderr = dir, os.Stderr
	name, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("npm pack %s: %w", source, err)
	}
	packed, err := os.ReadFile(filepath.Join(dir, strings.TrimSpace(string(name))))
	if err != nil {
		return nil, err
	}
	if sum := sha512.Sum512(packed); base64.StdEncoding.EncodeToString(sum[:]) != integrity {
		return nil, fmt.Errorf("%s is not the package that was translated", source)
	}
	unzipped, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	for files := tar.NewReader(unzipped); ; {
		switch file, err := files.Next(); {
		case err != nil:
			return nil, err
		case file.Name == "package/quickjs.wasm":
			return io.ReadAll(files)
		}
	}
}

// edit is a text that stands in the place of another.
type edit struct {
	from, to int
	text     string
}

// stoppable returns the code with a check in each loop, and without the functions that nothing reaches.
func stoppable(raw []byte) ([]byte, error) {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, "", raw, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	at := func(p token.Pos) int { return files.Position(p).Offset }
	kept := reached(file)
	deep := unbounded(file, kept)
	var edits []edit
	for _, d := range file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if ok && !kept[f.Name.Name] {
			edits = append(edits, edit{at(f.Pos()), at(f.End()), ""})
			continue
		}
		ast.Inspect(d, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && id.Name == "Module" {
				edits = append(edits, edit{at(id.Pos()), at(id.End()), "module"})
			}
			return true
		})
		if !ok || f.Recv == nil {
			continue
		}
		// A module is for one goroutine. With the race detector's checks, compiling it takes minutes.
		edits = append(edits, edit{at(f.Pos()), at(f.Pos()), "//go:norace\n"})
		for _, label := range loops(f) {
			edits = append(edits, edit{at(label.Colon) + 1, at(label.Colon) + 1, "\nif m.stop.Load() {\nm.stopped()\n}\n"})
		}
		if deep[f.Name.Name] {
			edits = append(edits, edit{at(f.Name.End()), at(f.Name.End()), inner}, edit{at(f.End()), at(f.End()), counted(f)})
		}
	}
	slices.SortStableFunc(edits, func(a, b edit) int { return a.from - b.from })
	var b bytes.Buffer
	last := 0
	for _, e := range edits {
		b.Write(raw[last:e.from])
		b.WriteString(e.text)
		last = e.to
	}
	b.Write(raw[last:])
	return finish(b.String())
}

// finish puts what stops a module and bounds its memory into the code.
func finish(code string) ([]byte, error) {
	for _, r := range [][2]string{
		{"// Code generated by wasm2go v0.4.22. DO NOT EDIT.\n", "// Code generated by translate from " + source +
			" with wasm2go v0.4.22. DO NOT EDIT.\n\n//lint:file-ignore SA4006,SA4009 code of a machine\n"},
		{"type module struct {\n", "type module struct {\n\tcontrol\n"},
		{"func New(", "func newModule("},
		// What an engine needs to start, so that it is not copied.
		{"m.memory = make([]byte, 0x120000)", "m.memory = make([]byte, 0x120000, 0x180000)"},
		{"int32(memory_grow(&m.memory, ", "int32(m.grow("},
		{", maxMem)", ")"},
	} {
		if !strings.Contains(code, r[0]) {
			return nil, fmt.Errorf("the code has no %q: wasm2go has changed", r[0])
		}
		code = strings.ReplaceAll(code, r[0], r[1])
	}
	return format.Source([]byte(code))
}

// reached returns the names of the functions that are called from the exports, from tables and from what is no function.
func reached(file *ast.File) map[string]bool {
	uses := map[string][]string{}
	var queue []string
	for _, d := range file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok {
			continue
		}
		name := f.Name.Name
		if f.Recv == nil && !strings.HasPrefix(name, "fn") || slices.Contains(exports, strings.TrimPrefix(name, "X")) {
			queue = append(queue, name)
		}
		ast.Inspect(f.Body, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && (strings.HasPrefix(id.Name, "fn") || strings.HasPrefix(id.Name, "X")) {
				uses[name] = append(uses[name], id.Name)
			}
			return true
		})
	}
	found := map[string]bool{}
	for len(queue) > 0 {
		name := queue[0]
		queue = queue[1:]
		if !found[name] {
			found[name] = true
			queue = append(queue, uses[name]...)
		}
	}
	return found
}

// loops returns the labels to which a function jumps back: WebAssembly has no other loops.
func loops(f *ast.FuncDecl) (heads []*ast.LabeledStmt) {
	labels := map[string]*ast.LabeledStmt{}
	ast.Inspect(f.Body, func(n ast.Node) bool { // in the order of the text
		switch n := n.(type) {
		case *ast.LabeledStmt:
			labels[n.Label.Name] = n
		case *ast.BranchStmt:
			if n.Label == nil {
				return true
			}
			if head := labels[n.Label.Name]; head != nil && !slices.Contains(heads, head) {
				heads = append(heads, head)
			}
		}
		return true
	})
	return heads
}
