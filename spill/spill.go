// Package spill tidies the directory in which suites keep full outputs, and the former contents of files that their
// tools changed.
//
// A suite sweeps its directory when it is built, while it writes, and every Spill.SweepInterval. Call [Sweep] to sweep
// without a suite: in a cron job, or after the last suite of a workspace is closed.
package spill

import (
	"context"
	"fmt"
	"time"

	"github.com/spillway-go/spillway/internal/size"
	"github.com/spillway-go/spillway/internal/spill"
)

// Options say what a sweep keeps. With the zero value it removes only files that a dead process left unfinished.
type Options struct {
	MaxAge        time.Duration // full outputs whose last write is longer ago are removed; 0 or less means no limit
	UndoMaxAge    time.Duration // the same for former contents of changed files
	MaxTotalBytes int64         // beyond that, the oldest of both are removed, never the newest; 0 or less is no limit
}

// Report counts what a sweep did.
type Report struct {
	Removed      int   // files removed
	RemovedBytes int64 // their size
	Kept         int   // files left, including those being written; only those listed so far if ctx ended
	KeptBytes    int64 // their size
	Busy         int   // files left that are due for removal but are being written
	Failed       int   // files left that are due for removal but could not be removed
}

// String returns what was done on one line.
func (r Report) String() string {
	files := "files"
	if r.Removed == 1 {
		files = "file"
	}
	text := fmt.Sprintf("removed %d %s (%s), kept %d (%s)",
		r.Removed, files, size.Format(r.RemovedBytes), r.Kept, size.Format(r.KeptBytes))
	if r.Busy > 0 {
		text += fmt.Sprintf("; %d due, but being written", r.Busy)
	}
	if r.Failed > 0 {
		text += fmt.Sprintf("; %d due, but could not be removed", r.Failed)
	}
	return text
}

// Sweep removes a spill directory's files that are older than MaxAge or UndoMaxAge or that a dead
// process left unfinished, and then the oldest until the rest is within MaxTotalBytes. The newest
// stays even if it alone is larger, because a recent result names it. Sweep removes only
// regular files with the names that suites give. It removes no file that is being written,
// and follows no link. A directory that does not exist counts as swept; one that is a link,
// or another user's, is an error. When ctx ends, Sweep returns its error and a report of
// what was done. Sweeps may run concurrently with each other and with suites, in any number
// of processes.
func Sweep(ctx context.Context, dir string, o Options) (Report, error) {
	report, err := spill.Sweep(ctx, dir, spill.Options(o))
	return Report(report), err
}
