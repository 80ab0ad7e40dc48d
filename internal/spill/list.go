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
	// maxListed is the number of files that a pass of a sweep holds, some 10 MB of names. If there are more, it takes
	// the first to remove, and goes through the directory again.
	maxListed = 1 << 16
	// listBatch is the number of names that are read between two checks of the context.
	listBatch = 1024
	// maxSkew is how far the clocks of machines that share a directory may differ. A file with a later time does not
	// count as the newest, because a command can set any time.
	maxSkew = time.Hour
)

type file struct {
	name    string
	size    int64
	written time.Time
	due     bool // it must be removed, however small the rest is
}

// listing is the files with names of this package, or those to remove first.
type listing struct {
	most   int
	now    time.Time
	due    func(file) bool
	files  []file // once read: due files first, then the oldest
	bytes  int64  // of all files, including those left out of files
	more   int    // number of files left out
	newest file   // of all finished files
}

// read lists a directory. It does not examine files with other names, of which there may be hundreds of thousands.
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

// trim sorts the files and keeps the first.
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

func (l *listing) moreBytes() int64 {
	n := l.bytes
	for _, f := range l.files {
		n -= f.size
	}
	return n
}

// older orders files by their time and then by name, so that every sweep agrees.
func older(a, b file) int {
	if c := a.written.Compare(b.written); c != 0 {
		return c
	}
	return strings.Compare(a.name, b.name)
}
