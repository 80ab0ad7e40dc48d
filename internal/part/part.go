// Package part defines the optional parts of a suite: an interface for each, and a default for programs that do not
// import the part.
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

type Part struct {
	// Path is the import path of the part below that of the module, as in config.Option.Part; "" for a part of the
	// program's own.
	Path string
	// Check returns an error for each option of the part with a refused value, in a resolved configuration. Nil
	// refuses none.
	Check func(cfg config.Config) []*config.OptionError

	// Confine returns the confinement for the commands of a suite. Nil confines none.
	Confine func(c Commands) (Confinement, error)
	// Judge returns the judge of the calls of a suite or a view, [AllowAll] if all are made. Nil makes all.
	Judge func(cfg config.Config) Judge
	// Shell returns an analyzer of command lines. Nil only splits them into words.
	Shell   func(cfg config.Config, ws *workspace.Workspace, coversHidden func() bool) Shell
	Changer Changer
	// Mask returns the engine that masks the secrets of a suite with a resolved configuration; nil masks none.
	// withheld returns the values of the host's variables that commands do not get.
	Mask func(cfg config.Config, withheld func() []string) mask.Engine

	// Track returns the tracker of changes in the workspace of a suite. Nil tracks none.
	Track func(t Tracking) (Tracker, error)

	// Formats show files in read in another form.
	Formats []page.Format
	// Edit opens files for edit in such a form. Nil makes edit change the text of every file.
	Edit fileedit.Open
	// Form returns the form that a file of that name must keep, or nil. Nil requires none.
	Form func(name string) *change.Form
}

type Set struct{ list []Part }

// Join returns the set of some parts. The error names a part that occurs twice.
func Join(list []Part) (s Set, err error) {
	for _, p := range list {
		if p.Path != "" && s.has(p.Path) {
			return s, fmt.Errorf("tools: New was given the part %s twice", p.Path)
		}
		s.list = append(s.list, p)
	}
	return s, nil
}

func (s Set) has(path string) bool {
	return slices.ContainsFunc(s.list, func(p Part) bool { return p.Path == path })
}

func (s Set) Confinement(c Commands) (Confinement, error) {
	for _, p := range s.list {
		if p.Confine != nil {
			return p.Confine(c)
		}
	}
	return Unconfined{}, nil
}

// Judge returns the judge of the calls of a suite or a view: [AllowAll] if all are made.
func (s Set) Judge(cfg config.Config) Judge {
	for _, p := range s.list {
		if p.Judge != nil {
			return p.Judge(cfg)
		}
	}
	return AllowAll{}
}

func (s Set) Shell(cfg config.Config, ws *workspace.Workspace, coversHidden func() bool) Shell {
	for _, p := range s.list {
		if p.Shell != nil {
			return p.Shell(cfg, ws, coversHidden)
		}
	}
	return Words{Workspace: ws}
}

func (s Set) Changer() Changer {
	for _, p := range s.list {
		if p.Changer != nil {
			return p.Changer
		}
	}
	return nil
}

func (s Set) Masker(cfg config.Config, withheld func() []string) *mask.Masker {
	for _, p := range s.list {
		if p.Mask != nil {
			return mask.New(p.Mask(cfg, withheld))
		}
	}
	return nil
}

func (s Set) Tracker(t Tracking) (Tracker, error) {
	for _, p := range s.list {
		if p.Track != nil {
			return p.Track(t)
		}
	}
	return Untracked{}, nil
}

func (s Set) Formats() (list []page.Format) {
	for _, p := range s.list {
		list = append(list, p.Formats...)
	}
	return list
}

func (s Set) Edit() fileedit.Open {
	for _, p := range s.list {
		if p.Edit != nil {
			return p.Edit
		}
	}
	return nil
}

func (s Set) Form(name string) *change.Form {
	for _, p := range s.list {
		if p.Form != nil {
			return p.Form(name)
		}
	}
	return nil
}

const module = "github.com/spillway-go/spillway/"

// defaults has the value of each unset option.
var defaults = sync.OnceValues(config.Config{}.Resolved)

// Missing returns the errors for options whose part is missing: the named ones, or all. The configuration must be
// resolved. to is the function that takes the parts.
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
		if o.Part != "" && !s.has(o.Part) { // nothing is formatted in vain: a view is checked for each script
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

// Refused returns the errors for options whose part is missing or refuses them. The configuration must be resolved.
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
