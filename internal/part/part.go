// Package part says by what a suite knows its optional parts: one interface each, and the value that stands in its place
// where a program has not imported the part.
package part

import (
	"cmp"
	"errors"
	"fmt"
	"path"
	"slices"
	"sync"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/change"
	"github.com/spillway-go/spillway/internal/fileedit"
	"github.com/spillway-go/spillway/internal/mask"
	"github.com/spillway-go/spillway/internal/page"
	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/internal/workspace"
)

// Part is what a program hands to tools.New beside the configuration.
type Part struct {
	// Path is the import path of the part below that of the module, as options name it (config.Option.Part); "" for
	// one of the program's own.
	Path string
	// Check returns an error for each value of the part's options that it refuses, in a resolved configuration. Nil
	// refuses none.
	Check func(cfg config.Config) []*config.OptionError

	// Confine confines the commands of a suite as the options say. Nil confines none.
	Confine func(c Commands) (Confinement, error)
	// Judge returns what decides about the calls of a suite or a view, [AllowAll] if it makes all. Nil makes all.
	Judge func(cfg config.Config) Judge
	// Shell returns what knows the command lines of a suite. Nil knows their words.
	Shell func(cfg config.Config, ws *workspace.Workspace, coversHidden func() bool) Shell
	// Changer is a tool that changes files, or nil.
	Changer Changer
	// Mask returns what masks the secrets of a suite with a resolved configuration; nil masks none. withheld returns the
	// values of the host's variables that commands do not get.
	Mask func(cfg config.Config, withheld func() []string) mask.Engine

	// Track returns what tracks the changes in the workspace of a suite. Nil tracks none.
	Track func(t Tracking) (Tracker, error)

	// Formats show files in read in a form of their own.
	Formats []page.Format
	// Edit opens the files that edit changes in such a form. Nil has it change the text of every file.
	Edit fileedit.Open
	// Form returns the form that files of a name must keep, or nil. Nil knows none.
	Form func(name string) *change.Form
}

// Set is the parts of a suite.
type Set struct{ list []Part }

// Join returns the set of some parts. The error names one that is there twice.
func Join(list []Part) (s Set, err error) {
	for _, p := range list {
		if p.Path != "" && s.has(p.Path) {
			return s, fmt.Errorf("tools: New was given the part %s twice", p.Path)
		}
		s.list = append(s.list, p)
	}
	return s, nil
}

// has reports whether a part is there.
func (s Set) has(path string) bool {
	return slices.ContainsFunc(s.list, func(p Part) bool { return p.Path == path })
}

// Confinement returns what confines the commands of a suite.
func (s Set) Confinement(c Commands) (Confinement, error) {
	for _, p := range s.list {
		if p.Confine != nil {
			return p.Confine(c)
		}
	}
	return Unconfined{}, nil
}

// Judge returns what decides about the calls of a suite or a view: [AllowAll] if all are made.
func (s Set) Judge(cfg config.Config) Judge {
	for _, p := range s.list {
		if p.Judge != nil {
			return p.Judge(cfg)
		}
	}
	return AllowAll{}
}

// Shell returns what knows the command lines of a suite.
func (s Set) Shell(cfg config.Config, ws *workspace.Workspace, coversHidden func() bool) Shell {
	for _, p := range s.list {
		if p.Shell != nil {
			return p.Shell(cfg, ws, coversHidden)
		}
	}
	return Words{Workspace: ws}
}

// Changer returns the tool of a part that changes files, or nil.
func (s Set) Changer() Changer {
	for _, p := range s.list {
		if p.Changer != nil {
			return p.Changer
		}
	}
	return nil
}

// Masker returns what masks the secrets of a suite: see Part.Mask.
func (s Set) Masker(cfg config.Config, withheld func() []string) *mask.Masker {
	for _, p := range s.list {
		if p.Mask != nil {
			return mask.New(p.Mask(cfg, withheld))
		}
	}
	return nil
}

// Tracker returns what tracks the changes in the workspace of a suite.
func (s Set) Tracker(t Tracking) (Tracker, error) {
	for _, p := range s.list {
		if p.Track != nil {
			return p.Track(t)
		}
	}
	return Untracked{}, nil
}

// Formats returns the formats in which read shows files.
func (s Set) Formats() (list []page.Format) {
	for _, p := range s.list {
		list = append(list, p.Formats...)
	}
	return list
}

// Edit returns what opens the files that edit changes in such a form, or nil.
func (s Set) Edit() fileedit.Open {
	for _, p := range s.list {
		if p.Edit != nil {
			return p.Edit
		}
	}
	return nil
}

// Form returns the form that files of a name must keep, or nil.
func (s Set) Form(name string) *change.Form {
	for _, p := range s.list {
		if p.Form != nil {
			return p.Form(name)
		}
	}
	return nil
}

// module is what the import paths of the parts begin with.
const module = "github.com/spillway-go/spillway/"

// defaults are the options that nobody has set.
var defaults = sync.OnceValues(config.Config{}.Resolved)

// Missing returns the errors for options that need a part which is not there: of those that are named, or of all. The
// configuration is resolved. to is the function that the parts are given to.
func (s Set) Missing(cfg config.Config, to string, names ...string) error {
	var errs []error
	need := func(part, option, value, instead string) {
		if s.has(part) || len(names) > 0 && !slices.Contains(names, option) {
			return
		}
		_, source, _ := cfg.Lookup(option)
		want := fmt.Sprintf("%s without its part: import %s%s and give %s %s.Part() too", instead, module, part, to, path.Base(part))
		errs = append(errs, &config.OptionError{Option: option, Value: value, Source: source, Want: want})
	}
	unset, _ := defaults()
	for _, o := range config.Options() {
		if o.Part != "" && !s.has(o.Part) { // a view is checked at each script: nothing is written out for it in vain
			value, _, _ := cfg.Lookup(o.Name)
			if without, _, _ := unset.Lookup(o.Name); value != without {
				need(o.Part, o.Name, quote.Value(value), cmp.Or(without, "empty"))
			}
		}
	}
	if slices.Contains(cfg.Tools, "apply_patch") {
		need("tools/patch", "Tools", "apply_patch", "another")
	}
	if cfg.Ask != nil {
		need("tools/permission", "Ask", "set", "nil")
	}
	return errors.Join(errs...)
}

// Refused returns the errors for options that need a part which is not there, or that a part refuses. The configuration
// is resolved.
func (s Set) Refused(cfg config.Config) error {
	errs := []error{s.Missing(cfg, "tools.New")}
	for _, p := range s.list {
		if p.Check != nil {
			for _, refused := range p.Check(cfg) {
				errs = append(errs, refused)
			}
		}
	}
	return errors.Join(errs...)
}
