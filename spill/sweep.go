package spill

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"
)

// Options are what a sweep keeps. The zero value removes nothing but what a process
// that died left unfinished.
type Options struct {
	MaxAge        time.Duration // files last written longer ago are removed; 0 or less is no limit
	MaxTotalBytes int64         // beyond this the oldest are removed; 0 or less is no limit
}

// Report is what a sweep did.
type Report struct {
	Removed      int   // files removed
	RemovedBytes int64 // their size
	Kept         int   // files left, those being written included
	KeptBytes    int64 // their size
	Busy         int   // of those left, files that were to go but are being written
	Failed       int   // of those left, files that were to go but could not be removed
}

// Sweep removes the files of a spill directory that are older than MaxAge or were
// left unfinished by a process that died, then the oldest until what is left is no
// more than MaxTotalBytes. It removes only regular files of the names that this
// package gives, none that is being written, and follows no link. A directory that
// does not exist is a swept one; one that is a link, or another user's, is an error.
// It stops, with ctx's error and a report of what was done, when ctx ends. Sweeps may
// run at the same time as each other and as writers, in any number of processes.
func Sweep(ctx context.Context, dir string, o Options) (Report, error) {
	root, err := openRoot(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return Report{}, nil
	}
	if err != nil {
		return Report{}, err
	}
	defer root.Close()
	files, err := list(root)
	if err != nil {
		return Report{}, err
	}
	// Oldest first; files of one time by name, so that every sweep agrees.
	slices.SortFunc(files, func(a, b fs.FileInfo) int {
		if c := a.ModTime().Compare(b.ModTime()); c != 0 {
			return c
		}
		if a.Name() < b.Name() {
			return -1
		}
		return 1
	})
	s := sweeper{root: root, options: o, now: time.Now()}
	for _, f := range files {
		s.total += f.Size()
	}
	for i, f := range files {
		if err := ctx.Err(); err != nil {
			for _, f := range files[i:] {
				s.keep(f)
			}
			return s.report, err
		}
		s.visit(f)
	}
	return s.report, nil
}

// list finds the files that this package named.
func list(root *os.Root) ([]fs.FileInfo, error) {
	d, err := root.Open(".")
	if err != nil {
		return nil, err
	}
	defer d.Close()
	var files []fs.FileInfo
	for {
		entries, err := d.ReadDir(1024)
		for _, e := range entries {
			if !e.Type().IsRegular() || !name.MatchString(e.Name()) {
				continue
			}
			if info, err := e.Info(); err == nil && info.Mode().IsRegular() {
				files = append(files, info)
			}
		}
		if err == io.EOF {
			return files, nil
		}
		if err != nil {
			return nil, err
		}
	}
}

type sweeper struct {
	root    *os.Root
	options Options
	now     time.Time
	total   int64 // bytes that are left
	report  Report
}

func (s *sweeper) keep(f fs.FileInfo) {
	s.report.Kept++
	s.report.KeptBytes += f.Size()
}

func (s *sweeper) visit(f fs.FileInfo) {
	// Nobody was told of a file that was not finished.
	old := strings.HasSuffix(f.Name(), unfinished) || s.options.MaxAge > 0 && s.now.Sub(f.ModTime()) > s.options.MaxAge
	over := s.options.MaxTotalBytes > 0 && s.total > s.options.MaxTotalBytes
	if !old && !over {
		s.keep(f)
		return
	}
	switch err := removeIdle(s.root, f); {
	case err == nil, errors.Is(err, fs.ErrNotExist):
		s.report.Removed++
		s.report.RemovedBytes += f.Size()
		s.total -= f.Size()
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
func removeIdle(root *os.Root, f fs.FileInfo) error {
	open, err := root.OpenFile(f.Name(), os.O_RDONLY|noFollow, 0)
	if err != nil {
		return err
	}
	defer open.Close()
	if now, err := open.Stat(); err != nil || !os.SameFile(f, now) {
		return errBusy // replaced since it was listed: not the file that was judged
	}
	if err := lock(open); err != nil {
		return errBusy
	}
	return root.Remove(f.Name())
}
