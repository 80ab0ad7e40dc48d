package main

// more is what help says of a command beside its line, its arguments and its flags.
var more = map[string]struct {
	text     string // paragraphs; those that are indented are not wrapped
	examples string // at most 78 characters a line
	page     string // of the manual
}{
	"demo": {
		text: `Eight calls over DIR (default: the current directory): a listing, two searches, a file in pages, a long output
and the file with all of it, and a wrong path, whose error says what to do. The limits are far below their defaults, so
that a few lines show every notice.

Your files are not changed. The full output of the command stays in .clarvis, a directory that hides itself from
git and whose files are removed after a day.`,
		examples: `spillway demo
spillway demo ../other-project`,
		page: "spillway.md",
	},
	"mcp": {
		text: `The client starts the program and talks over stdin and stdout. With -http the program serves clients on
this machine instead, until a signal ends it.

Without a rule, every call is made. With -allow, -ask or -deny, or rules in the file or the environment, the client
asks its user about each call that changes or runs something and that no rule allows. A client without elicitation
cannot ask: the call is refused, and its text names the flag that allows it.`,
		examples: `spillway mcp -print-config claude > .mcp.json
spillway mcp -workspace ~/src/project -read-only
spillway mcp -allow 'bash(readonly), bash(go test *)' -deny 'read(**/.env)'
spillway mcp -ask '*'                     # about every call
spillway mcp -http 127.0.0.1:8080 -token-file ~/.spillway-token`,
		page: "mcp.md",
	},
	"script": {
		text: `FILE is the body of an async function in JavaScript. It calls a tool as tools.NAME({...}); a model would see what
it prints and returns (spillway tools script says more). With -script, the commands mcp and call have the tool script.`,
		examples: `spillway script count.js
echo 'return (await tools.ls({})).names.length' | spillway script -
spillway call script 'print((await tools.ls({})).names.length)'`,
		page: "script.md",
	},
	"call": {
		text: `TEXT is the value of an argument without its name. These need no name, in this order:

{positions}

Write all others as KEY=VALUE, or all arguments as one JSON object; spillway tools lists them.

Values are taken as a model's are: limit=5 is a number, ignore_case=true is a boolean, and a list or an object is
JSON. A key given twice makes a list. KEY=@FILE reads the value from a file, KEY=@- from stdin, and KEY=@@x is
the text "@x". @FILE instead of JSON reads all arguments. A text that looks like KEY=VALUE needs its key, as in
'command=A=1 make'. One that begins with - goes behind --.

Without a tool, calls are read from stdin, one a line, as TOOL and its arguments, with quotes as in a shell. They
share one suite: a call can wait for a job that an earlier one started. Jobs end with the program. A line that
begins with # is skipped.

With rules (see spillway help mcp), a call on the command line asks at the terminal. A call from stdin that
needs an answer is refused.

The result goes to stdout as a model would see it, that of a failed call too. The exit code is 0 if every call
succeeded, even if a command exited with another code, unless Bash.FailOnExit is set. It is 1 if a call failed, and 2 if the
command line was refused. A signal that ends the program gives 128 and its number: 130 for Ctrl-C, 143 for SIGTERM.`,
		examples: `spillway call read src/a.go 100           # from line 100 on
spillway call bash 'go test ./...'
spillway call bash 'ls -la' -json         # for a script
spillway call grep TODO src 'glob=*.go' ignore_case=true
spillway call edit '{"path": "a.go", "old_string": "x", "new_string": "y"}'
spillway call write notes.txt content=@- < draft.txt
printf '%s\n' 'bash make background=true' 'job 1' | spillway call`,
		page: "spillway.md#calls",
	},
	"rewind": {
		text: `With -checkpoint, call and mcp keep a checkpoint before each command that changes files, and before each change by
other tools. Without ID, rewind lists those of the workspace, the newest last, for as long as Undo.MaxAge.

With ID, it shows all that has changed since, by whomever, asks at the terminal, and puts all of it back or nothing.
What somebody else has changed is put back only if -others names it; -others . names everything. A rewind can itself
be undone. What git ignores, what is too large (Checkpoint.MaxFileBytes) and git's index and branches stay as they are.`,
		examples: `spillway call -checkpoint bash 'gofmt -w .'
spillway rewind
spillway rewind k3x9q2mf
spillway rewind -yes -others src k3x9q2mf # for a script`,
		page: "checkpoint.md",
	},
	"tools": {
		text: `The texts are those that a model is given. With names, only these tools.`,
		examples: `spillway tools
spillway tools grep find
spillway tools -json -read-only           # their JSON Schemas`,
		page: "spillway.md#commands",
	},
	"config": {
		text: `NAME is an option or a group of them, in upper or lower case. The flags are those of mcp and call, and the list
shows the options that they result in.

The environment variable of Grep.Limit is SPILLWAY_GREP_LIMIT; -set Grep.Limit=20 does the same for one command. A
flag overrides the environment, which overrides the file of -config.`,
		examples: `spillway config
spillway config Grep Bash.Timeout
spillway config -config spillway.json -set Grep.Limit=20 Grep
spillway config -json Bash                # for a script`,
		page: "configuration.md",
	},
	"sweep": {
		text: `Every command that uses the tools sweeps when it starts, too. Spill.MaxAge, Undo.MaxAge and Spill.MaxTotalBytes say
what stays. A file that is being written stays.`,
		examples: `spillway sweep -dry-run
spillway sweep -set Spill.MaxAge=1s       # outputs older than a second
spillway sweep -set Undo.MaxAge=1s        # former contents of changed files`,
		page: "spillway.md#commands",
	},
	"report": {
		text: `FILE is a record: -record of mcp and call writes one, and so does the package tools/record. FILE.1, its older part,
is read first. The page needs no network and no other file. It has what the model read, so only you may read it. It
replaces only an older report.`,
		examples: `spillway report session.jsonl             # writes session.html
spillway report session.jsonl -o -        # to stdout
spillway report -text session.jsonl       # the summary, at a terminal`,
		page: "record.md",
	},
	"replay": {
		text: `FILE is a record: -record of call and mcp, or SPILLWAY_RECORD, writes one. The outputs of commands are cut again,
from the files that have all of them. Calls of read, grep, find and ls are made again where the workspace still
gives the recorded text. All others count as they were, and are named. Nothing is run, and no file is changed.

"fetched" counts cut results whose rest a later call asked for. No replay can know which calls another limit would
have saved or added.`,
		examples: `spillway replay -set Bash.Strategy=digest -set MaxBytes=16KB session.jsonl
spillway replay -sweep Bash.MaxBytes=4KB,8KB,16KB,30KB session.jsonl`,
		page: "record.md",
	},
	"completion": {
		text: `Run the line for your shell. In the shell's startup file, it works in every new shell.`,
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
