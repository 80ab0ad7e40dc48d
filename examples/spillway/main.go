// Command spillway gives the tools to whatever is not a Go program: to MCP clients as a
// server, and to people and scripts as commands.
//
//	spillway demo                            the tools over the current directory
//	spillway call grep TODO                  one call, as a model would make it
//	spillway mcp                             the tools for an MCP client
//	spillway script FILE.js                  a script that makes several calls
//	spillway tools                           the tools and their arguments
//	spillway rewind                          what commands changed, put back
//	spillway config                          the options in force, and where they come from
//	spillway sweep                           old full outputs removed
//	spillway report FILE                     what recorded calls cost, as a page
//	spillway replay FILE                     what a recorded session would cost under other options
//	spillway help                            everything else
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/nearest"
)

// command is a command of the program. Help lists it under its group; args has a line for each way to write its arguments.
// start adds its flags to a set, and returns what runs when they were parsed, and prints to out.
type command struct {
	group, name, args, about string
	start                    func(flags *flag.FlagSet) (run runner)
}

type runner func(args []string, out io.Writer) error

// The groups of commands in help.
const (
	forTools   = "TOOLS"
	forOptions = "OPTIONS AND FILES"
	forRecords = "RECORDS"
	forProgram = "THE PROGRAM"
)

func commands() []command {
	const ofCall = "TOOL [TEXT ...] [KEY=VALUE ...]\nTOOL JSON\n< CALLS"
	return []command{
		{forTools, "demo", "[DIR]", "show the tools over a directory, in eight calls", demoCommand},
		{forTools, "call", ofCall, "call a tool, and print what a model would see", callCommand},
		{forTools, "script", "FILE\n-", "run a script that calls tools, and print what a model would see", scriptCommand},
		{forTools, "tools", "[TOOL ...]", "list the tools with their descriptions and arguments", toolsCommand},
		{forTools, "mcp", "", "serve the tools to an MCP client, over stdin and stdout or HTTP", mcpCommand},
		{forTools, "rewind", "\nID", "list checkpoints, or put files back to how they were at one", rewindCommand}, // tools/checkpoint
		{forOptions, "config", "[NAME ...]", "list the options in force, or some of them, and where they come from", configCommand},
		{forOptions, "sweep", "", "remove full outputs that are old, or beyond the limit", sweepCommand},
		{forRecords, "report", "FILE", "show what the calls of a record cost, as a page or at a terminal", reportCommand},
		{forRecords, "replay", "FILE", "say what a record would have cost under other options; nothing is run or changed", replayCommand},
		{forProgram, "completion", "bash | zsh | fish", "print a script that makes a shell complete commands, flags and arguments",
			completionCommand},
		{forProgram, "version", "", "print the version", versionCommand},
		{forProgram, "help", "[COMMAND]", "explain a command", helpCommand},
	}
}

// The exit codes.
const (
	exitFailure = 1   // a call failed, or the work could not be done
	exitUsage   = 2   // arguments, flags or options that are refused
	exitSignal  = 128 // and the number of the signal that ended the program, as shells have it
)

// refused is an error of whoever called the program.
type refused struct{ error }

func usage(format string, args ...any) error { return refused{fmt.Errorf(format, args...)} }

// noArguments refuses the arguments of a command that takes none.
func noArguments(args []string) error {
	if len(args) > 0 {
		return usage("unexpected argument %q", args[0])
	}
	return nil
}

// Errors without a text, as there is nothing more to say: the output says that a call failed,
// or whoever reads it has enough.
var (
	errSaid   = errors.New("")
	errUnread = errors.New("")
)

// ended is the error of a program that a signal ended.
type ended struct{ by syscall.Signal }

func (ended) Error() string { return "" }

// printer is what commands print to. It keeps the first error, so that they need not look.
type printer struct {
	to  io.Writer
	err error
}

func (p *printer) Write(text []byte) (n int, err error) {
	if p.err == nil {
		n, p.err = p.to.Write(text)
	}
	if errors.Is(p.err, syscall.EPIPE) {
		p.err = errUnread
	}
	return n, p.err
}

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// run is the program.
func run(args []string, stdout, stderr io.Writer) int {
	if len(args) == 0 {
		printCommands(stderr)
		return exitUsage
	}
	name := args[0]
	switch name {
	case "-h", "-help", "--help":
		name = "help"
	case "-V", "-version", "--version":
		name = "version"
	}
	out := &printer{to: stdout}
	c, err := commandNamed(name)
	if err == nil {
		err = c.run(args[1:], out)
	}
	if err == nil {
		err = out.err
	}
	if err == nil {
		return 0
	}
	for line := range strings.Lines(err.Error()) { // the configuration may have several errors
		if line = strings.TrimSuffix(line, "\n"); line != "" {
			fmt.Fprintln(stderr, "spillway:", line)
		}
	}
	if end, ok := errors.AsType[ended](err); ok {
		return exitSignal + int(end.by)
	}
	if _, wrong := errors.AsType[refused](err); wrong {
		return exitUsage
	}
	return exitFailure
}

// commandNamed finds a command.
func commandNamed(name string) (command, error) {
	var names []string
	for _, c := range commands() {
		if c.name == name {
			return c, nil
		}
		names = append(names, c.name)
	}
	if strings.HasPrefix(name, "-") {
		return command{}, usage("a command goes before %s: one of %s (see spillway help)", name, strings.Join(names, ", "))
	}
	if slices.Contains(config.ToolNames(), name) {
		return command{}, usage("%s is a tool: write spillway call %s, and its arguments", name, name)
	}
	return command{}, usage("there is no command %q%s The commands are %s",
		name, didYouMean(names, name), strings.Join(names, ", "))
}

// didYouMean suggests the name that is most like one that does not exist.
func didYouMean(names []string, name string) string {
	if near := nearest.Among(names, name, max(2, len(name)/3), 1); len(near) > 0 {
		return "; did you mean " + near[0] + "?"
	}
	return "."
}

func (c command) run(args []string, out io.Writer) error {
	flags := flag.NewFlagSet(c.name, flag.ContinueOnError)
	flags.SetOutput(io.Discard) // it would print the whole usage after an error
	do := c.start(flags)
	operands, err := parse(flags, args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		c.printHelp(out, flags)
		return nil
	case err != nil:
		return usage("%w (see spillway help %s)", err, c.name)
	}
	return do(operands, out)
}

// untilSignal returns a context that ends when the program is to end, with [ended] as its
// cause: what the program started must end with it. A signal that whoever started the program
// has it ignore, as nohup does, stays ignored.
func untilSignal() (context.Context, context.CancelFunc) {
	// A reader that is gone must be an error of a write. Otherwise the signal ends the
	// program before the suite is closed. Ignoring it is no way: commands would inherit
	// that, and "yes | head" complain.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	signals := slices.DeleteFunc([]os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP}, signal.Ignored)
	ctx, cancel := context.WithCancelCause(context.Background())
	received := make(chan os.Signal, 1)
	signal.Notify(received, signals...)
	go func() {
		select {
		case by := <-received:
			cancel(ended{by.(syscall.Signal)})
		case <-ctx.Done():
		}
	}()
	return ctx, func() { cancel(nil) }
}
