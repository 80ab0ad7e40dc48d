package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

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

// scriptCommand is spillway script.
func scriptCommand(flags *flag.FlagSet) runner {
	var opts options
	opts.define(flags)
	opts.defineRecord(flags)
	return func(args []string, out io.Writer) error {
		if len(args) != 1 {
			return usage("give one file with the script, or - for stdin")
		}
		cfg, err := opts.config()
		if err != nil {
			return err
		}
		code, err := scriptIn(args[0])
		if err != nil {
			return err
		}
		closeRecord, err := opts.openRecord(&cfg)
		if err != nil {
			return err
		}
		defer closeRecord()
		suite, err := newSuite(cfg, askerFor([]string{script.Name}))
		if err != nil {
			return err
		}
		defer suite.Close()
		if err := addScript(suite, cfg, true); err != nil {
			return err
		}
		encoded, err := json.Marshal(map[string]string{"code": code})
		if err != nil {
			return err
		}
		ctx, stop := untilSignal()
		defer stop()
		c := &caller{suite: suite, out: out}
		err = c.call(ctx, script.Name, encoded)
		c.jobs(true)
		return errors.Join(err, suite.Close(), closeRecord(), context.Cause(ctx))
	}
}

// scriptIn returns the script in a file, or from stdin.
func scriptIn(name string) (string, error) {
	file := os.Stdin
	if name != "-" {
		var err error
		if file, err = os.Open(name); err != nil {
			return "", refused{err}
		}
		defer file.Close()
	}
	code, err := io.ReadAll(io.LimitReader(file, maxArguments+1))
	if err != nil {
		return "", fmt.Errorf("%s: %w", name, err)
	}
	return string(code), nil
}
