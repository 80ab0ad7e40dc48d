// Package rules judges calls by the rules of a configuration.
package rules

import (
	"cmp"
	"slices"

	"github.com/spillway-go/spillway/internal/commandline"
)

// Set is the rules of a configuration. It is not changed once it is made.
type Set struct {
	allow, ask, deny []rule
}

// New returns the rules of three lists, of which each has passed [Check].
func New(allow, ask, deny []string) *Set {
	return &Set{allow: parseAll(allow), ask: strict(parseAll(ask)), deny: strict(parseAll(deny))}
}

// strict returns rules that deny or ask. One about the files of a kind of access, without a pattern, is about all of
// them: edit is edit(**).
func strict(list []rule) []rule {
	for i, r := range list {
		if (r.access == reading || r.access == changing) && r.glob == "" && !r.exactTool() {
			list[i].glob, list[i].elements, list[i].bare = everything, []string{everything}, true
		}
	}
	return list
}

func parseAll(texts []string) (list []rule) {
	for _, text := range texts {
		if r, err := parse(text); err == nil {
			list = append(list, r)
		}
	}
	return list
}

// And returns the rules with more that allow.
func (s *Set) And(allow ...string) *Set {
	more := *s
	more.allow = append(slices.Clip(s.allow), parseAll(allow)...)
	return &more
}

// Call is a call to judge.
type Call struct {
	Tool      string
	ReadsOnly bool   // the call changes nothing and runs nothing
	Paths     []Path // that its arguments name, besides those of Line

	Line *commandline.Line // what a command line runs; nil for other tools
	// Place returns the name of a path in a command that runs in dir, "" being where the line
	// starts, as in Path.Name; ok is false if it leads nowhere that is known. Of both, a ~ at the beginning is
	// the home directory.
	Place func(dir, path string) (name string, ok bool)

	// ReadOnly are the names of directories and files in which nothing is changed, whatever rule allows the command line;
	// with a relative name, also the absolute one. Protected returns the one that a name from Place lies in, or "".
	ReadOnly  []string
	Protected func(name string) (root string)

	// Holds reports whether a directory, by its name from Place, has an entry of this name, or may have one; nil if that
	// is not known.
	Holds func(dir, entry string) bool

	Terminal bool // the command line runs on a terminal
	LocalGo  bool // its environment has GOTOOLCHAIN=local
}

// Path is a path that a call names.
type Path struct {
	Name   string // relative to the workspace if it is in there, else absolute; without links, with slashes
	Writes bool

	// Written is the path as the call names it, in the same form, if links lead it to Name; else "". Rules that deny
	// or ask match it as well.
	Written string

	// Shown is the path as the call names it, if Name is a correction of that; else "". Rules that deny or ask match it
	// as well, and sentences have it in place of Name, which the call did not know.
	Shown string
}

// Decision is what becomes of a call.
type Decision int

// The decisions. The higher one wins.
const (
	Allowed Decision = iota
	Asked
	Denied
)

// Verdict is what the rules say of a call.
type Verdict struct {
	Decision Decision
	Why      string   // a sentence without a full stop that names the rule, or what no rule allows
	Session  []string // the rules that would allow the call, if it is asked about; none if that cannot be said in rules
}

// Judge judges a call.
func (s *Set) Judge(c Call) Verdict {
	var f findings
	switch {
	case c.Tool != bash:
		s.judgeTool(c, &f)
	case c.Line == nil:
		s.judgeLine(c, &commandline.Line{Unknown: "it was not parsed"}, &f)
	default:
		s.judgeLine(c, c.Line, &f)
	}
	v := f.verdict()
	// What is offered for the session is kept only if it does what it is for.
	if len(v.Session) > 0 {
		again := findings{}
		more := s.And(v.Session...)
		if c.Tool != bash {
			more.judgeTool(c, &again)
		} else if c.Line != nil {
			more.judgeLine(c, c.Line, &again)
		}
		if again.decision != Allowed {
			v.Session = nil
		}
	}
	return v
}

// LimitReads reports whether some rule denies or asks about reading some files. A nil set has none.
func (s *Set) LimitReads() bool {
	limits := func(r rule) bool { return r.access == reading && r.glob != "" && !r.bare }
	return s != nil && (slices.ContainsFunc(s.deny, limits) || slices.ContainsFunc(s.ask, limits))
}

// Reads judges the reading of one file that a search has met.
func (s *Set) Reads(name string) Verdict {
	for _, list := range []struct {
		rules    []rule
		decision Decision
	}{{s.deny, Denied}, {s.ask, Asked}} {
		for _, r := range list.rules {
			if r.access == reading && r.glob != "" && !r.bare && r.matches(name, true) { // a bare one refuses the call
				return Verdict{Decision: list.decision, Why: r.says(list.decision, "reading "+shown(name))}
			}
		}
	}
	return Verdict{}
}

// judgeTool judges a call of another tool than bash.
func (s *Set) judgeTool(c Call, f *findings) {
	what := func(p Path) string {
		name := cmp.Or(p.Shown, p.Name)
		if p.Writes {
			return "a change of " + shown(name)
		}
		return c.Tool + " of " + shown(name)
	}
	for _, list := range s.strict() {
		for _, r := range list.rules {
			if r.names(c) || r.tool == "read" && r.bare && accessOf(c.Tool) == changing { // it shows lines
				f.add(list.decision, r.says(list.decision, "the tool "+shown(c.Tool)))
				continue
			}
			for _, p := range c.Paths {
				if r.refuses(c.Tool, p) {
					f.add(list.decision, r.says(list.decision, what(p)))
				}
			}
		}
	}
	if f.decision != Allowed || c.ReadsOnly {
		return
	}
	if slices.ContainsFunc(s.allow, func(r rule) bool { return r.names(c) }) {
		return
	}
	if len(c.Paths) == 0 || accessOf(c.Tool) == other {
		f.offer("no rule allows the tool "+shown(c.Tool), c.Tool)
		return
	}
	for _, p := range c.Paths {
		if p.Writes && !s.allows(changing, p.Name) {
			f.offer("no rule allows "+what(p), "edit("+escapeGlob(p.Name)+")")
		} else if !p.Writes && accessOf(c.Tool) != changing && !s.allows(accessOf(c.Tool), p.Name) {
			f.offer("no rule allows "+what(p), c.Tool+"("+escapeGlob(p.Name)+")")
		}
	}
}

// strictList is the rules that deny, or those that ask.
type strictList struct {
	rules    []rule
	decision Decision
}

func (s *Set) strict() [2]strictList {
	return [2]strictList{{s.deny, Denied}, {s.ask, Asked}}
}

// allows reports whether a rule allows access to a path.
func (s *Set) allows(a access, name string) bool {
	return slices.ContainsFunc(s.allow, func(r rule) bool {
		return r.access == a && (r.glob == "" && !r.exactTool() || r.glob != "" && r.matches(name, false))
	})
}
