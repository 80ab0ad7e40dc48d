package config

import (
	"fmt"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spillway-go/spillway/truncation"
)

// Option describes one option.
type Option struct {
	Name    string // its name in code: "Grep.MaxLineChars"
	Env     string // its environment variable: "SPILLWAY_GREP_MAX_LINE_CHARS"
	Key     string // the path of keys in a JSON file: "grep.maxLineChars"
	Kind    string // the type of its value: "count", "size", "duration", "bool", "string", "list" or "policy"
	Default string // as text; "" if there is none
	Floor   string // the smallest value allowed; "" if there is none
	Doc     string // what the option does, in a sentence
	Part    string // the part that the option needs, such as "tools/sandbox"; "" if none

	Values []string // the only words allowed; nil if other values are allowed

	def   int64 // default of a number; nanoseconds for durations
	floor int64
	files bool   // the size of a file, written in units of 1000, as disks are
	raw   bool   // leading and trailing white space is kept
	from  string // the option whose value is the default, or the upper bound of def
	want  string // what a value must be, for errors
}

const (
	kindCount    = "count"    // a whole number
	kindSize     = "size"     // bytes: a number in a field whose name ends in Bytes or Memory
	kindDuration = "duration" // a time
	kindBool     = "bool"     // true or false
	kindString   = "string"   // a text
	kindList     = "list"     // texts; comma separated in the environment
	kindPolicy   = "policy"   // a truncation.Policy; a JSON object
)

const envPrefix = "SPILLWAY_"

// wordStart and partStart are where words of a name start: inside of a part of it, and at its parts.
var (
	wordStart = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\B[A-Z]`) })
	partStart = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\b[A-Z]`) })
)

// complete derives the remaining fields of each option from its name, type and numbers.
func complete(list []Option) []Option {
	for i := range list {
		o := &list[i]
		o.Env = envPrefix + strings.ToUpper(strings.ReplaceAll(wordStart().ReplaceAllString(o.Name, "_$0"), ".", "_"))
		o.Key = partStart().ReplaceAllStringFunc(o.Name, strings.ToLower)
		v := o.field(&Config{})
		switch {
		case o.Values != nil:
			o.Kind, o.want = kindString, "one of "+strings.Join(o.Values, ", ")
		case v.Kind() == reflect.String:
			o.Kind, o.want = kindString, "a text"
		case v.Kind() == reflect.Struct:
			o.Kind, o.want = kindPolicy, wantPolicy
		case v.Kind() == reflect.Slice:
			o.Kind, o.want = kindList, "a list of texts"
		case v.Kind() == reflect.Bool:
			o.Kind, o.want = kindBool, "true or false (or yes, on, 1, no, off, 0)"
			o.Default, o.Values = "false", []string{"true", "false"}
		case v.Type() == reflect.TypeFor[time.Duration]():
			o.Kind, o.want = kindDuration, `a time, such as "90s" or a number of milliseconds`
		case o.files:
			o.Kind, o.want = kindSize, `a size, such as 20000000, "20MB" or "128MiB"`
		case strings.HasSuffix(o.Name, "Bytes"), strings.HasSuffix(o.Name, "Memory"):
			o.Kind, o.want = kindSize, `a size, such as 30720, "30KB" or "128MiB"`
		default:
			o.Kind, o.want = kindCount, "a whole number"
		}
		if !v.CanInt() {
			continue
		}
		if o.Default = o.format(o.def); o.from != "" && o.def == 0 {
			o.Default = o.from
		}
		if o.floor > 0 {
			o.Floor = o.format(o.floor)
		}
	}
	return list
}

const (
	sandboxPart    = "tools/sandbox"
	permissionPart = "tools/permission"
	redactionPart  = "tools/redaction"
	checkpointPart = "tools/checkpoint"
)

const (
	defaultTimeout    = 2 * time.Minute
	defaultMaxTimeout = 10 * time.Minute

	ms = int64(time.Millisecond)
)

// The defaults of 2000 lines, 500 characters, 100 matches, 1000 results and 500 entries are what coding agents have
// settled on; 30 KiB is about 8,000 tokens of English or code, a few percent of a model's context. 4096 processes are
// several times what a parallel build needs, and an eighth of what the smallest kernels allow.
var options = complete([]Option{
	{Name: "Workspace", Default: ".", Doc: "the directory that the tools work in and are confined to"},
	{Name: "AllowedRoots", Doc: "directories outside the workspace that may also be read"},
	{Name: "WritableRoots", Doc: "directories outside the workspace in which files may also be read and changed"},
	{Name: "ReadOnlyRoots", Doc: "directories and files in the workspace, or in WritableRoots, that may not be changed"},
	{Name: "Hidden", Doc: "patterns, as in .gitignore, of files that the tools do not see"},
	{Name: "HiddenFile", Default: ".agentignore",
		Doc: "the name of files in the workspace that hide more, as .gitignore files ignore; `-` means none"},
	{Name: "AllowOutsideWorkspace", Doc: "let the tools read anywhere; what may be changed stays the same"},
	{Name: "ReadOnly", Doc: "leave bash and the tools that change files out of the suite"},
	{Name: "Tools",
		Doc: "the tools that the suite has; empty means all but apply_patch, which needs the part tools/patch, " +
			"`none` those that the program adds"},

	{Name: "Rules.Allow", Part: permissionPart, Doc: "calls that are made: a tool, or a tool(pattern)"},
	{Name: "Rules.Ask", Part: permissionPart, Doc: "calls that are asked about, even if Rules.Allow has them"},
	{Name: "Rules.Deny", Part: permissionPart, Doc: "calls that are refused, even if the others have them"},

	{Name: "Redact", Part: redactionPart, Default: string(RedactOff), Values: words(redactions),
		Doc: "which secrets are replaced by placeholders: off; known, the values of variables that commands do not " +
			"get; or secrets, also what looks like a credential"},

	{Name: "MaxLines", def: 2000, floor: 1, Doc: "lines of any result"},
	{Name: "MaxBytes", def: 30 << 10, floor: 1024, Doc: "bytes of any result"},
	{Name: "MaxFileBytes", files: true, def: 20_000_000, floor: 1024,
		Doc: "bytes of a file that read shows whole and grep searches"},

	{Name: "Read.MaxLines", from: "MaxLines", floor: 1, Doc: "lines of a result of read"},
	{Name: "Read.MaxBytes", from: "MaxBytes", floor: 1024, Doc: "bytes of a result of read"},
	{Name: "Read.MaxLineChars", Doc: "characters after which read cuts a line; 0 keeps lines whole"},
	{Name: "Read.PieceBytes", def: 3 << 10, floor: 1,
		Doc: "bytes of a line that does not fit a result that read shows in one piece"},
	{Name: "Read.LineNumbers", Doc: "prefix each line that read shows with its number and a tab"},
	{Name: "Read.MaxImageBytes", def: 5 << 20, floor: 1024, Doc: "bytes above which read scales an image down"},
	{Name: "Read.Repeat", Default: string(RepeatFull), Values: words(repeats),
		Doc: "what read does with lines that it has shown and that have not changed: full shows them again, " +
			"receipt names them"},

	{Name: "Bash.MaxLines", from: "MaxLines", floor: 1, Doc: "lines of a result of bash"},
	{Name: "Bash.MaxBytes", from: "MaxBytes", floor: 1024, Doc: "bytes of a result of bash"},
	{Name: "Bash.Timeout", def: int64(defaultTimeout), floor: ms, Doc: "timeout of a command that asks for none"},
	{Name: "Bash.MaxTimeout", def: int64(defaultMaxTimeout), floor: ms,
		Doc: "longest timeout that a command may ask for; at least Bash.Timeout"},
	{Name: "Bash.MaxCaptureBytes", def: 128 << 20, floor: 1 << 20, Doc: "bytes of output after which a command is killed"},
	{Name: "Bash.MaxProcesses", def: 4096, floor: 64,
		Doc: "processes and threads that a command may have at a time, where it has a control group that counts them"},
	{Name: "Bash.MaxMemory", floor: 16 << 20,
		Doc: "bytes of memory that a command with all that it starts may hold before it is killed, on Linux; " +
			"0 means no limit"},
	{Name: "Bash.OnTimeout", Default: string(OnTimeoutKill), Values: words(timeoutActions),
		Doc: "what becomes of a command at its timeout: kill ends it, background makes it a job"},
	{Name: "Bash.IdleTimeout",
		Doc: "time after which a command that prints nothing ends, or becomes a job, as Bash.OnTimeout says; 0 means no limit"},
	{Name: "Bash.Strategy", Default: string(truncation.Tail), Values: words(strategies),
		Doc: "which part of the output is shown: tail, head, tail_chars, head_chars, middle, middle_lines, " +
			"head_tail_lines or digest"},
	{Name: "Bash.Policy", Default: defaultPolicy.String(),
		Doc: "how Bash.Strategy cuts: `first` and `last` are the lines that head_tail_lines keeps, and `threshold` the characters " +
			"up to which it leaves the output whole; `chars` of any result, no limit without it; `marker`, the text at the " +
			"cut, with {count}, {lines}, {total} and {path}"},
	{Name: "Bash.NoStandout", Doc: "do not look for lines that stand out among those left out"},
	{Name: "Bash.SplitStreams", Doc: "show stderr separately, after stdout; the two share the limits"},
	{Name: "Bash.Shell",
		Doc: "the shell, by path or by its name in the system's directories; empty means bash, or sh where there is none"},
	{Name: "Bash.KeepState",
		Doc: "start each command in the directory and with the exported variables that the last one left, in bash also with its " +
			"functions and aliases"},
	{Name: "Bash.Setup", raw: true,
		Doc: "a script that runs before the first command; its exported variables, in bash also its functions and " +
			"aliases, are those of every command"},
	{Name: "Bash.SetupFiles", Doc: "files after whose change Bash.Setup runs again; empty means that it runs once"},
	{Name: "Bash.FailOnExit", Doc: "make an exit code other than 0 an error"},
	{Name: "Bash.Env", Doc: "changes to the environment of commands"},
	{Name: "Bash.Sandbox", Part: sandboxPart, Default: string(SandboxOff), Values: words(sandboxes),
		Doc: "what confines commands: off, auto, landlock or bwrap"},
	{Name: "Bash.WriteCaches", Part: sandboxPart, Doc: "let sandboxed commands write to the caches of build tools"},
	{Name: "Bash.ReadableRoots", Part: sandboxPart,
		Doc: "what sandboxed commands may read beside the system and what they may write to; empty means everything"},
	{Name: "Bash.WriteGitDir", Part: sandboxPart,
		Doc: "let sandboxed commands commit where the workspace's git directory is outside of it: " +
			"in a linked worktree or a submodule"},
	{Name: "Bash.Network", Part: sandboxPart, Doc: "let sandboxed commands use the network"},
	{Name: "Bash.Hosts", Part: sandboxPart,
		Doc: "hosts that sandboxed commands may reach, such as example.org, *.example.org or example.org:8443"},
	{Name: "Bash.PrivateHosts", Part: sandboxPart, Doc: "hosts that they may reach also in private networks and on this host"},
	{Name: "Bash.Services", Part: sandboxPart, Doc: "sockets of services that sandboxed commands may connect to"},

	{Name: "Grep.MaxLines", from: "MaxLines", floor: 1, Doc: "lines of a result of grep"},
	{Name: "Grep.MaxBytes", from: "MaxBytes", floor: 1024, Doc: "bytes of a result of grep"},
	{Name: "Grep.MaxLineChars", def: 500, floor: 1, Doc: "characters after which grep cuts a line"},
	{Name: "Grep.Limit", def: 100, floor: 1, Doc: "matches that grep returns if a call gives no limit"},
	{Name: "Grep.Grouped", Doc: "show the path of a file once, above its lines, where grep searches a directory"},

	{Name: "Find.MaxLines", from: "MaxLines", floor: 1, Doc: "lines of a result of find"},
	{Name: "Find.MaxBytes", from: "MaxBytes", floor: 1024, Doc: "bytes of a result of find"},
	{Name: "Find.Limit", def: 1000, floor: 1, Doc: "results that find returns if a call gives no limit"},

	{Name: "Ls.MaxLines", from: "MaxLines", floor: 1, Doc: "lines of a result of ls"},
	{Name: "Ls.MaxBytes", from: "MaxBytes", floor: 1024, Doc: "bytes of a result of ls"},
	{Name: "Ls.Limit", def: 500, floor: 1, Doc: "entries that ls returns if a call gives no limit"},

	{Name: "Edit.MaxLines", from: "MaxLines", def: 60, floor: 1,
		Doc: "lines of a result of write, edit or apply_patch, which shows what has changed; MaxLines if that is less"},
	{Name: "Edit.MaxBytes", from: "MaxBytes", def: 4 << 10, floor: 1024,
		Doc: "bytes of a result of write, edit or apply_patch; MaxBytes if that is less"},
	{Name: "Edit.RequireRead", Doc: "refuse changes of files that were not read before"},

	{Name: "Jobs.Max", def: 32, floor: 1, Doc: "jobs that run at once"},
	{Name: "Jobs.Settle", def: int64(time.Second), floor: ms,
		Doc: "time that a call waits for the end of a job that it starts, or for an answer to input"},
	{Name: "Jobs.Keep", def: int64(time.Hour), floor: ms,
		Doc: "time after which an ended job is forgotten whose end was shown"},
	{Name: "Jobs.ReadyLines", def: 20, floor: 1, Doc: "lines that a call shows which ends at ready_when or until"},

	{Name: "Spill.Dir", Default: ".clarvis", Doc: "the directory for full outputs, relative to the workspace"},
	{Name: "Spill.MaxAge", def: int64(24 * time.Hour), floor: 1, Doc: "age after which a full output is removed"},
	{Name: "Spill.MaxTotalBytes", def: 1 << 30, floor: 1,
		Doc: "total bytes of full outputs and of former contents of files, beyond which the oldest are removed"},
	{Name: "Spill.SweepInterval", floor: math.MinInt64,
		Doc: "time between sweeps; 0 sweeps only when the suite is built, and less never"},

	{Name: "Undo.Off", Doc: "keep no former contents of files, so that no change can be undone"},
	{Name: "Undo.MaxAge", def: int64(7 * 24 * time.Hour), floor: 1,
		Doc: "age after which the former content of a file is removed"},

	{Name: "Checkpoint.Dir", Part: checkpointPart,
		Doc: "the directory, outside of the workspace, in which checkpoints keep former contents; empty means the user's cache directory"},
	{Name: "Checkpoint.MaxBytes", Part: checkpointPart, def: 256 << 20, floor: 1 << 20,
		Doc: "bytes that checkpoints keep of a workspace, besides what git has"},
	{Name: "Checkpoint.MaxFileBytes", Part: checkpointPart, def: 16 << 20, floor: 1024,
		Doc: "bytes of the largest file that checkpoints keep"},
	{Name: "Checkpoint.Ignored", Part: checkpointPart, Doc: "cover also what git ignores"},
})

var (
	sandboxes      = []Sandbox{SandboxOff, SandboxAuto, SandboxLandlock, SandboxBwrap}
	redactions     = []Redact{RedactOff, RedactKnown, RedactSecrets}
	repeats        = []Repeat{RepeatFull, RepeatReceipt}
	timeoutActions = []OnTimeout{OnTimeoutKill, OnTimeoutBackground}
	strategies     = []truncation.Strategy{
		truncation.Head, truncation.Tail, truncation.HeadChars, truncation.TailChars,
		truncation.Middle, truncation.MiddleLines, truncation.HeadTailLines, truncation.Digest,
	}
)

func words[T ~string](list []T) (texts []string) {
	for _, word := range list {
		texts = append(texts, string(word))
	}
	return texts
}

func (o Option) field(c *Config) reflect.Value {
	v := reflect.ValueOf(c).Elem()
	for name := range strings.SplitSeq(o.Name, ".") {
		v = v.FieldByName(name)
	}
	return v
}

// named finds an option by its name or by its key in a file. Case does not matter, nor do underscores between words.
func named(name string) (Option, bool) {
	name = strings.ReplaceAll(name, "_", "")
	i := slices.IndexFunc(options, func(o Option) bool { return strings.EqualFold(o.Name, name) })
	if i < 0 {
		return Option{}, false
	}
	return options[i], true
}

// Options describes every option, in the order of the fields of [Config]. It leaves out Guard, Ask, Filter and
// Observe, which only code can set.
func Options() []Option {
	list := slices.Clone(options)
	for i := range list {
		list[i].Values = slices.Clone(list[i].Values)
	}
	return list
}

// OptionError reports an option whose value is refused.
type OptionError struct {
	Option string // its name in code: "Grep.Limit"
	Value  string // the refused value
	Want   string // what it must be
	Source string // the file and line, the environment variable, or the source given to Set; "" if set in code
}

// Error names the source of the value, the option, the value, and what it must be.
func (e *OptionError) Error() string {
	where := ""
	if e.Source != "" {
		where = e.Source + ": "
	}
	return fmt.Sprintf("config: %s%s is %s, but must be %s", where, e.Option, e.Value, e.Want)
}
