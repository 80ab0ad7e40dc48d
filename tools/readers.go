package tools

import (
	"context"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/receipt"
	"github.com/spillway-go/spillway/internal/seen"
	"github.com/spillway-go/spillway/internal/told"
)

type readerKey struct{}

// WithConversation returns a context for the calls of one of several conversations that share a suite, such as the
// sessions of a server or of sub-agents. Each is shown all that a job printed and all lines of files
// ([config.RepeatReceipt]), and told what searches left out, whether another one has seen that or not. Calls without a
// name, or with "", are one more conversation.
//
// The suite remembers 256 positions of conversations in the output of jobs, those used last; where one was forgotten,
// job begins with the whole output again. It needs the job's file for that: without it, all share one position. Call
// [Suite.ForgetConversation] when a conversation has ended.
func WithConversation(ctx context.Context, name string) context.Context {
	return context.WithValue(ctx, readerKey{}, name)
}

// nobody is the reader of calls whose conversation is not known.
const nobody = "\x00nobody"

type identifyKey struct{}

// WithoutConversation returns a context for calls whose conversation the host does not know, such as requests without a
// session. The suite remembers nothing of what they show: every line of a file is new to them, each search tells what it
// left out, and job, which shows what is new, refuses to read on. It can still list the jobs and send a signal. The
// refusal ends in identify, a sentence that says what to do so that the host knows; it may be "".
func WithoutConversation(ctx context.Context, identify string) context.Context {
	return context.WithValue(WithConversation(ctx, nobody), identifyKey{}, identify)
}

// readerOf returns the reader of the calls of ctx: the model of a conversation, by its name.
func readerOf(ctx context.Context) string {
	name, _ := ctx.Value(readerKey{}).(string)
	return name
}

// identifyOf says what to do so that the host knows who calls, or is "".
func identifyOf(ctx context.Context) string {
	identify, _ := ctx.Value(identifyKey{}).(string)
	return identify
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
