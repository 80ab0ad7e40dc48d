package calls_test

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/tools"
	"github.com/stretchr/testify/require"
)

// foreignCalls are calls as the schemas of other agents' tools have them, with our tool
// for each, and what it must do: the same as for the call in want, or refuse, with want
// in the message behind "refused: ".
var foreignCalls = []struct{ suite, tool, args, want string }{
	{"pi", "read", `{"path": "a.go", "offset": 2, "limit": 1}`, `{"path": "a.go", "offset": 2, "limit": 1}`},
	{"pi", "bash", `{"command": "echo hi", "timeout": 5}`, `refused: bash has no argument timeout. Use timeout_ms, which is in milliseconds: timeout_ms=5000 for 5 seconds`},
	{"pi", "grep", `{"pattern": "ALPHA", "path": ".", "glob": "*.go", "ignoreCase": true, "literal": true, "context": 1, "limit": 2}`,
		`{"pattern": "ALPHA", "path": ".", "glob": "*.go", "ignore_case": true, "literal": true, "context": 1, "limit": 2}`},
	{"pi", "find", `{"pattern": "*.go", "path": "sub", "limit": 1}`, `{"pattern": "*.go", "path": "sub", "limit": 1}`},

	{"Claude Code", "read", `{"file_path": "a.go", "offset": 1, "limit": 2}`, `{"path": "a.go", "offset": 1, "limit": 2}`},
	{"Claude Code", "bash", `{"command": "echo hi", "description": "Say hi", "run_in_background": false}`, `{"command": "echo hi"}`},
	{"Claude Code", "bash", `{"command": "echo 9", "run_in_background": true}`, `{"command": "echo 9", "background": true}`},
	{"Claude Code", "bash", `{"command": "echo hi", "timeout": 120000}`, `refused: Use timeout_ms, which is in milliseconds. Its arguments are command, cwd, show, timeout_ms`},
	{"Claude Code", "grep", `{"pattern": "Alpha", "path": ".", "-i": true, "-n": true, "-C": 1, "head_limit": 3, "output_mode": "content"}`,
		`{"pattern": "Alpha", "ignore_case": true, "context": 1, "limit": 3}`},
	{"Claude Code", "grep", `{"pattern": "alpha", "-A": 2}`, `{"pattern": "alpha", "after": 2}`},
	{"Claude Code", "grep", `{"pattern": "alpha", "-A": 0, "-B": 0}`, `{"pattern": "alpha"}`},
	{"Claude Code", "grep", `{"pattern": "alpha", "type": "go"}`, `refused: grep has no argument type. `},
	{"Claude Code", "find", `{"pattern": "**/*.go"}`, `{"pattern": "**/*.go"}`},
	{"Claude Code", "ls", `{"path": "sub", "ignore": ["*.go"]}`, `refused: ls has no argument ignore. What git ignores`},

	{"Gemini CLI", "read", `{"absolute_path": "a.go", "offset": 1, "limit": 1}`, `{"path": "a.go", "offset": 1, "limit": 1}`},
	{"Gemini CLI", "grep", `{"pattern": "alpha", "path": "sub", "include": "*.go"}`, `{"pattern": "alpha", "path": "sub", "glob": "*.go"}`},
	{"Gemini CLI", "find", `{"pattern": "*.go", "case_sensitive": true}`, `refused: find has no argument case_sensitive`},
	{"Gemini CLI", "find", `{"pattern": "*.go", "respect_git_ignore": true}`, `{"pattern": "*.go"}`},
	{"Gemini CLI", "find", `{"pattern": "*.go", "respect_git_ignore": false}`, `{"pattern": "*.go", "ignored": true}`},
	{"Gemini CLI", "bash", `{"command": "pwd", "description": "Where am I", "directory": "sub"}`, `{"command": "pwd", "cwd": "sub"}`},

	{"Codex", "read", `{"file_path": "a.go", "offset": 1, "limit": 1}`, `{"path": "a.go", "offset": 1, "limit": 1}`},
	{"Codex", "bash", `{"command": ["bash", "-lc", "pwd"], "workdir": "sub"}`, `refused: command must be a string`},
	{"Codex", "bash", `{"cmd": "pwd", "workdir": "sub", "justification": "to know"}`, `{"command": "pwd", "cwd": "sub"}`},
	{"Codex", "ls", `{"dir_path": "sub", "offset": 0, "limit": 5, "depth": 2}`, `refused: ls has no argument depth. ls shows one directory`},

	{"Cursor", "read", `{"target_file": "a.go", "should_read_entire_file": false, "start_line_one_indexed": 2, "end_line_one_indexed_inclusive": 3, "explanation": "why"}`,
		`{"path": "a.go", "offset": 2, "limit": 2}`},
	{"Cursor", "read", `{"target_file": "a.go", "should_read_entire_file": true}`, `refused: read has no argument should_read_entire_file`},
	{"Cursor", "grep", `{"query": "ALPHA", "case_sensitive": false, "include_pattern": "*.go", "explanation": "why"}`, `{"pattern": "ALPHA", "ignore_case": true, "glob": "*.go"}`},
	{"Cursor", "grep", `{"query": "alpha", "exclude_pattern": "*.go"}`, `refused: Leave files out by glob, as in glob=!*_test.go`},
	{"Cursor", "ls", `{"relative_workspace_path": "sub", "explanation": "why"}`, `{"path": "sub"}`},
	{"Cursor", "bash", `{"command": "echo hi", "is_background": false, "explanation": "why"}`, `{"command": "echo hi"}`},

	{"OpenCode", "read", `{"filePath": "a.go", "offset": 1, "limit": 1}`, `{"path": "a.go", "offset": 1, "limit": 1}`},
	{"OpenCode", "grep", `{"pattern": "alpha", "include": "*.{go,md}"}`, `{"pattern": "alpha", "glob": "*.{go,md}"}`},

	{"Copilot", "read", `{"filePath": "a.go", "startLine": 2, "endLine": 2}`, `{"path": "a.go", "offset": 2, "limit": 1}`},
	{"Copilot", "read", `{"filePath": "a.go", "startLine": 3, "endLine": 2}`, `refused: Use offset, the first line, and limit`},
	{"Copilot", "grep", `{"query": "a.pha", "isRegexp": false, "includePattern": "*.go", "maxResults": 5}`, `{"pattern": "a.pha", "literal": true, "glob": "*.go", "limit": 5}`},
	{"Copilot", "find", `{"query": "*.go", "maxResults": 1}`, `{"pattern": "*.go", "limit": 1}`},

	{"Cline", "grep", `{"path": "sub", "regex": "alpha", "file_pattern": "*.go"}`, `{"path": "sub", "pattern": "alpha", "glob": "*.go"}`},
	{"Cline", "ls", `{"path": "sub", "recursive": true}`, `refused: ls has no argument recursive. ls shows one directory`},
	{"Cline", "bash", `{"command": "echo hi", "requires_approval": true}`, `{"command": "echo hi"}`},

	{"str_replace editors", "read", `{"path": "a.go", "view_range": [2, 3]}`, `refused: read has no argument view_range. Use offset, the first line, and limit, the number of lines`},
	{"ripgrep", "grep", `{"pattern": "alpha", "no_ignore": true}`, `{"pattern": "alpha", "ignored": true}`},
	{"ripgrep", "grep", `{"pattern": "alpha", "-l": true}`, `{"pattern": "alpha", "output_mode": "files_with_matches"}`},
	{"ripgrep", "grep", `{"pattern": "alpha", "--ignore-case": "true", "max-count": "1"}`, `{"pattern": "alpha", "ignore_case": true, "limit": 1}`},
	{"fd", "find", `{"pattern": "*", "type": "d"}`, `{"pattern": "*", "type": "dir"}`},
	{"fd", "find", `{"pattern": "*", "type": "Directory"}`, `{"pattern": "*", "type": "dir"}`},
	{"fd", "find", `{"pattern": "*", "type": "socket"}`, `refused: type must be one of file, dir, any, but it is socket`},
	{"a slip", "grep", `{"pattern": "alpha", "output_mode": "files"}`, `{"pattern": "alpha", "output_mode": "files_with_matches"}`},
	{"a slip", "grep", `{"pattern": "alpha", "offste": 1}`, `refused: grep has no argument offste. Did you mean offset? Its arguments are pattern, path, glob`},
	{"a slip", "grep", `{"pattern": "alpha", "start_line": 1}`, `refused: grep has no argument start_line`},
	{"a slip", "read", `{"path": "a.go", "file_path": "b.go"}`, `refused: path and file_path both mean path, and differ. Give path alone`},
	{"a slip", "read", `{"path": "a.go", "file_path": "a.go"}`, `{"path": "a.go"}`},
	{"a slip", "grep", `{"pattern": "alpha", "case_sensitive": "maybe"}`, `refused: grep has no argument case_sensitive`},
	{"a slip", "read", `{"path": "a.go", "color": null}`, `{"path": "a.go"}`},
}

// What a call of another suite asks for is understood or refused, and never done by half.
func TestForeignCalls(t *testing.T) {
	t.Parallel()
	need.Shell(t)
	// A job that ends at once has ended when the call returns, however busy the machine is.
	s := newSuite(t, config.Config{Jobs: config.Jobs{Settle: time.Minute}}, map[string]string{"a.go": "one\nalpha\nthree\nfour\n", "b.go": "b\n", "sub/c.go": "alpha\nAlpha\n", "sub/d.md": "alpha\na.pha\n"})
	for _, tt := range foreignCalls {
		res, err := s.Call(t.Context(), tt.tool, json.RawMessage(tt.args))
		require.NoError(t, err)
		if text, refused := strings.CutPrefix(tt.want, "refused: "); refused {
			require.Equal(t, tools.CodeInvalidInput, res.Code, "%s: %s: %s", tt.suite, tt.args, res.Text)
			require.Contains(t, res.Text, text, "%s: %s", tt.suite, tt.args)
			continue
		}
		want, err := s.Call(t.Context(), tt.tool, json.RawMessage(tt.want))
		require.NoError(t, err)
		require.False(t, want.IsError, want.Text)
		require.Equal(t, want.Text, res.Text, "%s: %s", tt.suite, tt.args)
	}
}

// TestValuesInAnyCase takes the values of arguments in capitals, too.
func TestValuesInAnyCase(t *testing.T) {
	t.Parallel()
	s := newSuite(t, config.Config{}, map[string]string{"a": "x\n"})
	require.Equal(t, "a", call(t, s, "grep", map[string]any{"pattern": "x", "output_mode": "Files_With_Matches"}).Text)
	require.Equal(t, "a", call(t, s, "find", map[string]any{"pattern": "*", "type": "FILE", "sort": "MTime"}).Text)
	require.Equal(t, "invalid_input: sort must be one of path, mtime, but it is Size", call(t, s, "find",
		map[string]any{"pattern": "*", "sort": "Size"}).Text)
}

// An argument is taken in any case, with and without - and _, and so is the name that another agent's tool has for it. An
// error lists those that the schema has.
func TestSpellings(t *testing.T) {
	t.Parallel()
	s := newSuite(t, config.Config{}, map[string]string{"a.txt": "One\n", "b.txt": "two\n"})
	for _, key := range []string{
		"ignore_case", "ignorecase", "ignoreCase", "IgnoreCase", "ignore-case", "IGNORE_CASE", "IGNORECASE", "--ignore-case",
		"caseInsensitive", "caseinsensitive", "CASE-INSENSITIVE",
	} {
		res := call(t, s, "grep", map[string]any{"pattern": "one", key: true})
		require.Equal(t, "a.txt:1: One", res.Text, key)
	}
	for _, key := range []string{"filepath", "FILE_PATH", "FilePath", "File-Path", "PATH"} {
		require.Equal(t, "One\n", call(t, s, "read", map[string]any{key: "a.txt", "requiresApproval": true, "Requires-Approval": 1}).Text, key)
	}
	require.Equal(t, "One\n", call(t, s, "read", map[string]any{"path": "a.txt", "STARTLINE": 1, "endline": 1}).Text)
	for _, tool := range s.Tools() {
		res := call(t, s, tool.Name(), map[string]any{"nonsense": 1})
		_, listed, _ := strings.Cut(res.Text, "Its arguments are ")
		var schema jsonschema.Schema
		require.NoError(t, json.Unmarshal(tool.Schema(), &schema))
		require.ElementsMatch(t, slices.Collect(maps.Keys(schema.Properties)), strings.Split(listed, ", "), tool.Name())
	}
	without := newSuite(t, config.Config{Tools: []string{"bash"}}, nil)
	res := call(t, without, "bash", map[string]any{"backgroud": true})
	require.Equal(t, "invalid_input: bash has no argument backgroud. Its arguments are command, cwd, show, timeout_ms", res.Text)
}
