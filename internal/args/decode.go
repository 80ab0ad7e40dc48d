// Package args decodes the arguments of a tool from JSON as models write it into a Params struct, checks them, and
// derives their schema. The struct's tags define everything: json, jsonschema, and arg and with, which [Check]
// explains.
package args

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/internal/size"
)

// Error says what is wrong with arguments.
type Error struct {
	Message  string
	TooLarge bool  // too large; otherwise invalid
	Err      error // the cause, if there is one
}

func (e *Error) Error() string { return e.Message }

func (e *Error) Unwrap() error { return e.Err }

func errorf(format string, args ...any) *Error {
	err := fmt.Errorf(format, args...)
	return &Error{Message: err.Error(), Err: errors.Unwrap(err)}
}

// Decode fills a Params struct, given by a pointer, from a JSON object as models write it: numbers and truth values
// may be strings, null and "" mean the default, and with foreign, keys may be those of other agents' tools. missing
// are required arguments without a key. An error does not list hidden arguments, which the schema does not have.
func Decode(
	tool string, args json.RawMessage, params any, foreign bool, hidden ...string,
) (missing []string, bad *Error) {
	object, err := object(args)
	if err != nil {
		return nil, err
	}
	v := reflect.ValueOf(params).Elem()
	all := argumentsOf(v.Type())
	if err := all.rename(tool, object, foreign, hidden); err != nil {
		return nil, err
	}
	for _, a := range all.list {
		raw, given := object[a.name]
		if !given {
			if _, beside := object[a.with]; a.text && (a.required || beside) { // "" is a text
				return nil, a.absent()
			}
			if a.required {
				missing = append(missing, a.name)
			}
			continue
		}
		field := v.FieldByIndex(a.index)
		if foreign && a.objects {
			if err := setObjects(tool, a.name, field, raw); err != nil {
				return nil, err
			}
			continue
		}
		if want := set(field, raw); want != "" {
			return nil, errorf("%s must be %s, but it is %s", a.name, want, showJSON(raw))
		}
	}
	return missing, nil
}

type argument struct {
	index    []int
	name     string
	help     string // its description
	required bool
	with     string   // the argument that makes it required, or ""
	text     bool     // a string that may be empty and contain NUL bytes
	signed   bool     // a number that may be negative
	few      []string // the allowed values, if there are only a few
	most     int      // the most items of a list
	objects  bool     // a list of objects
}

type arguments struct {
	list  []argument
	names map[string]bool
}

// read caches the arguments of each Params struct by its [reflect.Type].
var read sync.Map

// argumentsOf returns the arguments for the fields of a Params struct, including embedded structs.
func argumentsOf(params reflect.Type) arguments {
	if all, ok := read.Load(params); ok {
		return all.(arguments)
	}
	all := arguments{names: map[string]bool{}}
	for _, f := range reflect.VisibleFields(params) {
		tag, arg := f.Tag.Get("json"), f.Tag.Get("arg")
		if !f.IsExported() || f.Anonymous && tag == "" || tag == "-" {
			continue
		}
		name, options, _ := strings.Cut(tag, ",")
		a := argument{
			index: f.Index, name: cmp.Or(name, f.Name), help: f.Tag.Get("jsonschema"), with: f.Tag.Get("with"),
			required: !strings.Contains(options, "omitempty") && !strings.Contains(options, "omitzero"),
			text:     arg == "text", signed: arg == "signed",
			objects: f.Type.Kind() == reflect.Slice && f.Type.Elem().Kind() == reflect.Struct,
		}
		if strings.Contains(arg, "|") {
			a.few = strings.Split(arg, "|")
		}
		a.most, _ = strconv.Atoi(arg)
		all.list, all.names[a.name] = append(all.list, a), true
	}
	read.Store(params, all)
	return all
}

// maxArguments bounds the arguments of a call in bytes, because they are decoded before the context is checked.
const maxArguments = 16_000_000

// object splits the arguments. Nothing at all is an object without keys, and an object that was encoded twice is
// decoded twice.
func object(args json.RawMessage) (map[string]json.RawMessage, *Error) {
	args = bytes.TrimSpace(args)
	if len(args) > maxArguments {
		return nil, &Error{TooLarge: true, Message: fmt.Sprintf("the arguments are %s, over the limit of %s. Make several calls",
			size.File(int64(len(args))), size.File(maxArguments))}
	}
	if len(args) == 0 || string(args) == "null" {
		return nil, nil
	}
	if !utf8.Valid(args) {
		return nil, errorf(`the arguments are not valid UTF-8. Write a file name that is not in C quotes: "a\\377b"`)
	}
	var text string
	if json.Unmarshal(args, &text) == nil {
		args = []byte(text)
	}
	var object map[string]json.RawMessage
	err := json.Unmarshal(args, &object)
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &syntax):
		return nil, errorf("the arguments must be one JSON object, but at byte %d: %w", syntax.Offset, syntax)
	case err != nil:
		return nil, errorf("the arguments must be one JSON object, but they are %s", quote.Value(string(args)))
	}
	return object, nil
}

// set stores a JSON value in a field, or says what is wanted.
func set(field reflect.Value, raw json.RawMessage) (want string) {
	value, err := valueOf(raw)
	if err != nil {
		return "valid JSON"
	}
	if s, ok := value.(string); ok && strings.TrimSpace(s) == "" && field.Kind() != reflect.String {
		return "" // left empty: the default
	}
	switch field.Kind() {
	case reflect.String:
		switch v := value.(type) {
		case string:
			field.SetString(v)
			return ""
		case json.Number: // a pattern of digits, written without quotes
			field.SetString(v.String())
			return ""
		}
		return "a string"
	case reflect.Bool:
		if s, ok := value.(string); ok {
			value = map[string]any{"true": true, "false": false}[strings.ToLower(strings.TrimSpace(s))]
		}
		if b, ok := value.(bool); ok {
			field.SetBool(b)
			return ""
		}
		return "true or false"
	case reflect.Int:
		if n, ok := wholeNumber(value); ok {
			field.SetInt(n)
			return ""
		}
		return "a whole number"
	}
	if list, ok := field.Addr().Interface().(*[]string); ok {
		return setList(list, value)
	}
	if text, ok := value.(string); ok {
		raw = json.RawMessage(text)
	}
	if err := json.Unmarshal(raw, field.Addr().Interface()); err != nil {
		return wanted(field.Type())
	}
	return ""
}

// wanted describes a value for a field type that only a host's own tool uses.
func wanted(t reflect.Type) string {
	switch {
	case t.Kind() <= reflect.Uintptr:
		return "a whole number"
	case t.Kind() <= reflect.Float64:
		return "a number"
	case t.Kind() == reflect.Slice || t.Kind() == reflect.Array:
		return "a list, as the schema has it"
	}
	return "an object, as the schema has it"
}

// valueOf decodes a value, keeping numbers as written.
func valueOf(raw json.RawMessage) (value any, err error) {
	if raw[0] == '"' { // the most frequent kind needs no decoder of its own
		var text string
		err = json.Unmarshal(raw, &text)
		return text, err
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	err = d.Decode(&value)
	return value, err
}

// showJSON returns a JSON value for an error; a text keeps its quotes.
func showJSON(raw json.RawMessage) string {
	if len(raw) > 0 && raw[0] == '"' {
		return quote.Short(string(raw), 200)
	}
	return quote.Value(string(raw))
}

// setList stores a list of strings. It also accepts a list that is encoded in a string, and a single string.
func setList(field *[]string, value any) (want string) {
	if text, ok := value.(string); ok {
		value = []any{text}
		if strings.HasPrefix(strings.TrimSpace(text), "[") {
			var inner []any
			if json.Unmarshal([]byte(text), &inner) == nil {
				value = inner
			}
		}
	}
	items, ok := value.([]any)
	if !ok {
		return "a list of strings"
	}
	list := make([]string, len(items))
	for i, item := range items {
		if list[i], ok = item.(string); !ok {
			return "a list of strings"
		}
	}
	*field = list
	return ""
}

// setObjects stores a list of objects, each decoded like arguments. It also accepts a list that is encoded in a
// string, and a single object.
func setObjects(tool, key string, field reflect.Value, raw json.RawMessage) *Error {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		raw = json.RawMessage(strings.TrimSpace(text))
	}
	if len(raw) == 0 {
		return nil
	}
	items := []json.RawMessage{raw}
	if raw[0] != '{' && json.Unmarshal(raw, &items) != nil {
		return errorf("%s must be a list of objects, as the schema has it, but it is %s", key, showJSON(raw))
	}
	list := reflect.MakeSlice(field.Type(), len(items), len(items))
	for i, item := range items {
		if _, err := Decode(tool, item, list.Index(i).Addr().Interface(), true); err != nil {
			return inItem(key, i, err)
		}
	}
	field.Set(list)
	return nil
}

// inItem returns an error in one object of a list, counted from 1.
func inItem(key string, i int, err *Error) *Error {
	return &Error{Message: fmt.Sprintf("in number %d of %s: %s", i+1, key, err.Message), TooLarge: err.TooLarge}
}

// wholeNumber reads 100, 100.0, 1e2 and "100". A number larger than an int becomes the largest int.
func wholeNumber(value any) (int64, bool) {
	var text string
	switch v := value.(type) {
	case json.Number:
		text = v.String()
	case string:
		text = strings.TrimSpace(v)
	default:
		return 0, false
	}
	if n, err := strconv.ParseInt(text, 10, strconv.IntSize); err == nil {
		return n, true
	}
	if strings.Trim(text, "+-.0123456789eE") != "" {
		return 0, false // infinity, hexadecimal and the like
	}
	f, err := strconv.ParseFloat(text, 64)
	if (err != nil && !math.IsInf(f, 0)) || f != math.Trunc(f) {
		return 0, false
	}
	return int64(max(math.MinInt32, min(f, math.MaxInt32))), true
}

func (a argument) absent() *Error { return errorf("%s is required: %s", a.name, a.help) }

// Check validates a Params struct, from JSON or from Go. The field's tag says what is allowed: a field without
// omitempty is required, `arg:"text"` allows a string to be empty and contain NUL bytes, `with:"old_string"` makes it
// required beside another key, `arg:"signed"` allows a number to be negative, `arg:"64"` bounds a list, and
// `arg:"tail|head"` lists the values of a string.
func Check(params any) *Error {
	v := reflect.ValueOf(params)
	for _, a := range argumentsOf(v.Type()).list {
		field := v.FieldByIndex(a.index)
		if a.text {
			continue
		}
		if a.required && field.IsZero() {
			return a.absent()
		}
		switch field.Kind() {
		case reflect.Int:
			if n := field.Int(); n < 0 && !a.signed {
				return errorf("%s must be 1 or more, or 0 for the default, but it is %d", a.name, n)
			}
		case reflect.String:
			s := field.String()
			if strings.ContainsRune(s, 0) {
				return errorf("%s must not hold a NUL byte, but it is %s", a.name, quote.Value(s))
			}
			if a.few != nil && s != "" && !slices.Contains(a.few, s) {
				return notAmong(a.name, a.few, s, "")
			}
		case reflect.Slice:
			if err := a.checkList(field); err != nil {
				return err
			}
		}
	}
	return nil
}

func (a argument) checkList(list reflect.Value) *Error {
	if n := list.Len(); n > a.most {
		return errorf("%s must be at most %d, but there are %d", a.name, a.most, n)
	}
	for i := range list.Len() {
		if a.objects {
			if err := Check(list.Index(i).Interface()); err != nil {
				return inItem(a.name, i, err)
			}
		} else if s := list.Index(i).String(); s == "" || strings.ContainsRune(s, 0) {
			return errorf("%s must hold neither an empty string nor a NUL byte, but one of them is %q", a.name, quote.Value(s))
		}
	}
	return nil
}
