package config

import (
	"context"
	"encoding/json"
)

// Call is a call that is about to be made, as Config.Guard and Config.Ask see it.
type Call struct {
	ID   string // the one that tools.WithCallID gave it, or one that no other call of the suite has
	Tool string // the tool's name
	// Args are the arguments, a JSON object. Those of a built-in tool are as they were understood,
	// with numbers as numbers and without unknown keys; those of an added tool are the model's.
	Args    json.RawMessage
	Effects Effects // what the tool may do

	// Paths are the files and directories that the arguments name, with links followed. A path that
	// leads nowhere is left out, because the call then fails by itself. If a path leads elsewhere
	// when the call is made, the call fails as stale. The paths of an added tool are unknown. For a
	// command, Paths has its directory and, with the part tools/permission, the first 100 files that it is redirected to
	// or from, or that its programs are known to write to; it may be incomplete.
	Paths []PathUse
	// Commands are what a command line runs, as far as its text tells. Only bash has any, and only with the part
	// tools/permission: without it, judge the text in Args.
	Commands []Command

	// Host is the host that a command which already runs wants to reach, with its port, if the call is asked about for
	// that; else "". Session then has the entry that DecisionSession adds to Bash.Hosts, for the life of the suite.
	Host string

	// Why is a sentence that says why the call is asked about. Session lists the rules that the
	// decision DecisionSession adds to Rules.Allow; if it is empty, only this call can be allowed. A Guard
	// gets neither.
	Why     string
	Session []string

	// Preview returns what the call would do, as a text for a person: a unified diff for a change,
	// what runs for a command, a line for other calls. The text is at most as long as a result.
	// Preview changes nothing. If the call is made afterwards, it does what was shown last, or
	// fails as stale. An error is the one with which the call would fail. Every Call from a suite
	// has a Preview.
	Preview func(ctx context.Context) (string, error) `json:"-"`
}

// PathUse is a path that a call names.
type PathUse struct {
	Name string // relative to the workspace if it is in there, else absolute; without links, with slashes
	Path string // the same, absolute, as the operating system takes it
	Use  Use    // what the call does there
}

// Use is what a call does with a file or directory.
type Use string

// The uses of a path.
const (
	UseRead   Use = "read"   // the content of a file, or of the files below a directory, is shown or searched
	UseList   Use = "list"   // names in a directory are shown, or a command runs in it
	UseCreate Use = "create" // a file is made where none is
	UseChange Use = "change" // a file gets other content
	UseRemove Use = "remove" // a file is removed, or moved away
)

// Command is a simple command of a command line: a program or builtin with its arguments.
type Command struct {
	Text string // as it is written, on one line
	// Words are its name and its arguments, without quotes. A word whose value the text does not
	// tell is as it is written, such as $x.
	Words []string
	// Redirects are its redirections, as they are written: "> out.txt".
	Redirects []string
	// Unknown says what cannot be known from the text: "$cmd can be any program". It is "" if all is known.
	Unknown string
}
