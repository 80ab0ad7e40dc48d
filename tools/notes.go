package tools

import (
	"context"
	"sync"
)

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
