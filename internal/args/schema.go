package args

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"

	"github.com/google/jsonschema-go/jsonschema"
)

// Schema derives the JSON Schema of a tool's arguments from its Params struct. The fields' jsonschema tags describe
// them, through expand. Arguments in without are left out. Every object lists its required keys and refuses other
// keys, as strict modes of models' APIs demand; [Decode] accepts more.
func Schema(params reflect.Type, expand func(description string) string, without ...string) json.RawMessage {
	s, err := jsonschema.ForType(params, &jsonschema.ForOptions{})
	if err != nil {
		panic(fmt.Sprintf("args: no schema: %v", err)) // the struct is wrong, not the input
	}
	for _, a := range argumentsOf(params).list {
		p := s.Properties[a.name]
		p.Description = expand(p.Description)
		if params.FieldByIndex(a.index).Type.Kind() == reflect.Slice {
			p.Type, p.Types = "array", nil // not null, which some models' APIs refuse
			if a.most > 0 {
				p.MaxItems = &a.most
			}
		}
		for _, v := range a.few {
			p.Enum = append(p.Enum, v)
		}
	}
	for _, name := range without {
		delete(s.Properties, name)
		s.PropertyOrder = slices.DeleteFunc(s.PropertyOrder, func(p string) bool { return p == name })
	}
	complete(s)
	data, err := json.Marshal(s)
	if err != nil {
		panic(fmt.Sprintf("args: no schema: %v", err))
	}
	return bytes.ReplaceAll(data, []byte(`"required":[""]`), []byte(`"required":[]`))
}

// nothing stands for an empty list of required keys, which package jsonschema would leave out.
var nothing = []string{""}

// complete gives each object in a schema with keys a list of required ones.
func complete(s *jsonschema.Schema) {
	if s == nil {
		return
	}
	if s.AdditionalProperties != nil && s.AdditionalProperties.Not != nil && len(s.Required) == 0 {
		s.Required = nothing
	}
	complete(s.Items)
	for _, p := range s.Properties {
		complete(p)
	}
}
