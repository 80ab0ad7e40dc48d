package config

import (
	"context"
	"encoding/json"
)

// Call is a call that is about to be made, for Config.Guard and Config.Ask.
type Call struct {
	ID   string // from tools.WithCallID, or else unique among the calls of the suite
	Tool string // the tool's name
	// Args are the arguments, a JSON object. For a built-in tool they are decoded, with numbers as numbers and without
	// unknown keys; for an added tool they are the model's own.
	Args    json.RawMessage
	Effects Effects // what the tool may do

	// Paths are the files and directories that the arguments name, with links followed. A path that
	// leads nowhere is left out, because the call then fails by itself. If a path leads elsewhere
	// when the call is made, the call fails as stale. The paths of an added tool are unknown. For a
	// command, Paths has its directory and, with the part tools/permission, the first 100 files that it is redirected to
	// or from, or that its programs are known to write to; it may be incomplete.
	Paths []PathUse
	// Commands are what a command line runs, as far as its text tells. Only bash has any, and only with the part
	// tools/permission; without it, judge the text in Args.
	Commands []Command

	// Host is set if a running command wants to reach a host that the call is asked about: its name and port; else "".
	// Session then has the entry that DecisionSession adds to Bash.Hosts, for the life of the suite.
	Host string

	// Why is a sentence that says why the call is asked about. Session lists the rules that the decision
	// DecisionSession adds to Rules.Allow; if it is empty, only this call can be allowed. Both are empty for a Guard.
	Why     string
	Session []string

	// Preview returns what the call would do, as a text for a person: a unified diff for a change, what runs for a
	// command, a line for other calls. The text is at most as long as a result. Preview changes nothing. If the call
	// is made afterwards, it does what the last preview showed, or fails as stale. An error is the one with which the
	// call would fail. Every Call from a suite has a Preview.
	Preview func(ctx context.Context) (string, error) `json:"-"`
}

// PathUse is a path that a call names.
type PathUse struct {
	Name string // relative to the workspace if inside it, else absolute; links resolved, with slashes
	Path string // the same, absolute, in the form of the operating system
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
	Text string // as written, on one line
	// Words are its name and its arguments, without quotes. A word whose value is unknown stays as written, such as
	// $x.
	Words []string
	// Redirects are its redirections as written: "> out.txt".
	Redirects []string
	// Unknown says what the text does not tell, such as "$cmd can be any program"; "" if nothing is unknown.
	Unknown string
}
