package tools

import (
	"cmp"
	"context"
	"strconv"
	"time"

	"github.com/spillway-go/spillway/internal/job"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/told"
)

// tellEnded is the hook that tells each reader once, in the next result of any tool, which jobs have ended. Nobody is
// told who cannot read on with job, has seen the end, or whose call is not known from others. maxBytes is for tools that
// are not the library's.
func tellEnded(registry *job.Registry, m *memory, maxBytes int) hook {
	return func(ctx context.Context, c *call, next handler) reply {
		typed := c.params != nil
		rep := next(ctx, c)
		jobs := registry.Ended()
		switch {
		case len(jobs) == 0 || m.apart != nil || readerOf(ctx) == nobody || ctx.Err() != nil:
		case notesOf(ctx).within() || typed && rep.err != nil: // the enclosing or the next call tells
		default:
			tell := ending{ctx, &m.told}
			tell.add(&rep, jobs, c.most(maxBytes))
		}
		return rep
	}
}

// within reports whether a tool made the call on behalf of the same reader.
func (n *notes) within() bool { return n.outer != nil && n.outer.reader == n.reader }

type ending struct {
	ctx  context.Context
	told *told.Store
}

func (e ending) message(j *job.Job) told.Message {
	return told.Message{Reader: readerOf(e.ctx), Kind: "the end of a job", Path: strconv.Itoa(j.ID())}
}

// add adds to a reply which of the jobs have ended, if the reader was not told yet and there is room for it. Of several
// calls at once, one tells.
func (e ending) add(rep *reply, jobs []*job.Job, maxBytes int) {
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
	fits := rep.also(notice.JobsEnded(news), maxBytes)
	for _, m := range marked {
		switch {
		case !fits:
			e.told.Drop(m) // leaves it to the next call
		case rep.err == nil:
			notesOf(e.ctx).add(note{undo: func() { e.told.Drop(m) }, kept: true})
		}
	}
}

// sawEnd notes that the reader was shown the end of a job. A call that a program makes within a model's call, as a
// script does, counts for that model, unless the model's own call ends without a result.
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

// also puts a notice below a reply, in a bracket of its own: what the text ends in may be output. It returns false if a
// result of so many bytes, without notices, leaves no room.
func (r *reply) also(n notice.Notice, maxBytes int) (fits bool) {
	shown, used := cmp.Or(r.shown, &Shown{}), 0
	if r.err != nil {
		used = len(notice.Paragraph(r.err.Error(), ""))
	}
	text := notice.Append(shown.Text, n)
	if used+len(text) > maxBytes+notice.Allowance {
		return false
	}
	r.shown = shown
	r.shown.Text = text
	return true
}
