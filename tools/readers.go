package tools

import (
	"context"
	"strings"
	"sync"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/receipt"
	"github.com/spillway-go/spillway/internal/seen"
	"github.com/spillway-go/spillway/internal/told"
)

type readerKey struct{}

type adviceKey struct{}

// WithConversation returns a context for the calls of one of several conversations that share a suite, such as the
// sessions of a server or of sub-agents. Each is shown all that a job printed and all lines of files
// ([config.RepeatReceipt]), and told what searches left out, whether another one has seen that or not. Calls without a
// name, or with "", are one more conversation.
//
// A host that does not know whose call it is, such as that of a request without a session, adds advice: a sentence that
// says what to do so that it knows, or "". Then name is ignored, and the suite remembers nothing of what the call shows:
// every line of a file is new to it, each search tells what it left out, and job, which shows what is new, refuses to
// read on, with the advice. It can still list the jobs and send a signal.
//
// The suite remembers 256 positions of conversations in the output of jobs, those used last; where one was forgotten,
// job begins with the whole output again. It needs the job's file for that: without it, all share one position. Call
// [Suite.Forget] when a conversation has ended.
func WithConversation(ctx context.Context, name string, advice ...string) context.Context {
	if len(advice) > 0 {
		ctx, name = context.WithValue(ctx, adviceKey{}, strings.Join(advice, ". ")), nobody
	}
	return context.WithValue(ctx, readerKey{}, name)
}

const nobody = "\x00nobody"

// readerOf names the reader of a call: the model of a conversation.
func readerOf(ctx context.Context) string {
	name, _ := ctx.Value(readerKey{}).(string)
	return name
}

func adviceOf(ctx context.Context) string {
	advice, _ := ctx.Value(adviceKey{}).(string)
	return advice
}

// firstTime reports whether the reader hears a message for the first time, and notes that it did.
func firstTime(ctx context.Context, store *told.Store, m told.Message) bool {
	m.Reader = readerOf(ctx)
	switch {
	case m.Reader == nobody:
		return true
	case !store.First(m):
		return false
	}
	notesOf(ctx).add(note{undo: func() { store.Drop(m) }, kept: true})
	return true
}

// memory is what a suite remembers of its readers, and of the files that it showed them.
type memory struct {
	files seen.Store // the last known content of files, whoever saw it
	told  told.Store // what each reader was told: what searches left out, how to use a job, that a job ended

	// apart, in a program's view, is the memory of the suite, whose models' calls may enclose those of the view; nil
	// elsewhere.
	apart *memory

	receipts *receipt.Store // what each reader was shown of files; nil without receipts
}

func newMemory(cfg config.Config) *memory {
	m := new(memory)
	if cfg.Read.Repeat == config.RepeatReceipt {
		m.receipts = new(receipt.Store)
	}
	return m
}

// notes hold back records of what was shown until the result is delivered: an outer tool may still cut the text, or
// the context may end.
type notes struct {
	outer  *notes // of the enclosing call, or nil
	reader string
	opaque bool // the tool may keep what it reads to itself, as a sub-agent does

	mu   sync.Mutex
	list []note
}

type note struct {
	keep func() // records it
	undo func() // takes the record back
	kept bool   // it is recorded already
}

type notesKey struct{}

// holdNotes returns a context that holds back the notes of a call. The caller must settle them.
func holdNotes(ctx context.Context, opaque bool) (context.Context, *notes) {
	outer, _ := ctx.Value(notesKey{}).(*notes)
	n := &notes{outer: outer, reader: readerOf(ctx), opaque: opaque}
	if outer != nil && outer.reader == n.reader && outer.opaque {
		n.opaque = true
	}
	return context.WithValue(ctx, notesKey{}, n), n
}

// notesOf returns the notes that a call of the context's reader adds to, or nil. A conversation named since the notes
// were made is a different reader, to whom the call's own result goes.
func notesOf(ctx context.Context) *notes {
	n, _ := ctx.Value(notesKey{}).(*notes)
	if n == nil || n.reader != readerOf(ctx) {
		return nil
	}
	return n
}

// add holds notes back. With nil notes they are kept at once.
func (n *notes) add(more ...note) {
	if n == nil {
		keep(more)
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.list = append(n.list, more...)
}

func keep(list []note) {
	for i, one := range list {
		if !one.kept {
			one.keep()
			list[i].kept = true
		}
	}
}

// around returns the notes of the outermost call of the same reader, if calls for another reader lie between; else
// nil.
func (n *notes) around() *notes {
	if n == nil {
		return nil
	}
	found := n.outer
	for found != nil && found.reader == n.reader {
		found = found.outer
	}
	for found != nil && found.outer != nil && found.outer.reader == found.reader {
		found = found.outer
	}
	return found
}

// settle ends a call. If the result reaches its reader, the notes are kept, or passed on to the enclosing call; else
// they are undone.
func (n *notes) settle(arrives bool) {
	n.mu.Lock()
	list := n.list
	n.list = nil
	n.mu.Unlock()
	switch {
	case len(list) == 0:
	case arrives:
		if n.outer != nil && n.outer.reader != n.reader {
			keep(list)
		}
		n.outer.add(list...)
	default:
		for _, one := range list {
			if one.kept {
				one.undo()
			}
		}
	}
}

// remember is the hook that settles the notes of a call. The result of a call that failed, or whose context ended, may
// not reach the model.
func remember(ctx context.Context, c *call, next handler) reply {
	ctx, n := holdNotes(ctx, false)
	rep := next(ctx, c)
	n.settle(rep.err == nil && ctx.Err() == nil)
	return rep
}
