package config

import (
	"context"
	"encoding/json"
	"time"

	"github.com/spillway-go/spillway/truncation"
)

// Config holds every option of a suite of tools. The zero value works: each zero
// field means its default. A suite copies its Config, so later changes to the original
// have no effect.
//
// Limits are per result. Lines are those of sed -n, bytes those of UTF-8, and
// characters Unicode code points. MaxLines and MaxBytes apply to every tool; a tool's
// own limits override them, and may be larger.
type Config struct {
	// Workspace is the directory that the tools work in and are confined to:
	// relative paths start there, and bash runs there. "" is the current
	// directory.
	Workspace string
	// AllowedRoots lists directories outside the workspace that read, grep,
	// find and ls may open too, absolute or relative to the workspace.
	AllowedRoots []string
	// AllowOutsideWorkspace lets read, grep, find and ls open any path. bash is
	// never confined.
	AllowOutsideWorkspace bool
	// ReadOnly leaves bash and the tools that change files out of the suite.
	ReadOnly bool
	// Tools names the tools of the suite, some of ToolNames; empty means all but
	// apply_patch, and "none" alone only those that the program adds.
	Tools []string
	// Guard, if not nil, is called before every call with valid arguments. If it
	// returns an error, the call fails as denied, and the model is shown the
	// error's text. Several goroutines may call it at once.
	Guard func(ctx context.Context, call Call) error
	// Observe, if not nil, is called at the end of every call, failed and denied
	// ones included, with the context of the call. The call returns after it. It also
	// hears of jobs: see Event.Job.
	// Several goroutines may call it at once. A panic in it is ignored.
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
	Write Write
	Edit  Edit
	Jobs  Jobs
	Spill Spill

	origins origins // of what Load and FromEnv set
}

// Read holds the options of the read tool. Zero fields are the defaults.
type Read struct {
	MaxLines      int   // 0 is Config.MaxLines
	MaxBytes      int   // 0 is Config.MaxBytes
	MaxLineChars  int   // characters after which a line is cut; 0 keeps lines whole
	LineNumbers   bool  // put its number and a tab in front of each line
	MaxImageBytes int64 // bytes of the file over which an image is scaled down; 0 is 5 MiB
}

// Bash holds the options of the bash tool. Zero fields are the defaults.
type Bash struct {
	MaxLines        int           // 0 is Config.MaxLines
	MaxBytes        int           // 0 is Config.MaxBytes
	Timeout         time.Duration // of a command that asks for none; 0 is 2 minutes
	MaxTimeout      time.Duration // the most that a command may ask for; 0 is 10 minutes
	MaxCaptureBytes int64         // bytes of output after which a command is ended; 0 is 128 MiB, the floor is 1 MiB

	// OnTimeout says what becomes of a command at its timeout: "kill", the default as "",
	// ends it, "background" makes it a job, if the suite has the tool job.
	OnTimeout string

	// Strategy says which part of the output is shown; "" is truncation.Tail. Any
	// other strategy, and a Marker, mark the cut in place, within the limits,
	// instead of by a notice at the end.
	Strategy truncation.Strategy
	// Marker stands at the cut; see truncation.Policy. "" is the strategy's own
	// marker. If it does not name the file with the full output, a notice at the
	// end does.
	Marker     string
	MaxChars   int // characters, besides MaxBytes; 0 is no limit
	FirstLines int // lines that HeadTailLines keeps of the beginning; 0 is 10
	LastLines  int // lines that it keeps of the end; 0 is 10
	Threshold  int // characters up to which it leaves the output whole; 0 is 3000

	// SplitStreams shows stderr after stdout. By default the two are combined in
	// the order in which they were written. Split streams share the limits, and
	// each has its own file for its full output.
	SplitStreams bool

	// Shell is the shell that runs commands, by path or by its name in PATH: one
	// that knows the language of POSIX, as bash, dash, ksh and zsh do. "" is bash,
	// or sh where there is none; on Windows bash, or cmd.
	Shell string
	// KeepState starts each command in the working directory and with the exported
	// variables that the last one ended with. What a command leaves is saved when
	// it ends: one that is killed changes nothing. Not on Windows.
	KeepState bool
	// FailOnExit makes an exit code other than 0, or a signal that ended the
	// command, an error.
	FailOnExit bool

	// Env changes the environment of commands. By default that is the host's,
	// without variables that look like credentials, by name or by value, and
	// without those that make a shell run something else first, such as BASH_ENV.
	// "NAME=value" sets a variable, "NAME" passes the host's variable on in any
	// case, and a first element "-" starts from an empty environment.
	Env []string

	// Sandbox confines commands, on Linux: "landlock" and "bwrap" (bubblewrap) name the
	// engine, "auto" takes the stronger one that works, and "" is "off". An engine that
	// does not work is an error when the suite is built. Commands then write only in the
	// workspace, WritableRoots and a private temporary directory, $TMPDIR.
	Sandbox string
	// WritableRoots lists directories and files outside the workspace that sandboxed
	// commands may write to, absolute or relative to the workspace. "caches" stands for the
	// caches of go, npm, cargo and pip.
	WritableRoots []string
	// ReadableRoots lists what sandboxed commands may read beside the system's
	// directories, AllowedRoots, and what they may write to. Empty means everything.
	ReadableRoots []string
	// Network lets sandboxed commands use the network.
	Network bool
	// Services lists the sockets of services that sandboxed commands may connect to, as
	// /run/docker.sock. Whoever talks to such a service may be able to leave the sandbox.
	Services []string
}

// Grep holds the options of the grep tool. Zero fields are the defaults.
type Grep struct {
	MaxLines     int // 0 is Config.MaxLines
	MaxBytes     int // 0 is Config.MaxBytes
	MaxLineChars int // characters after which a line is cut; 0 is 500
	Limit        int // matches, where a call names no limit; 0 is 100
}

// Find holds the options of the find tool. Zero fields are the defaults.
type Find struct {
	MaxLines int // 0 is Config.MaxLines
	MaxBytes int // 0 is Config.MaxBytes
	Limit    int // results, where a call names no limit; 0 is 1000
}

// Ls holds the options of the ls tool. Zero fields are the defaults.
type Ls struct {
	MaxLines int // 0 is Config.MaxLines
	MaxBytes int // 0 is Config.MaxBytes
	Limit    int // entries, where a call names no limit; 0 is 500
}

// Write holds the options of the write tool. Zero fields are the defaults.
type Write struct {
	MaxLines int // of the difference that is shown; 0 is 100
	MaxBytes int // 0 is Config.MaxBytes
}

// Edit holds the options of the edit and apply_patch tools. Zero fields are the defaults.
type Edit struct {
	MaxLines int // of the differences that are shown; 0 is 100
	MaxBytes int // 0 is Config.MaxBytes
	// RequireRead has write, edit and apply_patch refuse a file of which this suite has shown
	// nothing yet.
	RequireRead bool
}

// Jobs holds the options of jobs: commands that go on after the call which started them.
// Zero fields are the defaults.
type Jobs struct {
	Max    int           // jobs that run at once; 0 is 32, the floor is 1
	Settle time.Duration // how long a call waits for the end of a job that it starts, or for an answer to input; 0 is 1 second
	Keep   time.Duration // after which an ended job is forgotten whose end was shown; 0 is 1 hour
}

// Spill holds the options of the directory for the full output of commands and of
// added tools.
type Spill struct {
	Dir           string        // absolute or relative to the workspace; "" is ".clarvis"
	MaxAge        time.Duration // after which a file is removed by the next sweep; 0 is 24 hours
	MaxTotalBytes int64         // bytes of all files together, beyond which the oldest go; 0 is 1 GiB
	SweepInterval time.Duration // between two sweeps for what is too old; 0 sweeps only when the suite is built
}

// Call is a call that a Guard decides on. Args of a built-in tool are the arguments as
// they were understood, with numbers as numbers and without unknown keys; those of an
// added tool are the model's.
type Call struct {
	Tool    string          // the tool's name
	Args    json.RawMessage // its arguments, a JSON object
	Effects Effects         // what the tool may do
}

// Effects says what a tool may do.
type Effects struct {
	Reads    bool // files
	Writes   bool // files
	Executes bool // programs, which may do anything
}

// Event describes a call that has ended, or tells of a job.
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

	// Job is the number of a job, if the event is about one and not about a call: then
	// JobState is "started", "matched" (a line that a call waited for), or how it ended, as
	// "exited with code 0". Duration is since its start, and BytesProduced what it printed.
	Job      int
	JobState string
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

	defaultEndLines  = 10
	defaultThreshold = 3000

	defaultSandbox = "off"

	defaultGrepMaxLineChars = 500
	defaultGrepLimit        = 100
	defaultFindLimit        = 1000
	defaultLsLimit          = 500
	defaultDiffLines        = 100

	defaultJobsMax    = 32
	defaultJobsSettle = time.Second
	defaultJobsKeep   = time.Hour

	defaultSpillDir           = ".clarvis"
	defaultSpillMaxAge        = 24 * time.Hour
	defaultSpillMaxTotalBytes = 1 << 30
)

// NoTools, alone in Config.Tools, makes a suite that has only what the program adds.
const NoTools = "none"

// ToolNames returns the names that Config.Tools may hold, in the order in which a
// suite lists its tools.
func ToolNames() []string {
	return []string{"read", "bash", "grep", "find", "ls", "write", "edit", "apply_patch", "job"}
}
