package tools

import (
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/spillway-go/spillway/config"
)

// schemaOf derives the schema of a tool's arguments from its Params struct. The
// fields' descriptions are in their jsonschema tags. Arguments in without are left out.
func schemaOf[P any](expand func(description string) string, without ...string) json.RawMessage {
	s, err := jsonschema.For[P](nil)
	if err != nil {
		panic(fmt.Sprintf("tools: no schema: %v", err)) // the struct is wrong, not the input
	}
	s.AdditionalProperties = nil // some are understood, and for others there is a better error
	for _, f := range arguments(reflect.TypeFor[P]()) {
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
		panic(fmt.Sprintf("tools: no schema: %v", err))
	}
	return data
}

var placeholder = regexp.MustCompile(`\{[A-Z][A-Za-z.]+(:ms)?\}`)

// fill puts the values of options in the place of their names in braces, as
// {Grep.Limit} or, in milliseconds, {Bash.Timeout:ms}, so that what a description
// promises is what is in force.
func fill(text string, cfg config.Config) string {
	return placeholder.ReplaceAllStringFunc(text, func(name string) string {
		name, ms := strings.CutSuffix(name[1:len(name)-1], ":ms")
		value, _, ok := cfg.Lookup(name)
		if d, err := time.ParseDuration(value); ok && ms && err == nil {
			return strconv.FormatInt(d.Milliseconds(), 10)
		}
		if !ok || ms {
			panic("tools: a description names the unknown option " + name)
		}
		return value
	})
}
