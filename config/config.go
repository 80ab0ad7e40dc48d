package config

import (
	"context"
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
	// AllowedRoots lists directories outside the workspace that may be read too,
	// absolute or relative to the workspace. They widen nothing else.
	AllowedRoots []string
	// WritableRoots lists directories outside the workspace in which files may be
	// read and changed, by the tools and by sandboxed commands, absolute or relative
	// to the workspace. They must exist when the suite is built.
	WritableRoots []string
	// ReadOnlyRoots lists directories and files inside the workspace or WritableRoots that neither
	// the tools nor sandboxed commands may change, such as .git or vendor, absolute or relative to
	// the workspace. They need not exist; sandboxed commands can then make them. SandboxLandlock is
	// refused with it.
	ReadOnlyRoots []string
	// Hidden lists patterns as in .gitignore, relative to the workspace, matched without regard to case. Built-in
	// tools do not read, search, list or change what they match; results say how much is hidden, without names. A
	// command that names a hidden file by a plain word is refused, and with the part tools/permission also one that
	// names it by a pattern or a variable. The sandbox bwrap keeps commands from opening hidden files; with another
	// sandbox or none, a command that finds the name in another way can. Another hard link to a hidden file is not
	// hidden.
	Hidden []string
	// HiddenFile is the name of files in the workspace that hide more in their directories, as .gitignore files
	// ignore; they cannot show what Hidden hides. They are hidden themselves. If such a file is not a regular file, is
	// over 64 KiB, or cannot be read, its whole directory is hidden. "" is .agentignore, "-" means none.
	HiddenFile string
	// AllowOutsideWorkspace lets the tools read any path. It does not widen what they may
	// change. Only Bash.Sandbox confines commands.
	AllowOutsideWorkspace bool
	// ReadOnly leaves bash and the tools that change files out of the suite.
	ReadOnly bool
	// Tools lists the tools of the suite by the names in ToolNames. Empty means all but apply_patch, which needs the
	// part tools/patch; "none" alone means only the tools that the program adds.
	Tools []string
	// Guard, if not nil, is called before every call with valid arguments. If it returns an error, the call fails as
	// denied, and the model is shown the error's text. Several goroutines may call it at once. For a command it gets
	// the text, and with the part tools/permission the commands in it: see Call.Commands.
	Guard func(ctx context.Context, call Call) error
	// Rules say which calls are made, refused, or asked about. They are judged before Guard is
	// called. Without any rule, and without Ask, every call is made. Rules and Ask need the part tools/permission.
	Rules Rules
	// Ask, if not nil, decides about the calls that Rules ask about; without it these are refused.
	// It is called for one call at a time. If it returns an error, the call fails as denied, and the
	// model is shown the error's text.
	Ask func(ctx context.Context, call Call) (Answer, error)
	// Filter, if not nil, is called at the end of every call, failed and denied ones included, after Redact and before
	// Observe. It returns the text that the model gets in place of e.Text. That text is redacted too, and cut if it is
	// longer than a result may be; one without a visible character gets a notice. Details, images and updates stay as
	// they are. If Filter returns an error or panics, the call fails, and its result is dropped. Several goroutines
	// may call it at once.
	Filter func(ctx context.Context, e Event) (text string, err error)
	// Observe, if not nil, is called at the end of every call, failed and denied ones included,
	// with the context of the call, before the call returns. It is also called for jobs: see
	// Event.Job. Several goroutines may call it at once. A panic in it is ignored. Closing the
	// suite waits until Observe has been told of the end of every job, so Observe must not close
	// it. The package tools/record has an observer that writes every call to a file.
	Observe func(ctx context.Context, e Event)

	// Redact says which secrets are replaced by placeholders in everything that the suite shows,
	// reports or keeps, except former contents of files; "" is RedactOff. Others need the part tools/redaction.
	Redact Redact
	// RedactValues, if not nil, returns further values that Redact replaces wherever they occur,
	// unless it is RedactOff. Values under 8 bytes are ignored. It is called at the beginning of
	// every call and must be quick. Several goroutines may call it at once.
	RedactValues func() []string

	MaxLines     int   // lines of any result; 0 is 2000, the floor is 1
	MaxBytes     int   // bytes of any result, besides notices; 0 is 30 KiB, the floor is 1024
	MaxFileBytes int64 // bytes of a file that read shows whole and grep searches; 0 is 20,000,000, the floor is 1024

	// The options of each tool, of jobs, and of the files that hold full outputs.
	Read  Read
	Bash  Bash
	Grep  Grep
	Find  Find
	Ls    Ls
	Edit  Edit
	Jobs  Jobs
	Spill Spill
	Undo  Undo

	// Checkpoint holds the options of the part tools/checkpoint.
	Checkpoint Checkpoint

	origins origins // where Load, FromEnv and Set found options
}

// Redact says which secrets a suite replaces by placeholders. In a [Config], "" means [RedactOff].
type Redact string

const (
	RedactOff Redact = "off" // none
	// RedactKnown replaces the values of the host's variables that commands do not get (see Bash.Env), and those of
	// RedactValues.
	RedactKnown Redact = "known"
	// RedactSecrets also replaces what looks like a credential of a known kind, such as a private key or
	// a GitHub token.
	RedactSecrets Redact = "secrets"
)

// Read holds the options of the read tool. Zero fields are the defaults.
type Read struct {
	MaxLines      int   // 0 is Config.MaxLines
	MaxBytes      int   // 0 is Config.MaxBytes
	MaxLineChars  int   // characters after which a line is cut; 0 keeps lines whole
	PieceBytes    int   // bytes of a line over MaxBytes that a call with a column shows; 0 is 3 KiB
	LineNumbers   bool  // put its number and a tab in front of each line
	MaxImageBytes int64 // an image in a larger file is scaled down; 0 is 5 MiB

	// Repeat says what happens to lines that were shown before and have not changed; "" is
	// RepeatFull.
	Repeat Repeat
}

// Repeat says what read does with lines that it has shown before and that have not changed. In a
// [Read], "" means [RepeatFull].
type Repeat string

const (
	RepeatFull Repeat = "full" // shows them again
	// RepeatReceipt names them instead. Use it only if the model still has everything that it was
	// shown: call Suite.Forget when the conversation is cut, and give each conversation that shares
	// a suite its own reader.
	RepeatReceipt Repeat = "receipt"
)

// Bash holds the options of the bash tool. Zero fields are the defaults.
type Bash struct {
	MaxLines        int           // 0 is Config.MaxLines
	MaxBytes        int           // 0 is Config.MaxBytes
	Timeout         time.Duration // of a command that asks for none; 0 is 2 minutes
	MaxTimeout      time.Duration // the most that a command may ask for; 0 is 10 minutes
	MaxCaptureBytes int64         // bytes of output after which a command is ended; 0 is 128 MiB, the floor is 1 MiB
	// MaxProcesses is how many processes and threads a command may have at a time; 0 is 4096,
	// the floor is 64. It needs a control group with the controller pids, on Linux. If the
	// limits of the host program leave less, a command gets three quarters of what they leave.
	MaxProcesses int
	// MaxMemory is how many bytes of memory a command may hold with all that it starts, swap included; then they are
	// killed. 0 is no limit, the floor is 16 MiB. On Linux, a control group with the controller memory enforces it,
	// and also counts files in a tmpfs, such as /dev/shm. Without one, the suite checks the processes at intervals, so
	// they may hold more for up to a second. Other systems ignore it.
	MaxMemory int64

	// OnTimeout says what happens to a command at its timeout; "" is OnTimeoutKill.
	OnTimeout OnTimeout
	// IdleTimeout is how long a command may print nothing. Then it ends, or becomes a job, as OnTimeout says. Jobs may
	// be silent. 0 is no limit.
	IdleTimeout time.Duration

	// Strategy says which part of the output is shown; "" is truncation.Tail. Any other strategy, and a marker, mark
	// the cut in place, within the limits, instead of by a notice at the end.
	Strategy truncation.Strategy
	// Policy sets how Strategy cuts: its Chars, First, Last, Threshold and Marker; the other fields must be zero. 0
	// lines First or Last are 10, and a Threshold of 0 is 3000. If a Marker does not name the file with the full
	// output, a notice at the end does.
	Policy truncation.Policy

	// NoStandout turns off the search for left-out lines that stand out, and the notice that names
	// them.
	NoStandout bool

	// SplitStreams shows stderr after stdout. By default the two are combined in
	// the order in which they were written. Split streams share the limits, and
	// each has its own file for its full output.
	SplitStreams bool

	// Shell is the shell that runs commands, by path or by its name in the system's directories, such as /usr/bin. It
	// must understand the POSIX language, like bash, dash, ksh and zsh. "" is bash, or sh if there is no bash; on
	// Windows bash, or cmd. On Windows, names are looked up in PATH.
	Shell string
	// KeepState starts each command in the working directory and with the exported variables of the last one; in bash
	// with the part tools/permission also with its functions and aliases. They are saved when a command ends, so a
	// killed command changes nothing. KeepState does not work on Windows.
	KeepState bool
	// Setup is a script that runs before the first command, in the workspace, under Sandbox and for at most Timeout.
	// Every command starts with the variables that it exports, and with its functions and aliases where KeepState
	// keeps these. The script is the host's: no rule and no Guard judges it, and a file of the workspace that it
	// sources may run anything that a command may. Setup does not work on Windows.
	Setup string
	// SetupFiles lists files, relative to the workspace or absolute. Setup runs again before the next command when one
	// of them has changed. Empty means that it runs once.
	SetupFiles []string
	// FailOnExit makes an exit code other than 0, or a signal that ended the
	// command, an error.
	FailOnExit bool

	// Env changes the environment of commands. By default that is the host's, without variables that look like
	// credentials, by name or by value, and without those that make a shell run something else first, such as
	// BASH_ENV. "NAME=value" sets a variable, and "NAME" passes the host's variable on in any case. If the first
	// element is "-", the environment starts empty.
	Env []string

	// Sandbox confines commands, on Linux; "" is SandboxOff. It and the options below need the part tools/sandbox. An
	// engine that does not work is an error when the suite is built. Commands then write only in the workspace,
	// Config.WritableRoots and a private temporary directory, $TMPDIR.
	Sandbox Sandbox
	// WriteCaches lets sandboxed commands write to the caches of go, npm, cargo and pip.
	WriteCaches bool
	// ReadableRoots lists what sandboxed commands may read in addition to the system's directories, AllowedRoots, and
	// what they may write to. Empty means everything.
	ReadableRoots []string
	// WriteGitDir lets sandboxed commands write what a commit changes in the git directory of
	// a linked worktree or a submodule, which is outside the workspace.
	WriteGitDir bool
	// Network lets sandboxed commands use the network. It cannot be combined with Hosts and PrivateHosts.
	Network bool
	// Hosts lists the hosts that sandboxed commands may reach, on the internet: "example.org", "db.example.org:5432",
	// "[2001:db8::1]:443", or "*.example.org" for all names below it. An entry without a port stands for 80 and 443;
	// the port * stands for all. Empty means none, unless Network is set. The only way out of the commands' own
	// network is then a proxy, which the variables HTTP_PROXY, HTTPS_PROXY and ALL_PROXY name. Hosts and PrivateHosts
	// need a Sandbox. Config.Ask is asked about a host that neither list has.
	Hosts []string
	// PrivateHosts lists hosts, like Hosts, that may also be this host or one of its private networks. They need no
	// entry in Hosts. The name host.spillway.internal is this host's loopback. Link-local addresses, where clouds give
	// out credentials, cannot be reached by any name.
	PrivateHosts []string
	// Services lists the sockets of services that sandboxed commands may connect to, such as
	// /run/docker.sock. A command that talks to such a service may be able to leave the
	// sandbox.
	Services []string
}

// A Sandbox names the engine that confines commands. In a [Bash], "" means [SandboxOff].
type Sandbox string

const (
	SandboxOff      Sandbox = "off"      // confines nothing
	SandboxAuto     Sandbox = "auto"     // the stronger engine that works
	SandboxLandlock Sandbox = "landlock" // Landlock, a part of the kernel
	SandboxBwrap    Sandbox = "bwrap"    // bubblewrap
)

// OnTimeout says what happens to a command at its timeout. In a [Bash], "" means [OnTimeoutKill].
type OnTimeout string

const (
	OnTimeoutKill       OnTimeout = "kill"       // ends it
	OnTimeoutBackground OnTimeout = "background" // makes it a job, if the suite has the tool job
)

// Grep holds the options of the grep tool. Zero fields are the defaults.
type Grep struct {
	MaxLines     int // 0 is Config.MaxLines
	MaxBytes     int // 0 is Config.MaxBytes
	MaxLineChars int // characters after which a line is cut; 0 is 500
	Limit        int // matches, where a call names no limit; 0 is 100
	// Grouped shows the path of a file once, on a line of its own above its lines, in
	// searches of a directory.
	Grouped bool
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

// Edit holds the options of the tools write, edit and apply_patch. Zero fields are the defaults.
type Edit struct {
	MaxLines int // of a result, which shows what has changed; 0 is 60, or Config.MaxLines if that is less
	MaxBytes int // 0 is 4 KiB, or Config.MaxBytes if that is less
	// RequireRead makes write, edit and apply_patch refuse a file of which this suite has
	// shown nothing yet.
	RequireRead bool
}

// Jobs holds the options of jobs: commands that keep running after the call that started them.
// Zero fields are the defaults.
type Jobs struct {
	Max        int           // jobs that run at once; 0 is 32, the floor is 1
	Settle     time.Duration // how long a call waits for the end of a job that it starts, or for an answer to input; 0 is 1 second
	Keep       time.Duration // how long the suite remembers a job whose end was shown; 0 is 1 hour
	ReadyLines int           // lines shown by a call that ends at a pattern; 0 is 20, the floor is 1
}

// Spill holds the options of the directory for the full output of commands, jobs and added tools, and for the former
// contents of changed files. Zero fields are the defaults.
type Spill struct {
	Dir           string        // absolute or relative to the workspace; "" is ".clarvis"
	MaxAge        time.Duration // after which the next sweep removes a full output; 0 is 24 hours
	MaxTotalBytes int64         // bytes of all files together, beyond which the oldest are removed; 0 is 1 GiB
	SweepInterval time.Duration // between two sweeps for what is too old; 0 sweeps only when the suite is built, less than 0 never
}

// Undo holds the options for the former contents of files that write, edit and apply_patch
// change. They are kept in Spill.Dir and count in Spill.MaxTotalBytes. Zero fields are the defaults.
type Undo struct {
	Off    bool          // keep none, so that no copy of files such as .env is left; nothing can be put back
	MaxAge time.Duration // after which the next sweep removes a former content; 0 is 7 days
}

// Checkpoint holds the options for tracking changes in the workspace. They need the part tools/checkpoint. Zero fields
// are the defaults.
type Checkpoint struct {
	// Dir is the directory for former contents, absolute or relative to the workspace. It must be outside of the
	// workspace, so that no command of an agent removes them; "" is spillway/checkpoint in the user's cache directory.
	// Each workspace has a directory of its own there. What was not used for Undo.MaxAge is removed.
	Dir string
	// MaxBytes is how much is kept for a workspace; 0 is 256 MiB. Contents that git has are not copied.
	MaxBytes int64
	// MaxFileBytes is the size of the largest file that is kept; 0 is 16 MiB.
	MaxFileBytes int64
	// Ignored tracks files that git ignores, too.
	Ignored bool
}

// Effects says what a tool may do.
type Effects struct {
	Reads    bool // reads files
	Writes   bool // changes files
	Executes bool // runs programs, which may do anything
}

// A Code names a kind of failure. Package tools has the codes.
type Code string

// NoTools, alone in Config.Tools, makes a suite that has only the tools that the program adds.
const NoTools = "none"

// ToolNames returns the names that Config.Tools may hold, in the order in which a
// suite lists its tools.
func ToolNames() []string {
	return []string{"read", "bash", "grep", "find", "ls", "write", "edit", "apply_patch", "job"}
}
