package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/size"
	"github.com/spillway-go/spillway/spill"
)

// sweepCommand is spillway sweep.
func sweepCommand(flags *flag.FlagSet) runner {
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
		if cfg, err = cfg.Resolved(); err != nil {
			return refused{err}
		}
		dir := cfg.Spill.Dir
		if !filepath.IsAbs(dir) {
			if _, err := os.Stat(cfg.Workspace); err != nil {
				return refused{err}
			}
			dir = filepath.Join(cfg.Workspace, dir)
		}
		ctx, stop := untilSignal()
		defer stop()
		options := spill.Options{
			MaxAge: cfg.Spill.MaxAge, UndoMaxAge: cfg.Undo.MaxAge, MaxTotalBytes: cfg.Spill.MaxTotalBytes,
		}
		report, err := spill.Sweep(ctx, dir, options)
		fmt.Fprintf(out, "%s: removed %s, kept %s\n",
			dir, files(report.Removed, report.RemovedBytes), files(report.Kept, report.KeptBytes))
		if report.Busy > 0 {
			fmt.Fprintf(out, "%s due for removal, but being written\n", notice.Count(report.Busy, "file"))
		}
		if report.Failed > 0 {
			return fmt.Errorf("%s could not be removed", notice.Count(report.Failed, "file"))
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		return err
	}
}

func files(n int, bytes int64) string {
	return fmt.Sprintf("%s (%s)", notice.Count(n, "file"), size.Format(bytes))
}
