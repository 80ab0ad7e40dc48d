package calls_test

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/spillway-go/spillway/tools"
	"github.com/stretchr/testify/require"
)

// shape is what a schema says of a tool's arguments.
type shape struct {
	Type       string `json:"type"`
	Required   []string
	Properties map[string]struct {
		Type any   `json:"type"`
		Enum []any `json:"enum"`
	}
}

func shapeOf(t *testing.T, tool tools.Tool) shape {
	t.Helper()
	var s shape
	require.NoError(t, json.Unmarshal(tool.Schema(), &s))
	require.Equal(t, "object", s.Type)
	require.NotEmpty(t, s.Properties)
	return s
}

// validArgs are arguments with which each tool succeeds.
func validArgs(tool string) map[string]any {
	switch tool {
	case "read":
		return map[string]any{"path": "file"}
	case "bash":
		return map[string]any{"command": "true"}
	case "grep":
		return map[string]any{"pattern": "one"}
	case "find":
		return map[string]any{"pattern": "*"}
	case "edit":
		return map[string]any{"path": "file", "old_string": "one", "new_string": "three"}
	case "write":
		return map[string]any{"path": "file", "content": "one\ntwo\n"}
	}
	return map[string]any{}
}

// newInputSuite is a suite on a tree with everything that a path may lead to.
func newInputSuite(t *testing.T) (*tools.Suite, string) {
	t.Helper()
	dir := t.TempDir()
	special(t, dir)
	return newSuite(t, config.Config{Workspace: dir}, map[string]string{"file": "one\ntwo\n", "dir/inner": "one\n"}), dir
}

// badValues are JSON texts of values, and the types of the schema that take each
// of them. All others must be refused, under the argument's name. What is taken
// may fail for what it means, but not for its type.
var badValues = []struct{ name, json, takenBy string }{
	{"object", `{}`, ""},
	{"object that holds the value", `{"value":1}`, ""},
	{"list", `[]`, ""},
	{"list of strings", `["file"]`, ""},
	{"true", `true`, "boolean"},
	{"the string true", `"true"`, "boolean string"},
	{"the string TRUE in spaces", `" TRUE "`, "boolean string"},
	{"fraction", `2.5`, "string"},
	{"words", `"no such thing"`, "string"},
	{"empty string", `""`, "integer string boolean"},
	{"numeric string", `"2"`, "integer string"},
	{"numeric string in spaces", `" 2\n"`, "integer string"},
	{"exponent", `1e0`, "integer string"},
	{"whole fraction", `1.0`, "integer string"},
	{"zero", `0`, "integer string"},
	{"huge", `1e30`, "integer string"},
	{"beyond a double", `1e999`, "integer string"},
	{"beyond what a double holds exactly", `9007199254740993`, "integer string"},
	{"largest int64", `9223372036854775807`, "integer string"},
	{"beyond int64", `9223372036854775808`, "integer string"},
	{"null", `null`, "integer string boolean"},
	{"NaN", `"NaN"`, "string"},
	{"hexadecimal", `"0x10"`, "string"},
	{"infinite", `"Infinity"`, "string"},
	{"lone surrogate", `"\ud800"`, "string"},
	{"negative", `-1`, "string"},
	{"negative string", `"-1"`, "string"},
	{"negative whole fraction", `-1.0`, "string"},
	{"negative and huge", `-1e30`, "string"},
	{"smallest int64", `-9223372036854775808`, "string"},
	{"below what a double holds exactly", `-9007199254740993`, "string"},
}

func TestEveryArgumentOfEveryType(t *testing.T) {
	t.Parallel()
	all, _ := newInputSuite(t)
	for _, tool := range all.Tools() {
		s, dir := newInputSuite(t)
		before := snapshot(t, dir)
		for key, property := range shapeOf(t, tool).Properties {
			kind, _ := property.Type.(string)
			if kind == "array" {
				continue // of read and edit, whose tests are elsewhere
			}
			require.Contains(t, []string{"string", "integer", "boolean"}, kind, "%s of %s", key, tool.Name())
			for _, bad := range badValues {
				negative := strings.HasPrefix(strings.Trim(bad.json, `"`), "-")
				if negative && kind != "integer" {
					continue // to others it is any text
				}
				t.Run(tool.Name()+"/"+key+"/"+bad.name, func(t *testing.T) {
					args := validArgs(tool.Name())
					args[key] = json.RawMessage(bad.json)
					res, code := raw(t, s, tool.Name(), encode(t, args))
					taken := slices.Contains(strings.Fields(bad.takenBy), kind)
					if len(property.Enum) > 0 {
						taken = bad.json == `""` || bad.json == "null" || // not any string will do
							key == "signal" && strings.HasPrefix(bad.name, "numeric string") // that is SIGINT
					}
					if negative && key == "offset" && tool.Name() == "read" {
						require.Empty(t, code, res.Text)
					} else if !taken {
						require.Equal(t, tools.CodeInvalidInput, code, res.Text)
						require.True(t, strings.HasPrefix(res.Text, "invalid_input: "+key+" must be "), res.Text)
					} else {
						require.NotContains(t, res.Text, key+" must be ", "it can be coerced")
					}
				})
			}
		}
		if e := tools.EffectsOf(tool); !e.Writes || e.Executes {
			require.NoError(t, os.RemoveAll(filepath.Join(dir, ".clarvis"))) // of a command that was slow, and became a job
			require.Equal(t, before[1:], snapshot(t, dir)[1:], tool.Name())  // but for the time of the directory itself
		}
	}
}

// changesFiles reports whether a tool changes what later calls find.
func changesFiles(tool tools.Tool) bool { return tool.Name() == "write" || tool.Name() == "edit" }

func TestStringsOfBytes(t *testing.T) {
	t.Parallel()
	suite, dir := newInputSuite(t)
	before := snapshot(t, dir)
	for _, tool := range suite.Tools() {
		s := suite
		if changesFiles(tool) {
			s, _ = newInputSuite(t)
		}
		properties := shapeOf(t, tool).Properties
		for i, key := range slices.Sorted(maps.Keys(properties)) {
			property := properties[key]
			if property.Type != "string" || slices.Contains([]string{"content", "old_string", "new_string"}, key) { // which may hold anything
				continue
			}
			args := validArgs(tool.Name())
			for _, nul := range []string{"\x00", "a\x00b", "file\x00"} {
				args[key] = nul
				res, code := raw(t, s, tool.Name(), encode(t, args))
				require.Equal(t, tools.CodeInvalidInput, code, res.Text)
				require.Contains(t, res.Text, key)
			}
			args[key] = "BYTES"
			for _, bytes := range []string{"\xff", "a\xc3", "\xed\xa0\x80", "\xf8\x88\x80\x80\x80", strings.Repeat("\x80", 5000)} {
				res, code := raw(t, s, tool.Name(), strings.Replace(encode(t, args), "BYTES", bytes, 1))
				require.Equal(t, tools.CodeInvalidInput, code, res.Text)
			}
			for j, long := range []string{strings.Repeat("a", testkit.Some(300_000)), strings.Repeat("漢", testkit.Some(100_000)), strings.Repeat("../", 5000), strings.Repeat("[", 40_000),
				strings.Repeat("{a,", 15_000), strings.Repeat("a/", 20_000), strings.Repeat("\x01", 10_000), strings.Repeat("(", 20_000)} {
				if testing.Short() && (i+j)%2 != 0 {
					continue // half of them for each argument
				}
				if tool.Name() == "bash" && key == "command" {
					continue // what bash makes of it is not ours to test: braces can take it minutes
				}
				args[key] = long
				raw(t, s, tool.Name(), encode(t, args)) // bounded, or a failure that is
			}
		}
	}
	require.Equal(t, before, snapshot(t, dir))
}

func TestRequiredArguments(t *testing.T) {
	t.Parallel()
	s, _ := newInputSuite(t)
	for _, tool := range s.Tools() {
		required := shapeOf(t, tool).Required
		if tool.Name() == "read" || tool.Name() == "edit" {
			required = []string{"path"} // and of read or paths, and of edit more: the schema cannot say so
		} else {
			require.ElementsMatch(t, slices.Collect(maps.Keys(validArgs(tool.Name()))), required, tool.Name())
		}
		for _, key := range required {
			for _, value := range []string{"", `null`, `""`} {
				if key == "content" && value == `""` {
					continue // an empty file
				}
				args := validArgs(tool.Name())
				delete(args, key)
				if value != "" {
					args[key] = json.RawMessage(value)
				}
				res, code := raw(t, s, tool.Name(), encode(t, args))
				require.Equal(t, tools.CodeInvalidInput, code, res.Text)
				require.Contains(t, res.Text, key+" is required")
			}
		}
	}
}

func TestArgumentsThatAreNoObject(t *testing.T) {
	t.Parallel()
	suite, dir := newInputSuite(t)
	before := snapshot(t, dir)
	empty := []string{"", "   ", "null", " null ", "{}", `"{}"`, `"null"`, `{"no_such_key":null}`, `{"description":"why"}`}
	broken := []string{`{"no_such_key":{"a":[1]}}`, "\"{\\\"no_such_key\\\": 1}\""}
	broken = append(broken, []string{"[]", "5", "true", `"x"`, `""`, `"[]"`, "{", "}", `{"path":`, `{"path":"file"}{}`, `{path:"file"}`, "{'path':'file'}", "\x00", "\xff",
		"[[[[", strings.Repeat("[", 50_000), strings.Repeat(`{"a":`, 50_000), `"\"{}\""`, "NaN", "nul", "// x\n{}", strings.Repeat(" ", 100) + "x"}...)
	for _, tool := range suite.Tools() {
		s := suite
		if changesFiles(tool) {
			s, _ = newInputSuite(t)
		}
		t.Run(tool.Name(), func(t *testing.T) {
			needs := len(shapeOf(t, tool).Required) > 0 || tool.Name() == "read"
			for _, args := range empty {
				res, code := raw(t, s, tool.Name(), args)
				require.Equal(t, needs, code == tools.CodeInvalidInput, "%q: %s", args, res.Text)
				require.Equal(t, needs, res.IsError, "%q: %s", args, res.Text)
			}
			for _, args := range broken {
				res, code := raw(t, s, tool.Name(), args)
				require.Equal(t, tools.CodeInvalidInput, code, "%q: %s", args, res.Text)
				require.NotContains(t, res.Text, "json.RawMessage", "a type of Go says nothing to a model")
			}
			once := encode(t, validArgs(tool.Name()))
			plain, code := raw(t, s, tool.Name(), once)
			require.Empty(t, code, plain.Text)
			twice, code := raw(t, s, tool.Name(), encode(t, once))
			if tool.Name() == "edit" { // and so it was understood
				require.Equal(t, tools.CodeNotFound, code, twice.Text)
				return
			}
			require.Empty(t, code, twice.Text)
			require.Equal(t, plain.Text, twice.Text)
		})
	}
	require.Equal(t, before, snapshot(t, dir))
}

// TestWhatAPathLeadsTo calls the tools with paths that are not what they need.
func TestWhatAPathLeadsTo(t *testing.T) {
	t.Parallel()
	s, dir := newInputSuite(t)
	if os.Getuid() != 0 {
		require.NoError(t, os.WriteFile(filepath.Join(dir, "secret"), nil, 0))
	}
	before := snapshot(t, filepath.Join(dir, "dir"))
	const ok, file, directory = tools.Code(""), tools.CodeNotAFile, tools.CodeNotADirectory
	for _, test := range []struct {
		path                       string
		read, grep, find, ls, bash tools.Code
	}{
		{"", tools.CodeInvalidInput, ok, ok, ok, ok},
		{".", file, ok, ok, ok, ok},
		{"..", tools.CodePathEscape, tools.CodePathEscape, tools.CodePathEscape, tools.CodePathEscape, tools.CodePathEscape},
		{"../..", tools.CodePathEscape, tools.CodePathEscape, tools.CodePathEscape, tools.CodePathEscape, tools.CodePathEscape},
		{"/", tools.CodePathEscape, tools.CodePathEscape, tools.CodePathEscape, tools.CodePathEscape, tools.CodePathEscape},
		{dir, file, ok, ok, ok, ok},
		{"dir", file, ok, ok, ok, ok},
		{"dir/", file, ok, ok, ok, ok},
		{"./dir/../dir//", file, ok, ok, ok, ok},
		{"file", ok, ok, directory, directory, directory},
		{"dir/../file", ok, ok, directory, directory, directory},
		{"fifo", file, file, directory, directory, directory},
		{"dangling", tools.CodeNotFound, tools.CodeNotFound, tools.CodeNotFound, tools.CodeNotFound, tools.CodeNotFound},
		{"dangling/x", tools.CodeNotFound, tools.CodeNotFound, tools.CodeNotFound, tools.CodeNotFound, tools.CodeNotFound},
		{"loop", tools.CodeInvalidInput, tools.CodeInvalidInput, tools.CodeInvalidInput, tools.CodeInvalidInput, tools.CodeInvalidInput},
		{"loop-a/x", tools.CodeInvalidInput, tools.CodeInvalidInput, tools.CodeInvalidInput, tools.CodeInvalidInput, tools.CodeInvalidInput},
		{"chain0", tools.CodeInvalidInput, tools.CodeInvalidInput, tools.CodeInvalidInput, tools.CodeInvalidInput, tools.CodeInvalidInput},
		{"chain55", ok, ok, directory, directory, directory},
		{"none", tools.CodeNotFound, tools.CodeNotFound, tools.CodeNotFound, tools.CodeNotFound, tools.CodeNotFound},
		{"file/x", tools.CodeNotFound, tools.CodeNotFound, tools.CodeNotFound, tools.CodeNotFound, tools.CodeNotFound},
		{strings.Repeat("n", 256), tools.CodeInvalidInput, tools.CodeInvalidInput, tools.CodeInvalidInput, tools.CodeInvalidInput, tools.CodeInvalidInput},
		{strings.Repeat("n/", 5000), tools.CodeNotFound, tools.CodeNotFound, tools.CodeNotFound, tools.CodeNotFound, tools.CodeNotFound},
	} {
		for tool, want := range map[string]tools.Code{"read": test.read, "grep": test.grep, "find": test.find, "ls": test.ls, "bash": test.bash} {
			name := test.path[:min(len(test.path), 20)]
			t.Run(tool+"/"+name, func(t *testing.T) {
				args, key := validArgs(tool), "path"
				if tool == "bash" {
					key = "cwd"
				}
				args[key] = test.path
				res, code := raw(t, s, tool, encode(t, args))
				require.Equal(t, want, code, res.Text)
			})
		}
	}
	if os.Getuid() != 0 {
		_, code := raw(t, s, "read", `{"path":"secret"}`)
		require.Equal(t, tools.CodePermissionDenied, code)
	}
	require.Equal(t, before, snapshot(t, filepath.Join(dir, "dir")))
}

// TestTypedCallsAreCheckedToo: what is refused from JSON is refused from Go.
func TestTypedCallsAreCheckedToo(t *testing.T) {
	t.Parallel()
	need.Shell(t)
	s, _ := newInputSuite(t)
	ctx := t.Context()
	lsError := func(p tools.LsParams) error { _, err := s.Ls(ctx, p); return err }
	for name, err := range map[string]error{
		"negative limit":  lsError(tools.LsParams{Limit: -1}),
		"negative offset": lsError(tools.LsParams{Offset: -1}),
		"NUL":             lsError(tools.LsParams{Path: "a\x00"}),
		"no path":         func() error { _, err := s.Read(ctx, tools.ReadParams{}); return err }(),
		"no command":      func() error { _, err := s.Bash(ctx, tools.BashParams{}); return err }(),
		"no such mode":    func() error { _, err := s.Grep(ctx, tools.GrepParams{Pattern: "x", OutputMode: "all"}); return err }(),
		"no such type":    func() error { _, err := s.Find(ctx, tools.FindParams{Pattern: "x", Type: "link"}); return err }(),
	} {
		var e *tools.Error
		require.ErrorAs(t, err, &e, name)
		require.Equal(t, tools.CodeInvalidInput, e.Code, name)
	}
	_, err := s.Read(ctx, tools.ReadParams{Path: "none"})
	require.ErrorIs(t, err, os.ErrNotExist, "an error unwraps to its cause")
	ended, cancel := context.WithCancel(ctx)
	cancel()
	_, err = s.Read(ended, tools.ReadParams{Path: "file"})
	require.ErrorIs(t, err, context.Canceled)
	res, err := s.Call(ended, "read", json.RawMessage(`{"path":"file"}`))
	require.True(t, errors.Is(err, context.Canceled) && res.IsError, "%v", err)
}
