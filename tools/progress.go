package tools

import (
	"cmp"
	"context"
	"sync"
	"time"

	"github.com/spillway-go/spillway/truncation"
)

// Update says how far a call has come that is still running.
type Update struct {
	ID      string        // the call's: see WithCallID
	Tool    string        // the tool's name
	Elapsed time.Duration // since the call began
	Bytes   int64         // that the command printed so far, or that the results found so far have
	Lines   int           // the same in lines
	Visited int           // files that grep has searched, files and directories that find has met
	// Tail is the last lines of it, with their newlines, 20 lines or 4 KiB at most; or a line that says what it is, if
	// that is not text.
	Tail string
}

const (
	// progressInterval bounds how often updates come: ten times a second is as
	// often as a person sees a difference.
	progressInterval = 100 * time.Millisecond
	// progressSilence is after how many intervals an update comes although
	// nothing has changed but the time.
	progressSilence = 10
)

// progressTail is the part of an output that updates show.
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

// listed returns what says how far a list has come.
func listed(progress func() (text truncation.Result, visited int)) func() Update {
	return func() Update {
		r, visited := progress()
		return Update{Bytes: int64(r.TotalBytes), Lines: r.TotalLines, Visited: visited, Tail: progressTail.Cut(r.Text)}
	}
}

// watch tells the context's report, if there is one, what snapshot says. The
// function that it returns ends that.
func watch(ctx context.Context, tool string, snapshot func() Update) (stop func()) {
	report := Progress(ctx)
	if report == nil {
		return func() {}
	}
	began := time.Now()
	done := make(chan struct{})
	var watcher sync.WaitGroup
	watcher.Go(func() {
		defer func() { _ = recover() }() // whoever watches a call must not end the program
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
