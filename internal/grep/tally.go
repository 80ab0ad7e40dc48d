package grep

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/quote"
)

const (
	// moreTime bounds how long a search that has reached its limit continues to count. It continues for as long as it
	// took so far, but no longer than this: with 50 ms, the first 100 matches in Go's tree cost seven times what
	// ripgrep takes for them.
	moreTime = 5 * time.Millisecond
	// fewFiles of fewBytes together are counted completely, so that the notice about them does not depend on the load
	// of the machine. An idle one needs about a millisecond; fewTime bounds a slow file system.
	fewFiles = 64
	fewBytes = 1 << 20
	fewTime  = time.Second
)

// maxTallied bounds the directories that a tally counts by name.
const maxTallied = 1000

// tally counts what a search finds, even beyond its limit.
type tally struct {
	began time.Time // of the search
	all   int
	part  bool           // the count may be incomplete
	dirs  map[string]int // counts of directories below the searched one, at most maxTallied
	stop  *time.Timer    // ends the search after it has reached its limit
	ended func()

	path string // the current file
	dir  string
	in   int // found in it
}

// within returns a context for a search that begins now, and a function that ends it.
func (t *tally) within(ctx context.Context) (context.Context, func()) {
	t.began = time.Now()
	ctx, t.ended = context.WithCancel(ctx)
	return ctx, t.ended
}

// reached records that the search has everything that it shows. It continues for a while to count. few reports whether
// it has searched little enough to count everything.
func (t *tally) reached(few func() bool) {
	if t.stop != nil {
		return
	}
	end, more, until := t.ended, min(time.Since(t.began), moreTime), time.Now().Add(fewTime)
	var stop *time.Timer
	var set sync.Mutex // held until stop is set
	set.Lock()
	defer set.Unlock()
	stop = time.AfterFunc(more, func() {
		set.Lock()
		defer set.Unlock()
		if few() && time.Now().Before(until) {
			stop.Reset(moreTime)
			return
		}
		end()
	})
	t.stop = stop
}

// add counts n matches in a file. most is after how many its file is not searched further.
func (t *tally) add(prefix, path string, n, most int) {
	if path != t.path {
		t.path, t.in, t.dir = path, 0, prefix
		if name, _, below := strings.Cut(path, "/"); below {
			t.dir += name + "/"
		}
	}
	t.all += n
	t.in += n
	t.part = t.part || t.in > most
	if t.dirs == nil {
		t.dirs = map[string]int{}
	}
	if _, known := t.dirs[t.dir]; known || len(t.dirs) < maxTallied {
		t.dirs[t.dir] += n
	}
}

// done ends the count of a search that ended with err, and returns the error of the search itself. outer is the
// context of the call.
func (t *tally) done(outer context.Context, err error) error {
	if t.stop == nil {
		return err
	}
	t.stop.Stop()
	if outer.Err() == nil && errors.Is(err, context.Canceled) {
		t.part, err = true, nil
	}
	return err
}

// notice says how many matches or files there are, if that is known and more than are shown.
func (t *tally) notice(shown int, what string) notice.Notice {
	if t.part {
		return ""
	}
	in := notice.InAll{All: t.all, What: what}
	dirs := slices.SortedFunc(maps.Keys(t.dirs), func(a, b string) int {
		return cmp.Or(t.dirs[b]-t.dirs[a], strings.Compare(a, b))
	})
	if len(dirs) > 1 {
		for _, dir := range dirs {
			name := "./"
			if dir != "" {
				name = quote.Name(strings.TrimSuffix(dir, "/")) + "/"
			}
			in.Dirs = append(in.Dirs, notice.CountIn{Name: name, Count: t.dirs[dir]})
		}
	}
	return in.Notice()
}
