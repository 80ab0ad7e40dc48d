package config

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/spillway-go/spillway/internal/nearest"
)

// FromEnv returns base with the options that environment variables set. The variable of
// an option is SPILLWAY_ and its name in capitals, as in SPILLWAY_MAX_BYTES and
// SPILLWAY_BASH_TIMEOUT; an empty one counts as unset. Lists are separated by commas, or are in
// JSON, such as ["a", "b"]; a value that begins with a quotation mark is a JSON string. The
// error joins an [OptionError] for each value that cannot be parsed; the Config returned with it
// has all others. A variable whose name begins with SPILLWAY_ but belongs to no option is an
// error too, except SPILLWAY_CALL, which bash sets for commands.
// [Config.Resolved] checks the floors.
func FromEnv(base Config) (Config, error) {
	var errs []error
	known := map[string]bool{callVariable: true}
	for _, o := range options {
		known[o.env()] = true
		text := os.Getenv(o.env())
		if text == "" {
			continue
		}
		if err := o.set(&base, text, o.env()); err != nil {
			errs = append(errs, err)
		}
	}
	for _, v := range os.Environ() {
		name, value, _ := strings.Cut(v, "=")
		if strings.HasPrefix(name, envPrefix) && !known[name] && value != "" {
			err := fmt.Errorf("config: there is no option for the variable %s%s", name, didYouMean(name, option.env))
			errs = append(errs, err)
		}
	}
	return base, errors.Join(errs...)
}

// callVariable marks the processes of a command. A program that a command starts has it.
const callVariable = envPrefix + "CALL"

// didYouMean returns a question that names the option most similar to an unknown name, as spell
// writes it; "" if none is similar.
func didYouMean(name string, spell func(option) string) string {
	var names []string
	for _, o := range options {
		if o.was != "" && fold(spell(option{name: o.was})) == fold(name) {
			return ". Did you mean " + spell(o) + "?"
		}
		names = append(names, spell(o))
	}
	most := max(2, len(strings.TrimPrefix(name, envPrefix))/3)
	if near := nearest.Among(names, name, most, 1); len(near) > 0 {
		return ". Did you mean " + near[0] + "?"
	}
	return ""
}

// Set returns a copy in which the option of that name ("Grep.Limit", or as in files) has a
// value, written as in the environment. It is for the flags of a program: [Config.Lookup] and
// errors give source, such as "-limit", as the place that the value comes from.
func (c Config) Set(name, value, source string) (Config, error) {
	for _, o := range options {
		if fold(o.name) == fold(name) {
			err := o.set(&c, value, source)
			return c, err
		}
	}
	near := didYouMean(name, func(o option) string { return o.name })
	return c, fmt.Errorf("config: %s: there is no option %q%s", source, name, near)
}

// set parses a value that comes from source.
func (o option) set(c *Config, text, source string) error {
	if err := o.parseJSON(c, text); err != nil {
		return from(err, source)
	}
	c.origins = c.origins.with(o, c, source)
	return nil
}

// parseJSON is parse, but a text in quotation marks, or a list in brackets, is read as in a file.
func (o option) parseJSON(c *Config, text string) error {
	p, isList := o.field(c).(*[]string)
	var list []string
	var plain string
	switch written := strings.TrimSpace(text); {
	case isList && strings.HasPrefix(written, "["):
		if json.Unmarshal([]byte(written), &list) != nil {
			return o.refuse(strconv.Quote(text), `a list of texts, such as a,b or ["a", "b"]`)
		}
		*p = list
		return nil
	case !strings.HasPrefix(written, `"`):
		return o.parse(c, text)
	case json.Unmarshal([]byte(written), &plain) != nil:
		return o.refuse(strconv.Quote(text), "a text in JSON, as it begins with a quotation mark")
	}
	if isList {
		*p = []string{plain}
		return nil
	}
	return o.parse(c, plain)
}

// Load reads a JSON file. Its keys are the names of the options with a lower-case first letter;
// the options of one tool form an object:
//
//	{"maxBytes": "64KB", "grep": {"limit": 200}, "bash": {"timeout": "5m"}}
//
// Case and underscores in keys make no difference: max_bytes is maxBytes. null
// leaves an option as it is. An error for an unknown key, or a value that cannot be
// parsed, names the file, the line and the key. [Config.Resolved] checks the floors.
func Load(path string) (Config, error) {
	var c Config
	data, err := os.ReadFile(path)
	if err != nil {
		return c, fmt.Errorf("config: %w", err)
	}
	f := file{path: path, data: data, dec: json.NewDecoder(bytes.NewReader(data))}
	f.dec.UseNumber()
	err = f.value(&c, "")
	if err == nil {
		if _, more := f.dec.Token(); more != io.EOF {
			err = f.errorf("something follows the end of the object")
		}
	}
	return c, err
}

// file is a configuration file that is being read.
type file struct {
	path string
	data []byte
	dec  *json.Decoder
}

// at returns the file and the number of the line that was read last.
func (f *file) at() string {
	return fmt.Sprintf("%s:%d", f.path, 1+bytes.Count(f.data[:f.dec.InputOffset()], []byte("\n")))
}

func (f *file) errorf(format string, args ...any) error {
	return fmt.Errorf("config: %s: "+format, append([]any{f.at()}, args...)...)
}

func (f *file) invalid(err error) error {
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return f.errorf("not valid JSON: %w", err)
}

// value reads the value that belongs to key, which is "" for the file's own.
func (f *file) value(c *Config, key string) error {
	token, err := f.dec.Token()
	if err != nil {
		return f.invalid(err)
	}
	if token == json.Delim('{') {
		return f.object(c, key)
	}
	if key == "" {
		return f.errorf("the file must hold one JSON object")
	}
	if isGroup(key) {
		if token == nil {
			return nil
		}
		return f.errorf("%s is %v, but must be an object", key, token)
	}
	o, err := f.option(key)
	if err != nil {
		return err
	}
	where := f.at()
	switch v := token.(type) {
	case nil:
		return nil
	case json.Delim: // only a list can begin here
		if err := f.list(c, o); err != nil {
			return err
		}
	case json.Number:
		err = o.parse(c, v.String())
	case bool:
		if err = o.refuse(fmt.Sprint(v), o.wanted()); o.kind == kindBool {
			err = o.parse(c, fmt.Sprint(v))
		}
	case string:
		if p, ok := o.field(c).(*[]string); ok {
			*p = []string{v}
			break
		}
		err = o.parse(c, v)
	}
	if err != nil {
		return from(err, where)
	}
	c.origins = c.origins.with(o, c, where)
	return nil
}

func (f *file) object(c *Config, key string) error {
	if key != "" && !isGroup(key) {
		if o, err := f.option(key); err == nil {
			return from(o.refuse("an object", o.wanted()), f.at())
		}
		return f.errorf("unknown key %q%s", key, didYouMean(key, option.key))
	}
	for f.dec.More() {
		token, err := f.dec.Token()
		if err != nil {
			return f.invalid(err)
		}
		name := token.(string) // a key: the decoder gives nothing else here
		if key != "" {
			name = key + "." + name
		}
		if err := f.value(c, name); err != nil {
			return err
		}
	}
	if _, err := f.dec.Token(); err != nil {
		return f.invalid(err)
	}
	return nil
}

func (f *file) list(c *Config, o option) error {
	p, ok := o.field(c).(*[]string)
	if !ok {
		return from(o.refuse("a list", o.wanted()), f.at())
	}
	*p = []string{}
	for f.dec.More() {
		token, err := f.dec.Token()
		if err != nil {
			return f.invalid(err)
		}
		s, ok := token.(string)
		if !ok {
			return from(o.refuse(fmt.Sprintf("a list with %v", token), o.wanted()), f.at())
		}
		*p = append(*p, s)
	}
	if _, err := f.dec.Token(); err != nil {
		return f.invalid(err)
	}
	return nil
}

// option finds the option of a key, whatever the case of its letters and with or without
// underscores between words.
func (f *file) option(key string) (option, error) {
	for _, o := range options {
		if fold(o.name) == fold(key) {
			return o, nil
		}
	}
	return option{}, f.errorf("unknown key %q%s", key, didYouMean(key, option.key))
}

func isGroup(key string) bool {
	for _, o := range options {
		if group, _, ok := strings.Cut(o.name, "."); ok && fold(group) == fold(key) {
			return true
		}
	}
	return false
}

func fold(key string) string { return strings.ToLower(strings.ReplaceAll(key, "_", "")) }

// from adds to an OptionError where the value came from.
func from(err error, source string) error {
	if e, ok := errors.AsType[*OptionError](err); ok {
		e.Source = source
	}
	return err
}
