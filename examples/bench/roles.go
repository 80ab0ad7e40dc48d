package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// roles are what a tool may be for. Calls of cases are of roles, in these arguments' names:
//
//	read   path, offset (a line, from 1), limit (lines)
//	bash   command, timeout (milliseconds)
//	grep   pattern, path
//	find   pattern (a glob such as **/*.go), path
//	list   path
//	write  path, content
//	edit   path, old, new, all
//	patch  patch
var roles = []string{"read", "bash", "grep", "find", "list", "write", "edit", "patch"}

// A mapping says by which tool of a suite a role is played, and with which arguments.
type mapping map[string]part

// part is a tool with a template of its arguments. In it, "$name" stands for an argument of the role, "$name-1",
// "$name*2" and so on for a number made of it, "${name}" in a longer string for its value quoted for a shell. "$end" is
// the last of limit lines from offset on, "$absolute" the path from the root on, "$name" the last part of a pattern. A
// member is left out if the call does not have the argument.
type part struct {
	Tool string         `json:"tool"`
	Args map[string]any `json:"args"`
}

// optional are arguments that a suite may lack: without a limit, more than what is asked for is shown.
var optional = map[string]bool{"limit": true}

// errLacks is why a suite cannot be asked for something.
type errLacks struct{ what string }

func (e errLacks) Error() string { return e.what }

// instead are names by which a template may use an argument in another form: the last part of a pattern, and a path
// from the root of the file system on.
var instead = map[string]string{"pattern": "name", "path": "absolute"}

// call makes a suite's call of a role's, for a workspace.
func (m mapping) call(dir, role string, given map[string]any) (tool string, args map[string]any, err error) {
	p, ok := m[role]
	if !ok {
		return "", nil, errLacks{"no tool for " + role}
	}
	values := maps.Clone(given)
	if offset, ok := number(given["offset"]); ok {
		if limit, ok := number(given["limit"]); ok {
			values["end"] = offset + limit - 1
		}
	}
	if pattern, ok := given["pattern"].(string); ok {
		values["name"] = path.Base(pattern)
	}
	if name, ok := given["path"].(string); ok {
		if values["absolute"] = name; !filepath.IsAbs(name) {
			values["absolute"] = filepath.Join(dir, name)
		}
	}
	template, err := json.Marshal(p.Args)
	if err != nil {
		return "", nil, err
	}
	for name := range given {
		uses := regexp.MustCompile(`\$\{?(` + name + "|" + cmp.Or(instead[name], name) + `)\b`).Match(template)
		if !uses && !optional[name] {
			return "", nil, errLacks{fmt.Sprintf("its %s takes no %s", role, name)}
		}
	}
	args = map[string]any{}
	for name, t := range p.Args {
		if value, ok := expand(t, values); ok {
			args[name] = value
		}
	}
	return p.Tool, args, nil
}

var (
	alone  = regexp.MustCompile(`^\$(\w+)(?:([-+*/])(\d+))?$`)
	within = regexp.MustCompile(`\$\{(\w+)\}`)
)

// expand fills a template; false if a value is missing.
func expand(template any, values map[string]any) (any, bool) {
	switch t := template.(type) {
	case string:
		if m := alone.FindStringSubmatch(t); m != nil {
			return computed(values[m[1]], m[2], m[3])
		}
		ok := true
		text := within.ReplaceAllStringFunc(t, func(m string) string {
			value, has := values[m[2:len(m)-1]]
			ok = ok && has
			return "'" + strings.ReplaceAll(fmt.Sprint(value), "'", `'\''`) + "'"
		})
		return text, ok
	case []any:
		var list []any
		for _, each := range t {
			value, ok := expand(each, values)
			if !ok {
				return nil, false
			}
			list = append(list, value)
		}
		return list, true
	case map[string]any:
		object := map[string]any{}
		for name, each := range t {
			value, ok := expand(each, values)
			if !ok {
				return nil, false
			}
			object[name] = value
		}
		return object, true
	}
	return template, true
}

func computed(value any, operator, operand string) (any, bool) {
	if operator == "" {
		return value, value != nil
	}
	n, ok := number(value)
	by, err := strconv.Atoi(operand)
	if !ok || err != nil {
		return nil, false
	}
	switch operator {
	case "+":
		n += by
	case "-":
		n -= by
	case "*":
		n *= by
	case "/":
		n /= max(by, 1)
	}
	return n, true
}

// number is a JSON number as an integer.
func number(value any) (int, bool) {
	switch n := value.(type) {
	case int:
		return n, true
	case float64:
		return int(n), true
	}
	return 0, false
}

// usual are the names of tools by role, the likelier ones first.
var usual = map[string][]string{
	"read": {"read", "read_text_file", "read_file", "view", "view_file", "open_file", "get_file_contents", "cat"},
	"bash": {"bash", "shell", "run_command", "execute_command", "run_shell_command", "run_process", "start_process", "exec",
		"execute"},
	"grep":  {"grep", "search_content", "search_files_content", "search_code", "ripgrep", "search_text"},
	"find":  {"find", "glob", "find_files", "search_files", "file_search"},
	"list":  {"ls", "list", "list_directory", "list_dir", "list_files"},
	"write": {"write", "write_file", "create_file", "save_file"},
	"edit":  {"edit", "edit_file", "edit_block", "str_replace", "replace_in_file", "replace"},
	"patch": {"apply_patch", "patch"},
}

// arguments are the names of a tool's arguments by that of a role.
var arguments = map[string][]string{
	"path":    {"path", "file_path", "filepath", "filename", "file", "absolute_path", "directory", "dir", "target_file"},
	"offset":  {"offset", "start_line", "line_start", "startline", "from_line"},
	"limit":   {"limit", "length", "max_lines", "num_lines", "line_count"},
	"end":     {"end_line", "line_end", "endline", "to_line"},
	"command": {"command", "cmd", "command_line", "script"},
	"timeout": {"timeout_ms", "timeoutms", "timeout", "timeout_seconds", "timeout_s", "timeoutseconds"},
	"pattern": {"pattern", "glob", "query", "regex", "search"},
	"content": {"content", "contents", "file_text", "text"},
	"old":     {"old_string", "old_str", "old_text", "oldtext", "old", "search"},
	"new":     {"new_string", "new_str", "new_text", "newtext", "new", "replace", "replacement"},
	"all":     {"replace_all", "replaceall", "all"},
	"patch":   {"patch", "patch_text", "input", "diff"},
}

// taken are the arguments of a role, those without which a tool cannot play it first.
var taken = map[string][]string{
	"read": {"path", "offset", "limit", "end"}, "bash": {"command", "timeout"},
	"grep": {"pattern", "path"}, "find": {"pattern", "path"}, "list": {"path"}, "write": {"path", "content"}, "edit": {"path", "old", "new", "all"}, "patch": {"patch"},
}

var needed = map[string]int{"read": 1, "bash": 1, "grep": 1, "find": 1, "list": 0, "write": 2, "edit": 3, "patch": 1}

// schema is what of a tool's schema a guess is made of.
type schema struct {
	Type        any               `json:"type"`
	Description string            `json:"description"`
	Properties  map[string]schema `json:"properties"`
	Items       *schema           `json:"items"`
	Required    []string          `json:"required"`
}

func schemaOf(t *mcp.Tool) (s schema) {
	data, err := json.Marshal(t.InputSchema)
	if err == nil {
		_ = json.Unmarshal(data, &s) // a schema of another form has no arguments that could be guessed
	}
	return s
}

// guess maps the roles to tools by names.
func guess(tools []*mcp.Tool) mapping {
	m := mapping{}
	for _, role := range roles {
		for _, name := range usual[role] {
			at := slices.IndexFunc(tools, func(t *mcp.Tool) bool { return strings.EqualFold(t.Name, name) })
			if at < 0 || m[role].Tool != "" {
				continue
			}
			if args, ok := guessArgs(role, schemaOf(tools[at])); ok {
				m[role] = part{tools[at].Name, args}
			}
		}
	}
	return m
}

func guessArgs(role string, s schema) (map[string]any, bool) {
	args := map[string]any{}
	for i, name := range taken[role] {
		as, has := s.property(name)
		if has {
			args[as] = "$" + name
			d := s.Properties[as].Description
			if name == "timeout" && !strings.Contains(d, "illisec") && !strings.Contains(strings.ToLower(as), "ms") {
				args[as] = "$timeout/1000"
			}
			if name == "offset" && strings.Contains(d, "0-based") {
				args[as] = "$offset-1"
			}
			continue
		}
		if role == "edit" && (name == "old" || name == "new") {
			if list := s.Properties["edits"]; list.Items != nil {
				old, hasOld := list.Items.property("old")
				with, hasNew := list.Items.property("new")
				args["edits"], has = []any{map[string]any{old: "$old", with: "$new"}}, hasOld && hasNew
			}
		}
		if !has && i < needed[role] {
			return nil, false
		}
	}
	if _, has := s.Properties["view_range"]; has && role == "read" {
		args["view_range"] = []any{"$offset", "$end"}
	}
	for _, name := range s.Required {
		if _, has := args[name]; !has && s.Properties[name].Type != "string" {
			return nil, false
		} else if !has {
			args[name] = "bench" // such as a description of the command
		}
	}
	return args, true
}

// property is the name of an argument in a schema.
func (s schema) property(argument string) (string, bool) {
	for _, name := range arguments[argument] {
		for _, has := range slices.Sorted(maps.Keys(s.Properties)) {
			if strings.EqualFold(strings.ReplaceAll(has, "_", ""), strings.ReplaceAll(name, "_", "")) {
				return has, true
			}
		}
	}
	return "", false
}

// String shows the mapping as -map reads it, a role on a line.
func (m mapping) String() string {
	var b strings.Builder
	for i, role := range slices.SortedFunc(maps.Keys(m), byRole) {
		data, _ := json.Marshal(m[role]) // of strings, numbers, lists and objects
		fmt.Fprintf(&b, "%s%q: %s", []string{"{\n  ", ",\n  "}[min(i, 1)], role, data)
	}
	return b.String() + "\n}\n"
}

func byRole(a, b string) int { return cmp.Compare(slices.Index(roles, a), slices.Index(roles, b)) }
