package checkpoint

import (
	"crypto/sha256"
	"errors"
	"hash"
	"io"
	"path"
	"strings"
	"time"

	"github.com/spillway-go/spillway/internal/gitindex"
	"github.com/spillway-go/spillway/internal/workspace"
)

// fill finds out where the content of an entry is, and saves a copy if it is nowhere else.
func (s *stamper) fill(now, old *entry) {
	switch kindOf(now.stamp.mode) {
	case Special:
		s.uncovered.note(&s.uncovered.Special, now.path)
	case Link:
		if dir, base, err := s.dirs.of(now.path); err == nil {
			if target, err := dir.Readlink(base); err == nil {
				now.whole = content{inEntry, target}
			}
		}
	case File:
		s.fillFile(now, old)
	}
}

func (s *stamper) fillFile(now, old *entry) {
	var tracked *gitindex.Entry
	if s.git != nil {
		tracked = s.git.of(now.path)
	}
	if path.Base(now.path) == attributesFile && tracked == nil {
		s.converts = true
	}
	if old != nil && old.stamp == now.stamp && old.whole.where != nowhere { // and the old entry was not racy
		now.whole = old.whole
		return
	}
	if now.stamp.size > s.t.o.MaxFileBytes {
		s.uncovered.note(&s.uncovered.Large, now.path)
		return
	}
	now.stamp.racy = racy(now.stamp, s.began)
	inStore := old != nil && old.whole.where == kept // an unchanged content stays in the store
	if tracked != nil && !inStore && s.git.clean(tracked, now.stamp) {
		now.whole = content{inGit, strings.Clone(tracked.Object)} // Clone keeps the whole index from staying in memory
		now.stamp.racy = false
		return
	}
	if !s.t.store.room(now.stamp.size) && old != nil && old.whole.where == nowhere { // no need to read it
		s.uncovered.note(&s.uncovered.Large, now.path)
		return
	}
	whole, err := s.copy(now.path, tracked, old)
	switch {
	case err == nil:
		now.whole = whole
	case errors.Is(err, errFull):
		s.uncovered.note(&s.uncovered.Large, now.path)
	case absent(err):
	default:
		s.uncovered.note(&s.uncovered.Unreadable, now.path)
	}
}

// copy reads a file and says where its content is: at its former place, among git's objects if these have it, else in
// the store. If the file is written meanwhile, its stamp differs from the entry's at the next look.
func (s *stamper) copy(name string, tracked *gitindex.Entry, old *entry) (content, error) {
	var known []content
	if old != nil && (old.whole.where == kept || old.whole.where == inGit) {
		known = append(known, old.whole)
	}
	if tracked != nil {
		known = append(known, content{inGit, strings.Clone(tracked.Object)})
	}
	if len(known) > 0 {
		r, size, err := s.tree.OpenFile(name)
		if err != nil {
			return content{}, err
		}
		c, ok := match(r, size, known)
		r.Close()
		if ok && (c.where != kept || s.t.store.use(c.value)) {
			return c, nil
		}
	}
	dir, base, err := s.dirs.of(name)
	if err != nil {
		return content{}, err
	}
	f, info, err := workspace.OpenPlain(dir, base)
	if err != nil {
		return content{}, err
	}
	defer f.Close()
	sum, err := s.t.store.put(f, info.Size(), s.t.o.MaxFileBytes)
	return content{kept, sum}, err
}

// match returns the first of the contents that equals the reader's.
func match(r io.Reader, size int64, known []content) (content, bool) {
	hashes := make([]hash.Hash, len(known))
	writers := make([]io.Writer, len(known))
	for i, c := range known {
		hashes[i] = sha256.New()
		if c.where == inGit {
			hashes[i] = gitindex.Format(len(c.value)).BlobHash(size)
		}
		writers[i] = hashes[i]
	}
	if n, err := io.Copy(io.MultiWriter(writers...), io.LimitReader(r, size+1)); err != nil || n != size {
		return content{}, false
	}
	for i, c := range known {
		if string(hashes[i].Sum(nil)) == c.value {
			return c, true
		}
	}
	return content{}, false
}

// The granularity of file times: of a ticking clock, and of file systems with whole seconds, or two on FAT.
const (
	tick        = 50 * time.Millisecond
	wholeSecond = 2500 * time.Millisecond
)

// racy reports whether a file may change later without a new stamp, because it changed just before the look, or after
// it by a clock that was set back.
func racy(s stamp, began int64) bool {
	last := max(s.ctime, s.mtime)
	if s.ctime != 0 {
		last = s.ctime
	}
	wait := tick
	if last%1e9 == 0 {
		wait = wholeSecond
	}
	return last+int64(wait) >= began
}
