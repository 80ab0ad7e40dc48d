package config

import (
	"fmt"
	"maps"
	"reflect"
	"strings"
	"text/tabwriter"
)

// origins maps the name of an option to the place where its value was set, and to the value,
// because code may have changed it since.
type origins map[string]origin

type origin struct{ where, value string }

// with returns a copy with one more option. It does not change the map, which copies of the
// configuration may share.
func (all origins) with(o option, c *Config, where string) origins {
	all = maps.Clone(all)
	if all == nil {
		all = origins{}
	}
	all[o.name] = origin{where, o.describe(c)}
	return all
}

// Describe returns a table for people to read, with a line for every option: its name,
// its value, and the source of that: "default", another option, a file and a line, an
// environment variable, the source given to [Config.Set], or "code". It leaves out the
// values of variables in Bash.Env. Errors of [Config.Resolved] follow at the end. The
// layout may change.
func (c Config) Describe() string {
	resolved, err := c.Resolved()
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, o := range options {
		fmt.Fprintf(w, "%s\t%s\t%s\n", o.name, o.describe(&resolved), c.origin(o, &resolved))
	}
	if c.Guard != nil {
		fmt.Fprint(w, "Guard\tset\tcode\n")
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

// source returns where the option was set, as Lookup does.
func (c *Config) source(o option) string {
	if set, ok := c.origins[o.name]; ok && set.value == o.describe(c) && set.value != "" {
		return set.where
	}
	return ""
}

// origin returns where the value of an option comes from.
func (c *Config) origin(o option, resolved *Config) string {
	if source := c.source(o); source != "" {
		return source
	}
	value, zero := o.describe(c), reflect.ValueOf(o.field(c)).Elem().IsZero()
	if zero && o.def > 0 {
		value = o.describe(resolved)
	}
	if other, ok := named(o.from); ok && (zero && o.def == 0 || value == other.describe(resolved)) {
		return o.from
	}
	defaults, _ := Config{}.Resolved()
	isDefault := o.describe(resolved) == o.describe(&defaults)
	switch {
	case zero && o.kind == kindDuration && !isDefault:
		return "default, bounded by the other"
	case zero || isDefault:
		return "default"
	}
	return "code"
}

// describe returns the value of an option as it may be written.
func (o option) describe(c *Config) string {
	switch p := o.field(c).(type) {
	case *string:
		if o.raw && *p != "" {
			return fmt.Sprintf("%q", *p)
		}
		return *p
	case *[]string:
		list := make([]string, len(*p))
		for i, s := range *p {
			if list[i] = s; o.name == "Bash.Env" {
				if name, _, ok := strings.Cut(s, "="); ok {
					list[i] = name + "=..."
				}
			}
		}
		return strings.Join(list, ", ")
	case *bool:
		return fmt.Sprint(*p)
	}
	return o.format(o.number(c))
}
