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
// processors does no harm and no good.
func Workers() int { return max(2, runtime.GOMAXPROCS(0)) }

// Run passes the jobs that produce emits to work, on several goroutines, and the
// results to collect, one by one and in order. work is made once for each
// goroutine. When collect returns false or ctx ends, emit returns false, and
// produce should return; jobs that wait are dropped. Run returns when every
// goroutine has ended, with produce's error or else ctx's. A panic in any of the
// functions goes on in the caller of Run.
func Run[J, R any](ctx context.Context, produce func(emit func(J) bool) error, work func() func(J) R, collect func(R) bool) error {
	type task struct {
		job  J
		done chan R
	}
	stop := make(chan struct{})
	var once sync.Once
	end := func() { once.Do(func() { close(stop) }) }
	defer context.AfterFunc(ctx, end)()

	var panicked atomic.Pointer[any]
	catch := func() {
		if p := recover(); p != nil {
			panicked.CompareAndSwap(nil, &p)
			end()
		}
	}
	queue, order := make(chan *task, Ahead), make(chan *task, Ahead)
	var workers sync.WaitGroup
	started := 0
	start := func() {
		started++
		workers.Go(func() {
			work := work()
			for t := range queue {
				func() {
					defer catch()
					defer close(t.done)
					select {
					case <-stop:
					default:
						t.done <- work(t.job)
					}
				}()
			}
		})
	}
	room := make(chan struct{}, Ahead)
	room <- struct{}{}
	room <- struct{}{}
	window := 2
	emit := func(job J) bool {
		t := &task{job, make(chan R, 1)}
		select {
		case <-stop:
			return false
		case <-room:
		}
		order <- t
		// A worker is started when there is a job that the others have not
		// taken: a search of a few files pays for no more than one.
		if started < Workers() && len(queue) >= started-1 {
			start()
		}
		queue <- t
		return true
	}
	produced := make(chan error, 1)
	go func() {
		var err error
		defer func() {
			close(queue)
			close(order)
			produced <- err
		}()
		defer catch()
		err = produce(emit)
	}()
	for t := range order {
		select {
		case <-stop:
			continue
		default:
		}
		func() {
			defer catch()
			if r, ok := <-t.done; !ok || !collect(r) {
				end()
				return
			}
			room <- struct{}{}
			if window < Ahead {
				window++
				room <- struct{}{}
			}
		}()
	}
	workers.Wait()
	err := <-produced
	if p := panicked.Load(); p != nil {
		panic(*p)
	}
	if err != nil {
		return err
	}
	return ctx.Err()
}
