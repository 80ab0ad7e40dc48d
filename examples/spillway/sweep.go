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
	"github.com/spillway-go/spillway/internal/spill"
)

// sweepCommand is spillway sweep.
func sweepCommand(flags *flag.FlagSet) runner {
	var opts options
	opts.define(flags, "workspace", "set", "config")
	dry := flags.Bool("dry-run", false, "say what would be removed, and remove nothing")
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
		if *dry {
			return plan(ctx, out, dir, options)
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

// plan says what a sweep would do.
func plan(ctx context.Context, out io.Writer, dir string, options spill.Options) error {
	report, unseen, err := spill.Plan(ctx, dir, options)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%s: would remove %s, and keep %s\n",
		dir, files(report.Removed, report.RemovedBytes), files(report.Kept, report.KeptBytes))
	if report.Busy > 0 {
		fmt.Fprintf(out, "%s due for removal, but being written\n", notice.Count(report.Busy, "file"))
	}
	if unseen > 0 {
		fmt.Fprintf(out, "%s not looked at, the youngest: a sweep may remove more\n", notice.Count(unseen, "file"))
	}
	if report.Failed > 0 {
		return fmt.Errorf("%s could not be opened or locked", notice.Count(report.Failed, "file"))
	}
	return nil
}

func files(n int, bytes int64) string {
	return fmt.Sprintf("%s (%s)", notice.Count(n, "file"), size.Format(bytes))
}
