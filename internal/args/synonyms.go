package args

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"github.com/spillway-go/spillway/internal/nearest"
	"github.com/spillway-go/spillway/internal/quote"
)

// synonyms are the names of other agents' tools for our arguments, in canonical form. Of several arguments, the first
// that the tool has is meant. "!" negates a truth value, and "=" sets an argument to a value if the synonym is true.
var synonyms = map[string][]string{
	"absolute_path": {"path"}, "dir": {"path", "cwd"}, "dir_path": {"path"}, "directory": {"path", "cwd"}, "directory_path": {"path"}, "file": {"path"},
	"file_name": {"path"}, "file_path": {"path"}, "filename": {"path"}, "filepath": {"path"}, "folder": {"path"}, "relative_workspace_path": {"path"},
	"root": {"path"}, "search_path": {"path"}, "target_directory": {"path"}, "target_file": {"path"},
	"file_paths": {"paths"}, "files": {"paths"},
	"workdir": {"cwd"}, "working_dir": {"cwd"}, "working_directory": {"cwd"},
	"bash_command": {"command"}, "cmd": {"command"}, "script": {"command"}, "shell_command": {"command"},
	"timeout_milliseconds": {"timeout_ms", "wait_ms"}, "timeout_millis": {"timeout_ms", "wait_ms"}, "timeout_ms": {"wait_ms"}, "yield_time_ms": {"wait_ms"},
	"is_background": {"background"}, "run_in_background": {"background"}, "blocking": {"!background"}, "pty": {"tty"}, "wait_until": {"ready_when", "until"}, "wait_for": {"ready_when", "until"},
	"job_id": {"id"}, "bash_id": {"id"}, "shell_id": {"id"}, "task_id": {"id"}, "session_id": {"id"}, "process_id": {"id"}, "job": {"id"}, "stdin": {"input"}, "chars": {"input"},
	"file_glob": {"glob"}, "file_pattern": {"glob", "pattern"}, "glob_pattern": {"glob", "pattern"}, "glob": {"pattern"}, "include": {"glob"}, "include_pattern": {"glob"}, "includes": {"glob"},
	"query": {"pattern"}, "regex": {"pattern"}, "regexp": {"pattern"}, "search": {"pattern", "old_string"}, "search_pattern": {"pattern"}, "search_term": {"pattern"},
	"-o": {"only_matching"}, "only_match": {"only_matching"},
	"-i": {"ignore_case"}, "case_insensitive": {"ignore_case"}, "case_sensitive": {"!ignore_case"},
	"-F": {"literal"}, "fixed_string": {"literal"}, "fixed_strings": {"literal"}, "is_literal": {"literal"}, "is_regex": {"!literal"}, "is_regexp": {"!literal"}, "use_regex": {"!literal"},
	"-C": {"context"}, "context_lines": {"context"}, "lines_of_context": {"context"},
	"-A": {"after"}, "after_context": {"after"}, "context_after": {"after"}, "lines_after": {"after"},
	"-B": {"before"}, "before_context": {"before"}, "context_before": {"before"}, "lines_before": {"before"},
	"include_ignored": {"ignored"}, "no_ignore": {"ignored"}, "respect_git_ignore": {"!ignored"}, "respect_gitignore": {"!ignored"},
	"-l": {"output_mode=files_with_matches"}, "files_only": {"output_mode=files_with_matches"}, "files_with_matches": {"output_mode=files_with_matches"}, "names_only": {"output_mode=files_with_matches"},
	"-c": {"output_mode=count"}, "count_only": {"output_mode=count"},
	"-U": {"multiline"}, "multi_line": {"multiline"},
	"head_limit": {"limit"}, "-m": {"limit"}, "line_count": {"limit"}, "max_count": {"limit"}, "max_entries": {"limit"}, "max_lines": {"limit"}, "max_matches": {"limit"},
	"max_results": {"limit"}, "num_lines": {"limit"}, "num_results": {"limit"},
	"skip": {"offset"}, "start": {"offset"}, "start_line": {"offset"}, "start_line_one_indexed": {"offset"}, "line_start": {"offset"}, "from_line": {"offset"}, "line_offset": {"offset"},
	"contents": {"content"}, "data": {"content"}, "file_content": {"content"}, "file_contents": {"content"}, "file_text": {"content"}, "new_content": {"content", "new_string"}, "text": {"content"},
	"find": {"old_string"}, "find_text": {"old_string"}, "old": {"old_string"}, "old_code": {"old_string"}, "old_content": {"old_string"}, "old_str": {"old_string"}, "old_text": {"old_string"},
	"original": {"old_string"}, "original_text": {"old_string"}, "search_string": {"old_string"}, "search_text": {"old_string"}, "string_to_replace": {"old_string"},
	"new": {"new_string"}, "new_code": {"new_string"}, "new_str": {"new_string"}, "new_text": {"new_string"}, "replace": {"new_string"}, "replace_string": {"new_string"},
	"replace_text": {"new_string"}, "replace_with": {"new_string"}, "replacement": {"new_string"}, "replacement_text": {"new_string"},
	"all": {"replace_all"}, "all_occurrences": {"replace_all"}, "allow_multiple": {"replace_all"}, "global": {"replace_all"}, "multiple": {"replace_all"},
	"changes": {"edits"}, "multi_edit": {"edits"}, "operations": {"edits"}, "replacements": {"edits"},
	"notebook_path": {"path"}, "target_notebook": {"path"}, "new_source": {"new_string"}, "cell_id": {"cell"}, "cell_number": {"cell"},
	"cell_mode": {"edit_mode"}, "edit_type": {"edit_mode"}, "mode": {"edit_mode"}, "is_new_cell": {"edit_mode=insert"}, "cell_language": {"cell_type"}, "cell_kind": {"cell_type"},
	"move_to": {"to_cell"}, "new_cell_number": {"to_cell"},
	"charset": {"encoding"}, "file_encoding": {"encoding"}, "text_encoding": {"encoding"},
	"diff": {"patch"}, "input": {"patch"}, "patch_text": {"patch"},
	"entry_type": {"type"}, "file_type": {"type"}, "order_by": {"sort"}, "sort_by": {"sort"},
}

// values are the names of other agents' tools, and of the field, for the values of our arguments, in lower case.
var values = map[string]map[string]string{
	"cell_type":   {"md": "markdown", "python": "code", "r": "code", "sql": "code", "shell": "code", "javascript": "code", "typescript": "code"},
	"edit_mode":   {"add": "insert", "create": "insert", "new": "insert", "edit": "replace", "update": "replace", "remove": "delete"},
	"output_mode": {"counts": "count", "filenames": "files_with_matches", "files": "files_with_matches", "paths": "files_with_matches"},
	"signal": {
		"2": "interrupt", "int": "interrupt", "sigint": "interrupt",
		"ctrl_c": "interrupt", "ctrl-c": "interrupt", "ctrl+c": "interrupt", "^c": "interrupt",
		"15": "terminate", "term": "terminate", "sigterm": "terminate", "stop": "terminate", "9": "kill",
		"sigkill": "kill",
	},
	"type": {"f": "file", "files": "file", "d": "dir", "directories": "dir", "directory": "dir", "folder": "dir",
		"all": "any", "both": "any"},
}

// alsoTaken says which of these values an error mentions.
var alsoTaken = map[string]string{
	"signal": ". It also takes SIGINT, SIGTERM and SIGKILL for these, with or without SIG, and 2, 15 and 9. " +
		"No other signal can be sent",
}

// lineOffsets are synonyms for offset of read alone: they count lines, but the offsets of other tools count results.
var lineOffsets = []string{"start", "start_line", "start_line_one_indexed", "line_start", "from_line", "line_offset"}

// lastLines are names for the last line to show, which together with offset becomes a limit.
var lastLines = []string{"end_line", "end_line_one_indexed_inclusive", "line_end", "to_line"}

// explaining are keys that explain why a call is made. They are ignored.
var explaining = []string{"comment", "description", "explanation", "instruction", "instructions", "intent", "justification", "purpose", "rationale", "reason", "reasoning", "requires_approval",
	"summary", "thinking", "thought", "title", "tool_action", "tool_summary"}

// idle are keys without effect at this value.
var idle = map[string]string{
	"command": "str_replace", "expected_occurrences": "1", "expected_replacements": "1",
	"-E": "true", "-n": "true", "-r": "true", "-R": "true", "background": "false", "blocking": "true", "hidden": "true", "include_hidden": "true",
	"include_ignored": "false", "is_background": "false", "line_numbers": "true", "no_ignore": "false", "is_new_cell": "false", "recursive": "true", "respect_git_ignore": "true",
	"respect_gitignore": "true", "run_in_background": "false", "should_read_entire_file": "false", "show_line_numbers": "true",
}

// onlyOf names the tools for which an idle key has no effect, if not all.
var onlyOf = map[string][]string{
	"command": {"edit"}, "expected_occurrences": {"edit"}, "expected_replacements": {"edit"}, "is_new_cell": {"edit"},
	"-n": {"grep"}, "line_numbers": {"grep"}, "show_line_numbers": {"grep"}, "-r": {"grep"}, "-R": {"grep"}, "recursive": {"grep", "find"},
	"-E":         {"grep"},
	"background": {"bash"}, "is_background": {"bash"}, "blocking": {"bash"}, "run_in_background": {"bash"}, "should_read_entire_file": {"read"},
}

// advice says what to do about refused keys.
var advice = map[string]string{
	"command": "read shows a file, write creates one and edit replaces text; to insert lines, edit the line beside them", "code_edit": snippetAdvice, "diff": snippetAdvice, "insert_line": "To insert lines, give the line beside them as old_string, and as new_string that line with them",
	"expected_occurrences": "Set replace_all to replace all", "expected_replacements": "Set replace_all to replace all",
	"exclude": "Leave files out by glob, as in glob=!*_test.go", "exclude_pattern": "Leave files out by glob, as in glob=!*_test.go", "ignore": "What git ignores is left out",
	"end_line": pageAdvice, "end_line_one_indexed_inclusive": pageAdvice, "line_end": pageAdvice, "to_line": pageAdvice, "view_range": pageAdvice, "line_numbers": "read shows lines as they are",
	"cell_index": cellAdvice, "cell_idx": cellAdvice,
	"depth": depthAdvice, "max_depth": depthAdvice, "recursive": depthAdvice,
}

const (
	snippetAdvice = "Give the text to replace as old_string, and its replacement as new_string"
	pageAdvice    = "Use offset, the first line, and limit, the number of lines"
	cellAdvice    = "Use cell, which counts from 1, as read shows it"
	depthAdvice   = "ls shows one directory; find and grep cover everything below one; a glob such as */*.go sets the depth"
)

// rename renames the keys of a call to the arguments that they mean, and drops keys without effect and null values.
// What it does not understand is an error. Names of other agents' tools are accepted only with foreign.
func (all arguments) rename(tool string, object map[string]json.RawMessage, foreign bool, hidden []string) *Error {
	from := map[string]string{} // the key that an argument came from
	for _, key := range slices.Sorted(maps.Keys(object)) {
		if all.names[key] {
			continue
		}
		value, name := object[key], spelling(key, all.names)
		delete(object, key)
		argument, meant := "", value
		switch {
		case string(value) == "null" || slices.Contains(explaining, name) || foreign && asksNothing(tool, name, value):
			continue
		case all.names[name]:
			argument = name
		case foreign:
			argument, meant = meaning(tool, name, value, all.names, object)
		}
		if argument == "" {
			return all.refused(tool, key, name, value, hidden, foreign)
		}
		if other, taken := object[argument]; taken && !bytes.Equal(other, meant) {
			return errorf("%s and %s both mean %s, and differ. Give %s alone", cmp.Or(from[argument], argument), quote.Value(key),
				argument, argument)
		}
		object[argument], from[argument] = meant, quote.Value(key)
	}
	maps.DeleteFunc(object, func(_ string, value json.RawMessage) bool { return string(value) == "null" })
	for _, a := range all.list {
		if value, given := object[a.name]; foreign && a.few != nil && given {
			meant, err := a.oneOf(value)
			if err != nil {
				return err
			}
			object[a.name] = meant
		}
	}
	return nil
}

// oneOf maps the value of an argument with few values to one of these.
func (a argument) oneOf(given json.RawMessage) (json.RawMessage, *Error) {
	value, err := valueOf(given)
	text, ok := value.(string)
	if number, is := value.(json.Number); is {
		text, ok = number.String(), true
	}
	if err != nil || !ok || strings.TrimSpace(text) == "" {
		return given, nil // decode says what is wanted
	}
	name := strings.ToLower(strings.TrimSpace(text))
	name = cmp.Or(values[a.name][name], name)
	if !slices.Contains(a.few, name) {
		return nil, notAmong(a.name, a.few, text, alsoTaken[a.name])
	}
	return json.RawMessage(strconv.Quote(name)), nil
}

// notAmong returns the error for a value that is not allowed.
func notAmong(argument string, few []string, value, also string) *Error {
	return errorf("%s must be one of %s, but it is %s%s", argument, strings.Join(few, ", "), quote.Value(value), also)
}

// meaning returns the argument that a synonym means, and its value; "" for none.
func meaning(tool, name string, value json.RawMessage, own map[string]bool, object map[string]json.RawMessage) (string, json.RawMessage) {
	if tool == "read" && slices.Contains(lastLines, name) {
		return linesUpTo(value, object)
	}
	if tool != "read" && slices.Contains(lineOffsets, name) {
		return "", nil
	}
	for _, meant := range synonyms[name] {
		argument, set, sets := strings.Cut(strings.TrimPrefix(meant, "!"), "=")
		if !own[argument] {
			continue
		}
		on, err := strconv.ParseBool(strings.Trim(string(value), `"`))
		switch {
		case sets && err == nil && on:
			return argument, json.RawMessage(strconv.Quote(set))
		case sets:
			return "", nil
		case strings.HasPrefix(meant, "!") && err == nil:
			return argument, json.RawMessage(strconv.FormatBool(!on))
		case strings.HasPrefix(meant, "!"):
			return "", nil
		}
		return argument, value
	}
	return "", nil
}

// asksNothing reports whether a key has no effect.
func asksNothing(tool, name string, value json.RawMessage) bool {
	only, ok := onlyOf[name]
	if idle[name] == "" && synonyms[name] != nil {
		return false // an empty text is a value
	}
	return idle[name] == strings.Trim(string(value), `"`) && (!ok || slices.Contains(only, tool))
}

// linesUpTo returns the limit for a page that ends at a line.
func linesUpTo(last json.RawMessage, object map[string]json.RawMessage) (argument string, limit json.RawMessage) {
	first := int64(1)
	for key, value := range object {
		if name := spelling(key, nil); name == "offset" || slices.Contains(lineOffsets, name) {
			if v, err := valueOf(value); err == nil {
				if n, ok := wholeNumber(v); ok && n > 0 {
					first = n
				}
			}
		}
	}
	v, err := valueOf(last)
	if n, ok := wholeNumber(v); err == nil && ok && n >= first {
		return "limit", json.RawMessage(strconv.FormatInt(n-first+1, 10))
	}
	return "", nil
}

// refused returns the error for a key that the tool does not have. It lists the arguments in the schema.
func (all arguments) refused(tool, key, name string, value json.RawMessage, hidden []string, foreign bool) *Error {
	var names []string
	for _, a := range all.list {
		if !slices.Contains(hidden, a.name) {
			names = append(names, a.name)
		}
	}
	near := nearest.Among(names, name, max(1, len(name)/3), 1)
	text := fmt.Sprintf("%s has no argument %s. ", tool, quote.Value(key))
	switch {
	case strings.HasPrefix(name, "timeout") && slices.Contains(names, "timeout_ms"):
		text += "Use timeout_ms, which is in milliseconds"
		if v, err := valueOf(value); err == nil {
			if n, ok := wholeNumber(v); ok && n > 0 && n < 1000 {
				text += fmt.Sprintf(": timeout_ms=%d for %d seconds", n*1000, n)
			}
		}
		text += ". "
	case foreign && advice[name] != "" && (advice[name] != cellAdvice || slices.Contains(names, "cell")):
		text += advice[name] + ". "
	case len(near) > 0:
		text += "Did you mean " + near[0] + "? "
	}
	return errorf("%sIts arguments are %s", text, strings.Join(names, ", "))
}

// Meaning returns the argument among names that a key means, in any spelling, and the value that it sets, if not the
// key's own: "-l" is output_mode=files_with_matches. It returns "" for none.
func Meaning(names []string, key string) (argument, value string) {
	own := map[string]bool{}
	for _, name := range names {
		own[name] = true
	}
	name := spelling(key, own)
	if own[name] {
		return name, ""
	}
	argument, set := meaning("", name, json.RawMessage("true"), own, nil)
	if text := strings.Trim(string(set), `"`); text != "true" {
		value = text
	}
	return argument, value
}

// spellings are the names in these tables by their folded form.
var spellings = sync.OnceValue(func() map[string]string {
	all := map[string]string{}
	add := func(names ...string) {
		for _, name := range names {
			all[folded(name)] = name
		}
	}
	add(explaining...)
	for _, names := range []iter.Seq[string]{maps.Keys(advice), maps.Keys(idle), maps.Keys(synonyms)} {
		add(slices.Sorted(names)...)
	}
	add(lineOffsets...)
	add(lastLines...)
	return all
})

// spelling returns a key's name among the arguments of a tool, or in these tables, in any spelling.
func spelling(key string, own map[string]bool) string {
	name := canonical(key)
	fold := folded(key)
	for argument := range own {
		if folded(argument) == fold {
			return argument
		}
	}
	if _, ok := synonyms[name]; ok {
		return name
	}
	return cmp.Or(spellings()[fold], name)
}

var separators = strings.NewReplacer("_", "", "-", "", " ", "")

// folded returns what all spellings of a name share: its letters in lower case. A single letter behind a dash keeps
// its case.
func folded(key string) string {
	key = strings.TrimSpace(key)
	if len(key) == 2 && key[0] == '-' {
		return key
	}
	return strings.ToLower(separators.Replace(key))
}

// canonical returns a key in the form of these tables: lower case with underscores. A single letter behind a dash
// keeps its case.
func canonical(key string) string {
	if len(key) == 2 && key[0] == '-' {
		return key
	}
	var b strings.Builder
	for i, r := range strings.TrimLeft(strings.TrimSpace(key), "-") {
		switch {
		case r == '-' || r == ' ':
			b.WriteByte('_')
		case unicode.IsUpper(r) && i > 0 && !strings.HasSuffix(b.String(), "_"):
			b.WriteByte('_')
			b.WriteRune(unicode.ToLower(r))
		default:
			b.WriteRune(unicode.ToLower(r))
		}
	}
	return b.String()
}
