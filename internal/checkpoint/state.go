package checkpoint

import (
	"cmp"
	"io/fs"
	"strings"
)

type Kind byte

// Absent means nothing; Special is a device, a FIFO or a socket, which is not covered.
const (
	Absent Kind = iota
	File
	Link
	Dir
	Special
)

// Version is what a path was at one time.
type Version struct {
	Kind  Kind
	Mode  fs.FileMode // permissions with setuid, setgid and sticky; 0 for a link
	Size  int64       // of a file, in bytes
	Whole content     // where its content is

	linked inode // set for a file with several names, so that a rewind can link them again
}

type inode struct{ dev, number uint64 }

// same compares all that is known. Versions of an uncovered file may be the same and still differ in content.
func (v Version) same(o Version) bool {
	return v.Kind == o.Kind && v.Mode == o.Mode && v.Size == o.Size && v.Whole == o.Whole
}

// Known reports whether the content is known.
func (v Version) Known() bool { return v.Kind != File || v.Whole.where != nowhere }

// content says where a version's content is.
type content struct {
	where where
	value string // a hash, the target of a link, or why a file is not covered
}

type where byte

const (
	nowhere where = iota // there is none, or it is not covered
	inEntry              // in value itself: the target of a link
	kept                 // in the store, under its SHA-256
	inGit                // among git's objects, under its hash there
)

// stamp is what a file system says about a file; it changes when the file does.
type stamp struct {
	dev, ino     uint64
	size         int64
	mtime, ctime int64 // in nanoseconds since 1970
	mode         fs.FileMode
	several      bool // it has several names
	racy         bool // it changed so shortly before the look that it may change again under the same stamp
}

func (s stamp) inode() inode { return inode{s.dev, s.ino} }

// entry is a path as a look found it.
type entry struct {
	path  string // relative to the workspace, with slashes
	stamp stamp
	whole content
}

func (e entry) version() Version {
	v := Version{Kind: kindOf(e.stamp.mode), Mode: e.stamp.mode & settable, Whole: e.whole}
	switch v.Kind {
	case File:
		v.Size = e.stamp.size
		if e.stamp.several {
			v.linked = e.stamp.inode()
		}
	case Link:
		v.Mode = 0
	}
	return v
}

// settable are the mode bits that chmod can set.
const settable = fs.ModePerm | fs.ModeSetuid | fs.ModeSetgid | fs.ModeSticky

func kindOf(mode fs.FileMode) Kind {
	switch mode.Type() {
	case 0:
		return File
	case fs.ModeSymlink:
		return Link
	case fs.ModeDir:
		return Dir
	}
	return Special
}

// order compares entries in the order of a walk, in which a directory's path counts as ending in a slash.
func order(a, b entry) int {
	n := min(len(a.path), len(b.path))
	if c := strings.Compare(a.path[:n], b.path[:n]); c != 0 {
		return c
	}
	return cmp.Or(cmp.Compare(a.at(n), b.at(n)), cmp.Compare(len(a.path), len(b.path)))
}

// at returns byte n of the path that order compares, or -1 after its end.
func (e entry) at(n int) int {
	switch {
	case n < len(e.path):
		return int(e.path[n])
	case e.stamp.mode.IsDir():
		return '/'
	}
	return -1
}

// Change is what happened to a path between two looks, or since a checkpoint.
type Change struct {
	Path          string // relative to the workspace, with slashes
	Before, After Version
	From          string   // its former path, if it was renamed; that path has no change of its own
	By            []string // the calls that made it; only for changes since a step
}

// compare returns the changes from one state to the next, in the order of their paths. Both are in the order of walks.
func compare(old, now []entry) []Change {
	var removed, made []entry
	var changes []Change
	for len(old) > 0 || len(now) > 0 {
		c := 0
		switch {
		case len(old) == 0:
			c = 1
		case len(now) == 0:
			c = -1
		default:
			c = order(old[0], now[0])
		}
		switch {
		case c < 0:
			removed, old = append(removed, old[0]), old[1:]
		case c > 0:
			made, now = append(made, now[0]), now[1:]
		default:
			if before, after := old[0].version(), now[0].version(); !unchanged(old[0], now[0]) {
				changes = append(changes, Change{Path: now[0].path, Before: before, After: after})
			}
			old, now = old[1:], now[1:]
		}
	}
	return joined(changes, removed, made)
}

// unchanged reports whether two entries are the same. For uncovered files only the stamps tell.
func unchanged(a, b entry) bool {
	if kindOf(a.stamp.mode) != File || a.whole.where != nowhere && b.whole.where != nowhere {
		return a.version().same(b.version())
	}
	a.stamp.racy = b.stamp.racy
	return a.stamp == b.stamp
}
