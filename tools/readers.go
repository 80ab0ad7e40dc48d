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

// nobody is the reader of calls whose conversation is not known.
const nobody = "\x00nobody"

// readerOf returns the reader of the calls of ctx: the model of a conversation, by its name.
func readerOf(ctx context.Context) string {
	name, _ := ctx.Value(readerKey{}).(string)
	return name
}

// adviceOf says what to do so that the host knows who calls, or is "".
func adviceOf(ctx context.Context) string {
	advice, _ := ctx.Value(adviceKey{}).(string)
	return advice
}

// firstTime notes that the reader of ctx is told a message, and reports whether that is the first time.
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
	files seen.Store // what was last shown or written of files, to whomever
	told  told.Store // what each reader was told: what searches left out, how to use a job, and that one has ended

	// apart is that of the suite that the view of a program belongs to, which calls of its models may run; nil elsewhere.
	apart *memory

	receipts *receipt.Store // what was shown of files to each reader; nil if nothing of that is remembered
}

// newMemory returns the memory of a suite, which knows nothing yet.
func newMemory(cfg config.Config) *memory {
	m := new(memory)
	if cfg.Read.Repeat == config.RepeatReceipt {
		m.receipts = new(receipt.Store)
	}
	return m
}

// notes hold what is to be remembered of what a call shows, until it is known whether its reader gets that: the text may
// still be cut by a tool that bounds another one, or lost with the end of the context.
type notes struct {
	outer  *notes // those of the call in whose context this one was made, or nil
	reader string
	opaque bool // the tool that is called need not hand on what it reads: it may be a sub-agent

	mu   sync.Mutex
	list []note
}

// note is one thing that was shown.
type note struct {
	keep func() // remembers it
	undo func() // takes that back
	kept bool   // it is remembered already
}

type notesKey struct{}

// holdNotes returns a context for a call whose notes are held. Whoever holds them settles them.
func holdNotes(ctx context.Context, opaque bool) (context.Context, *notes) {
	outer, _ := ctx.Value(notesKey{}).(*notes)
	n := &notes{outer: outer, reader: readerOf(ctx), opaque: opaque}
	if outer != nil && outer.reader == n.reader && outer.opaque {
		n.opaque = true
	}
	return context.WithValue(ctx, notesKey{}, n), n
}

// notesOf returns what holds the notes of a call for the reader of ctx, or nil. A reader that was named since is another
// one: it gets the result of the call itself.
func notesOf(ctx context.Context) *notes {
	n, _ := ctx.Value(notesKey{}).(*notes)
	if n == nil || n.reader != readerOf(ctx) {
		return nil
	}
	return n
}

// add holds notes. If nobody does, they are kept at once.
func (n *notes) add(more ...note) {
	if n == nil {
		keep(more)
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.list = append(n.list, more...)
}

// keep remembers what was noted.
func keep(list []note) {
	for i, one := range list {
		if !one.kept {
			one.keep()
			list[i].kept = true
		}
	}
}

// around returns the notes of the outermost call of the reader in whose call this one was made for another reader, or nil.
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

// settle ends a call. If its reader gets what it shows, the notes are kept, or held by the call around it until that is
// settled; else they are undone.
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

// remember is the hook that settles the notes of a call. What is said in one that failed, or after the end of its
// context, need not arrive.
func remember(ctx context.Context, c *call, next handler) reply {
	ctx, n := holdNotes(ctx, false)
	rep := next(ctx, c)
	n.settle(rep.err == nil && ctx.Err() == nil)
	return rep
}
