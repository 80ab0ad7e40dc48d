package spill

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"strings"
	"time"
)

// Options are what a sweep keeps. The zero value removes nothing but what a process
// that died left unfinished.
type Options struct {
	MaxAge        time.Duration // files last written longer ago are removed; 0 or less is no limit
	MaxTotalBytes int64         // beyond this the oldest are removed, but for the newest; 0 or less is no limit
}

// Report is what a sweep did.
type Report struct {
	Removed      int   // files removed
	RemovedBytes int64 // their size
	Kept         int   // files left, those being written included; where ctx ended, as far as they were listed
	KeptBytes    int64 // their size
	Busy         int   // of those left, files that were to go but are being written
	Failed       int   // of those left, files that were to go but could not be removed
}

// Sweep removes the files of a spill directory that are older than MaxAge or were
// left unfinished by a process that died, then the oldest until what is left is no
// more than MaxTotalBytes. The newest stays even if it is larger than that by itself: a
// result that names it was given out just now. It removes only regular files of the
// names that this package gives, none that is being written, and follows no link. A
// directory that does not exist is a swept one; one that is a link, or another user's,
// is an error. It stops, with ctx's error and a report of what was done, when ctx ends.
// Sweeps may run at the same time as each other and as writers, in any number of
// processes.
func Sweep(ctx context.Context, dir string, o Options) (Report, error) {
	return sweep(ctx, dir, o, func(string) bool { return false })
}

// sweep is Sweep that leaves alone what is protected.
func sweep(ctx context.Context, dir string, o Options, protected func(name string) bool) (Report, error) {
	root, err := openRoot(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return Report{}, nil
	}
	if err != nil {
		return Report{}, err
	}
	defer root.Close()
	s := sweeper{root: root, options: o, now: time.Now(), protected: protected}
	for {
		l := listing{most: maxListed}
		if err := l.read(ctx, root); err != nil {
			s.report.Kept, s.report.KeptBytes = len(l.files)+l.more, l.bytes
			return s.report, err
		}
		removed := s.report.Removed
		if err := s.pass(ctx, l); err != nil {
			return s.report, err
		}
		if l.more == 0 || s.report.Removed == removed {
			return s.report, nil
		}
	}
}

type sweeper struct {
	root      *os.Root
	options   Options
	now       time.Time
	protected func(name string) bool
	newest    string // that is finished
	total     int64  // bytes that are left
	report    Report
}

// pass goes through the files of a listing.
func (s *sweeper) pass(ctx context.Context, l listing) error {
	s.total, s.newest = l.bytes, l.newest.name
	s.report = Report{
		Removed: s.report.Removed, RemovedBytes: s.report.RemovedBytes, // what there was of the rest is still there
		Kept: l.more, KeptBytes: l.moreBytes(),
	}
	for i, f := range l.files {
		if err := ctx.Err(); err != nil {
			for _, f := range l.files[i:] {
				s.keep(f)
			}
			return err
		}
		s.visit(f)
	}
	return nil
}

func (s *sweeper) keep(f file) {
	s.report.Kept++
	s.report.KeptBytes += f.size
}

func (s *sweeper) visit(f file) {
	// Nobody was told of a file that was not finished.
	old := strings.HasSuffix(f.name, unfinished) || s.options.MaxAge > 0 && s.now.Sub(f.written) > s.options.MaxAge
	over := s.options.MaxTotalBytes > 0 && s.total > s.options.MaxTotalBytes && f.name != s.newest
	if !old && !over || s.protected(f.name) {
		s.keep(f)
		return
	}
	switch err := removeIdle(s.root, f); {
	case err == nil, errors.Is(err, fs.ErrNotExist):
		s.report.Removed++
		s.report.RemovedBytes += f.size
		s.total -= f.size
	case errors.Is(err, errBusy):
		s.report.Busy++
		s.keep(f)
	default:
		s.report.Failed++
		s.keep(f)
	}
}

var errBusy = errors.New("the file is being written")

// removeIdle removes a file that nobody has locked.
func removeIdle(root *os.Root, f file) error {
	open, err := root.OpenFile(f.name, os.O_RDONLY|noFollow, 0)
	if err != nil {
		return err
	}
	defer open.Close()
	if now, err := open.Stat(); err != nil || !now.Mode().IsRegular() || now.Size() != f.size || !now.ModTime().Equal(f.written) {
		return errBusy // replaced or written since it was listed: not the file that was judged
	}
	if err := lock(open); err != nil {
		return errBusy
	}
	return root.Remove(f.name)
}
