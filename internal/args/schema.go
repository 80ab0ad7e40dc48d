package args

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// Schema derives the JSON Schema of a tool's arguments from its Params struct. The fields' jsonschema tags describe
// them, through expand. Arguments in without are left out.
func Schema[P any](expand func(description string) string, without ...string) json.RawMessage {
	s, err := jsonschema.For[P](nil)
	if err != nil {
		panic(fmt.Sprintf("args: no schema: %v", err)) // the struct is wrong, not the input
	}
	s.AdditionalProperties = nil // some are understood, and for others there is a better error
	for _, f := range fields(reflect.TypeFor[P]()) {
		p := s.Properties[argName(f)]
		p.Description = expand(p.Description)
		arg := f.Tag.Get("arg")
		if f.Type.Kind() == reflect.Slice {
			p.Type, p.Types = "array", nil // not null, which not every model's API takes
			if most, err := strconv.Atoi(arg); err == nil {
				p.MaxItems = &most
			}
			p.Items.AdditionalProperties = nil
		}
		if strings.Contains(arg, "|") {
			for _, v := range strings.Split(arg, "|") {
				p.Enum = append(p.Enum, v)
			}
		}
	}
	for _, name := range without {
		delete(s.Properties, name)
		s.PropertyOrder = slices.DeleteFunc(s.PropertyOrder, func(p string) bool { return p == name })
	}
	data, err := json.Marshal(s)
	if err != nil {
		panic(fmt.Sprintf("args: no schema: %v", err))
	}
	return data
}
