package config

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/spillway-go/spillway/truncation"
)

// Option describes one option.
type Option struct {
	Name    string // as in code: "Grep.MaxLineChars"
	Env     string // the environment variable: "SPILLWAY_GREP_MAX_LINE_CHARS"
	Key     string // the path of keys in a JSON file: "grep.maxLineChars"
	Kind    string // what a value is: "count", "size", "duration", "bool", "string" or "list"
	Default string // as it may be written; "" if there is none
	Floor   string // the smallest value allowed; "" if there is none
	Doc     string // what the option does, in a sentence

	Values []string // the only words allowed; nil if other values are allowed
}

// The kinds of values.
const (
	kindCount    = "count"    // a whole number
	kindSize     = "size"     // bytes
	kindDuration = "duration" // a time
	kindBool     = "bool"     // true or false
	kindString   = "string"   // a text
	kindList     = "list"     // texts; comma separated in the environment
)

// option is the one description of an option; defaults, floors, loading,
// validation and the documentation all come from it.
type option struct {
	name  string
	kind  string // one of those above
	def   int64  // of numbers; durations in nanoseconds
	text  string // default of texts
	floor int64
	files bool     // the size of a file, which is written in units of 1000, as disks are
	raw   bool     // white space around a text belongs to it
	words []string // the only texts allowed; nil allows any
	from  string   // the option whose value is the default, or bounds def where there is one
	was   string   // its former name, for the error that suggests the new one
	doc   string
	field func(*Config) any // a pointer to the field
}

var options = []option{
	{name: "Workspace", kind: kindString, text: ".", field: func(c *Config) any { return &c.Workspace },
		doc: "the directory that the tools work in and are confined to"},
	{name: "AllowedRoots", kind: kindList, field: func(c *Config) any { return &c.AllowedRoots },
		doc: "directories outside the workspace that may also be read"},
	{name: "WritableRoots", was: "Bash.WritableRoots", kind: kindList,
		field: func(c *Config) any { return &c.WritableRoots },
		doc:   "directories outside the workspace in which files may also be read and changed"},
	{name: "AllowOutsideWorkspace", kind: kindBool, field: func(c *Config) any { return &c.AllowOutsideWorkspace },
		doc: "let the tools read anywhere; what may be changed stays the same"},
	{name: "ReadOnly", kind: kindBool, field: func(c *Config) any { return &c.ReadOnly },
		doc: "leave bash and the tools that change files out of the suite"},
	{name: "Tools", kind: kindList, field: func(c *Config) any { return &c.Tools },
		doc: "the tools that the suite has; empty means all but apply_patch, `none` those that the program adds"},

	{name: "MaxLines", kind: kindCount, def: defaultMaxLines, floor: 1, field: func(c *Config) any { return &c.MaxLines },
		doc: "lines of any result"},
	{name: "MaxBytes", kind: kindSize, def: defaultMaxBytes, floor: 1024, field: func(c *Config) any { return &c.MaxBytes },
		doc: "bytes of any result"},
	{name: "MaxFileBytes", kind: kindSize, files: true, def: defaultMaxFileBytes, floor: 1024, field: func(c *Config) any { return &c.MaxFileBytes },
		doc: "bytes of a file that read shows whole and grep searches"},

	{name: "Read.MaxLines", kind: kindCount, from: "MaxLines", floor: 1, field: func(c *Config) any { return &c.Read.MaxLines },
		doc: "lines of a result of read"},
	{name: "Read.MaxBytes", kind: kindSize, from: "MaxBytes", floor: 1024, field: func(c *Config) any { return &c.Read.MaxBytes },
		doc: "bytes of a result of read"},
	{name: "Read.MaxLineChars", kind: kindCount, field: func(c *Config) any { return &c.Read.MaxLineChars },
		doc: "characters after which read cuts a line; 0 keeps lines whole"},
	{name: "Read.LineNumbers", kind: kindBool, field: func(c *Config) any { return &c.Read.LineNumbers },
		doc: "prefix each line that read shows with its number and a tab"},
	{name: "Read.MaxImageBytes", kind: kindSize, def: defaultMaxImageBytes, floor: 1024, field: func(c *Config) any { return &c.Read.MaxImageBytes },
		doc: "bytes above which read scales an image down"},

	{name: "Bash.MaxLines", kind: kindCount, from: "MaxLines", floor: 1, field: func(c *Config) any { return &c.Bash.MaxLines },
		doc: "lines of a result of bash"},
	{name: "Bash.MaxBytes", kind: kindSize, from: "MaxBytes", floor: 1024, field: func(c *Config) any { return &c.Bash.MaxBytes },
		doc: "bytes of a result of bash"},
	{name: "Bash.Timeout", kind: kindDuration, def: int64(defaultTimeout), floor: int64(time.Millisecond), field: func(c *Config) any { return &c.Bash.Timeout },
		doc: "timeout of a command that asks for none"},
	{name: "Bash.MaxTimeout", kind: kindDuration, def: int64(defaultMaxTimeout), floor: int64(time.Millisecond), field: func(c *Config) any { return &c.Bash.MaxTimeout },
		doc: "longest timeout that a command may ask for; at least Bash.Timeout"},
	{name: "Bash.MaxCaptureBytes", kind: kindSize, def: defaultMaxCaptureBytes, floor: 1 << 20, field: func(c *Config) any { return &c.Bash.MaxCaptureBytes },
		doc: "bytes of output after which a command is killed"},
	{name: "Bash.MaxProcesses", kind: kindCount, def: defaultMaxProcesses, floor: 64, field: func(c *Config) any { return &c.Bash.MaxProcesses },
		doc: "processes and threads that a command may have at a time, where it has a control group that counts them"},
	{name: "Bash.OnTimeout", kind: kindString, text: "kill", words: []string{"kill", "background"}, field: func(c *Config) any { return &c.Bash.OnTimeout },
		doc: "what becomes of a command at its timeout: kill ends it, background makes it a job"},
	{name: "Bash.Strategy", kind: kindString, text: string(truncation.Tail), words: strategies(), field: func(c *Config) any { return (*string)(&c.Bash.Strategy) },
		doc: "which part of the output is shown: tail, head, tail_chars, head_chars, middle, middle_lines or head_tail_lines"},
	{name: "Bash.Marker", kind: kindString, raw: true, field: func(c *Config) any { return &c.Bash.Marker },
		doc: "text at the cut, with {count}, {lines}, {total} and {path}; empty means the strategy's own"},
	{name: "Bash.MaxChars", kind: kindCount, field: func(c *Config) any { return &c.Bash.MaxChars },
		doc: "characters of a result of bash; 0 means no limit besides Bash.MaxBytes"},
	{name: "Bash.FirstLines", kind: kindCount, def: defaultEndLines, floor: 1, field: func(c *Config) any { return &c.Bash.FirstLines },
		doc: "lines that head_tail_lines keeps from the beginning"},
	{name: "Bash.LastLines", kind: kindCount, def: defaultEndLines, floor: 1, field: func(c *Config) any { return &c.Bash.LastLines },
		doc: "lines that head_tail_lines keeps from the end"},
	{name: "Bash.Threshold", kind: kindCount, def: defaultThreshold, floor: 1, field: func(c *Config) any { return &c.Bash.Threshold },
		doc: "characters up to which head_tail_lines leaves the output whole"},
	{name: "Bash.SplitStreams", kind: kindBool, field: func(c *Config) any { return &c.Bash.SplitStreams },
		doc: "show stderr separately, after stdout; the two share the limits"},
	{name: "Bash.Shell", kind: kindString, field: func(c *Config) any { return &c.Bash.Shell },
		doc: "the shell, by path or by its name in the system's directories; empty means bash, or sh where there is none"},
	{name: "Bash.KeepState", kind: kindBool, field: func(c *Config) any { return &c.Bash.KeepState },
		doc: "start each command in the directory and with the exported variables that the last one left"},
	{name: "Bash.FailOnExit", kind: kindBool, field: func(c *Config) any { return &c.Bash.FailOnExit },
		doc: "make an exit code other than 0 an error"},
	{name: "Bash.Env", kind: kindList, field: func(c *Config) any { return &c.Bash.Env },
		doc: "changes to the environment of commands"},
	{name: "Bash.Sandbox", kind: kindString, text: defaultSandbox, words: []string{defaultSandbox, "auto", "landlock", "bwrap"}, field: func(c *Config) any { return &c.Bash.Sandbox },
		doc: "what confines commands: off, auto, landlock or bwrap"},
	{name: "Bash.WriteCaches", kind: kindBool, field: func(c *Config) any { return &c.Bash.WriteCaches },
		doc: "let sandboxed commands write to the caches of build tools"},
	{name: "Bash.ReadableRoots", kind: kindList, field: func(c *Config) any { return &c.Bash.ReadableRoots },
		doc: "what sandboxed commands may read beside the system and what they may write to; empty means everything"},
	{name: "Bash.WriteGitDir", kind: kindBool, field: func(c *Config) any { return &c.Bash.WriteGitDir },
		doc: "let sandboxed commands commit where the workspace's git directory is outside of it: in a linked worktree or a submodule"},
	{name: "Bash.Network", kind: kindBool, field: func(c *Config) any { return &c.Bash.Network },
		doc: "let sandboxed commands use the network"},
	{name: "Bash.Services", kind: kindList, field: func(c *Config) any { return &c.Bash.Services },
		doc: "sockets of services that sandboxed commands may connect to"},

	{name: "Grep.MaxLines", kind: kindCount, from: "MaxLines", floor: 1, field: func(c *Config) any { return &c.Grep.MaxLines },
		doc: "lines of a result of grep"},
	{name: "Grep.MaxBytes", kind: kindSize, from: "MaxBytes", floor: 1024, field: func(c *Config) any { return &c.Grep.MaxBytes },
		doc: "bytes of a result of grep"},
	{name: "Grep.MaxLineChars", kind: kindCount, def: defaultGrepMaxLineChars, floor: 1, field: func(c *Config) any { return &c.Grep.MaxLineChars },
		doc: "characters after which grep cuts a line"},
	{name: "Grep.Limit", kind: kindCount, def: defaultGrepLimit, floor: 1, field: func(c *Config) any { return &c.Grep.Limit },
		doc: "matches that grep returns if a call gives no limit"},

	{name: "Find.MaxLines", kind: kindCount, from: "MaxLines", floor: 1, field: func(c *Config) any { return &c.Find.MaxLines },
		doc: "lines of a result of find"},
	{name: "Find.MaxBytes", kind: kindSize, from: "MaxBytes", floor: 1024, field: func(c *Config) any { return &c.Find.MaxBytes },
		doc: "bytes of a result of find"},
	{name: "Find.Limit", kind: kindCount, def: defaultFindLimit, floor: 1, field: func(c *Config) any { return &c.Find.Limit },
		doc: "results that find returns if a call gives no limit"},

	{name: "Ls.MaxLines", kind: kindCount, from: "MaxLines", floor: 1, field: func(c *Config) any { return &c.Ls.MaxLines },
		doc: "lines of a result of ls"},
	{name: "Ls.MaxBytes", kind: kindSize, from: "MaxBytes", floor: 1024, field: func(c *Config) any { return &c.Ls.MaxBytes },
		doc: "bytes of a result of ls"},
	{name: "Ls.Limit", kind: kindCount, def: defaultLsLimit, floor: 1, field: func(c *Config) any { return &c.Ls.Limit },
		doc: "entries that ls returns if a call gives no limit"},

	{name: "Edit.MaxLines", kind: kindCount, from: "MaxLines", def: defaultDiffLines, floor: 1, field: func(c *Config) any { return &c.Edit.MaxLines },
		doc: "lines of a result of edit or apply_patch, which shows what has changed; MaxLines if that is less"},
	{name: "Edit.MaxBytes", kind: kindSize, from: "MaxBytes", def: defaultDiffBytes, floor: 1024, field: func(c *Config) any { return &c.Edit.MaxBytes },
		doc: "bytes of a result of edit or apply_patch; MaxBytes if that is less"},
	{name: "Edit.RequireRead", kind: kindBool, field: func(c *Config) any { return &c.Edit.RequireRead },
		doc: "refuse changes of files that were not read before"},

	{name: "Write.MaxLines", kind: kindCount, from: "Edit.MaxLines", floor: 1, field: func(c *Config) any { return &c.Write.MaxLines },
		doc: "lines of a result of write, which shows what has changed"},
	{name: "Write.MaxBytes", kind: kindSize, from: "Edit.MaxBytes", floor: 1024, field: func(c *Config) any { return &c.Write.MaxBytes },
		doc: "bytes of a result of write"},

	{name: "Jobs.Max", kind: kindCount, def: defaultJobsMax, floor: 1, field: func(c *Config) any { return &c.Jobs.Max },
		doc: "jobs that run at once"},
	{name: "Jobs.Settle", kind: kindDuration, def: int64(defaultJobsSettle), floor: int64(time.Millisecond), field: func(c *Config) any { return &c.Jobs.Settle },
		doc: "time that a call waits for the end of a job that it starts, or for an answer to input"},
	{name: "Jobs.Keep", kind: kindDuration, def: int64(defaultJobsKeep), floor: int64(time.Millisecond), field: func(c *Config) any { return &c.Jobs.Keep },
		doc: "time after which an ended job is forgotten whose end was shown"},

	{name: "Spill.Dir", kind: kindString, text: defaultSpillDir, field: func(c *Config) any { return &c.Spill.Dir },
		doc: "the directory for full outputs, relative to the workspace"},
	{name: "Spill.MaxAge", kind: kindDuration, def: int64(defaultSpillMaxAge), floor: 1, field: func(c *Config) any { return &c.Spill.MaxAge },
		doc: "age after which a full output is removed"},
	{name: "Spill.MaxTotalBytes", kind: kindSize, def: defaultSpillMaxTotalBytes, floor: 1, field: func(c *Config) any { return &c.Spill.MaxTotalBytes },
		doc: "total bytes of full outputs and of former contents of files, beyond which the oldest are removed"},
	{name: "Spill.SweepInterval", kind: kindDuration, field: func(c *Config) any { return &c.Spill.SweepInterval },
		doc: "time between sweeps; 0 sweeps only when the suite is built"},

	{name: "Undo.Off", kind: kindBool, field: func(c *Config) any { return &c.Undo.Off },
		doc: "keep no former contents of files, so that no change can be undone"},
	{name: "Undo.MaxAge", kind: kindDuration, def: int64(defaultUndoMaxAge), floor: 1, field: func(c *Config) any { return &c.Undo.MaxAge },
		doc: "age after which the former content of a file is removed"},
}

// named finds the option of that name.
func named(name string) (option, bool) {
	for _, o := range options {
		if o.name == name {
			return o, true
		}
	}
	return option{}, false
}

func strategies() (names []string) {
	for _, s := range truncation.Strategies() {
		names = append(names, string(s))
	}
	return names
}

// Options describes every option, in the order of the fields of [Config]. Guard
// and Observe, which only code can set, are not among them.
func Options() []Option {
	list := make([]Option, len(options))
	for i, o := range options {
		list[i] = Option{Name: o.name, Env: o.env(), Key: o.key(), Kind: o.kind, Default: o.defaultText(), Doc: o.doc}
		if list[i].Values = slices.Clone(o.words); o.kind == kindBool {
			list[i].Values = []string{"true", "false"}
		}
		if o.floor > 0 {
			list[i].Floor = o.format(o.floor)
		}
	}
	return list
}

func (o option) defaultText() string {
	switch {
	case o.from != "" && o.def == 0:
		return o.from
	case o.text != "":
		return o.text
	case o.kind == kindList, o.kind == kindString:
		return ""
	case o.kind == kindBool:
		return "false"
	}
	return o.format(o.def)
}

// words splits a name where a new word starts: MaxLineChars is max, line, chars.
func words(name string) []string {
	var list []string
	for i, r := range name {
		if i == 0 || unicode.IsUpper(r) {
			list = append(list, "")
		}
		list[len(list)-1] += string(unicode.ToLower(r))
	}
	return list
}

// envPrefix is what the names of all environment variables begin with.
const envPrefix = "SPILLWAY_"

func (o option) env() string {
	var all []string
	for _, part := range strings.Split(o.name, ".") {
		all = append(all, words(part)...)
	}
	return envPrefix + strings.ToUpper(strings.Join(all, "_"))
}

func (o option) key() string {
	parts := strings.Split(o.name, ".")
	for i, part := range parts {
		w := words(part)
		parts[i] = w[0] + part[len(w[0]):]
	}
	return strings.Join(parts, ".")
}

// OptionError reports an option whose value is refused.
type OptionError struct {
	Option string // as in code: "Grep.Limit"
	Value  string // what was given
	Want   string // what it should be
	Source string // the file and line, the environment variable, or what Set was given; "" if set in code
}

// Error names the source of the value, the option, the value, and what it must be.
func (e *OptionError) Error() string {
	where := ""
	if e.Source != "" {
		where = e.Source + ": "
	}
	return fmt.Sprintf("config: %s%s is %s, but must be %s", where, e.Option, e.Value, e.Want)
}
