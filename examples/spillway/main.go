// Command spillway gives the tools to whatever is not a Go program: to MCP clients as a
// server, and to people and scripts as commands.
//
//	spillway mcp                             the tools for an MCP client
//	spillway call grep pattern=TODO          one call, as a model would make it
//	spillway tools                           the tools and their arguments
//	spillway config                          the options in force, and where they come from
//	spillway sweep                           old full outputs removed
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

	"github.com/spillway-go/spillway/internal/nearest"
)

// command is a command of the program. start adds its flags to a set, and returns what runs
// when they were parsed.
type command struct {
	name, args, about string
	start             func(flags *flag.FlagSet) (run func(args []string) error)
}

func commands() []command {
	return []command{
		{"mcp", "", "serve the tools to an MCP client, over stdin and stdout or HTTP", mcpCommand},
		{"call", "[TOOL [JSON | KEY=VALUE ...]]", "call a tool, and print what a model would see", callCommand},
		{"tools", "[TOOL ...]", "list the tools with their descriptions and arguments", toolsCommand},
		{"config", "", "list the options in force, and where they come from", configCommand},
		{"sweep", "", "remove full outputs that are old, or beyond the limit", sweepCommand},
		{"completion", "bash | zsh | fish", "print what makes a shell complete commands, flags and arguments", completionCommand},
		{"version", "", "print the version", versionCommand},
		{"help", "[COMMAND]", "explain a command", helpCommand},
	}
}

// The exit codes.
const (
	exitFailure = 1 // a call failed, or the work could not be done
	exitUsage   = 2 // arguments, flags or options that are refused
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

// errSaid is a failure of which the output says everything.
var errSaid = errors.New("failed")

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// run is the program, but for what commands print.
func run(args []string, stdout, stderr io.Writer) int {
	if len(args) == 0 {
		printCommands(stderr)
		return exitUsage
	}
	name := args[0]
	switch strings.TrimLeft(name, "-") {
	case "h", "help":
		name = "help"
	case "version":
		name = "version"
	}
	c, err := commandNamed(name)
	if err == nil {
		err = c.run(args[1:], stdout)
	}
	var wrong refused
	switch {
	case err == nil:
		return 0
	case errors.Is(err, errSaid):
		return exitFailure
	}
	for line := range strings.Lines(err.Error()) { // the configuration may have several errors
		fmt.Fprintln(stderr, "spillway:", strings.TrimSuffix(line, "\n"))
	}
	if errors.As(err, &wrong) {
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
	return command{}, usage("there is no command %q%s The commands are %s", name, didYouMean(names, name), strings.Join(names, ", "))
}

// didYouMean suggests the name that is most like one that does not exist.
func didYouMean(names []string, name string) string {
	if near := nearest.Among(names, name, max(2, len(name)/3), 1); len(near) > 0 {
		return "; did you mean " + near[0] + "?"
	}
	return "."
}

func (c command) run(args []string, stdout io.Writer) error {
	flags := flag.NewFlagSet("spillway "+c.name, flag.ContinueOnError)
	flags.SetOutput(io.Discard) // it would print the whole usage after an error
	do := c.start(flags)
	err := flags.Parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		c.printHelp(stdout, flags)
		return nil
	case err != nil:
		return usage("%w (see spillway help %s)", err, c.name)
	}
	return do(flags.Args())
}

// untilSignal gives a context that ends when the program is to end: what it started must
// end with it. A signal that whoever started the program has it ignore, as nohup does,
// stays ignored.
func untilSignal() (context.Context, context.CancelFunc) {
	// A reader that is gone must be an error of a write. Otherwise the signal ends the
	// program before the suite is closed. Ignoring it is no way: commands would inherit
	// that, and "yes | head" complain.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	signals := slices.DeleteFunc([]os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP}, signal.Ignored)
	return signal.NotifyContext(context.Background(), signals...)
}
