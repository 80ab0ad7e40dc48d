package openaitools_test

import (
	"encoding/json"
	"maps"
	"slices"
	"testing"

	"github.com/openai/openai-go/v3"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/examples/adapters/internal/adaptertest"
	"github.com/spillway-go/spillway/examples/adapters/openaitools"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/all"
)

// strictSchema is what strict mode looks at.
type strictSchema struct {
	Type                 any
	Enum                 []any
	Properties           map[string]strictSchema
	Required             []string
	AdditionalProperties *bool
	Items                *strictSchema
}

// requireStrict checks the rules of strict mode: every object lists all its properties as required, and no others may be
// there.
func requireStrict(t *testing.T, s strictSchema, where string) {
	t.Helper()
	if s.Items != nil {
		requireStrict(t, *s.Items, where+"[]")
	}
	if s.Properties == nil {
		return
	}
	slices.Sort(s.Required)
	if names := slices.Sorted(maps.Keys(s.Properties)); !slices.Equal(names, s.Required) {
		t.Errorf("%s requires %q of %q", where, s.Required, names)
	}
	if s.AdditionalProperties == nil || *s.AdditionalProperties {
		t.Errorf("%s lets other properties in", where)
	}
	for name, p := range s.Properties {
		requireStrict(t, p, where+"."+name)
	}
}

func TestStrict(t *testing.T) {
	suite, err := tools.New(config.Config{Workspace: t.TempDir(), Tools: config.ToolNames()}, all.Parts()...)
	testkit.NoError(t, err)
	defer suite.Close()
	testkit.NoError(t, suite.Add(adaptertest.Rich()))
	var chat []struct {
		Function struct {
			Name       string
			Strict     *bool
			Parameters strictSchema
		}
	}
	adaptertest.Decode([]byte(adaptertest.Encoded(openaitools.StrictTools(suite))), &chat)
	var responses []struct {
		Name       string
		Strict     *bool
		Parameters strictSchema
	}
	adaptertest.Decode([]byte(adaptertest.Encoded(openaitools.StrictResponseTools(suite))), &responses)
	for i, tool := range suite.Tools() {
		added := tool.Name() == "rich"
		for _, got := range []struct {
			name   string
			strict *bool
			schema strictSchema
		}{{chat[i].Function.Name, chat[i].Function.Strict, chat[i].Function.Parameters},
			{responses[i].Name, responses[i].Strict, responses[i].Parameters}} {
			if got.name != tool.Name() || got.strict == nil || *got.strict == added {
				t.Errorf("%s is strict: %v", got.name, adaptertest.Encoded(got.strict))
			}
			if !added {
				requireStrict(t, got.schema, got.name)
			}
		}
	}
	grep := chat[slices.IndexFunc(suite.Tools(), func(t tools.Tool) bool { return t.Name() == "grep" })].Function.Parameters
	for name, want := range map[string]string{"pattern": `"string"`, "limit": `["integer","null"]`, "output_mode": `["string","null"]`} {
		if got := adaptertest.Encoded(grep.Properties[name].Type); got != want {
			t.Errorf("%s is %s, not %s", name, got, want)
		}
	}
	if enum := grep.Properties["output_mode"].Enum; !slices.Contains(enum, nil) {
		t.Errorf("null is not among %v", enum)
	}
}

// A strict model names every argument.
func TestStrictCall(t *testing.T) {
	suite, err := tools.New(config.Config{Workspace: t.TempDir()}, all.Parts()...)
	testkit.NoError(t, err)
	defer suite.Close()
	var message openai.ChatCompletionMessage
	call := `{"path": "a", "content": "one\n", "encoding": null}`
	edit := `{"path": "a", "old_string": null, "new_string": null, "replace_all": null, "encoding": null,
		"edits": [{"old_string": "one", "new_string": "two", "replace_all": null}]}`
	err = json.Unmarshal([]byte(`{"tool_calls": [{"id": "1", "type": "function", "function": {"name": "write", "arguments": `+adaptertest.Encoded(call)+
		`}}, {"id": "2", "type": "function", "function": {"name": "edit", "arguments": `+adaptertest.Encoded(edit)+`}}]}`), &message)
	testkit.NoError(t, err)
	if _, err := openaitools.Answer(t.Context(), suite, message.ToolCalls); err != nil {
		t.Fatal(err)
	}
	if res, err := suite.Read(t.Context(), tools.ReadParams{Path: "a"}); err != nil || res.Text != "two\n" {
		t.Errorf("%q, %v", res.Text, err)
	}
}
