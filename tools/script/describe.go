package script

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/spillway-go/spillway/tools"
)

// maxDescription is how many bytes the description has for the signatures of tools. Those for which there is no room are
// named.
const maxDescription = 3 << 10

const (
	beginning = `Run JavaScript that calls the other tools. What they return stays in the script: only what it prints or ` +
		`returns is shown. Use it for several calls in one, and to count, filter, compare or change many files. code is the ` +
		`body of an async function, with await and return:

const {lines} = await tools.grep({pattern: "TODO", glob: "*.go"});
return Object.entries(Object.groupBy(lines, l => l.path)).map(([path, list]) => path + " " + list.length).join("\n");

for (const path of (await tools.find({pattern: "*.md"})).paths)
  await tools.edit({path, old_string: "colour", new_string: "color", replace_all: true}).catch(e => print(path, e.code));

A call that fails throws an Error with code and message. Promise.all makes %d calls at once. Limits are those of the ` +
		`script: %s a result, and no default limit on matches, results or entries. There is no require, import, fetch or ` +
		`timer; print(...) and image(result of read) show something. Each result has text, without notices (bash: stdout and ` +
		`stderr together, unless it has stderr), and what is named here; match is false for lines of context:
`
)

// returns says what a script finds in the results of the library's tools besides text.
var returns = map[string]string{
	"read":        "totalLines, nextOffset?",
	"bash":        "exitCode, signal?, job?, stderr?",
	"grep":        "lines: {path, line: number, text, match: boolean, count?: number}[], matches: number, nextOffset?: number",
	"find":        "paths, nextOffset?",
	"ls":          "names, totalEntries",
	"write":       "linesAdded, linesRemoved, created?",
	"edit":        "linesAdded, linesRemoved",
	"apply_patch": "files: {path, linesAdded, linesRemoved}[]",
	"job":         "job, state, running, exitCode, jobs?",
}

// describe returns the description of the tool, with the signatures of others in TypeScript's form.
func describe(list []tools.Tool, o Options) string {
	text := fmt.Sprintf(beginning, o.Parallel, inShort(o.MaxBytes))
	var rest []string
	for _, t := range list {
		if t.Name() == Name {
			continue
		}
		line := "\ntools." + t.Name() + "(" + arguments(t.Schema()) + ")"
		if what := returns[t.Name()]; what != "" {
			line += ": {" + what + "}"
		}
		if len(text)+len(line) > maxDescription-100 {
			rest = append(rest, t.Name())
			continue
		}
		text += line
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

func inShort(bytes int) string {
	if bytes%(1<<20) == 0 {
		return fmt.Sprintf("%d MiB", bytes>>20)
	}
	return fmt.Sprintf("%d bytes", bytes)
}

// arguments returns the arguments of a schema: {path: string, limit?: number}.
func arguments(schema json.RawMessage) string {
	var s struct {
		Properties json.RawMessage
		Required   []string
	}
	if json.Unmarshal(schema, &s) != nil || s.Properties == nil {
		return "{}"
	}
	var list []string
	for _, p := range properties(s.Properties) {
		mark := "?"
		if slices.Contains(s.Required, p.name) {
			mark = ""
		}
		list = append(list, p.name+mark+p.form())
	}
	return "{" + strings.Join(list, ", ") + "}"
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
