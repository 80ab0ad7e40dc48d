package tools

import "github.com/spillway-go/spillway/internal/notice"

// titles are the names of the tools that clients show to people.
var titles = map[string]string{
	"read": "Read file", "bash": "Run command", "grep": "Search in files", "find": "Find files",
	"ls": "List directory", "write": "Write file", "edit": "Edit file", "apply_patch": "Apply patch",
	"job": "Control job",
}

// positions are the arguments of the tools that a person at a command line may give without their names, in this order:
// what is required, then what comes next most naturally.
var positions = map[string][]string{
	"read": {"path", "offset", "limit"}, "bash": {"command"}, "grep": {"pattern", "path"}, "find": {"pattern", "path"},
	"ls": {"path"}, "write": {"path", "content"}, "edit": {"path", "old_string", "new_string"}, "apply_patch": {"patch"},
	"job": {"id"},
}

// own is a tool of the library, with methods for adapters, which look for them.
type own struct{ *bound }

// Title returns the name of the tool for people.
func (t own) Title() string { return titles[t.name] }

// Positions returns the arguments that a person may give without their names, in order.
func (t own) Positions() []string { return positions[t.name] }

// Idempotent reports whether a call that is repeated changes nothing more.
func (t own) Idempotent() bool { return !t.effects.Writes && !t.effects.Executes || t.name == "write" }

// MaxResult returns how many bytes the text of a result can have.
func (t own) MaxResult() int { return t.maxBytes + notice.Allowance }

// public returns a tool as hosts see it.
func (b *bound) public() Tool {
	if b.wraps == nil {
		return own{b}
	}
	return b
}
