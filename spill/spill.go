// Package spill tidies the directory in which suites keep full outputs, and what the files
// held that their tools changed.
//
// A suite sweeps its directory when it is built, while it writes, and every
// Spill.SweepInterval. Call [Sweep] to do so without a suite: in a cron job, or after the
// last suite of a workspace.
package spill

import (
	"context"
	"time"

	"github.com/spillway-go/spillway/internal/spill"
)

// Options say what a sweep keeps. The zero value removes only what a dead process left
// unfinished.
type Options struct {
	MaxAge        time.Duration // older files, by last write, are removed; 0 or less is no limit
	MaxTotalBytes int64         // beyond this the oldest are removed, never the newest; 0 or less is no limit
}

// Report is what a sweep did.
type Report struct {
	Removed      int   // files removed
	RemovedBytes int64 // their size
	Kept         int   // files left, including those being written; only those listed so far if ctx ended
	KeptBytes    int64 // their size
	Busy         int   // of those left, files due for removal but being written
	Failed       int   // of those left, files due for removal that could not be removed
}

// Sweep removes a spill directory's files that are older than MaxAge or were left
// unfinished by a dead process, then the oldest until the rest is within MaxTotalBytes.
// The newest stays even if it alone is larger, because a recent result names it. Sweep
// removes only regular files with the names that suites give, none that is being written, and
// follows no link. A directory that does not exist counts as swept; one that is a link,
// or another user's, is an error. When ctx ends, Sweep returns its error and a report of
// what was done. Sweeps may run concurrently with each other and with suites, in any
// number of processes.
func Sweep(ctx context.Context, dir string, o Options) (Report, error) {
	report, err := spill.Sweep(ctx, dir, spill.Options(o))
	return Report(report), err
}
