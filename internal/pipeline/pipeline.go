// Package pipeline works on jobs in parallel and collects their results in the
// order of the jobs.
package pipeline

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
)

// Ahead is the number of jobs that may be under way at a time. Measured on
// searches: 8 keeps two cores busy; at 256, calls that stop early waste several
// times the work that they need. For the same reason it begins at two, and grows
// by one with each result collected.
const Ahead = 8

// Workers is how many jobs are worked on at a time. More than there are
// processors does no harm and no good; more than there are jobs would only hold memory.
func Workers() int { return min(max(2, runtime.GOMAXPROCS(0)), Ahead) }

// Run passes the jobs that produce emits to work, on several goroutines, and the
// results to collect, one by one and in order. work is made once for each
// goroutine. When collect returns false or ctx ends, emit returns false, and
// produce should return; jobs that wait are dropped. Run returns when every
// goroutine has ended, with produce's error or else ctx's. A panic in any of the
// functions goes on in the caller of Run.
func Run[J, R any](ctx context.Context, produce func(emit func(J) bool) error, work func() func(J) R, collect func(R) bool) error {
	r := &run[J, R]{
		work:  work,
		stop:  make(chan struct{}),
		queue: make(chan *task[J, R], Ahead),
		order: make(chan *task[J, R], Ahead),
		room:  make(chan struct{}, Ahead),
	}
	defer context.AfterFunc(ctx, r.end)()
	for range firstWindow {
		r.room <- struct{}{}
	}
	produced := make(chan error, 1)
	go func() {
		var err error
		defer func() {
			close(r.queue)
			close(r.order)
			produced <- err
		}()
		defer r.catch()
		err = produce(r.emit)
	}()
	r.collect(collect)
	r.workers.Wait()
	err := <-produced
	if p := r.panicked.Load(); p != nil {
		panic(*p)
	}
	if err != nil {
		return err
	}
	return ctx.Err()
}

// firstWindow is the number of jobs that may be under way at the beginning.
const firstWindow = 2

// task is a job whose result will be sent to done, or done closed if there is
// none.
type task[J, R any] struct {
	job  J
	done chan R
}

// run is what the goroutines of one Run share.
type run[J, R any] struct {
	work     func() func(J) R
	stop     chan struct{} // closed when nothing more is wanted
	once     sync.Once     // of closing it
	panicked atomic.Pointer[any]
	queue    chan *task[J, R] // to the workers
	order    chan *task[J, R] // to the collector
	room     chan struct{}    // a token for each job that may be started
	workers  sync.WaitGroup
	started  int // workers; of the producer alone
}

func (r *run[J, R]) end() { r.once.Do(func() { close(r.stop) }) }

func (r *run[J, R]) stopped() bool {
	select {
	case <-r.stop:
		return true
	default:
		return false
	}
}

// catch, deferred, keeps a panic for the caller of Run.
func (r *run[J, R]) catch() {
	if p := recover(); p != nil {
		r.panicked.CompareAndSwap(nil, &p)
		r.end()
	}
}

func (r *run[J, R]) emit(job J) bool {
	t := &task[J, R]{job, make(chan R, 1)}
	select {
	case <-r.stop:
		return false
	case <-r.room:
	}
	r.order <- t
	// A worker is started when there is a job that the others have not taken: a
	// search of a few files pays for no more than one.
	if r.started < Workers() && len(r.queue) >= r.started-1 {
		r.started++
		r.workers.Go(r.worker)
	}
	r.queue <- t
	return true
}

// worker works on tasks to the end of the queue, and drops them once nothing
// more is wanted.
func (r *run[J, R]) worker() {
	var work func(J) R
	do := func(t *task[J, R]) {
		defer r.catch()
		defer close(t.done)
		if r.stopped() {
			return
		}
		if work == nil {
			work = r.work()
		}
		t.done <- work(t.job)
	}
	for t := range r.queue {
		do(t)
	}
}

// collect passes on the results in order, and lets the producer go further ahead
// with each of them.
func (r *run[J, R]) collect(take func(R) bool) {
	window := firstWindow
	next := func(t *task[J, R]) {
		defer r.catch()
		if result, ok := <-t.done; !ok || !take(result) {
			r.end()
			return
		}
		r.room <- struct{}{}
		if window < Ahead {
			window++
			r.room <- struct{}{}
		}
	}
	for t := range r.order {
		if !r.stopped() {
			next(t)
		}
	}
}
