package main

import (
	"flag"
	"fmt"
	"io"
	"strings"

	"github.com/spillway-go/spillway/config"
)

// more is what help says of a command beside its line and its flags.
var more = map[string]string{
	"mcp": `The client starts the program and talks over stdin and stdout. With -http the program serves
clients on this machine instead, until a signal ends it.

Without a rule, every call is made. With -allow, -ask or -deny, or rules in the file or the
environment, what changes or runs something and no rule allows is asked about: by the client, where
it has elicitation. Where it has not, the call is refused, and the answer names the flag.

    spillway mcp -allow 'bash(readonly)' -allow 'bash(go test *)' -deny 'read(**/.env)'
    spillway mcp -ask '*'                      # about every call
`,
	"call": `TEXT is an argument without its name. These may be written so, in this order:

{positions}

All others are written KEY=VALUE, or all of them as one JSON object.

    spillway call read src/a.go 100            # from line 100 on
    spillway call bash 'go test ./...'
    spillway call grep TODO src 'glob=*.go' ignore_case=true
    spillway call edit '{"path": "a.go", "old_string": "x", "new_string": "y"}'
    spillway call write notes.txt content=@- < draft.txt

Values are taken as a model's are: limit=5 is a number, ignore_case=true a truth value, and a
list or an object is written as JSON. A key that is given twice makes a list. KEY=@FILE reads
the value from a file, KEY=@- from stdin, and KEY=@@x is the text "@x". @FILE in the place of
JSON reads all arguments. A text that looks like KEY=VALUE needs its own key, as in
'command=A=1 make', and one that begins with - goes behind --.

Without a tool, calls are read from stdin, one a line, as TOOL and its arguments, with quotes as
in a shell. They share one suite: a job that one starts, the next can wait for. Jobs end with the
program. A line that begins with # is left out.

    printf '%s\n' 'bash make background=true' 'job 1' | spillway call

With rules (see spillway help mcp), a call on the command line asks at the terminal; any other
that would be asked about is refused.

The result goes to stdout, also that of a failed call, as a model would see it. The exit code
is 1 if a call failed, and 2 if none was made. A signal that ends the program gives 128 and its
number: 130 for Ctrl-C, 143 for SIGTERM.
`,
	"config": `NAME is an option or a group of them, in upper or lower case.

    spillway config Grep Bash.Timeout

The environment variable of an option is SPILLWAY_ and its name, as SPILLWAY_GREP_LIMIT for
Grep.Limit; -set Grep.Limit=20 does the same for one command. A flag goes before the environment,
and that before the file of -config.
`,
	"sweep": `A suite sweeps when it starts, too. Spill.MaxAge, Undo.MaxAge and Spill.MaxTotalBytes say what
stays: -set Spill.MaxAge=1s removes all outputs that are older than a second and that nobody writes
to, -set Undo.MaxAge=1s what changed files held before. -dry-run says how many these are.
`,
	"report": `FILE is what -record of mcp and call, or Config.Record, wrote; what was rotated away from it
into FILE.1 comes first. The page needs no network and no other file. It has what the model read, so
only you can read it. A file that is no report is not replaced.

    spillway report session.jsonl              # writes session.html
    spillway report session.jsonl -o -         # to stdout
    spillway report -text session.jsonl        # the summary, at a terminal
`,
	"replay": `A record is what -record of call and mcp writes, or SPILLWAY_RECORD. Outputs that commands printed then are
cut again, from the files that have all of them; calls of read, grep, find and ls are made again where
the workspace still gives the recorded text. All others count as they were, and are named. Nothing
is run, and no file is changed.

    spillway replay -set Bash.Strategy=digest -set MaxBytes=16KB session.jsonl
    spillway replay -sweep Bash.MaxBytes=4KB,8KB,16KB,30KB session.jsonl

fetched counts the results that were cut and whose rest a later call asked for. Which calls another
limit would have made needless, or needed, no replay can know.
`,
	"completion": `For this shell, and in its startup file for all others:

    eval "$(spillway completion bash)"
    eval "$(spillway completion zsh)"          # behind compinit
    spillway completion fish | source
`,
}

// positionList is a line for each tool: the arguments that need no key.
func positionList() string {
	var b strings.Builder
	for _, t := range allTools(config.Config{Tools: config.ToolNames()}) {
		fmt.Fprintf(&b, "    %s %s\n", t.Name(), strings.ToUpper(strings.Join(positions(t), " ")))
	}
	return b.String()
}

func helpCommand(*flag.FlagSet) runner {
	return func(args []string, out io.Writer) error {
		if len(args) == 0 {
			printCommands(out)
			return nil
		}
		c, err := commandNamed(args[0])
		if err == nil {
			err = noArguments(args[1:])
		}
		if err != nil {
			return err
		}
		flags := flag.NewFlagSet(c.name, flag.ContinueOnError)
		c.start(flags)
		c.printHelp(out, flags)
		return nil
	}
}

func printCommands(w io.Writer) {
	fmt.Fprint(w, "The tools of a coding agent, with bounded output.\n\n")
	for _, c := range commands() {
		fmt.Fprintf(w, "  spillway %-12s%s\n", c.name, c.about)
	}
	fmt.Fprint(w, "\nspillway help COMMAND explains one, with its flags, which may stand anywhere behind it.\n")
}

// printHelp explains a command.
func (c command) printHelp(w io.Writer, flags *flag.FlagSet) {
	var count int
	flags.VisitAll(func(*flag.Flag) { count++ })
	line := "spillway " + c.name
	if count > 0 {
		line += " [FLAGS]"
	}
	if c.args != "" {
		line += " " + c.args
	}
	fmt.Fprintf(w, "%s\n\n%s.\n", line, c.about)
	if more[c.name] != "" {
		fmt.Fprintf(w, "\n%s", strings.Replace(more[c.name], "{positions}\n", positionList(), 1))
	}
	if count > 0 {
		fmt.Fprintln(w, "\nFlags:")
	}
	flags.SetOutput(w)
	flags.PrintDefaults()
}
