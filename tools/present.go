package tools

import "github.com/spillway-go/spillway/internal/notice"

// titles are the names of the tools that clients show to people.
var titles = map[string]string{
	"read": "Read file", "bash": "Run command", "grep": "Search in files", "find": "Find files",
	"ls": "List directory", "write": "Write file", "edit": "Edit file", "apply_patch": "Apply patch",
	"job": "Control job",
}

// The methods of this file are for adapters, which look for them. Only the tools of the library have them.

// Title returns the name of the tool for people.
func (t *spec) Title() string { return titles[t.name] }

// Idempotent reports whether a call that is repeated changes nothing more.
func (t *spec) Idempotent() bool {
	return !t.effects.Writes && !t.effects.Executes || t.name == "write"
}

// MaxResult returns how many bytes the text of a result can have.
func (t *spec) MaxResult() int { return t.maxBytes + notice.Allowance }
