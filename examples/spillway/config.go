package main

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spillway-go/spillway/config"
)

// configCommand is spillway config.
func configCommand(flags *flag.FlagSet) func(args []string) error {
	var opts options
	opts.define(flags)
	return func(args []string) error {
		if err := noArguments(args); err != nil {
			return err
		}
		cfg, err := opts.config()
		if err != nil {
			return err
		}
		fmt.Print(cfg.Describe())
		unknownVariables()
		if _, err := cfg.Resolved(); err != nil {
			return refused{err}
		}
		return nil
	}
}

// unknownVariables tells of variables that look like options and are none.
func unknownVariables() {
	var names []string
	for _, o := range config.Options() {
		names = append(names, o.Env)
	}
	for _, v := range os.Environ() {
		name, _, _ := strings.Cut(v, "=")
		if strings.HasPrefix(name, "SPILLWAY_") && !slices.Contains(names, name) {
			fmt.Fprintf(os.Stderr, "spillway: no option has the variable %s%s\n", name, didYouMean(names, name))
		}
	}
}
