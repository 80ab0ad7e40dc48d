package spill

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/spillway-go/spillway/internal/lock"
	"github.com/spillway-go/spillway/internal/workspace"
)

// Options are the options of the public package spill, which documents them.
type Options struct {
	MaxAge        time.Duration
	UndoMaxAge    time.Duration
	MaxTotalBytes int64
}

// Report is the report of the public package.
type Report struct {
	Removed      int
	RemovedBytes int64
	Kept         int
	KeptBytes    int64
	Busy         int
	Failed       int
}

// Sweep is Sweep of the public package.
func Sweep(ctx context.Context, dir string, o Options) (Report, error) {
	s := sweeper{options: o, protected: none}
	err := s.sweep(ctx, func() (*os.Root, error) { return OpenOwn(dir) }, maxListed)
	return s.report, err
}

// Plan returns the report of a sweep that removes nothing. Of more than [maxListed] files it judges the first to
// remove; unseen is the number of the others, which the report counts as kept.
func Plan(ctx context.Context, dir string, o Options) (report Report, unseen int, err error) {
	return plan(ctx, dir, o, maxListed)
}

func plan(ctx context.Context, dir string, o Options, most int) (report Report, unseen int, err error) {
	s := sweeper{options: o, protected: none, dry: true}
	err = s.sweep(ctx, func() (*os.Root, error) { return OpenOwn(dir) }, most)
	return s.report, s.unseen, err
}

func none(string) bool { return false }

type sweeper struct {
	options   Options
	protected func(name string) bool // reports which files to leave alone
	dry       bool                   // remove nothing

	root   *os.Root
	now    time.Time
	newest string // of the finished files
	total  int64  // bytes that are left
	report Report
	unseen int // files that the only pass of a dry sweep did not judge
}

// sweep sweeps an existing directory, most files at a time.
func (s *sweeper) sweep(ctx context.Context, open func() (*os.Root, error), most int) (err error) {
	if s.root, err = open(); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer s.root.Close()
	s.now = time.Now()
	return s.passes(ctx, most)
}

// passes goes through the directory, most files at a time in the order of removal, until there are no more or none is
// removed.
func (s *sweeper) passes(ctx context.Context, most int) error {
	for {
		l := listing{most: most, now: s.now, due: s.due}
		if err := l.read(ctx, s.root); err != nil {
			s.report.Kept, s.report.KeptBytes = len(l.files)+l.more, l.bytes
			return err
		}
		removed := s.report.Removed
		err := s.pass(ctx, l)
		if s.dry {
			s.unseen = l.more // a second pass would find the same files
		}
		if err != nil || s.dry || l.more == 0 || s.report.Removed == removed {
			return err
		}
	}
}

func (s *sweeper) pass(ctx context.Context, l listing) error {
	s.total, s.newest = l.bytes, l.newest.name
	s.report = Report{
		Removed: s.report.Removed, RemovedBytes: s.report.RemovedBytes, // this pass sees all other files again
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

// due reports whether a file must be removed, however small the rest is. An unfinished file was never announced to
// anyone.
func (s *sweeper) due(f file) bool {
	most := s.options.MaxAge
	if strings.HasPrefix(f.name, Undo+"-") {
		most = s.options.UndoMaxAge
	}
	return strings.HasSuffix(f.name, unfinished) || most > 0 && s.now.Sub(f.written) > most
}

func (s *sweeper) visit(f file) {
	over := s.options.MaxTotalBytes > 0 && s.total > s.options.MaxTotalBytes && f.name != s.newest
	if !f.due && !over || s.protected(f.name) {
		s.keep(f)
		return
	}
	switch err := removeIdle(s.root, f, s.dry); {
	case err == nil, errors.Is(err, fs.ErrNotExist):
		s.report.Removed++
		s.report.RemovedBytes += f.size
		s.total -= f.size
	case errors.Is(err, lock.ErrBusy):
		s.report.Busy++
		s.keep(f)
	default:
		s.report.Failed++
		s.keep(f)
	}
}

// removeIdle removes a file that is not locked; a dry run only finds out whether it could.
func removeIdle(root *os.Root, f file, dry bool) error {
	open, now, err := workspace.OpenRegular(root.OpenFile, f.name)
	if err != nil {
		return err
	}
	defer open.Close()
	if !f.is(now) {
		return lock.ErrBusy
	}
	return removeOpen(root, f, open, dry)
}

// removeOpen removes an open file, unless it was renewed meanwhile, as Shelve and Renew do with the lock.
func removeOpen(root *os.Root, f file, open *os.File, dry bool) error {
	if err := lock.Take(root, f.name, open); err != nil {
		return err
	}
	now, err := open.Stat()
	if err != nil {
		return err
	}
	if !f.is(now) {
		return lock.ErrBusy
	}
	if dry {
		return nil
	}
	return root.Remove(f.name)
}

// is reports whether a file was not written since it was listed, and so is the one that was judged.
func (f file) is(now fs.FileInfo) bool { return now.Size() == f.size && now.ModTime().Equal(f.written) }
