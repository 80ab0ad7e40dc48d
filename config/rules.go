package config

// Rules say which calls are made, refused, or asked about. A rule is the name of a tool,
// or that name with a pattern in parentheses:
//
//	read(**/.env)      a glob for the files of read, grep and < in a command
//	edit(src/**)       one for files that are changed, by edit, write, apply_patch or > in a command, or by an
//	                   option that is known to write, as in sort -o FILE; edit alone is any file
//	bash(git log *)    the words of a command; a last * stands for any number of them
//	bash(readonly)     commands that are known to change nothing
//	bash(readonly network)
//	                   others that read from the network and change nothing but caches
//	job                a tool, whatever its arguments; * is every tool
//
// A call that Deny matches is refused, one that Ask matches is asked about, and one that Allow matches is
// made. If none does, a call that only reads is made, and any other is asked about. Each simple command of a
// command line is judged, and what cannot be known from its text is asked about.
type Rules struct {
	Allow []string // calls that are made
	Ask   []string // calls that are asked about, even if Allow has them
	Deny  []string // calls that are refused, even if Allow or Ask has them
}

// Answer is what Config.Ask returns. The zero value refuses the call.
type Answer struct {
	Decision Decision // the zero value is DecisionNo
	Reason   string   // why not, for the model to read; "" gives no reason
}

// Decision says whether a call is made.
type Decision int

const (
	DecisionNo      Decision = iota // the call fails as denied
	DecisionOnce                    // the call is made
	DecisionSession                 // the call is made, and Call.Session is added to Rules.Allow until the suite is closed
)
