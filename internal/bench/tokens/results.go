package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/spillway-go/spillway/config"
)

// call is a call whose result is typical of its tool.
type call struct {
	tool, what string
	args       map[string]any
}

// calls are made in this order.
func calls(files map[string]string) []call {
	type args = map[string]any
	const server, hunk = "pkg/server.go", "@@\n-import (\n+import ( // all\n"
	const patch = "*** Begin Patch\n*** Update File: pkg/auth/auth.go\n" + hunk +
		"*** Update File: pkg/cache/cache.go\n" + hunk + "*** End Patch\n"
	readme := strings.SplitAfter(files["README.md"], "\n")
	return []call{
		{"read", "a Go file of 90 lines", args{"path": server}},
		{"read", "of a log as much as the limits allow", args{"path": "app.log"}},
		{"grep", "100 matches, the limit", args{"pattern": "status=400"}},
		{"find", "17 paths", args{"pattern": "*.go"}},
		{"ls", "10 entries", args{"path": "pkg"}},
		{"edit", "one line", args{"path": "README.md", "old_string": readme[16], "new_string": "Lines are whole.\n"}},
		{"edit", notThere, args{"path": "README.md", "old_string": "Lines are not whole.\nNot at all.\n", "new_string": ""}},
		{"write", "a new file", args{"path": "pkg/new.go", "content": files[server]}},
		{"apply_patch", "a line in each of two files", args{"patch": patch}},
		{"bash", "a job, until it is ready", args{"background": true, "ready_when": "listening",
			"command": "head -n 8 app.log; echo listening on :8080; read line; exit 1"}},
		{"job", "its end", args{"id": 1, "input": "\n", "wait_ms": 60000}},
	}
}

// notThere is the only call that fails.
const notThere = "a text that is not there"

// samples returns the files of the workspace: those that the estimate was made with, which do not change.
func samples(dir string) (map[string]string, error) {
	files := map[string]string{}
	for sample, name := range map[string]string{
		"go.txt": "pkg/server.go", "english.md.txt": "README.md", "log.txt": "app.log", "json.txt": "pkg/data.json"} {
		text, err := os.ReadFile(filepath.Join(dir, sample))
		if err != nil {
			return nil, err
		}
		files[name] = strings.ReplaceAll(string(text), "\r\n", "\n")
	}
	files["app.log"] = strings.Repeat(files["app.log"], 20)
	for _, name := range []string{"auth", "cache", "cart", "config", "order", "session", "store", "tax"} {
		files["pkg/"+name+"/"+name+".go"] = "package " + name + "\n\nimport (\n\t\"errors\"\n)\n"
		files["pkg/"+name+"/"+name+"_test.go"] = "package " + name + "\n"
	}
	return files, nil
}

// results makes the calls, and returns what their texts cost.
func (c counter) results(ctx context.Context, root string) (costs []cost, err error) {
	dir, err := os.MkdirTemp("", "spillway-tokens")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	files, err := samples(filepath.Join(root, "truncation", "testdata", "tokens"))
	if err != nil {
		return nil, err
	}
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
			return nil, err
		}
	}
	suite, err := newSuite(dir, config.ToolNames()...)
	if err != nil {
		return nil, err
	}
	defer suite.Close()
	for _, call := range calls(files) {
		args, err := json.Marshal(call.args)
		if err != nil {
			return nil, err
		}
		res, err := suite.Call(ctx, call.tool, args)
		if err != nil {
			return nil, err
		}
		if res.IsError != (call.what == notThere) {
			return nil, fmt.Errorf("%s, %s: %s", call.tool, call.what, res.Text)
		}
		one, err := c.cost("`"+call.tool+"`: "+call.what, sameNames(res.Text))
		if err != nil {
			return nil, err
		}
		costs = append(costs, one)
	}
	return costs, nil
}

// spilled is the name of a file in the spill directory.
var spilled = regexp.MustCompile(`(\.clarvis/[a-z]+-)(\w+)(\.log)`)

// sameNames gives the files in the spill directory, whose names are random, the same ones each time, of their length.
func sameNames(text string) string {
	return spilled.ReplaceAllStringFunc(text, func(name string) string {
		const random = "7N2RS2UQ3OM52LHVYBHUWF63RY"
		part := spilled.FindStringSubmatch(name)
		id := random[:min(len(part[2]), len(random))]
		if part[2] == strings.ToLower(part[2]) {
			id = strings.ToLower(id)
		}
		return part[1] + id + part[3]
	})
}
