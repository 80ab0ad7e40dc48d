package adaptertest

import (
	"encoding/json"
	"testing"

	"github.com/spillway-go/spillway/tools"
)

// SameSchema checks that a schema as an SDK sends it, encoded, says all that the
// tool's says, and no more.
func SameSchema(t *testing.T, tool tools.Tool, sent any) {
	t.Helper()
	encoded, err := json.Marshal(sent)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := normal(t, encoded), normal(t, tool.Schema()); got != want {
		t.Errorf("%s: the schema that is sent\n%s\nis not\n%s", tool.Name(), got, want)
	}
}

// normal is a JSON text with its keys in order.
func normal(t *testing.T, text []byte) string {
	t.Helper()
	var value any
	if err := json.Unmarshal(text, &value); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	out, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// Rich is a tool of which the schema says more than those of a suite's own tools.
func Rich() tools.Tool {
	return described{name: "rich", schema: `{"type": "object", "required": ["n"], "additionalProperties": false, "properties": {
		"n": {"type": "integer", "description": "a number", "minimum": 1, "maximum": 9, "default": 3},
		"s": {"type": ["string", "null"], "pattern": "^a", "minLength": 1, "enum": ["a", "ab"]},
		"o": {"oneOf": [{"type": "boolean"}, {"$ref": "#/$defs/d"}]},
		"l": {"type": "array", "items": {"type": "string"}, "maxItems": 4}}, "$defs": {"d": {"type": "object"}}}`}
}

// Odd is a tool whose schema is a JSON object, and no JSON Schema.
func Odd() tools.Tool { return described{name: "odd", schema: `{"properties": 5}`} }

// described is a tool that is described and never called.
type described struct {
	tools.Tool
	name, schema string
}

func (d described) Name() string            { return d.name }
func (d described) Description() string     { return "" }
func (d described) Schema() json.RawMessage { return json.RawMessage(d.schema) }
