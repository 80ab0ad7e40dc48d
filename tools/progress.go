package tools

import (
	"cmp"
	"context"
	"sync"
	"time"

	"github.com/spillway-go/spillway/truncation"
)

// Update says how far a running call has come.
type Update struct {
	ID      string        // the id of the call: see WithCallID
	Tool    string        // the tool's name
	Elapsed time.Duration // since the call began
	Bytes   int64         // printed so far, or in the results found so far
	Lines   int           // lines, likewise
	Visited int           // files that grep has searched; files and directories that find has visited
	// Tail is the end of the output with its newlines, at most 20 lines and 4 KiB. If the output is not text, Tail is
	// a line that says what it is.
	Tail string
}

const (
	// progressInterval is the least time between updates: a person sees no difference at more than ten a second.
	progressInterval = 100 * time.Millisecond
	// progressSilence is the number of intervals after which an update comes although nothing has changed.
	progressSilence = 10
)

var progressTail = truncation.Policy{Strategy: truncation.Tail, Limits: truncation.Limits{Lines: 20, Bytes: 4 << 10},
	Unmarked: true}

type progressKey struct{}

// WithProgress returns a context whose calls report how far they have come: at most ten times a second while something
// happens, and once a second while nothing does. bash, job, grep and find report; a call that takes less than a tenth of
// a second does not. Each call has a goroutine that calls report, one update after the other. The call waits for it
// before it returns, so report must not block. If it panics, it is not called again. A nil report turns reports off.
func WithProgress(ctx context.Context, report func(Update)) context.Context {
	return context.WithValue(ctx, progressKey{}, report)
}

// Progress returns the function that [WithProgress] put into the context, or nil. A tool of your own calls it as
// WithProgress describes: now and then, one update after the other, and not after its call has returned. An update
// without an ID gets that of the call.
func Progress(ctx context.Context) (report func(Update)) {
	host, _ := ctx.Value(progressKey{}).(func(Update))
	if host == nil {
		return nil
	}
	id := callID(ctx)
	if id == "" {
		return host
	}
	return func(u Update) {
		u.ID = cmp.Or(u.ID, id)
		host(u)
	}
}

func listed(progress func() (text truncation.Result, visited int)) func() Update {
	return func() Update {
		r, visited := progress()
		return Update{Bytes: int64(r.TotalBytes), Lines: r.TotalLines, Visited: visited, Tail: progressTail.Cut(r.Text)}
	}
}

// watch reports the snapshots to the context's report function, if any, until stop is called.
func watch(ctx context.Context, tool string, snapshot func() Update) (stop func()) {
	report := Progress(ctx)
	if report == nil {
		return func() {}
	}
	began := time.Now()
	done := make(chan struct{})
	var watcher sync.WaitGroup
	watcher.Go(func() {
		defer func() { _ = recover() }() // a report that panics must not end the program
		tick := time.NewTicker(progressInterval)
		defer tick.Stop()
		last, silent := Update{}, 0
		for {
			select {
			case <-done:
				return
			case <-ctx.Done(): // the call may return before done is closed
				return
			case <-tick.C:
			}
			u := snapshot()
			if ctx.Err() != nil { // the call may have returned meanwhile
				return
			}
			silent++
			if u == last && silent < progressSilence {
				continue
			}
			last, silent = u, 0
			u.Tool, u.Elapsed = tool, time.Since(began)
			report(u)
		}
	})
	return func() {
		close(done)
		watcher.Wait()
	}
}
