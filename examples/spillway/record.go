package main

import (
	"flag"
	"path/filepath"
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

// notRecorded keeps a suite that makes no call from beginning a record.
func (o *options) notRecorded() { o.given = append(o.given, given{option: "Record"}) }
