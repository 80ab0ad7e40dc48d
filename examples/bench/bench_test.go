package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spillway-go/spillway/internal/docs/section"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/stretchr/testify/require"
)

// The documents are made of the recorded results.
func TestDocuments(t *testing.T) {
	r, err := readRun(recorded)
	require.NoError(t, err)
	root := t.TempDir()
	for _, name := range []string{"docs/bench.md", "README.md"} {
		data, err := os.ReadFile(filepath.Join(documents, name))
		require.NoError(t, err)
		testkit.WriteFile(t, filepath.Join(root, name), string(data))
	}
	require.NoError(t, os.MkdirAll(filepath.Join(root, "examples", "bench"), 0o755))
	require.NoError(t, r.document(root))
	for _, name := range []string{"docs/bench.md", "README.md", "examples/bench/results.html"} {
		want, err := os.ReadFile(filepath.Join(root, name))
		require.NoError(t, err)
		got, err := os.ReadFile(filepath.Join(documents, name))
		require.NoError(t, err)
		require.True(t, string(want) == string(got), "%s: go -C examples/bench run . -redraw", name)
	}
	for _, c := range r.Cases {
		if c.Source == "" {
			for _, s := range r.Suites {
				for _, e := range r.result(s.Name, c.Name).Log {
					require.Empty(t, e.Text, "%s: its texts are not to be shown", c.Name)
				}
			}
		}
	}
}

// The manual says where this project's suite loses.
func TestLosses(t *testing.T) {
	r := &run{Suites: []*suite{{Name: ours}, {Name: "other"}}, Cases: []*benchCase{{Name: "edits/a", Title: "It stays"}, {Name: "speed/b", Title: "echo"}}, Results: []*result{
		{Suite: ours, Case: "edits/a", Status: failed, Failed: []string{"a.txt has other bytes"}},
		{Suite: ours, Case: "needles/x", Status: passed, Needles: 4, Shown: 2, Tokens: 100}, {Suite: "other", Case: "needles/x", Status: passed, Needles: 4, Shown: 3, Tokens: 250},
		{Suite: ours, Case: "speed/b", Status: passed, MS: 3, PlainMS: 1}, {Suite: "other", Case: "speed/b", Status: passed, MS: 2, PlainMS: 1},
	}}
	require.Equal(t, "- fails `edits/a`: It stays\n"+
		"- other shows 75% of the needles, in 2.5 times Spillway's tokens\n"+
		"- echo: other takes 2 ms, Spillway 3\n", r.losses())
}

func toolsOf(t *testing.T, schemas map[string]string) (list []*mcp.Tool) {
	for name, text := range schemas {
		var s any
		require.NoError(t, json.Unmarshal([]byte(text), &s))
		list = append(list, &mcp.Tool{Name: name, InputSchema: s})
	}
	return list
}

func TestGuess(t *testing.T) {
	m := guess(toolsOf(t, map[string]string{
		"read_file":   `{"properties": {"file_path": {"type": "string"}, "start_line": {"type": "integer", "description": "0-based"}}}`,
		"run_command": `{"properties": {"cmd": {"type": "string"}, "timeout": {"type": "number", "description": "in seconds"}, "why": {"type": "string"}}, "required": ["cmd", "why"]}`,
		"edit_file":   `{"properties": {"path": {"type": "string"}, "edits": {"type": "array", "items": {"properties": {"oldText": {}, "newText": {}}}}}}`,
		"write_file":  `{"properties": {"path": {"type": "string"}}}`,
		"search":      `{"properties": {"query": {"type": "string"}}}`,
	}))
	require.JSONEq(t, `{"read": {"tool": "read_file", "args": {"file_path": "$path", "start_line": "$offset-1"}},
		"bash": {"tool": "run_command", "args": {"cmd": "$command", "timeout": "$timeout/1000", "why": "bench"}},
		"edit": {"tool": "edit_file", "args": {"path": "$path", "edits": [{"oldText": "$old", "newText": "$new"}]}}}`, m.String())
	parsed, err := parseMap([]byte(m.String()))
	require.NoError(t, err)
	require.Equal(t, m.String(), parsed.String(), "what is shown can be given")
	_, err = parseMap([]byte(`{"reed": {}}`))
	require.ErrorContains(t, err, `no role "reed"`)
}

func TestMappingCall(t *testing.T) {
	m, err := parseMap([]byte(`{"read": {"tool": "r", "args": {"file": "$absolute", "view_range": ["$offset", "$end"], "skip": "$offset-1"}},
		"grep": {"tool": "sh", "args": {"command": "grep ${pattern} ${path}"}}, "find": {"tool": "f", "args": {"name": "$name"}}}`))
	require.NoError(t, err)
	for _, tt := range []struct{ role, given, want, err string }{
		{"read", `{"path": "a"}`, `{"file": "/w/a"}`, ""},
		{"read", `{"path": "/b", "offset": 11, "limit": 5}`, `{"file": "/b", "view_range": [11, 15], "skip": 10}`, ""},
		{"grep", `{"pattern": "it's", "path": "a b"}`, `{"command": "grep 'it'\\''s' 'a b'"}`, ""},
		{"find", `{"pattern": "**/*.go", "path": "."}`, "", "its find takes no path"},
		{"bash", `{"command": "true"}`, "", "no tool for bash"},
		{"grep", `{"pattern": "x", "path": ".", "all": true}`, "", "its grep takes no all"},
	} {
		var given map[string]any
		require.NoError(t, json.Unmarshal([]byte(tt.given), &given))
		_, args, err := m.call("/w", tt.role, given)
		if tt.err != "" {
			require.EqualError(t, err, tt.err)
			continue
		}
		require.NoError(t, err)
		require.JSONEq(t, tt.want, mustJSON(args))
	}
}

// The maps that come with the bench are maps.
func TestMaps(t *testing.T) {
	for _, k := range known {
		_, err := mapOf(k.name)
		require.NoError(t, err, k.name)
	}
}

// What a suite says is followed by the names that its own schemas have.
func TestNext(t *testing.T) {
	dir := t.TempDir()
	testkit.WriteFile(t, filepath.Join(dir, "spill", "out.log"), "x\n")
	f := &follower{world: &world{base: dir}, tools: toolsOf(t, map[string]string{
		"read": `{"properties": {"path": {"type": "string"}, "offset": {"type": "integer"}, "column": {"type": "integer"}, "view_range": {"type": ["null", "array"]}}}`,
		"more": `{"properties": {"sessionId": {"type": "string"}, "start": {"type": "number"}}, "required": ["sessionId"]}`,
		"bash": `{"properties": {"command": {"type": "string"}, "timeout_ms": {"type": "integer"}}}`,
	})}
	f.mapping = guess(f.tools)
	ask := func(tool string) request {
		return request{Tool: tool, Args: map[string]any{"path": "a"}, role: tool, given: map[string]any{"path": "a"}}
	}
	for _, tt := range []struct{ tool, said, want string }{
		{"read", "[Use offset=12 to go on]", `{"path": "a", "offset": 12}`},
		{"read", `{"offset": 12, "column": 3}`, `{"path": "a", "offset": 12, "column": 3}`},
		{"read", "e.g. view_range: [1, 500].", `{"path": "a", "view_range": [1, 500]}`},
		{"read", "offset of 12 lines", ""},
		{"bash", "timeout_ms=3000 was reached", ""},
		{"bash", "[Full output: spill/out.log]", `{"path": "spill/out.log"}`},
		{"bash", "[Full output: spill/none.log]", ""},
		{"bash", "Session: s_12\nUse more to see more, start: 4", `{"sessionId": "s_12", "start": 4}`},
		{"read", "[Line 1 is long. Use bash: sed -n 1p a | head -c 9]", `{"command": "sed -n 1p a | head -c 9"}`},
		{"read", "That is all.", ""},
	} {
		more, ok := f.next(ask(tt.tool), strings.Split(tt.said, "\n"))
		require.Equal(t, tt.want != "", ok, tt.said)
		if ok {
			require.JSONEq(t, tt.want, mustJSON(more.Args), tt.said)
		}
	}
}

func TestContent(t *testing.T) {
	c := newContent([]byte("one\n\ttwo \n\nthree\n" + strings.Repeat("0123456789abcdef", 100) + "XYZ\n"))
	require.Equal(t, []string{"", "[more]"}, c.take("one\n  2\t\ttwo \n\n\n[more]"))
	n, first := c.missing()
	require.Equal(t, []int{2, 4}, []int{n, first})
	c.take("three \n" + strings.Repeat("0123456789abcdef", 100) + "XYZ... [cut]")
	n, first = c.missing()
	require.Equal(t, []int{1, 4}, []int{n, first}, "a line with a space more is another one")
}

func TestAgainst(t *testing.T) {
	one := func(status string, calls int, ms float64) *run {
		return &run{Results: []*result{{Suite: "s", Case: "edits/a", Status: status, Calls: calls}, {Suite: "s", Case: "speed/b", Status: passed, MS: ms, PlainMS: 1}}}
	}
	var out strings.Builder
	require.Equal(t, 0, one(passed, 1, 1).against(one(passed, 1, 1.1), &out))
	require.Equal(t, 2, one(failed, 2, 3).against(one(passed, 1, 1), &out))
	require.Equal(t, "s, edits/a: pass is now fail; calls 1, now 2\ns, speed/b: 3.00 times as long, measured by the plain program\n", out.String())
	merged := one(failed, 2, 3).onto(one(passed, 1, 1))
	require.Equal(t, []string{failed, passed}, []string{merged.Results[0].Status, merged.Results[1].Status})
	require.Len(t, merged.Results, 2)
}

// A case that says nothing sensible is refused.
func TestParseCase(t *testing.T) {
	for text, want := range map[string]string{"title\n": "has a title and steps", "title\njump high\n": `no step "jump"`} {
		_, err := parseCase("edits/a", []byte(text))
		require.ErrorContains(t, err, want)
	}
	list, err := recordedCases([]byte(`[{"Name": "a", "Program": "make", "Needles": ["x"], "Text": "secret"}, {"Name": "b"}]`), regexp.MustCompile(""))
	require.NoError(t, err)
	require.Len(t, list, 1)
	require.Empty(t, list[0].Source)
	_, err = section.Read(filepath.Join(documents, "docs", "bench.md"), "allowance")
	require.NoError(t, err)
}
