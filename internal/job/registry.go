// Package job keeps the commands that continue after the call that started them.
package job

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/capture"
	"github.com/spillway-go/spillway/internal/fault"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/proc"
	"github.com/spillway-go/spillway/internal/quote"
)

// maxEnded is how many ended jobs are kept: the newest, whether their end was shown or not.
const maxEnded = 64

// Options are the limits and dependencies of a [Registry].
type Options struct {
	Procs    *proc.Group   // runs the commands
	Max      int           // jobs that run at once
	Keep     time.Duration // how long an ended job is kept after its end was shown
	MaxBytes int64         // of output that all running jobs keep together

	// Observe, if not nil, is told when a job starts, when a call finds a line, and how the job ends. A panic in it is
	// ignored.
	Observe func(ctx context.Context, e config.Event)
	Details func(s State) any // for the event of an end; nil if there are none
}

// States of running jobs in events.
const (
	Started = "started"
	Matched = "matched"
)

// Registry keeps jobs. It is safe for concurrent use. A nil Registry belongs to a suite without jobs: it supports only
// List, Wait and Forget.
type Registry struct {
	Options
	readers capture.Readers
	ending  sync.WaitGroup // jobs whose end was not reported yet

	someEnded atomic.Bool // a job has ended

	// mu guards everything below, and what changes in each job. The locks of outputs and processes must not be taken
	// while holding it.
	mu       sync.Mutex
	all      []*Job // in the order of their numbers
	last     int    // the last number given
	reserved int    // running jobs, and commands that may become one
	recorded int64  // bytes in the files of running jobs
}

func New(options Options) *Registry { return &Registry{Options: options} }

// List returns the running jobs, and ended ones that are not forgotten, in the order of their start.
func (r *Registry) List() []*Job {
	if r == nil {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.tidy()
	return slices.Clone(r.all)
}

// Ended returns the ended jobs of List. It costs nothing before the first end.
func (r *Registry) Ended() (ended []*Job) {
	if r == nil || !r.someEnded.Load() {
		return nil
	}
	for _, j := range r.List() {
		if isClosed(j.done) {
			ended = append(ended, j)
		}
	}
	return ended
}

// States returns the states of all jobs, running ones first, and the number of these.
func (r *Registry) States() (states []State, running int) {
	var ended []State
	for _, j := range r.List() {
		if state := j.State(); state.Running {
			states = append(states, state)
		} else {
			ended = append(ended, state)
		}
	}
	return append(states, ended...), len(states)
}

// Find returns the job with that number, or an error that names the existing jobs.
func (r *Registry) Find(id int) (*Job, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.tidy()
	for _, j := range r.all {
		if j.id == id {
			return j, nil
		}
	}
	there := "The jobs are"
	switch len(r.all) {
	case 0:
		return nil, fault.Errorf(fault.NotFound,
			"there is no job %d, and no other job. bash with background=true starts one", id)
	case 1:
		there = "The only one is"
	}
	return nil, fault.Errorf(fault.NotFound, "there is no job %d. %s %s", id, there,
		r.names(func(*Job) bool { return true }))
}

// StartedBy returns the last job that a call started, or nil.
func (r *Registry) StartedBy(call string) *Job {
	for _, j := range slices.Backward(r.List()) {
		if j.command.CallID == call {
			return j
		}
	}
	return nil
}

// Forget forgets what a reader was shown.
func (r *Registry) Forget(reader string) {
	if r != nil {
		r.readers.Forget(reader)
	}
}

// Wait waits until all jobs have ended, their files are complete, and the observer has been told.
func (r *Registry) Wait() {
	if r != nil {
		r.ending.Wait()
	}
}

// reserve makes room for one more job, or returns an error that names the running ones.
func (r *Registry) reserve(j *Job) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.tidy()
	if r.reserved < r.Max {
		r.reserved++
		j.reserved = true
		return nil
	}
	are, one := "are", "one"
	if r.reserved == 1 {
		are, one = "is", "it"
	}
	running := r.names(func(j *Job) bool { return j.ended.IsZero() })
	return fault.Errorf(fault.Denied, "%s %s running, the maximum. Stop %[3]s with job signal=terminate, "+
		"or wait for %[3]s: %[4]s", notice.Count(r.reserved, "job"), are, one, running)
}

// release gives up a job's place, if any. The caller holds r.mu.
func (r *Registry) release(j *Job) {
	if j.reserved {
		r.reserved--
		j.reserved = false
	}
}

// names names jobs, a few of them in full. The caller holds r.mu.
func (r *Registry) names(which func(*Job) bool) string {
	const most = 8
	var names []string
	more := 0
	for _, j := range r.all {
		switch {
		case !which(j):
		case len(names) < most:
			names = append(names, fmt.Sprintf("%d (%s)", j.id, quote.Short(quote.Value(j.command.Script), 40)))
		default:
			more++
		}
	}
	if more > 0 {
		names = append(names, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(names, ", ")
}

// tidy forgets ended jobs: those shown a while ago, and the oldest if there are many. The caller holds r.mu.
func (r *Registry) tidy() {
	ended := 0
	for i := len(r.all) - 1; i >= 0; i-- {
		j := r.all[i]
		if j.ended.IsZero() {
			continue
		}
		ended++
		if ended > maxEnded || j.shown && time.Since(j.ended) > r.Keep {
			r.all = slices.Delete(r.all, i, i+1)
			r.readers.Drop(j.command.Printed)
		}
	}
}
