package config

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spillway-go/spillway/internal/nearest"
)

// FromEnv returns base with the options that environment variables set. The variable of
// an option is SPILLWAY_ and its name in capitals, as in SPILLWAY_MAX_BYTES and
// SPILLWAY_BASH_TIMEOUT; an empty one counts as unset. Lists are comma separated. The
// error joins an [OptionError] for each value that cannot be parsed; the Config
// returned with it has all others. [Config.Resolved] checks the floors.
func FromEnv(base Config) (Config, error) {
	var errs []error
	for _, o := range options {
		text := os.Getenv(o.env())
		if text == "" {
			continue
		}
		if err := o.set(&base, text, o.env()); err != nil {
			errs = append(errs, err)
		}
	}
	return base, errors.Join(errs...)
}

// Set returns a copy in which the option of that name ("Grep.Limit", or as files have it)
// has a value, written as in the environment. It is for the flags of a program: source,
// such as "-limit", is what [Config.Lookup] and errors say of where the value comes from.
func (c Config) Set(name, value, source string) (Config, error) {
	var names []string
	for _, o := range options {
		if fold(o.name) == fold(name) {
			err := o.set(&c, value, source)
			return c, err
		}
		names = append(names, o.name)
	}
	text := fmt.Sprintf("config: %s: there is no option %q", source, name)
	if near := nearest.Among(names, name, max(2, len(name)/3), 1); len(near) > 0 {
		text += ". Did you mean " + near[0] + "?"
	}
	return c, errors.New(text)
}

// set parses a value that comes from source.
func (o option) set(c *Config, text, source string) error {
	if err := o.parse(c, text); err != nil {
		return from(err, source)
	}
	c.origins = c.origins.with(o, c, source)
	return nil
}

// Load reads a JSON file. Its keys are the options' names with a small first
// letter, those of one tool in an object of their own:
//
//	{"maxBytes": "64KB", "grep": {"limit": 200}, "bash": {"timeout": "5m"}}
//
// Capitals and underscores in keys make no difference: max_bytes is maxBytes. null
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

// at returns the file and the line that was read last.
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
		return f.errorf("unknown key %q", key)
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

// option finds the option of a key, however it is capitalised and whether words
// are joined or divided by underscores.
func (f *file) option(key string) (option, error) {
	for _, o := range options {
		if fold(o.name) == fold(key) {
			return o, nil
		}
	}
	return option{}, f.errorf("unknown key %q", key)
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
