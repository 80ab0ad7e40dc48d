package config

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"text/tabwriter"
	"time"

	"github.com/spillway-go/spillway/internal/size"
	"github.com/spillway-go/spillway/truncation"
)

// Resolved returns a copy with every zero replaced by its default. The error joins an
// [OptionError] for each value that is refused. Resolved does not look at the file
// system. Building a suite resolves its Config.
func (c Config) Resolved() (Config, error) {
	var errs []error
	sources := map[string]string{}
	for _, o := range options {
		sources[o.Name] = c.source(o)
		if list, ok := o.field(&c).Addr().Interface().(*[]string); ok {
			*list = slices.Clone(*list)
		}
	}
	// If no timeout is set, a ceiling below the default lowers it.
	if c.Bash.Timeout == 0 && c.Bash.MaxTimeout > 0 {
		c.Bash.Timeout = min(defaultTimeout, c.Bash.MaxTimeout)
	}
	if c.Bash.MaxTimeout == 0 {
		c.Bash.MaxTimeout = max(defaultMaxTimeout, c.Bash.Timeout)
	}
	if c.Bash.Strategy == truncation.Digest && c.Bash.MaxBytes == 0 {
		c.Bash.MaxBytes = min(cmp.Or(c.MaxBytes, truncation.DigestBytes), truncation.DigestBytes)
	}
	refuse := func(e *OptionError) {
		e.Source = sources[e.Option]
		errs = append(errs, e)
	}
	for _, o := range options {
		if err := o.resolve(&c); err != nil {
			refuse(err)
		}
	}
	if c.Bash.MaxTimeout < c.Bash.Timeout {
		refuse(&OptionError{Option: "Bash.MaxTimeout", Value: shortDuration(c.Bash.MaxTimeout),
			Want: fmt.Sprintf("at least Bash.Timeout, which is %s", shortDuration(c.Bash.Timeout))})
	}
	for _, name := range c.Tools {
		if !slices.Contains(ToolNames(), name) && !(name == NoTools && len(c.Tools) == 1) {
			refuse(&OptionError{Option: "Tools", Value: fmt.Sprintf("%q", name),
				Want: "a name of " + strings.Join(ToolNames(), ", ") + ", or " + NoTools + " alone"})
		}
	}
	for _, e := range c.Bash.Env {
		if strings.HasPrefix(e, "=") || e == "" || strings.ContainsRune(e, 0) {
			want := `"NAME=value", "NAME", or "-" in the first place`
			refuse(&OptionError{Option: "Bash.Env", Value: strconv.Quote(e), Want: want})
		}
	}
	return c, errors.Join(errs...)
}

func (o Option) resolve(c *Config) *OptionError {
	v := o.field(c)
	switch o.Kind {
	case kindList, kindBool:
		return nil
	case kindPolicy:
		if p := v.Addr().Interface().(*truncation.Policy); !resolvePolicy(p) {
			return o.refuse(fmt.Sprintf("%+v", *p), o.want)
		}
		return nil
	case kindString:
		text := cmp.Or(v.String(), o.Default)
		v.SetString(text)
		if len(o.Values) > 0 && !slices.Contains(o.Values, text) {
			return o.refuse(strconv.Quote(text), o.want)
		}
		if strings.ContainsRune(text, 0) {
			return o.refuse(strconv.Quote(text), "a path without a NUL byte")
		}
		return nil
	}
	n := v.Int()
	if n == 0 {
		n = o.def
		if other, ok := named(o.from); ok { // resolved already, because it comes first
			if most := other.field(c).Int(); n == 0 || n > most {
				n = most
			}
		}
		v.SetInt(n)
		if o.from != "" || n == 0 {
			return nil // the error is the other option's; a 0 that stays means no limit
		}
	}
	if n < o.floor {
		floor := o.format(o.floor)
		if o.Kind == kindSize {
			floor = fmt.Sprintf("%s (%d bytes)", floor, o.floor)
		}
		return o.refuse(o.format(n), "at least "+floor)
	}
	return nil
}

func (o Option) refuse(value, want string) *OptionError {
	return &OptionError{Option: o.Name, Value: value, Want: want}
}

// origins maps the name of an option to the place where its value was set. It also has the value, because code may
// change the field later.
type origins map[string]origin

type origin struct{ where, value string }

// with returns a copy with one more option: copies of the configuration may share the map.
func (all origins) with(o Option, c *Config, where string) origins {
	more := origins{}
	maps.Copy(more, all)
	more[o.Name] = origin{where, o.describe(c)}
	return more
}

// Describe returns a table for people to read, with a line for every option: its name, its value, and where that comes
// from: "default", another option, a file and a line, an environment variable, the source given to [Config.Set], or
// "code". It leaves out the values of variables in Bash.Env. Errors of [Config.Resolved] follow at the end. The layout
// may change.
func (c Config) Describe() string {
	resolved, err := c.Resolved()
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, o := range options {
		fmt.Fprintf(w, "%s\t%s\t%s\n", o.Name, o.describe(&resolved), c.origin(o, &resolved))
	}
	if c.Guard != nil {
		fmt.Fprint(w, "Guard\tset\tcode\n")
	}
	if c.Ask != nil {
		fmt.Fprint(w, "Ask\tset\tcode\n")
	}
	if c.Filter != nil {
		fmt.Fprint(w, "Filter\tset\tcode\n")
	}
	if c.Observe != nil {
		fmt.Fprint(w, "Observe\tset\tcode\n")
	}
	w.Flush()
	if err != nil {
		fmt.Fprintf(&b, "\n%v\n", err)
	}
	return b.String()
}

// Values returns the value of every option by its name, as Describe writes it. Call it on a resolved Config; otherwise
// an option that is not set is "0".
func (c Config) Values() map[string]string {
	values := map[string]string{}
	for _, o := range options {
		values[o.Name] = o.describe(&c)
	}
	return values
}

func (c *Config) source(o Option) string {
	if set, ok := c.origins[o.Name]; ok && set.value == o.describe(c) && set.value != "" {
		return set.where
	}
	return ""
}

func (c *Config) origin(o Option, resolved *Config) string {
	if source := c.source(o); source != "" {
		return source
	}
	value, zero := o.describe(c), o.field(c).IsZero()
	if zero && o.def > 0 {
		value = o.describe(resolved)
	}
	if other, ok := named(o.from); ok && (zero && o.def == 0 || value == other.describe(resolved)) {
		return o.from
	}
	defaults, _ := Config{}.Resolved()
	isDefault := o.describe(resolved) == o.describe(&defaults)
	switch {
	case zero && o.Kind == kindDuration && !isDefault:
		return "default, bounded by the other"
	case zero || isDefault:
		return "default"
	}
	return "code"
}

// describe returns the value of an option in the form that Set accepts.
func (o Option) describe(c *Config) string {
	v := o.field(c)
	switch {
	case v.CanInt():
		return o.format(v.Int())
	case o.Kind == kindPolicy:
		return textOf(v.Interface().(truncation.Policy)).String()
	case o.raw && v.Len() > 0:
		return fmt.Sprintf("%q", v)
	case o.Kind != kindList:
		return fmt.Sprint(v)
	}
	list := slices.Clone(v.Interface().([]string))
	for i, s := range list {
		if name, _, ok := strings.Cut(s, "="); ok && o.Name == "Bash.Env" {
			list[i] = name + "=..."
		}
	}
	return strings.Join(list, ", ")
}

// Lookup returns the value of the option of that name ("Grep.Limit") as text: "2000",
// "30KB", "2m". Call it on a resolved Config; otherwise an option that is not set is "0".
// source is what set the option: the file and line, the environment variable, or the source
// given to [Config.Set]. It is "" if none of these did, or if code has changed the value since.
// ok is false if there is no such option.
func (c Config) Lookup(name string) (value, source string, ok bool) {
	o, ok := named(name)
	if !ok {
		return "", "", false
	}
	return o.show(&c), c.source(o), true
}

func (o Option) show(c *Config) string {
	if n := o.field(c); o.Kind == kindSize && n.Int()%1024 != 0 {
		if o.files {
			return size.File(n.Int())
		}
		return size.Format(n.Int())
	}
	return o.describe(c)
}

func (o Option) format(n int64) string {
	switch o.Kind {
	case kindSize:
		return size.Written(n, o.files)
	case kindDuration:
		return shortDuration(time.Duration(n))
	}
	return strconv.FormatInt(n, 10)
}

var zeroUnits = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`([hm])(0m)?(0s)?$`) })

// shortDuration prints 2m0s as 2m and 24h0m0s as 24h.
func shortDuration(d time.Duration) string { return zeroUnits().ReplaceAllString(d.String(), "$1") }
