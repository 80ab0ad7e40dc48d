package checkpoint

import (
	"context"
	"io/fs"
	"slices"
	"time"

	"github.com/spillway-go/spillway/internal/walk"
)

// found is an entry that a walk has come to.
type found struct {
	name       string
	mode       fs.FileMode // its type
	unreadable bool        // a directory that was visited, and cannot be read
}

// stamper makes the entries of a look from what its walk finds, in the order of the walk.
type stamper struct {
	in   chan []found
	done chan struct{}

	t         *Tracker
	ctx       context.Context
	tree      *walk.Tree
	dirs      *dirs
	git       *tracked // nil if this look needs no index
	old       []entry  // the rest of the last look
	began     int64
	now       []entry
	unread    []entry // entries of the last look that this one cannot read
	uncovered Uncovered
	converts  bool // there is an untracked attribute file
}

// newStamper returns one that has begun. With an index, the look is at everything.
func newStamper(ctx context.Context, t *Tracker, tree *walk.Tree, d *dirs, git *tracked) *stamper {
	s := &stamper{
		in: make(chan []found, 8), done: make(chan struct{}),
		t: t, ctx: ctx, tree: tree, dirs: d, old: t.state, began: time.Now().UnixNano(),
	}
	if git != nil {
		of := *git // the walk reads it too, in the same order, but ahead
		s.git, s.now = &of, make([]entry, 0, len(t.state)+64)
	}
	go s.run()
	return s
}

func (s *stamper) run() {
	defer close(s.done)
	defer s.dirs.close()
	for all := range s.in {
		for _, f := range all {
			if s.ctx.Err() == nil { // otherwise the look has failed
				s.stamp(f)
			}
		}
	}
}

// finish waits until all that was found is stamped. The tree can be closed then.
func (s *stamper) finish() {
	close(s.in)
	<-s.done
	s.keepUnread()
}

func (s *stamper) stamp(f found) {
	if f.unreadable {
		s.uncovered.note(&s.uncovered.Unreadable, f.name)
		first, last := s.t.below(f.name)
		s.unread = append(s.unread, s.t.state[first:last]...)
		return
	}
	info, err := s.lstat(f.name)
	if absent(err) {
		return // removed meanwhile
	}
	if err != nil {
		s.uncovered.note(&s.uncovered.Unreadable, f.name)
		if old := s.before(entry{path: f.name, stamp: stamp{mode: f.mode}}); old != nil {
			s.now = append(s.now, *old)
		}
		return
	}
	now := entry{path: f.name, stamp: stampOf(info)}
	s.fill(&now, s.before(now))
	s.now = append(s.now, now)
}

func (s *stamper) lstat(name string) (fs.FileInfo, error) {
	dir, base, err := s.dirs.of(name)
	if err != nil {
		return nil, err
	}
	return dir.Lstat(base)
}

// before returns the last look's entry for the same path, or nil.
func (s *stamper) before(now entry) *entry {
	for len(s.old) > 0 {
		switch c := order(s.old[0], now); {
		case c == 0:
			return &s.old[0]
		case c > 0:
			return nil
		}
		s.old = s.old[1:]
	}
	return nil
}

// keepUnread carries over entries that cannot be read now. Part of a directory may have been read.
func (s *stamper) keepUnread() {
	slices.SortFunc(s.unread, order)
	unread := slices.CompactFunc(s.unread, func(a, b entry) bool { return a.path == b.path })
	unread = slices.DeleteFunc(unread, func(e entry) bool {
		_, found := slices.BinarySearchFunc(s.now, e, order)
		return found
	})
	s.now = merged(s.now, unread)
}
