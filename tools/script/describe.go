package script

import (
	"cmp"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/spillway-go/spillway/tools"
)

// maxDescription is how many bytes the description has, most of it signatures of tools. Those for which there is no room
// are named.
const maxDescription = 4 << 10

const (
	beginning = `Run JavaScript that calls the other tools. What they return stays in the script: only what it prints or ` +
		`returns is shown. Use it for several calls in one, and to count, filter, compare or change many files. code is the ` +
		`body of an async function, with await and return:

const {lines} = await tools.grep({pattern: "TODO", glob: "*.go"});
return Object.entries(Object.groupBy(lines, l => l.path)).map(([path, list]) => path + " " + list.length).join("\n");

for (const path of (await tools.find({pattern: "*.md"})).paths)
  await tools.edit({path, old_string: "colour", new_string: "color", replace_all: true}).catch(e => print(path, e.code));

There is no require, import, fetch or timer; print(...) and image(result of read) show something. Promise.all makes ` +
		`%d calls at once. A call that fails throws an Error with code, message, and as details what there is of the result.
A result has the fields below and no others (those without a type are strings), the ones with ? only where they ` +
		`say something. text is what was read, found or printed, without notices; of bash and job, stdout and stderr. match is false for lines of context. Without a limit, ` +
		`all is returned. What is over %s throws too_large, with how to go on, unless the call asks for a part: by ` +
		`limit, offset, column, show, until, ready_when, or partial: true, which every tool takes here. Then nextOffset ` +
		`is where to go on, and cut says that not all fitted. skipped counts what a search left out, by reason: ignored, binary, large...
`
	ofAdded = "\nResults not given here: "
)

// describe returns the description of the tool, with the signatures of others in TypeScript's form.
func describe(list []tools.Tool, o Options) string {
	text := fmt.Sprintf(beginning, o.Parallel, inShort(o.MaxBytes))
	added := ofAdded + formOf(reflect.TypeFor[addedValue]())
	var rest []string
	others := false
	for _, t := range list {
		if t.Name() == Name {
			continue
		}
		line := "\ntools." + t.Name() + "(" + arguments(t.Schema()) + ")"
		if value, ok := values[t.Name()]; ok && isOwn(t) {
			line += ": " + formOf(reflect.TypeOf(value))
		} else {
			others = true
		}
		if len(text)+len(line) > maxDescription-len(added)-100 {
			rest = append(rest, t.Name())
			continue
		}
		text += line
	}
	if others {
		text += added
	}
	if len(rest) > 0 {
		line := "\nOther tools, with the arguments that they have outside: " + strings.Join(rest, ", ")
		if len(text)+len(line) > maxDescription {
			line = fmt.Sprintf("\nand %d other tools, with the arguments that they have outside", len(rest))
		}
		text += line
	}
	return text
}

// isOwn reports whether a tool is one of the library.
func isOwn(t tools.Tool) bool {
	_, own := t.(tools.LibraryTool)
	return own
}

func inShort(bytes int) string {
	if bytes%(1<<20) == 0 {
		return fmt.Sprintf("%d MiB", bytes>>20)
	}
	return fmt.Sprintf("%d bytes", bytes)
}

// arguments returns the arguments of a schema: {path: string, limit?: number}.
func arguments(schema json.RawMessage) string {
	var s struct{ Required []string }
	_ = json.Unmarshal(schema, &s) // a suite has checked that it is an object
	var list []string
	for _, p := range propertiesOf(schema) {
		mark := "?"
		if slices.Contains(s.Required, p.name) {
			mark = ""
		}
		list = append(list, p.name+mark+p.form())
	}
	return "{" + strings.Join(list, ", ") + "}"
}

// propertiesOf returns the arguments of a schema.
func propertiesOf(schema json.RawMessage) []property {
	var s struct{ Properties json.RawMessage }
	if json.Unmarshal(schema, &s) != nil || s.Properties == nil {
		return nil
	}
	return properties(s.Properties)
}

// property is an argument in a schema.
type property struct {
	name  string
	Type  any
	Enum  []string
	Items struct{ Type any }
}

// properties returns those of an object, in their order.
func properties(object json.RawMessage) (list []property) {
	d := json.NewDecoder(strings.NewReader(string(object)))
	if _, err := d.Token(); err != nil {
		return nil
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return list
		}
		p := property{name: fmt.Sprint(name)}
		if d.Decode(&p) != nil {
			return list
		}
		list = append(list, p)
	}
	return list
}

// form returns the type of a property as TypeScript has it. A string has none: most are.
func (p property) form() string {
	switch {
	case len(p.Enum) > 0:
		return `: "` + strings.Join(p.Enum, `" | "`) + `"`
	case p.Type == "integer" || p.Type == "number":
		return ": number"
	case p.Type == "boolean":
		return ": boolean"
	case p.Type == "array" && p.Items.Type == "string":
		return ": string[]"
	case p.Type == "array":
		return ": object[]"
	case p.Type == "string":
		return ""
	}
	return ": any"
}

// formOf returns the fields of a value as TypeScript has them: {text, matches: number, cut?: boolean}.
func formOf(t reflect.Type) string {
	var list []string
	for _, f := range reflect.VisibleFields(t) {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "" {
			continue // embedded: its fields follow
		}
		if options == "omitempty" || len(f.Index) > 1 && t.Field(f.Index[0]).Type.Kind() == reflect.Pointer {
			name += "?"
		}
		list = append(list, name+kindOf(f.Type))
	}
	return "{" + strings.Join(list, ", ") + "}"
}

// kindOf returns the type of a field of a value, as [property.form] does.
func kindOf(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Int:
		return ": number"
	case reflect.Bool:
		return ": boolean"
	case reflect.String:
		return ""
	case reflect.Pointer:
		return kindOf(t.Elem())
	case reflect.Struct:
		return ": " + formOf(t)
	case reflect.Slice:
		return cmp.Or(kindOf(t.Elem()), ": string") + "[]"
	case reflect.Map:
		return ": object"
	}
	return ": any"
}
