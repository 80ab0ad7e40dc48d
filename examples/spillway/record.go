package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/tools/all"
	"github.com/spillway-go/spillway/tools/record"
)

// recordVariable names the record where no flag does.
const recordVariable = "SPILLWAY_RECORD"

// defineRecord adds the flag that records calls. Its path is relative to the current directory, as those of a shell
// are; that of the variable to the workspace.
func (o *options) defineRecord(flags *flag.FlagSet) {
	const about = "append every call to `FILE` when it ends, with its arguments and the text that the model reads, " +
		"for spillway replay"
	flags.Func("record", about, func(path string) (err error) {
		if path != "" {
			path, err = filepath.Abs(path)
		}
		o.record = &path
		return err
	})
}

// openRecord has a suite with cfg observed by the record that the flag or the variable asks for, if one does. Close the
// record after the suite.
func (o *options) openRecord(cfg *config.Config) (closeRecord func() error, err error) {
	path, source := os.Getenv(recordVariable), recordVariable
	if o.record != nil {
		path, source = *o.record, "-record"
	}
	if path == "" {
		return func() error { return nil }, nil
	}
	rec, err := record.Open(path, *cfg, append(all.Parts(), o.parts...)...)
	if wrong, ok := errors.AsType[*config.OptionError](err); ok && wrong.Option == "Record" {
		wrong.Source = source
	}
	if err != nil {
		return nil, refused{err}
	}
	cfg.Observe = rec.Observe
	return rec.Close, nil
}

// unreadable says in a user's words why a file cannot be read as a record.
func unreadable(path string, err error) error {
	_, syntax := errors.AsType[*json.SyntaxError](err)
	_, kind := errors.AsType[*json.UnmarshalTypeError](err)
	name := quote.Value(path)
	switch {
	case syntax || kind:
		return refused{fmt.Errorf("%s is not a record: its lines are not those that -record of spillway call and mcp, "+
			"SPILLWAY_RECORD or the package tools/record write. Name such a file", name)}
	case errors.Is(err, fs.ErrNotExist):
		return refused{fmt.Errorf("the record cannot be read: there is no file %s", name)}
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("the record cannot be read: you may not open %s (see its owner and mode with ls -l)", name)
	}
	if text, ours := strings.CutPrefix(err.Error(), "record: "); ours {
		return errors.New(text)
	}
	return err
}
