package tools

import (
	"context"
	"strconv"
	"time"

	"github.com/spillway-go/spillway/internal/job"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/told"
)

// tellEnded is the hook that tells each reader once, in the next result of any tool, which jobs have ended. Nobody is
// told who cannot read on with job, has seen the end, or whose call is not known from others.
func tellEnded(registry *job.Registry, m *memory) hook {
	return func(ctx context.Context, c *call, next handler) reply {
		typed := c.params != nil
		rep := next(ctx, c)
		jobs := registry.Ended()
		switch {
		case len(jobs) == 0 || m.apart != nil || readerOf(ctx) == nobody || ctx.Err() != nil:
		case notesOf(ctx).within() || typed && rep.err != nil: // the call around it tells, or the next one
		default:
			tell := ending{ctx, &m.told}
			tell.add(&rep, jobs)
		}
		return rep
	}
}

// within reports whether the call is made in that of a tool, for the same reader.
func (n *notes) within() bool { return n.outer != nil && n.outer.reader == n.reader }

// ending tells the reader of a call which jobs have ended.
type ending struct {
	ctx  context.Context
	told *told.Store
}

// message is what the reader is told of a job.
func (e ending) message(j *job.Job) told.Message {
	return told.Message{Reader: readerOf(e.ctx), Kind: "the end of a job", Path: strconv.Itoa(j.ID())}
}

// add adds to a reply which of the jobs have ended, if the reader was not told yet and there is room for it. Of several
// calls at once, one tells.
func (e ending) add(rep *reply, jobs []*job.Job) {
	var news []notice.Ended
	var marked []told.Message
	for _, j := range jobs {
		if m := e.message(j); e.told.First(m) {
			state := j.State()
			news = append(news, notice.Ended{
				ID: state.Job, State: state.State, After: time.Duration(state.AgeMs) * time.Millisecond,
			})
			marked = append(marked, m)
		}
	}
	if len(news) == 0 {
		return
	}
	fits := rep.begin(notice.JobsEnded(news))
	for _, m := range marked {
		switch {
		case !fits:
			e.told.Drop(m) // the next call tells it
		case rep.err == nil:
			notesOf(e.ctx).add(note{undo: func() { e.told.Drop(m) }, kept: true})
		}
	}
}

// sawEnd notes that the reader of a call was shown that a job has ended. A program that makes the call within one of a
// model, as a script does, has been told for that model, unless the model's own call ends without a result.
func (m *memory) sawEnd(ctx context.Context, j *job.Job) {
	seen := ending{ctx, &m.told}.message(j)
	firstTime(ctx, &m.told, seen)
	around := notesOf(ctx).around()
	if m.apart == nil || around == nil || around.reader == nobody {
		return
	}
	seen.Reader = around.reader
	if store := &m.apart.told; store.First(seen) {
		around.add(note{undo: func() { store.Drop(seen) }, kept: true})
	}
}

// begin puts a notice before those of a reply. It returns false if these leave no room.
func (r *reply) begin(n notice.Notice) (fits bool) {
	used := 0
	if r.err != nil {
		used = len(r.err.Error())
	}
	if r.shown == nil {
		r.shown = new(Shown)
	}
	r.shown.Text, fits = notice.Begin(r.shown.Text, n, used)
	return fits
}
