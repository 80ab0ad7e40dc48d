package checkpoint

import (
	"errors"
	"path/filepath"
	"slices"
	"time"

	"github.com/spillway-go/spillway/internal/lock"
)

// sweepAge is how long a log or a content must be unused before it is removed: a process that has just begun may have
// found a content and not recorded it yet.
const sweepAge = time.Hour

// Sweep removes steps older than keep, and contents that no step names. It leaves the logs of living processes, and
// contents that these may be using.
func (t *Tracker) Sweep(keep time.Duration) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	old := time.Now().Add(-keep)
	t.steps = slices.DeleteFunc(t.steps, func(s Step) bool { return s.At.Before(old) })
	named := make(map[string]bool)
	name := func(w content) {
		if w.where == kept {
			named[w.value] = true
		}
	}
	nameAll := func(s Step) {
		for _, c := range s.Changes {
			name(c.Before.Whole)
			name(c.After.Whole)
		}
	}
	for _, e := range t.state {
		name(e.whole)
	}
	for _, s := range t.steps {
		nameAll(s)
	}
	used, err := t.sweepLogs(old, nameAll)
	if err != nil {
		return err
	}
	return t.store.sweep(func(sum string, at time.Time) bool { return named[sum] || !at.Before(used) })
}

// sweepLogs removes old logs of ended processes, and calls visit for the steps in the others. It returns the time
// since when contents may be in use that no step names yet.
func (t *Tracker) sweepLogs(old time.Time, visit func(Step)) (used time.Time, err error) {
	names, err := logs(t.o.Store)
	used = time.Now().Add(-sweepAge)
	left := int64(maxLogs)
	for _, name := range names {
		if name == filepath.Base(t.log.f.Name()) {
			continue
		}
		f, openErr := openRegular(t.o.Store, name)
		if openErr != nil {
			err = errors.Join(err, openErr)
			continue
		}
		info, statErr := f.Stat()
		switch {
		case lock.Take(t.o.Store, name, f) != nil: // its process lives
			if at := begin(name); at.Before(used) {
				used = at
			}
		case statErr == nil && info.ModTime().Before(old) && time.Since(info.ModTime()) > sweepAge:
			err = errors.Join(err, t.o.Store.Remove(name))
		default:
			readLog(f, &left, visit)
		}
		f.Close()
	}
	if left <= 0 {
		err = errors.Join(err, errLogs)
	}
	return used, err
}

var errLogs = errors.New("the logs of checkpoints are too large")
