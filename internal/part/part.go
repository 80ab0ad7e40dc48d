// Package part says by what a suite knows its optional parts: one interface each, and the value that stands in its place
// where a program has not imported the part.
package part

import (
	"errors"
	"fmt"
	"path"
	"slices"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/quote"
)

// Part is what a program hands to tools.New beside the configuration.
type Part struct {
	// Path is the import path of the part below that of the module, as options name it (config.Option.Part).
	Path string
	// Check returns an error for each value of the part's options that it refuses, in a resolved configuration. Nil
	// refuses none.
	Check func(cfg config.Config) []*config.OptionError

	// Confine confines the commands of a suite as the options say. Nil confines none.
	Confine func(c Commands) (Confinement, error)
}

// Set is the parts of a suite: each of its seams is that of one of them, or nil.
type Set struct {
	Part
	list []Part
}

// Join returns the set of some parts. The error says what two of them bring.
func Join(list []Part) (s Set, err error) {
	for _, p := range list {
		if slices.ContainsFunc(s.list, func(other Part) bool { return other.Path == p.Path }) {
			return s, fmt.Errorf("tools: New was given the part %s twice", p.Path)
		}
		s.list = append(s.list, p)
		if p.Confine != nil {
			s.Confine = p.Confine
		}
	}
	return s, nil
}

// has reports whether a part is there.
func (s Set) has(path string) bool {
	return slices.ContainsFunc(s.list, func(p Part) bool { return p.Path == path })
}

// module is what the import paths of the parts begin with.
const module = "github.com/spillway-go/spillway/"

// Refused returns the errors for options that need a part which is not there, or that a part refuses. The configuration
// is resolved.
func (s Set) Refused(cfg config.Config) error {
	var errs []error
	defaults, _ := config.Config{}.Resolved()
	for _, o := range config.Options() {
		value, source, _ := cfg.Lookup(o.Name)
		without, _, _ := defaults.Lookup(o.Name)
		if o.Part == "" || value == without || s.has(o.Part) {
			continue
		}
		if without == "" {
			without = "empty"
		}
		want := fmt.Sprintf("%s without its part: import %s%s and give tools.New %s.Part() too", without, module, o.Part,
			path.Base(o.Part))
		errs = append(errs, &config.OptionError{Option: o.Name, Value: quote.Value(value), Source: source, Want: want})
	}
	for _, p := range s.list {
		if p.Check == nil {
			continue
		}
		for _, refused := range p.Check(cfg) {
			errs = append(errs, refused)
		}
	}
	return errors.Join(errs...)
}
