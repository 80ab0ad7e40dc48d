package config

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spillway-go/spillway/internal/nearest"
	"github.com/spillway-go/spillway/internal/size"
	"github.com/spillway-go/spillway/truncation"
)

// FromEnv returns base with the options that environment variables set. The variable of an option
// is SPILLWAY_ and its name in capitals, as in SPILLWAY_MAX_BYTES and SPILLWAY_BASH_TIMEOUT; an
// empty one counts as unset. A list is separated by commas, or written as JSON, such as ["a", "b"];
// commas in the parentheses of a rule do not separate. A value that begins with a quotation mark is
// a JSON string.
//
// The error joins an [OptionError] for each value that cannot be parsed; the Config returned with
// it has all others. An unknown variable whose name begins with SPILLWAY_ is an error too, except
// SPILLWAY_CALL, which bash sets for commands, and SPILLWAY_RECORD, from which the command spillway
// takes the file of a record. [Config.Resolved] checks the floors.
func FromEnv(base Config) (Config, error) {
	var errs []error
	known := map[string]bool{envPrefix + "CALL": true, envPrefix + "RECORD": true}
	for _, o := range options {
		known[o.Env] = true
		if text := os.Getenv(o.Env); text != "" {
			errs = append(errs, o.set(&base, text, o.Env))
		}
	}
	for _, v := range os.Environ() {
		name, value, _ := strings.Cut(v, "=")
		if strings.HasPrefix(name, envPrefix) && !known[name] && value != "" {
			near := didYouMean(name, func(o Option) string { return o.Env })
			errs = append(errs, fmt.Errorf("config: there is no option for the variable %s%s", name, near))
		}
	}
	return base, errors.Join(errs...)
}

// didYouMean returns a question that names the option most similar to an unknown name, formatted by spell; "" if none
// is similar.
func didYouMean(name string, spell func(Option) string) string {
	var names []string
	for _, o := range options {
		names = append(names, spell(o))
	}
	most := max(2, len(strings.TrimPrefix(name, envPrefix))/3)
	if near := nearest.Among(names, name, most, 1); len(near) > 0 {
		return ". Did you mean " + near[0] + "?"
	}
	return ""
}

// Set returns a copy with a value, written as in the environment, for the option of that name ("Grep.Limit", or as in
// files). It is for the flags of a program: source, such as "-limit", is what [Config.Lookup] and errors name as the
// origin of the value. A value that begins with "+" is added to a list, for a flag that may be given several times.
func (c Config) Set(name, value, source string) (Config, error) {
	o, ok := named(name)
	if !ok {
		near := didYouMean(name, func(o Option) string { return o.Name })
		return c, fmt.Errorf("config: %s: there is no option %q%s", source, name, near)
	}
	if more, ok := strings.CutPrefix(value, "+"); ok && o.Kind == kindList {
		return c.add(o, more, source)
	}
	err := o.set(&c, value, source)
	return c, err
}

func (c Config) add(o Option, value, source string) (Config, error) {
	old, where := o.field(&c).Interface().([]string), c.source(o)
	if err := o.set(&c, value, source); err != nil || len(old) == 0 {
		return c, err
	}
	list := o.field(&c)
	list.Set(reflect.ValueOf(slices.Concat(old, list.Interface().([]string))))
	switch {
	case where == source || strings.HasSuffix(where, ", "+source):
		source = where
	case where != "":
		source = where + ", " + source
	}
	c.origins = c.origins.with(o, &c, source)
	return c, nil
}

// set parses a value. Like a value in a file, it may be a text in quotation marks or a list in brackets.
func (o Option) set(c *Config, text, source string) error {
	written, want := strings.TrimSpace(text), "a text in JSON, as it begins with a quotation mark"
	var value any = text
	switch {
	case o.Kind == kindList && strings.HasPrefix(written, "[") && !o.isHost(written):
		want = `a list of texts, such as a,b or ["a", "b"]`
		fallthrough
	case strings.HasPrefix(written, `"`):
		if json.Unmarshal([]byte(written), &value) != nil {
			return &OptionError{Option: o.Name, Value: strconv.Quote(text), Want: want, Source: source}
		}
	case o.Kind == kindList:
		var list []any
		for _, s := range o.split(text) {
			list = append(list, s)
		}
		value = list
	}
	return o.setJSON(c, value, source)
}

// isHost reports whether a text begins with an IPv6 address in brackets, in a list of hosts: that is not a JSON list.
func (o Option) isHost(text string) bool {
	address, _, _ := strings.Cut(strings.TrimPrefix(text, "["), "]")
	_, err := netip.ParseAddr(address)
	return err == nil && (o.Name == "Bash.Hosts" || o.Name == "Bash.PrivateHosts")
}

func (o Option) split(text string) (list []string) {
	if strings.HasPrefix(o.Name, "Rules.") {
		return splitRules(text)
	}
	for s := range strings.SplitSeq(text, ",") {
		if s = strings.TrimSpace(s); s != "" {
			list = append(list, s)
		}
	}
	return list
}

func (o Option) setJSON(c *Config, value any, source string) error {
	refused := ""
	switch v := value.(type) {
	case map[string]any:
		text, _ := json.Marshal(v) // it came from JSON
		if o.Kind != kindPolicy {
			refused = "an object"
		} else if !o.parse(c, string(text)) {
			refused = string(text)
		}
	case []any:
		texts := make([]string, len(v))
		for i, element := range v {
			var ok bool
			if texts[i], ok = element.(string); !ok {
				refused = fmt.Sprintf("a list with %v", element)
			}
		}
		if o.Kind != kindList {
			refused = "a list"
		}
		if refused == "" {
			o.field(c).Set(reflect.ValueOf(texts))
		}
	case bool:
		if refused = fmt.Sprint(v); o.Kind == kindBool {
			refused = ""
			o.field(c).SetBool(v)
		}
	default: // a string or a number
		if text := fmt.Sprint(v); !o.parse(c, text) {
			refused = strconv.Quote(text)
		}
	}
	if refused != "" {
		return &OptionError{Option: o.Name, Value: refused, Want: o.want, Source: source}
	}
	c.origins = c.origins.with(o, c, source)
	return nil
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
	switch token, err := f.dec.Token(); {
	case err != nil:
		return c, f.invalid(err)
	case token != json.Delim('{'):
		return c, f.errorf("the file must hold one JSON object")
	}
	if err := f.options(&c); err != nil {
		return c, err
	}
	if _, err := f.dec.Token(); err != io.EOF {
		return c, f.errorf("something follows the end of the object")
	}
	return c, nil
}

type file struct {
	path string
	data []byte
	dec  *json.Decoder
}

// at returns the file and the line that was read last, for errors.
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

// options reads the options up to the end of the object. An object in it has the options of a tool.
func (f *file) options(c *Config) error {
	for group := ""; ; {
		token, err := f.dec.Token()
		if err != nil {
			return f.invalid(err)
		}
		name, ok := token.(string)
		if !ok { // the end of an object
			if group == "" {
				return nil
			}
			group = ""
			continue
		}
		key, where := group+name, f.at()
		if isGroup(key) {
			switch token, err = f.dec.Token(); {
			case err != nil:
				return f.invalid(err)
			case token == json.Delim('{'):
				group = key + "."
			case token != nil:
				return f.errorf("%s is %v, but must be an object", key, token)
			}
			continue
		}
		o, ok := named(key)
		if !ok {
			return f.errorf("unknown key %q%s", key, didYouMean(key, func(o Option) string { return o.Key }))
		}
		var value any
		if err := f.dec.Decode(&value); err != nil {
			return f.invalid(err)
		}
		if value != nil {
			err = o.setJSON(c, value, where)
		}
		if err != nil {
			return err
		}
	}
}

func isGroup(key string) bool {
	return slices.ContainsFunc(options, func(o Option) bool {
		group, _, ok := strings.Cut(o.Name, ".")
		return ok && strings.EqualFold(group, strings.ReplaceAll(key, "_", ""))
	})
}

// parse sets the option to a text, and reports whether the text is valid.
func (o Option) parse(c *Config, text string) (ok bool) {
	if !o.raw && o.Kind != kindList {
		text = strings.TrimSpace(text)
	}
	v := o.field(c)
	switch o.Kind {
	case kindString:
		if ok = o.Values == nil || slices.Contains(o.Values, text); ok {
			v.SetString(text)
		}
	case kindList:
		v.Set(reflect.ValueOf([]string{text}))
		return true
	case kindPolicy:
		return parsePolicy(v.Addr().Interface().(*truncation.Policy), text)
	case kindBool:
		var on bool
		on, ok = bools[strings.ToLower(text)]
		v.SetBool(on)
	default:
		n, err := o.parseNumber(text)
		if ok = err == nil && !v.OverflowInt(n) && !strings.HasPrefix(text, "+"); ok {
			v.SetInt(n)
		}
	}
	return ok
}

var bools = map[string]bool{
	"true": true, "t": true, "yes": true, "on": true, "1": true,
	"false": false, "f": false, "no": false, "off": false, "0": false,
}

func (o Option) parseNumber(text string) (int64, error) {
	switch o.Kind {
	case kindSize:
		return size.Parse(text, o.files)
	case kindDuration:
		if strings.Trim(text, "-.0123456789") == "" {
			text += "ms"
		}
		d, err := time.ParseDuration(text)
		return int64(d), err
	}
	return strconv.ParseInt(text, 10, 64)
}
