package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/spillway-go/spillway/config"
	toolargs "github.com/spillway-go/spillway/internal/args"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/script"
)

// fromStdin is a value that is read from stdin.
const fromStdin = "@-"

// argumentsFor makes a JSON object of what follows the name of a tool. stdin is nil if it has something else.
func argumentsFor(t tools.Tool, args []string, stdin io.Reader) (json.RawMessage, error) {
	return arguments(t.Name(), positions(t), args, stdin)
}

// positions are the arguments of a tool that need no key, in order: what is required, then what comes next naturally.
func positions(t tools.Tool) []string { return places[t.Name()] }

var places = map[string][]string{
	"read": {"path", "offset", "limit"}, "bash": {"command"}, "grep": {"pattern", "path"}, "find": {"pattern", "path"},
	"ls": {"path"}, "write": {"path", "content"}, "edit": {"path", "old_string", "new_string"}, "apply_patch": {"patch"},
	"job": {"id"}, script.Name: {"code"},
}

// keyed is an argument that is written as KEY=VALUE.
var keyed = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^([A-Za-z_][A-Za-z0-9_-]*)=`) })

// arguments makes a JSON object of JSON, a file with JSON, or words: KEY=VALUE, and those without a key for the arguments
// in places, in that order.
func arguments(tool string, places, args []string, stdin io.Reader) (json.RawMessage, error) {
	read := reader{stdin: stdin}
	if len(args) == 1 && isObject(args[0]) {
		text, err := read.value(args[0])
		if err != nil {
			return nil, err
		}
		return jsonObject(tool, places, text)
	}
	object := map[string]any{}
	placed := 0 // how many had no key
	for _, arg := range args {
		key, text := "", arg
		found := keyed().FindStringSubmatch(arg)
		switch {
		case found != nil:
			key, text = found[1], arg[len(found[0]):]
		case placed == len(places):
			return nil, usage("%q is one too many without a key: %s takes only %s so. "+
				"Put quotes around a text with spaces, or write KEY=VALUE (spillway tools %s lists the keys)",
				arg, tool, cmp.Or(strings.Join(places, ", "), "none"), tool)
		default:
			key = places[placed]
			placed++
		}
		if object[key] != nil && slices.Contains(places[:placed], key) {
			return nil, usage("%s is given twice, the second time as %q. Leave out one", key, arg)
		}
		value, err := read.value(text)
		if err != nil {
			return nil, err
		}
		if !utf8.ValidString(value) || !utf8.ValidString(key) {
			return nil, usage(`%q is not valid UTF-8. A file name that is not is written in C quotes, such as "a\377b"`, key)
		}
		switch before := object[key].(type) {
		case nil:
			object[key] = value
		case string:
			object[key] = []string{before, value}
		case []string:
			object[key] = append(before, value)
		}
	}
	return json.Marshal(object)
}

// taken says how to write a text that was taken for an argument which the tool does not have, such as "A=1 make"; "" if
// there is none.
func taken(t tools.Tool, args []string) string {
	list, err := argumentsOf(t)
	if err != nil || len(list) == 0 {
		return ""
	}
	names := namesOf(list)
	for _, arg := range args {
		found := keyed().FindStringSubmatch(arg)
		if found == nil || found[1] == list[0].name {
			return ""
		}
		if known, _ := toolargs.Meaning(names, found[1]); known == "" {
			return fmt.Sprintf("%s was taken for an argument of %s. If it belongs to a text, write '%s=%s'",
				found[1], t.Name(), list[0].name, arg)
		}
	}
	return ""
}

// asArgument says how to write what was written as a flag, such as -i or -C 3 of grep, as an argument of a tool; "" if the
// tool has none that means it.
func asArgument(tool, flag string) string {
	named, err := chosen(allTools(config.Config{Tools: config.ToolNames()}), []string{tool})
	if err != nil {
		return ""
	}
	list, err := argumentsOf(named[0])
	if err != nil {
		return ""
	}
	names := namesOf(list)
	key, value, given := strings.Cut(flag, "=")
	name, set := toolargs.Meaning(names, key)
	if name == "" {
		return ""
	}
	if list[slices.Index(names, name)].kind == "boolean" {
		set = cmp.Or(set, "true")
	}
	if !given || set != "" && set != "true" {
		value = cmp.Or(set, "VALUE")
	}
	return name + "=" + value
}

// isObject reports whether an argument holds all others: it is JSON, or a file with it.
func isObject(arg string) bool {
	return strings.HasPrefix(strings.TrimSpace(arg), "{") ||
		strings.HasPrefix(arg, "@") && !strings.HasPrefix(arg, "@@")
}

// jsonObject is the arguments that a text holds. The tool says what else is wrong with them, and
// that they are too large: then their end is missing here.
func jsonObject(tool string, places []string, text string) (json.RawMessage, error) {
	var object map[string]json.RawMessage
	err := json.Unmarshal([]byte(text), &object)
	if err == nil || len(text) > maxArguments || strings.TrimSpace(text) == "" {
		return json.RawMessage(text), nil
	}
	if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
		hint := ""
		if len(places) > 0 {
			hint = ". A text that is no JSON is written " + places[0] + "=TEXT"
		}
		return nil, usage("the arguments of %s must be one JSON object, but at byte %d: %w%s", tool, syntax.Offset, err, hint)
	}
	return nil, usage(`the arguments of %s must be one JSON object, such as {"path": "go.mod"}`, tool)
}

// reader reads values that are not on the command line.
type reader struct {
	stdin io.Reader
	used  bool // stdin was read
}

// value is what is written on the command line: a text, @FILE, @- for stdin, or @@ and a
// text that begins with @.
func (r *reader) value(text string) (string, error) {
	name, from := strings.CutPrefix(text, "@")
	if !from || strings.HasPrefix(name, "@") {
		return name, nil
	}
	in := r.stdin
	if name == "-" && in == nil {
		return "", usage("%s: stdin has the calls. Write @FILE", fromStdin)
	}
	if name != "-" {
		file, err := os.Open(name)
		if err != nil {
			return "", refused{err}
		}
		defer file.Close()
		in = file
	} else if r.used {
		return "", usage("stdin is there for one value only")
	} else {
		r.used = true
	}
	data, err := io.ReadAll(io.LimitReader(in, maxArguments+1)) // one more is too many, as the tool says
	if err != nil {
		return "", refused{fmt.Errorf("reading %s: %w", text, err)}
	}
	return string(data), nil
}

// split divides a line into words as a shell does: quotes, of both kinds, and backslashes take away the meaning of
// white space and of each other. Nothing is expanded.
func split(line string) (words []string, err error) {
	var word strings.Builder
	var quote rune // that is open
	begun, escaped := false, false
	if !utf8.ValidString(line) {
		return nil, usage("the line is not valid UTF-8")
	}
	for _, r := range line {
		switch {
		case escaped:
			if quote == '"' && !strings.ContainsRune("\"\\$`", r) {
				word.WriteRune('\\')
			}
			word.WriteRune(r)
			escaped = false
		case r == '\\' && quote != '\'':
			begun, escaped = true, true
		case quote != 0 && r == quote:
			quote = 0
		case quote == 0 && (r == '\'' || r == '"'):
			begun, quote = true, r
		case quote == 0 && (r == ' ' || r == '\t'):
			if begun {
				words = append(words, word.String())
			}
			begun = false
			word.Reset()
		default:
			begun = true
			word.WriteRune(r)
		}
	}
	switch {
	case quote != 0:
		return nil, usage("the quote %c is not closed", quote)
	case escaped:
		return nil, usage("there is nothing behind the last backslash")
	case begun:
		words = append(words, word.String())
	}
	return words, nil
}
