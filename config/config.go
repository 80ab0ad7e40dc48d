package config

import (
	"context"
	"encoding/json"
	"time"

	"github.com/spillway-go/spillway/truncation"
)

// Config is every option of a suite of tools. The zero value is a working one: each
// zero field means its default. It is a plain value: copy it, change the copy, and
// build a suite of each; a suite takes no notice of what is changed afterwards.
//
// Limits are per result. Lines are those of sed -n, bytes those of UTF-8, and
// characters Unicode code points. MaxLines and MaxBytes are the most that any tool
// shows; those of a tool stand over them for that tool, and may be larger.
type Config struct {
	// Workspace is the directory that the tools work in and are confined to:
	// relative paths start there, and bash runs there. "" is the current
	// directory.
	Workspace string
	// AllowedRoots are directories outside of the workspace that read, grep,
	// find and ls may look into as well, absolute or relative to the workspace.
	AllowedRoots []string
	// AllowOutsideWorkspace lets read, grep, find and ls go anywhere. bash is
	// not confined, whatever this says.
	AllowOutsideWorkspace bool
	// ReadOnly leaves bash out of the suite.
	ReadOnly bool
	// Tools names the tools that the suite has, of read, bash, grep, find and
	// ls; empty means all.
	Tools []string
	// Guard is asked before every call, if it is not nil, and the call waits for
	// it. Its error ends the call as denied, and its text is shown to the model.
	// It is not asked about calls with arguments that are not valid. It may be
	// called by several goroutines at once.
	Guard func(ctx context.Context, call Call) error
	// Observe is told of every call after it, if it is not nil: of those that
	// failed or were denied too. It may be called by several goroutines at once,
	// and the call waits for it. ctx is that of the call, which a tracer's span may be
	// in. Its panics are dropped.
	Observe func(ctx context.Context, e Event)

	MaxLines     int   // lines of any result; 0 is 2000, the floor is 1
	MaxBytes     int   // bytes of any result, besides notices; 0 is 30 KiB, the floor is 1024
	MaxFileBytes int64 // bytes of a file that read shows whole and grep looks into; 0 is 20,000,000, the floor is 1024

	// The options of each tool, and of the files that hold full outputs.
	Read  Read
	Bash  Bash
	Grep  Grep
	Find  Find
	Ls    Ls
	Spill Spill

	origins origins // of what Load and FromEnv set
}

// Read is the options of the read tool. Zero fields are the defaults.
type Read struct {
	MaxLines      int   // 0 is Config.MaxLines
	MaxBytes      int   // 0 is Config.MaxBytes
	MaxLineChars  int   // characters after which a line is cut; 0 keeps lines whole
	LineNumbers   bool  // put its number and a tab in front of each line
	MaxImageBytes int64 // bytes of the file over which an image is scaled down; 0 is 5 MiB
}

// Bash is the options of the bash tool. Zero fields are the defaults.
type Bash struct {
	MaxLines        int           // 0 is Config.MaxLines
	MaxBytes        int           // 0 is Config.MaxBytes
	Timeout         time.Duration // of a command that asks for none; 0 is 2 minutes
	MaxTimeout      time.Duration // the most that a command may ask for; 0 is 10 minutes
	MaxCaptureBytes int64         // bytes of output after which a command is ended; 0 is 128 MiB, the floor is 1 MiB

	// Strategy is which part of the output is shown; "" is truncation.Tail. With
	// another one, or with a Marker, the cut is marked where it is, inside of the
	// limits, and not by the notice of the tail at the end.
	Strategy truncation.Strategy
	// Marker stands at the cut; see truncation.Policy. "" is the one of the
	// strategy. If it does not name the file with the full output, a notice at
	// the end does.
	Marker     string
	MaxChars   int // characters, besides MaxBytes; 0 is no limit
	FirstLines int // lines that HeadTailLines keeps of the beginning; 0 is 10
	LastLines  int // lines that it keeps of the end; 0 is 10
	Threshold  int // characters up to which it leaves the output whole; 0 is that of truncation.ToolPolicy

	// SplitStreams shows stderr apart, behind stdout; without it both are shown
	// together, in the order in which they were written. The limits are divided
	// between the two, and each has a file of its own for its full output.
	SplitStreams bool

	// Env changes the environment of commands, which is the host's without the
	// variables whose names look like credentials or whose values hold one, and
	// without those that have a shell do more than the command says, as BASH_ENV.
	// "NAME=value" sets a variable, "NAME" lets the host's through although it is
	// left out otherwise. A first element "-" starts from nothing instead of the
	// host's environment.
	Env []string
}

// Grep is the options of the grep tool. Zero fields are the defaults.
type Grep struct {
	MaxLines     int // 0 is Config.MaxLines
	MaxBytes     int // 0 is Config.MaxBytes
	MaxLineChars int // characters after which a line is cut; 0 is 500
	Limit        int // matches, where a call names no limit; 0 is 100
}

// Find is the options of the find tool. Zero fields are the defaults.
type Find struct {
	MaxLines int // 0 is Config.MaxLines
	MaxBytes int // 0 is Config.MaxBytes
	Limit    int // results, where a call names no limit; 0 is 1000
}

// Ls is the options of the ls tool. Zero fields are the defaults.
type Ls struct {
	MaxLines int // 0 is Config.MaxLines
	MaxBytes int // 0 is Config.MaxBytes
	Limit    int // entries, where a call names no limit; 0 is 500
}

// Spill is the options of the directory that holds the full output of commands, and
// of tools that were added.
type Spill struct {
	Dir           string        // absolute or relative to the workspace; "" is ".clarvis"
	MaxAge        time.Duration // after which a file is removed by the next sweep; 0 is 24 hours
	MaxTotalBytes int64         // bytes of all files together, beyond which the oldest go; 0 is 1 GiB
	SweepInterval time.Duration // between two sweeps for what is too old; 0 sweeps only when the suite is built
}

// Call is what a Guard is asked about. For the five tools Args are the arguments that
// were understood, with numbers as numbers and without unknown keys; for a tool that
// was added they are those of the model.
type Call struct {
	Tool    string          // the tool's name
	Args    json.RawMessage // its arguments, a JSON object
	Effects Effects         // what the tool may do
}

// Effects is what a tool may do to the world.
type Effects struct {
	Reads    bool // files
	Writes   bool // files
	Executes bool // programs, which may do anything
}

// Event is what Observe is told of a call that has ended.
type Event struct {
	Tool     string        // the tool's name; "" if the suite has none of the name that was called
	Duration time.Duration // from its beginning to its end, the guard's time included
	Code     string        // of the error, as "timeout"; "" if the call succeeded

	BytesProduced int // of the whole output, as far as it was looked at; 0 if there was none, as "No matches found"
	LinesProduced int // where they are not known, as of a large file read from its end, those shown
	BytesShown    int // of the text for the model: what is shown of the output, notices, and the error
	LinesShown    int // of the same

	Truncated    bool                // the output was cut, by its size in lines, bytes or characters
	TruncatedBy  truncation.Reason   // the limit that was hit; "" if it was not cut
	LimitReached bool                // the list ended at the call's or the tool's limit of results, or the page at that of lines, and there is more
	LinesCut     bool                // some lines are shown in part: Grep.MaxLineChars, Read.MaxLineChars
	Strategy     truncation.Strategy // which part is shown, or would be
	CharsRemoved int                 // characters that are not shown; -1 if they were not counted, as of read
	SpillPath    string              // the file with the full output, as the text names it; "" if there is none
}

// The defaults: lines, bytes, characters and numbers of results as their names say;
// defaultEndLines are the lines that HeadTailLines keeps of either end. Sources: 2000
// lines, 500 characters, 100 matches, 1000 results and 500 entries are what coding
// agents have settled on; 30 KiB is about 8,000 tokens of English or code, a few
// percent of a model's context.
const (
	defaultMaxLines     = 2000
	defaultMaxBytes     = 30 << 10
	defaultMaxFileBytes = 20_000_000

	defaultMaxImageBytes = 5 << 20

	defaultTimeout         = 2 * time.Minute
	defaultMaxTimeout      = 10 * time.Minute
	defaultMaxCaptureBytes = 128 << 20

	defaultEndLines = 10

	defaultGrepMaxLineChars = 500
	defaultGrepLimit        = 100
	defaultFindLimit        = 1000
	defaultLsLimit          = 500

	defaultSpillDir           = ".clarvis"
	defaultSpillMaxAge        = 24 * time.Hour
	defaultSpillMaxTotalBytes = 1 << 30
)

// ToolNames are the names that Config.Tools may hold, in the order in which a
// suite lists its tools.
func ToolNames() []string { return []string{"read", "bash", "grep", "find", "ls"} }
