package spill

import (
	"context"
	"io"
	"os"
	"slices"
	"strings"
	"time"
)

const (
	// maxListed is the number of files that a pass of a sweep holds, some 10 MB of names.
	// Where there are more, it takes the first to go, and goes through the directory again.
	maxListed = 1 << 16
	// listBatch is the number of names that are read at a time, between two looks at the
	// context.
	listBatch = 1024
	// maxSkew is how far the clocks of machines that share a directory may differ. A file of a
	// later time is not taken for the newest: a command can give it any.
	maxSkew = time.Hour
)

// file is what a sweep has to know of one.
type file struct {
	name    string
	size    int64
	written time.Time
	due     bool // it is to go, however small the rest is
}

// listing is the files that this package named, or those of them that are the first to go.
type listing struct {
	most   int
	now    time.Time
	due    func(file) bool
	files  []file // what is due first, then the oldest, once it is read
	bytes  int64  // of all files, those that are not in the listing included
	more   int    // files that are not in it
	newest file   // of all that are finished
}

// read lists a directory. What has another name is not looked at: there may be hundreds
// of thousands of those.
func (l *listing) read(ctx context.Context, root *os.Root) error {
	d, err := root.Open(".")
	if err != nil {
		return err
	}
	defer d.Close()
	for {
		names, err := d.Readdirnames(listBatch)
		for _, n := range names {
			if !isOwn(n) {
				continue
			}
			if info, err := root.Lstat(n); err == nil && info.Mode().IsRegular() {
				l.add(file{name: n, size: info.Size(), written: info.ModTime()})
			}
		}
		if err == io.EOF {
			l.trim()
			return nil
		}
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
	}
}

func (l *listing) add(f file) {
	l.bytes += f.size
	f.due = l.due(f)
	if !strings.HasSuffix(f.name, unfinished) && older(l.newest, f) < 0 && f.written.Sub(l.now) <= maxSkew {
		l.newest = f
	}
	if l.files = append(l.files, f); len(l.files) >= 2*l.most {
		l.trim()
	}
}

// trim sorts the files and leaves the first of them.
func (l *listing) trim() {
	slices.SortFunc(l.files, func(a, b file) int {
		switch {
		case a.due == b.due:
			return older(a, b)
		case a.due:
			return -1
		}
		return 1
	})
	if n := len(l.files) - l.most; n > 0 {
		l.more += n
		clear(l.files[l.most:])
		l.files = l.files[:l.most]
	}
}

// moreBytes returns those of the files that are not in the listing.
func (l *listing) moreBytes() int64 {
	n := l.bytes
	for _, f := range l.files {
		n -= f.size
	}
	return n
}

// older orders files by their time, and those of one time by name, so that every sweep
// agrees.
func older(a, b file) int {
	if c := a.written.Compare(b.written); c != 0 {
		return c
	}
	return strings.Compare(a.name, b.name)
}
