package main

import (
	"flag"
	"fmt"
	"io"
)

// configCommand is spillway config.
func configCommand(flags *flag.FlagSet) runner {
	var opts options
	opts.define(flags)
	return func(args []string, out io.Writer) error {
		if err := noArguments(args); err != nil {
			return err
		}
		cfg, err := opts.config()
		if err != nil {
			return err
		}
		fmt.Fprint(out, cfg.Describe())
		if _, err := cfg.Resolved(); err != nil {
			return refused{err}
		}
		return nil
	}
}
