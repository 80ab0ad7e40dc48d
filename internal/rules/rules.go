// Package rules judges calls by the rules of a configuration.
package rules

import "github.com/spillway-go/spillway/internal/commandline"

// Set is the rules of a configuration. It is not changed once it is made.
type Set struct{}

// New returns the rules of three lists, of which each has passed [Check].
func New(allow, ask, deny []string) *Set { return &Set{} }

// Check returns the error for a rule that cannot be understood: what it must be.
func Check(rule string) error { return nil }

// And returns the rules with more that allow.
func (s *Set) And(allow ...string) *Set { return s }

// Call is a call to judge.
type Call struct {
	Tool      string
	ReadsOnly bool   // the call changes nothing and runs nothing
	Paths     []Path // that its arguments name, besides those of Line

	Line *commandline.Line // what a command line runs; nil for other tools
	// Place returns the name of a path in a command that runs in dir, "" being where the line
	// starts, as in Path.Name; ok is false if it leads nowhere that is known.
	Place func(dir, path string) (name string, ok bool)
}

// Path is a path that a call names.
type Path struct {
	Name   string // relative to the workspace if it is in there, else absolute; without links, with slashes
	Writes bool

	// Written is the path as the call names it, in the same form, if links lead it to Name; else "". Rules that deny
	// or ask match it as well.
	Written string
}

// Decision is what becomes of a call.
type Decision int

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
func (s *Set) Judge(c Call) Verdict { return Verdict{} }

// Reads judges the reading of one file that a search has met.
func (s *Set) Reads(name string) Verdict { return Verdict{} }
