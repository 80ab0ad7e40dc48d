package tools

import (
	"slices"
	"strings"
	"sync"

	"github.com/spillway-go/spillway/config"
)

// toolset is the tools of a suite.
type toolset struct {
	mu  sync.RWMutex
	all []*bound
}

// list returns the tools. Nobody changes the slice: add makes a new one.
func (ts *toolset) list() []*bound {
	ts.mu.RLock()
	defer ts.mu.RUnlock()
	return ts.all
}

// add adds what more makes of the tools that there are, if it returns no error.
func (ts *toolset) add(more func(all []*bound) ([]*bound, error)) error {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	all, err := more(slices.Clone(ts.all))
	if err == nil {
		ts.all = all
	}
	return err
}

// tool returns the tool of that name, or nil.
func (ts *toolset) tool(name string) *bound {
	ts.mu.RLock()
	defer ts.mu.RUnlock()
	for _, t := range ts.all {
		if t.name == name {
			return t
		}
	}
	return nil
}

func (ts *toolset) has(name string) bool { return ts.tool(name) != nil }

func (ts *toolset) names() string {
	var names []string
	for _, t := range ts.list() {
		names = append(names, t.name)
	}
	return strings.Join(names, ", ")
}

// without returns the error for a tool that the configuration leaves out.
func (ts *toolset) without(name string) *Error {
	return errorf(CodeDenied, "this suite does not have the tool %s; it has %s", name, ts.names())
}

// selects reports whether a configuration asks for a tool of the library.
func selects(cfg config.Config, name string) bool {
	asked := slices.Contains(cfg.Tools, name) || len(cfg.Tools) == 0 && name != "apply_patch"
	return asked && !(cfg.ReadOnly && effectsOf[name].Writes)
}

// effectsOf are the effects of the tools of the library.
var effectsOf = map[string]config.Effects{
	"read": {Reads: true}, "grep": {Reads: true}, "find": {Reads: true}, "ls": {Reads: true},
	"write": {Reads: true, Writes: true}, "edit": {Reads: true, Writes: true}, "apply_patch": {Reads: true, Writes: true},
	"bash": everything, "job": everything,
}
