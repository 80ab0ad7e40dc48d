package tools

import (
	"context"
	"sync"

	"github.com/spillway-go/spillway/internal/job"
)

// Background makes a job of the running command of a call of bash, as its timeout does with [config.OnTimeoutBackground]:
// the call returns what was printed so far, and the model is told that the user did that. callID is that of
// [WithCallID], or of the events of the call. When Background returns nil, the command is a job, which Jobs lists. If a
// tool has made several calls with the id, all their commands become jobs.
//
// The error is an [*Error]. Its code is [CodeNotFound] if no call of that id is running, or if its command has ended;
// [CodeInvalidInput] if the call is not of bash; [CodeStale] if its command has not started yet, as while the guard is
// asked; and [CodeDenied] if the command is a job already, if as many jobs run as may, or if the suite does not have the
// tools bash and job, or is closed.
func (s *Suite) Background(callID string) error {
	if s.isClosed() {
		return errorf(CodeDenied, "the suite is closed")
	}
	if s.shell.jobs == nil {
		return errorf(CodeDenied, "this suite has no jobs: for them it needs the tools bash and job")
	}
	commands, tool := s.waiting.find(callID)
	switch {
	case len(commands) > 0:
	case tool == "bash":
		return errorf(CodeStale, "the command of the call %s has not started yet. Try again when it runs", show(callID))
	case tool != "":
		return errorf(CodeInvalidInput, "the call %s is one of %s: only a command of bash can go to the background",
			show(callID), show(tool))
	default:
		if j := s.shell.jobs.StartedBy(callID); j != nil {
			return failure(j.Already(), "")
		}
		return errorf(CodeNotFound, "there is no running call %s. It has ended, or has another id: see "+
			"tools.WithCallID", show(callID))
	}
	var failed error
	moved := false
	for _, j := range commands {
		if err := j.Background(); err == nil {
			moved = true
		} else if failed == nil {
			failed = failure(err, "")
		}
	}
	if moved {
		return nil
	}
	return failed
}

// waiting has the calls that run, of suites that have jobs.
type waiting struct {
	mu    sync.Mutex
	calls map[string]*call // by id; those that share one are linked
}

// track is the hook that notes which calls run.
func track(s *Suite) hook {
	return func(ctx context.Context, c *call, next handler) reply {
		if s.shell.jobs == nil {
			return next(ctx, c)
		}
		s.waiting.add(c)
		defer s.waiting.remove(c)
		return next(ctx, c)
	}
}

func (w *waiting) add(c *call) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.calls == nil {
		w.calls = map[string]*call{}
	}
	c.same, w.calls[c.id] = w.calls[c.id], c
}

func (w *waiting) remove(c *call) {
	w.mu.Lock()
	defer w.mu.Unlock()
	first := w.calls[c.id]
	if first == c {
		if w.calls[c.id] = c.same; c.same == nil {
			delete(w.calls, c.id)
		}
		return
	}
	for ; first != nil; first = first.same {
		if first.same == c {
			first.same = c.same
		}
	}
}

// starts notes the command that a call of bash has started.
func (w *waiting) starts(id string, j *job.Job) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for c := w.calls[id]; c != nil; c = c.same {
		if c.name == "bash" && c.command == nil {
			c.command = j
			return
		}
	}
}

// find returns the commands of the calls of that id. If there is none, it returns the tool of one of the calls, or "".
func (w *waiting) find(id string) (commands []*job.Job, tool string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for c := w.calls[id]; c != nil; c = c.same {
		if c.command != nil {
			commands = append(commands, c.command)
		}
		if tool != "bash" {
			tool = c.name
		}
	}
	return commands, tool
}
