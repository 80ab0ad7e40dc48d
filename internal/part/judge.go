package part

import (
	"context"

	"github.com/spillway-go/spillway/config"
)

// Judge decides about calls before the guard is asked.
type Judge interface {
	// Decide returns nil to make a call, or why it is refused.
	Decide(ctx context.Context, c Call) error
	// Reads returns a function that says whether a search may read a file, by its name in texts, and whether a person
	// is asked about a call that names it. It returns nil if searches may read everything.
	Reads() func(path string) (may, asked bool)
}

// Call is a call to judge.
type Call struct {
	config.Call
	Named     []Path // named by the arguments, besides the paths of Line
	Line      Line   // of a command; nil for other tools
	ReadsOnly bool   // it changes nothing and runs nothing, although its tool may
}

// Path is a path that the arguments of a call name.
type Path struct {
	Name   string // relative to the workspace if inside it, else absolute; links resolved, with slashes
	Writes bool

	// Written is the path as the call names it, in the same form, if links lead it to Name; else "".
	Written string
	// Shown is the path as the call names it, if Name is a correction; else "".
	Shown string
}

type AllowAll struct{}

func (AllowAll) Decide(context.Context, Call) error    { return nil }
func (AllowAll) Reads() func(string) (may, asked bool) { return nil }
