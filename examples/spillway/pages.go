package main

// more is what help says of a command beside its line, its arguments and its flags.
var more = map[string]struct {
	text     string // paragraphs; those that are indented are not wrapped
	examples string // at most 78 characters a line
	page     string // of the manual
}{
	"demo": {
		text: `Eight calls over DIR, which is the current directory if none is given: a listing, two searches, a
file in pages, a long output and the file with all of it, and a failure. The limits are far below their
defaults, so that a few lines show all of it.

Your files are not changed. The full output of the command stays in .clarvis, a directory that hides itself from
git and whose files are removed after a day.`,
		examples: `spillway demo
spillway demo ../other-project`,
		page: "spillway.md",
	},
	"mcp": {
		text: `The client starts the program and talks over stdin and stdout. With -http the program serves clients on
this machine instead, until a signal ends it.

Without a rule, every call is made. With -allow, -ask or -deny, or rules in the file or the environment, what
changes or runs something and no rule allows is asked about: by the client, where it has elicitation. Where it
has not, the call is refused, and the answer names the flag.`,
		examples: `spillway mcp -print-config claude > .mcp.json
spillway mcp -workspace ~/src/project -read-only
spillway mcp -allow 'bash(readonly), bash(go test *)' -deny 'read(**/.env)'
spillway mcp -ask '*'                     # about every call
spillway mcp -http 127.0.0.1:8080 -token-file ~/.spillway-token`,
		page: "mcp.md",
	},
	"script": {
		text: `FILE is the body of an async function in JavaScript. Every tool is tools.NAME({...}); what is printed and
returned is what a model would see (spillway tools script says more). With -script, the commands mcp and call have
the tool script.`,
		examples: `spillway script count.js
echo 'return (await tools.ls({})).names.length' | spillway script -
spillway call script 'print((await tools.ls({})).names.length)'`,
		page: "script.md",
	},
	"call": {
		text: `TEXT is an argument without its name. These may be written so, in this order:

{positions}

All others are written KEY=VALUE, or all of them as one JSON object; spillway tools lists them.

Values are taken as a model's are: limit=5 is a number, ignore_case=true a truth value, and a list or an object
is written as JSON. A key that is given twice makes a list. KEY=@FILE reads the value from a file, KEY=@- from
stdin, and KEY=@@x is the text "@x". @FILE in the place of JSON reads all arguments. A text that looks like
KEY=VALUE needs its own key, as in 'command=A=1 make', and one that begins with - goes behind --.

Without a tool, calls are read from stdin, one a line, as TOOL and its arguments, with quotes as in a shell. They
share one suite: a job that one starts, the next can wait for. Jobs end with the program. A line that begins with
# is left out.

With rules (see spillway help mcp), a call on the command line asks at the terminal; any other that would be
asked about is refused.

The result goes to stdout, also that of a failed call, as a model would see it. The exit code is 1 if a call
failed, and 2 if none was made. A signal that ends the program gives 128 and its number: 130 for Ctrl-C, 143 for
SIGTERM.`,
		examples: `spillway call read src/a.go 100           # from line 100 on
spillway call bash 'go test ./...'
spillway call bash 'ls -la' -json         # for a script
spillway call grep TODO src 'glob=*.go' ignore_case=true
spillway call edit '{"path": "a.go", "old_string": "x", "new_string": "y"}'
spillway call write notes.txt content=@- < draft.txt
printf '%s\n' 'bash make background=true' 'job 1' | spillway call`,
		page: "spillway.md#calls",
	},
	"tools": {
		text: `The texts are those that a model is given. With names, only these tools.`,
		examples: `spillway tools
spillway tools grep find
spillway tools -json -read-only           # their JSON Schemas`,
		page: "spillway.md#commands",
	},
	"config": {
		text: `NAME is an option or a group of them, in upper or lower case. The flags are those of mcp and call: the list says
what they come to.

The environment variable of an option is SPILLWAY_ and its name, as SPILLWAY_GREP_LIMIT for Grep.Limit; -set
Grep.Limit=20 does the same for one command. A flag goes before the environment, and that before the file of
-config.`,
		examples: `spillway config
spillway config Grep Bash.Timeout
spillway config -config spillway.json -set Grep.Limit=20 Grep
spillway config -json Bash                # for a script`,
		page: "configuration.md",
	},
	"sweep": {
		text: `A suite sweeps when it starts, too. Spill.MaxAge, Undo.MaxAge and Spill.MaxTotalBytes say what stays; what is
being written stays, too.`,
		examples: `spillway sweep -dry-run
spillway sweep -set Spill.MaxAge=1s       # outputs older than a second
spillway sweep -set Undo.MaxAge=1s        # former contents of changed files`,
		page: "spillway.md#commands",
	},
	"report": {
		text: `FILE is what -record of mcp and call, or the package tools/record, wrote; what was rotated away from it into FILE.1 comes
first. The page needs no network and no other file. It has what the model read, so only you can read it. A file
that is no report is not replaced.`,
		examples: `spillway report session.jsonl             # writes session.html
spillway report session.jsonl -o -        # to stdout
spillway report -text session.jsonl       # the summary, at a terminal`,
		page: "record.md",
	},
	"replay": {
		text: `A record is what -record of call and mcp writes, or SPILLWAY_RECORD. Outputs that commands printed then are cut
again, from the files that have all of them; calls of read, grep, find and ls are made again where the workspace
still gives the recorded text. All others count as they were, and are named. Nothing is run, and no file is
changed.

"fetched" counts the results that were cut and whose rest a later call asked for. Which calls another limit
would have made needless, or needed, no replay can know.`,
		examples: `spillway replay -set Bash.Strategy=digest -set MaxBytes=16KB session.jsonl
spillway replay -sweep Bash.MaxBytes=4KB,8KB,16KB,30KB session.jsonl`,
		page: "record.md",
	},
	"completion": {
		text: `It is for one shell, and in the shell's startup file for all that follow.`,
		examples: `eval "$(spillway completion bash)"        # in ~/.bashrc
eval "$(spillway completion zsh)"         # in ~/.zshrc, behind compinit
spillway completion fish | source         # in ~/.config/fish/config.fish`,
		page: "spillway.md#completion",
	},
	"version": {
		examples: `spillway version
spillway version -json                    # for a script`,
		page: "spillway.md#commands",
	},
	"help": {
		examples: `spillway help
spillway help call                        # as spillway call -h`,
		page: "spillway.md#commands",
	},
}
