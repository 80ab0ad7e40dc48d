package proc

import "sync"

// remnant is what a call that exited left behind: processes, or just a writer of its
// pipe. It is forgotten as soon as both are gone.
type remnant struct {
	tree      *tree
	from      *pipe
	ending    sync.Once
	forgotten chan struct{} // closed when nothing is left of it

	mu   sync.Mutex // held while processes are ended: their control group is not reused then
	gone bool       // tree is released
}

// keep takes over the processes and the pipe of a call. The pipe is drained, as a child
// that lives on must neither block nor die of SIGPIPE; what it writes is discarded.
// That costs two goroutines that sleep, a descriptor for the pipe and one for a process.
func (g *Group) keep(t *tree, from *pipe, ended bool) {
	r := &remnant{tree: t, from: from, forgotten: make(chan struct{})}
	g.mu.Lock()
	g.remnants[r] = true
	g.mu.Unlock()

	drained := make(chan struct{})
	go func() {
		defer close(drained)
		if !ended {
			from.idle()
			from.drain()
		}
	}()
	go func() {
		t.watch()
		<-drained
		r.release()
		g.mu.Lock()
		delete(g.remnants, r)
		g.mu.Unlock()
		close(r.forgotten)
	}()
}

func (r *remnant) release() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.gone = true
	r.from.Close()
	r.tree.release()
}

// end ends the processes and waits until they are forgotten.
func (r *remnant) end() {
	r.ending.Do(func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		if !r.gone {
			r.tree.end()
			r.tree.unwatch()
			r.from.Close()
		}
	})
	<-r.forgotten
}
