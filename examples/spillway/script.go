package main

import (
	"flag"
	"io"
	"strings"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/script"
)

// defineScript adds the flag -script, which gives a suite the tool script.
func defineScript(flags *flag.FlagSet) *bool {
	return flags.Bool("script", false, "add the tool script, in which a model makes several calls in one, in JavaScript")
}

// addScript gives a suite the tool script, if that is wanted.
func addScript(suite *tools.Suite, cfg config.Config, wanted bool) error {
	if !wanted {
		return nil
	}
	tool, err := script.New(suite, script.Options{Strategy: cfg.Bash.Strategy})
	if err != nil {
		return err
	}
	return suite.Add(tool)
}

// scriptCommand is spillway script: a call of the tool whose code is in a file.
func scriptCommand(flags *flag.FlagSet) runner {
	always := true
	call := callsOf(flags, &always)
	return func(args []string, out io.Writer) error {
		if len(args) != 1 {
			return usage("give one file with the script, or - for stdin")
		}
		file := args[0]
		if strings.HasPrefix(file, "@") { // which would stand for itself behind another
			file = "./" + file
		}
		return call([]string{script.Name, "code=@" + file}, out)
	}
}
