package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/tools"
)

// row is a call that is measured. Most stand in docs/performance.md as well.
type row struct {
	name, tool string
	args       map[string]any
	in         place
	before     func(w workspace) error // what makes the call do its work anew; not measured
}

// place is where a call is made.
type place int

const (
	files  place = iota // those of makeFiles, which both builds use
	source              // Go's source tree
	own                 // files of this build alone
)

// workspace is a place with its tools.
type workspace struct {
	dir   string
	suite *tools.Suite
}

var rows = []row{
	{name: "bash: echo", tool: "bash", args: map[string]any{"command": "echo hi"}},
	{name: "bash: 100 MB", tool: "bash", args: map[string]any{"command": "cat app.log"}},
	{name: "bash: 100 MB, digest", tool: "bash", args: map[string]any{"command": "cat app.log", "show": "digest"}},
	{name: "grep: the first 100", tool: "grep", args: map[string]any{"pattern": "return"}, in: source},
	{name: "grep: the first 100, regexp", tool: "grep", args: map[string]any{"pattern": `\w+Reader\b`}, in: source},
	{name: "grep: literal, none", tool: "grep", args: map[string]any{"pattern": "qwertzuiopasdf"}, in: source},
	{name: "grep: without a literal", tool: "grep", in: source,
		args: map[string]any{"pattern": "[A-Z][a-z]+[0-9]{3,}", "output_mode": "count", "limit": 1 << 30}},
	{name: "grep: 100 MB", tool: "grep", args: map[string]any{"pattern": "qwertzuiopasdf", "path": "app.log"}},
	{name: "find: none", tool: "find", args: map[string]any{"pattern": "qwertz*"}, in: source},
	{name: "find: the first 1000", tool: "find", args: map[string]any{"pattern": "**/*.go"}, in: source},
	{name: "ls: 20000 entries", tool: "ls", args: map[string]any{"path": "many"}},
	{name: "read: the first page", tool: "read", args: map[string]any{"path": "small.go"}, in: own},
	{name: "read: deep in 100 MB", tool: "read", args: map[string]any{"path": "app.log", "offset": 900_000, "limit": 10},
		before: func(w workspace) error { // else the place of the line is known
			now := time.Now()
			return os.Chtimes(filepath.Join(w.dir, "app.log"), now, now)
		}},
	{name: "edit", tool: "edit", in: own, before: restore,
		args: map[string]any{"path": "small.go", "old_string": "the first line", "new_string": "line one"}},
}

// restore makes small.go what it was, by the tool write: what others change is stale.
func restore(w workspace) error {
	text := "// the first line\n" + strings.Repeat("func name(argument int) error { return nil }\n", 500)
	_, err := w.suite.Write(context.Background(), tools.WriteParams{Path: "small.go", Content: text})
	return err
}

// makeFiles makes the files that rows read.
func makeFiles(dir string) error {
	f, err := os.Create(filepath.Join(dir, "app.log"))
	if err != nil {
		return err
	}
	defer f.Close()
	w := bufio.NewWriter(f)
	for i := range 1_000_000 {
		fmt.Fprintf(w, "2026-11-20T12:%02d:%02d.%06dZ level=info msg=\"request served\" path=/api/v1/items/%d status=200 took=%dus\n",
			i/60%60, i%60, i*7919%1000000, i*31, i*17%100000)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if err := os.Mkdir(filepath.Join(dir, "many"), 0o755); err != nil {
		return err
	}
	for i := range 20_000 {
		if err := os.WriteFile(filepath.Join(dir, "many", fmt.Sprintf("entry-%d.txt", i)), nil, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// serve makes the calls whose rows it reads, and writes the nanoseconds that each took.
func serve(dir string, in io.Reader, out io.Writer) error {
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return err
	}
	alone, err := os.MkdirTemp(dir, "own-")
	if err != nil {
		return err
	}
	places := map[place]workspace{}
	for at, dir := range map[place]string{files: dir, source: filepath.Join(strings.TrimSpace(string(goroot)), "src"), own: alone} {
		suite, err := tools.New(config.Config{Workspace: dir, MaxFileBytes: 1 << 40})
		if err != nil {
			return err
		}
		defer suite.Close()
		places[at] = workspace{dir, suite}
	}
	if err := restore(places[own]); err != nil {
		return err
	}
	byName := map[string]row{}
	for _, r := range rows {
		byName[r.name] = r
	}
	for asked := bufio.NewScanner(in); asked.Scan(); {
		r := byName[asked.Text()]
		took, err := r.call(places[r.in])
		if err != nil {
			return fmt.Errorf("%s: %w", asked.Text(), err)
		}
		fmt.Fprintln(out, took.Nanoseconds())
	}
	return nil
}

// call makes the call, and returns how long it took.
func (r row) call(w workspace) (time.Duration, error) {
	args, err := json.Marshal(r.args)
	if err != nil {
		return 0, err
	}
	if r.before != nil {
		if err := r.before(w); err != nil {
			return 0, err
		}
	}
	began := time.Now()
	res, err := w.suite.Call(context.Background(), r.tool, args)
	took := time.Since(began)
	if err != nil {
		return 0, err
	}
	if res.IsError {
		return 0, errors.New(res.Text)
	}
	if d, ok := res.Details.(tools.BashResult); ok && d.FullOutputPath != "" {
		err = os.Remove(filepath.Join(w.dir, d.FullOutputPath))
	}
	return took, err
}
