package main

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A request is a call in a suite's own words.
type request struct {
	Tool string         `json:"tool"`
	Args map[string]any `json:"args"`
	// added are the arguments that a result named, rather than the case. One that the next result does not name is gone.
	added map[string]bool
	// role and given are what the call was made from; none if a result named it.
	role  string
	given map[string]any
}

func (r request) same(other request) bool {
	a, _ := json.Marshal(r.Args) // of what JSON gave
	b, _ := json.Marshal(other.Args)
	return r.Tool == other.Tool && string(a) == string(b)
}

// follower finds the next call in what a suite says. It knows no suite's wording: it looks for the names of tools and
// arguments that the suite's own schemas have, with values, and for paths of files that are there.
type follower struct {
	tools   []*mcp.Tool
	mapping mapping
	world   *world
	since   time.Time // of the clock of files, when the call was made: a file that is older is none of the suite's
}

// spoken is how many lines at the start and at the end of what a suite says are read: notices stand there.
const spoken = 12

// next is the call that the result of a call names for more; false if it names none.
func (f *follower) next(r request, said []string) (request, bool) {
	if len(said) > 2*spoken {
		said = slices.Concat(said[:spoken], said[len(said)-spoken:])
	}
	text := strings.Join(said, "\n")
	if len(text) > 20_000 {
		text = text[len(text)-20_000:]
	}
	for _, find := range []func(request, string) (request, bool){f.again, f.file, f.other, f.command} {
		if more, ok := find(r, text); ok && !more.same(r) {
			return more, true
		}
	}
	return r, false
}

// again is the same call with the arguments that the text names.
func (f *follower) again(r request, text string) (request, bool) {
	named := map[string]any{}
	for name, p := range f.schema(r.Tool).Properties {
		if r.role == "bash" && strings.Contains(strings.ToLower(name), "timeout") {
			continue // how long a command may take does not show more of what it printed
		}
		if values, ok := valuesOf(text, name, p); ok {
			named[name] = values
		}
	}
	if len(named) == 0 {
		return r, false
	}
	more := request{Tool: r.Tool, Args: maps.Clone(r.Args), added: map[string]bool{}, role: r.role, given: r.given}
	for name := range r.added {
		delete(more.Args, name)
	}
	for name, value := range named {
		more.Args[name], more.added[name] = value, true
	}
	if r.role == "read" {
		more.given = f.asked(more)
	}
	return more, true
}

// asked is what a call of the role read asks for, by the suite's template.
func (f *follower) asked(r request) map[string]any {
	given := map[string]any{"path": r.given["path"]}
	for name, template := range f.mapping["read"].Args {
		n, isNumber := number(r.Args[name])
		pair := anySlice(r.Args[name])
		switch {
		case isNumber && template == "$offset-1":
			given["offset"] = n + 1
		case isNumber && (template == "$offset" || template == "$limit"):
			given[strings.TrimPrefix(template.(string), "$")] = n
		case len(pair) == 2: // from a line to a line
			from, _ := number(pair[0])
			to, _ := number(pair[1])
			given["offset"], given["limit"] = from, to-from+1
		}
	}
	return given
}

// valuesOf finds an argument that is a number or a pair of numbers, with its value.
func valuesOf(text, name string, s schema) (any, bool) {
	kind, _ := s.Type.(string)
	for _, each := range anySlice(s.Type) { // such as ["null", "array"]
		if each != "null" {
			kind, _ = each.(string)
		}
	}
	pattern := ""
	switch kind {
	case "integer", "number":
		pattern = `(-?\d+)\b`
	case "array":
		pattern = `\[(\d+), ?(-?\d+)\]`
	default:
		return nil, false
	}
	re := regexp.MustCompile(`\b` + regexp.QuoteMeta(name) + "\\b[\"'`]*(?: ?[=:] ?| )" + pattern)
	m := re.FindStringSubmatch(text)
	if m == nil {
		return nil, false
	}
	numbers := []any{}
	for _, group := range m[1:] {
		n, err := strconv.Atoi(group)
		if err != nil {
			return nil, false
		}
		numbers = append(numbers, n)
	}
	if kind == "array" {
		return numbers, true
	}
	return numbers[0], true
}

func anySlice(v any) []any { list, _ := v.([]any); return list }

var pathLike = regexp.MustCompile("[^\\s\"'`<>()\\[\\],;:=]*/[^\\s\"'`<>()\\[\\],;:=]+|\\B\\.[\\w.-]+/[\\w./-]+")

// file reads a file that the text names and that is there, if the suite made it.
func (f *follower) file(r request, text string) (request, bool) {
	for _, name := range pathLike.FindAllString(text, -1) {
		name = strings.TrimRight(name, ".")
		path := name
		if !filepath.IsAbs(path) {
			path = filepath.Join(f.world.base, name)
		}
		info, err := os.Stat(path)
		if err != nil || !info.Mode().IsRegular() || info.ModTime().Before(f.since) {
			continue
		}
		given := map[string]any{"path": name}
		if tool, args, err := f.mapping.call(f.world.base, "read", given); err == nil {
			return request{Tool: tool, Args: args, role: "read", given: given}, true
		}
	}
	return r, false
}

// other calls another tool that the text names, with the arguments that it has to have.
func (f *follower) other(r request, text string) (request, bool) {
	for _, t := range f.tools {
		if t.Name == r.Tool || !regexp.MustCompile(`\b`+regexp.QuoteMeta(t.Name)+`\b`).MatchString(text) {
			continue
		}
		s, args := schemaOf(t), map[string]any{}
		for _, name := range s.Required {
			value, ok := argument(text, name)
			if !ok {
				break
			}
			if n, err := strconv.Atoi(value); err == nil && s.Properties[name].Type != "string" {
				args[name] = n
			} else {
				args[name] = value
			}
		}
		if len(s.Required) == 0 || len(args) < len(s.Required) {
			continue
		}
		for name, p := range s.Properties {
			if value, ok := valuesOf(text, name, p); ok {
				args[name] = value
			}
		}
		return request{Tool: t.Name, Args: args}, true
	}
	return r, false
}

// argument finds a value for an argument's name, or for its first word: "session: 12" for sessionId.
func argument(text, name string) (string, bool) {
	for _, n := range []string{name, strings.TrimSuffix(strings.TrimSuffix(name, "Id"), "_id")} {
		re := regexp.MustCompile(`(?i)\b` + regexp.QuoteMeta(n) + "\\b[\"'` ]*[=:]?[\"'` ]*([\\w.-]*\\d[\\w.-]*)")
		if m := re.FindStringSubmatch(text); m != nil {
			return strings.TrimRight(m[1], "."), true
		}
	}
	return "", false
}

// command runs a command that the text gives behind the name of the tool that runs commands.
func (f *follower) command(r request, text string) (request, bool) {
	bash := f.mapping["bash"].Tool
	if bash == "" {
		return r, false
	}
	m := regexp.MustCompile(`\b` + regexp.QuoteMeta(bash) + `\b[^:\n]*: ?([^\n]+?)\]?(?:\n|$)`).FindStringSubmatch(text)
	if m == nil {
		return r, false
	}
	tool, args, err := f.mapping.call(f.world.base, "bash", map[string]any{"command": strings.Trim(m[1], "`")})
	return request{Tool: tool, Args: args}, err == nil
}

// onward reads on behind the lines that a page showed, if it has all that were asked for, or if the suite says by any
// number that there is more: how many lines or bytes there are or are left, or which line was the last. false if it
// says nothing of the kind.
func (f *follower) onward(r request, said []string, c *content) (request, bool) {
	if r.role != "read" || c.took == 0 || c.last == len(c.lines)-1 {
		return r, false
	}
	offset, ok := number(r.given["offset"])
	if !ok {
		offset = 1
	}
	bytes, left := 0, len(c.lines)-c.last-1
	for _, line := range c.lines {
		bytes += len(line) + 1
	}
	tells := map[string]bool{}
	for _, n := range []int{len(c.lines), len(c.lines) + 1, left, left + 1, offset + c.took - 1, offset + c.took, bytes} {
		tells[strconv.Itoa(n)] = true
	}
	limit, limited := number(r.given["limit"])
	all := limited && c.took >= limit
	told := func(n string) bool { return tells[n] }
	if !all && !slices.ContainsFunc(numbers.FindAllString(strings.Join(said, "\n"), -1), told) {
		return r, false
	}
	given := maps.Clone(r.given)
	given["offset"] = offset + c.took
	if !limited && strings.Contains(mustJSON(f.mapping["read"].Args), "$end") {
		given["limit"] = c.took
	}
	tool, args, err := f.mapping.call(f.world.base, "read", given)
	if err != nil {
		return r, false
	}
	more := request{Tool: tool, Args: args, role: "read", given: given}
	return more, !more.same(r)
}

var numbers = regexp.MustCompile(`\d+`)

func mustJSON(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err) // a template came from JSON
	}
	return string(data)
}

func (f *follower) schema(tool string) schema {
	for _, t := range f.tools {
		if t.Name == tool {
			return schemaOf(t)
		}
	}
	return schema{}
}
