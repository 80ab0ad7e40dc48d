package config

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Resolved returns a copy with every zero replaced by its default. The error joins an
// [OptionError] for each value that is refused. Resolved does not look at the file
// system. Building a suite resolves its Config.
func (c Config) Resolved() (Config, error) {
	var errs []error
	sources := map[string]string{}
	for _, o := range options {
		sources[o.name] = c.source(o)
		if list, ok := o.field(&c).(*[]string); ok {
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
			refuse(&OptionError{Option: "Bash.Env", Value: fmt.Sprintf("%q", e), Want: `"NAME=value", "NAME", or "-" in the first place`})
		}
	}
	return c, errors.Join(errs...)
}

// resolve puts the default in place of a zero, and checks the floor.
func (o option) resolve(c *Config) *OptionError {
	switch p := o.field(c).(type) {
	case *string:
		if *p == "" {
			*p = o.text
		}
		if len(o.words) > 0 && !slices.Contains(o.words, *p) {
			return o.refuse(fmt.Sprintf("%q", *p), o.wanted())
		}
		if strings.ContainsRune(*p, 0) {
			return o.refuse(fmt.Sprintf("%q", *p), "a path without a NUL byte")
		}
		return nil
	case *[]string, *bool:
		return nil
	}
	n := o.number(c)
	if n == 0 {
		n = o.def
		if other, ok := named(o.from); ok { // resolved before: it stands before this one
			if most := other.number(c); n == 0 || n > most {
				n = most
			}
		}
		o.setNumber(c, n)
		if o.from != "" {
			return nil // refused under the other's name, if at all
		}
	}
	if n < o.floor {
		floor := o.format(o.floor)
		if o.kind == kindSize {
			floor = fmt.Sprintf("%s (%d bytes)", floor, o.floor)
		}
		return o.refuse(o.format(n), "at least "+floor)
	}
	return nil
}
