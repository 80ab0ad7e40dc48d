package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/spillway-go/spillway/internal/quote"
)

// defineRecord adds the flag that records calls. Its path is relative to the current directory, as those of a shell are.
func (o *options) defineRecord(flags *flag.FlagSet) {
	const about = "append every call to `FILE` when it ends, with its arguments and the text that the model reads, " +
		"for spillway replay"
	flags.Func("record", about, func(path string) (err error) {
		if path != "" {
			path, err = filepath.Abs(path)
		}
		o.given = append(o.given, given{"Record", path, "-record", false})
		return err
	})
}

// unreadable says in a user's words why a file cannot be read as a record.
func unreadable(path string, err error) error {
	_, syntax := errors.AsType[*json.SyntaxError](err)
	_, kind := errors.AsType[*json.UnmarshalTypeError](err)
	name := quote.Value(path)
	switch {
	case syntax || kind:
		return refused{fmt.Errorf("%s is not a record: its lines are not those that -record of spillway call and mcp, "+
			"SPILLWAY_RECORD or Config.Record write. Name such a file", name)}
	case errors.Is(err, fs.ErrNotExist):
		return refused{fmt.Errorf("the record cannot be read: there is no file %s", name)}
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("the record cannot be read: you may not open %s (see its owner and mode with ls -l)", name)
	}
	if text, ours := strings.CutPrefix(err.Error(), "tools: "); ours {
		return errors.New(text)
	}
	return err
}

// notRecorded keeps a suite that makes no call from beginning a record.
func (o *options) notRecorded() { o.given = append(o.given, given{option: "Record"}) }
