package spill

import (
	"context"
	"os"
	"slices"
	"sync"
	"time"
)

const (
	// patience is how long Limit, Keep and Close wait for a sweep. A sweep of a thousand files takes some ten
	// milliseconds; in a directory with a million files it continues without them.
	patience = 250 * time.Millisecond
	// recount is the part of MaxTotalBytes, as a divisor, after which a Dir looks at the directory again for files
	// that other processes have kept.
	recount = 8
)

// A group is the files of streams that belong together: Limit removes none of them to make room for another.
type group struct{ names []string }

// keeper keeps a directory within limits while files are kept in it.
type keeper struct {
	mu      sync.Mutex
	options Options
	ctx     context.Context // for sweeps; nil without limits
	stop    context.CancelFunc
	last    *group // the group of the last kept file

	total   int64         // bytes in the directory, as far as known
	added   int64         // of these, bytes kept since the last sweep began
	running chan struct{} // closed when the running sweep has ended; or nil
	again   bool          // another sweep must follow
}

// Limit sweeps the directory now, and whenever kept files exceed o.MaxTotalBytes. It removes the oldest, including
// those of other processes, but never the last kept file and its group ([Writer.Beside]), however large. A failed
// sweep is ignored.
//
// A sweep that takes longer than a moment, because the directory has very many entries, continues in the background
// until it is done or the Dir is closed.
func (d *Dir) Limit(o Options) {
	k := &d.keeper
	k.mu.Lock()
	if k.stop == nil {
		k.ctx, k.stop = context.WithCancel(context.Background())
	}
	k.options = o
	k.mu.Unlock()
	d.sweep()
}

// kept counts a new kept file, and reports whether a sweep is due.
func (d *Dir) kept(g *group, base string, size int64) (due bool) {
	k := &d.keeper
	k.mu.Lock()
	defer k.mu.Unlock()
	g.names = append(g.names, base)
	k.last = g
	k.total += size
	k.added += size
	most := k.options.MaxTotalBytes
	return k.ctx != nil && most > 0 && (k.total > most || k.added > most/recount)
}

// protected reports whether a file belongs to the group of the last kept one.
func (d *Dir) protected(base string) bool {
	d.keeper.mu.Lock()
	defer d.keeper.mu.Unlock()
	return d.keeper.last != nil && slices.Contains(d.keeper.last.names, base)
}

// sweep starts a sweep, or asks for another after the running one, and waits for it briefly.
func (d *Dir) sweep() {
	k := &d.keeper
	k.mu.Lock()
	k.again = true
	if k.running == nil {
		k.running = make(chan struct{})
		go d.sweepWhileAsked()
	}
	running := k.running
	k.mu.Unlock()
	awaitSweep(running)
}

func awaitSweep(running chan struct{}) {
	timeout := time.NewTimer(patience)
	defer timeout.Stop()
	select {
	case <-running:
	case <-timeout.C:
	}
}

func (d *Dir) sweepWhileAsked() {
	k := &d.keeper
	k.mu.Lock()
	defer k.mu.Unlock()
	for k.again && k.ctx.Err() == nil {
		k.again, k.added = false, 0
		o := k.options
		k.mu.Unlock()
		s := sweeper{options: o, protected: d.protected}
		err := s.sweep(k.ctx, func() (*os.Root, error) { return d.enter(false) }, maxListed)
		k.mu.Lock()
		if err == nil {
			k.total = s.report.KeptBytes + k.added
		}
	}
	close(k.running)
	k.running = nil
}

// end stops the sweeps and waits briefly for the running one.
func (k *keeper) end() {
	k.mu.Lock()
	running := k.running
	if k.stop != nil {
		k.stop()
	}
	k.mu.Unlock()
	if running != nil {
		awaitSweep(running)
	}
}
