package calls_test

import (
	"context"
	"encoding/json"
	"slices"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/stretchr/testify/require"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/tools"
)

// strictKeywords are those that the strict modes of models' APIs take, and that the schemas need.
var strictKeywords = []string{"type", "properties", "required", "additionalProperties", "description", "enum", "items", "maxItems"}

// requireStrict checks that every object of a schema says all that it takes: which keys, which of them must be there, and
// that there are no others.
func requireStrict(t *testing.T, node map[string]any, where string) {
	t.Helper()
	for keyword := range node {
		require.Contains(t, strictKeywords, keyword, where)
	}
	if items, ok := node["items"].(map[string]any); ok {
		requireStrict(t, items, where+"[]")
	}
	if node["type"] != "object" {
		return
	}
	require.Equal(t, false, node["additionalProperties"], where)
	properties, _ := node["properties"].(map[string]any)
	required, ok := node["required"].([]any)
	require.True(t, ok, "%s has a list of what is required, be it empty", where)
	for _, name := range required {
		require.Contains(t, properties, name, where)
	}
	for name, p := range properties {
		requireStrict(t, p.(map[string]any), where+"."+name)
	}
}

// Every schema of a suite, whatever its configuration leaves out, is strict, and so is that of a function.
func TestSchemasAreStrict(t *testing.T) {
	t.Parallel()
	all := map[string]config.Config{
		"all": {Tools: config.ToolNames()}, "read-only": {ReadOnly: true}, "without jobs": {Tools: []string{"bash"}},
		"receipts": {Read: config.Read{Repeat: config.RepeatReceipt}},
	}
	for name, cfg := range all {
		s := newSuite(t, cfg, nil)
		type item struct {
			Name string   `json:"name"`
			Tags []string `json:"tags,omitempty"`
		}
		type params struct {
			Items []item `json:"items,omitempty"`
		}
		require.NoError(t, s.Add(tools.Func("own", "", func(context.Context, params) (string, error) { return "", nil })))
		for _, tool := range s.Tools() {
			var schema map[string]any
			require.NoError(t, json.Unmarshal(tool.Schema(), &schema))
			requireStrict(t, schema, name+": "+tool.Name())
		}
	}
}

// A validator takes the schemas, and takes and refuses what the tools do.
func TestSchemasInAValidator(t *testing.T) {
	t.Parallel()
	calls := map[string]struct{ good, bad []string }{
		"read":  {[]string{`{}`, `{"path": "a", "offset": -3}`, `{"paths": ["a", "b"]}`}, []string{`{"path": 1}`, `{"file": "a"}`, `{"paths": "a"}`}},
		"bash":  {[]string{`{"command": "true", "show": "head"}`}, []string{`{}`, `{"command": "true", "show": "top"}`, `{"command": "true", "timeout": 1}`}},
		"grep":  {[]string{`{"pattern": "x", "ignore_case": true}`}, []string{`{"path": "a"}`, `{"pattern": "x", "-i": true}`}},
		"find":  {[]string{`{"pattern": "*"}`}, []string{`{}`, `{"pattern": "*", "depth": 1}`}},
		"ls":    {[]string{`{}`, `{"path": "a"}`}, []string{`{"again": true}`}},
		"write": {[]string{`{"path": "a", "content": ""}`}, []string{`{"path": "a"}`, `{"path": "a", "content": "", "mode": 7}`}},
		"edit": {[]string{`{"path": "a", "edits": [{"old_string": "a", "new_string": "b"}]}`},
			[]string{`{"path": "a", "edits": [{"old_string": "a"}]}`, `{"path": "a", "edits": [{"old_string": "a", "new_string": "b", "all": true}]}`}},
		"apply_patch": {[]string{`{"patch": ""}`}, []string{`{}`, `{"patch": "", "path": "a"}`}},
		"job":         {[]string{`{}`, `{"id": 1, "signal": "kill"}`}, []string{`{"id": "1"}`, `{"id": 1, "signal": "hup"}`}},
	}
	s := newSuite(t, config.Config{Tools: config.ToolNames()}, nil)
	for _, tool := range s.Tools() {
		var schema jsonschema.Schema
		require.NoError(t, json.Unmarshal(tool.Schema(), &schema))
		resolved, err := schema.Resolve(nil)
		require.NoError(t, err, tool.Name())
		valid := func(text string) error {
			var value any
			require.NoError(t, json.Unmarshal([]byte(text), &value))
			return resolved.Validate(value)
		}
		require.NotEmpty(t, calls[tool.Name()].good, tool.Name())
		for _, text := range calls[tool.Name()].good {
			require.NoError(t, valid(text), "%s %s", tool.Name(), text)
		}
		for _, text := range calls[tool.Name()].bad {
			require.Error(t, valid(text), "%s %s", tool.Name(), text)
		}
	}
}

// A model that must name every argument gives null for those that it leaves out.
func TestNullIsNoArgument(t *testing.T) {
	t.Parallel()
	files := map[string]string{"a.txt": "one\ntwo\n"}
	calls := map[string]string{
		"read": `{"path": "a.txt"}`, "bash": `{"command": "cat a.txt"}`, "grep": `{"pattern": "one"}`, "find": `{"pattern": "*.txt"}`,
		"ls": `{}`, "write": `{"path": "b.txt", "content": "x"}`, "job": `{}`,
		"edit":        `{"path": "a.txt", "edits": [{"old_string": "one", "new_string": "1", "replace_all": null}]}`,
		"apply_patch": `{"patch": "*** Begin Patch\n*** Update File: a.txt\n@@\n-two\n+2\n*** End Patch"}`,
	}
	without, with := newSuite(t, config.Config{Tools: config.ToolNames()}, files), newSuite(t, config.Config{Tools: config.ToolNames()}, files)
	for _, tool := range with.Tools() {
		want := call(t, without, tool.Name(), json.RawMessage(calls[tool.Name()]))
		require.False(t, want.IsError, want.Text)
		var all map[string]any
		require.NoError(t, json.Unmarshal([]byte(calls[tool.Name()]), &all))
		var schema jsonschema.Schema
		require.NoError(t, json.Unmarshal(tool.Schema(), &schema))
		for name := range schema.Properties {
			if _, given := all[name]; !given && !slices.Contains(schema.Required, name) {
				all[name] = nil
			}
		}
		got := call(t, with, tool.Name(), all)
		require.Equal(t, want.Text, got.Text, tool.Name())
	}
}
