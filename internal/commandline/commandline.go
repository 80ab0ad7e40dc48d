// Package commandline says which simple commands a command line runs, as far as its text tells.
package commandline

// Line is what a command line runs.
type Line struct {
	Commands []Command // in the order of the text, those in substitutions, pipes, functions and wrappers (env, xargs) too
	Unknown  string    // why more than these may run: "it has 70,000 bytes, over the limit of 64 KiB"; "" if not
}

// Command is a simple command.
type Command struct {
	Text      string // as it is written, on one line
	Assigned  []Word // the assignments in front of it, NAME=value; alone if it has no name
	Words     []Word // its name and arguments
	Redirects []Redirect
	Dirs      []string // the directories that it may run in, "" being the one that the line starts in; nil if unknown
	Unknown   string   // what cannot be known from the text: "$cmd can be any program"; "" if all is known
}

// Word is a word of a command, which may become none or several ones when it is expanded.
type Word struct {
	Text   string // without quotes, if Known; else as it is written
	Known  bool   // it is Text and nothing else
	Glob   bool   // it is a pattern of file names, Text; not Known
	Prefix string // what each of the words that it becomes begins with, as far as that is known
	Many   bool   // it may become several words, or none
}

// Redirect is a redirection to or from a file. One of a descriptor to another, such as 2>&1, is none.
type Redirect struct {
	Text   string // as it is written: "> out.txt"
	Path   Word
	Writes bool
}

// Parse says what a command line runs in bash, or in another shell of the POSIX language.
func Parse(text string) Line {
	return Line{Unknown: "commands are not parsed yet"}
}
