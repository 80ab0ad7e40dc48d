package proc

import "sync"

// remnant is what a call that exited left behind: processes, or just a writer of one
// of its pipes. It is forgotten as soon as both are gone.
type remnant struct {
	tree      *tree
	streams   []*copier
	ending    sync.Once
	forgotten chan struct{} // closed when nothing is left of it

	mu   sync.Mutex // held while processes are ended: their control group is not reused then
	gone bool       // tree is released
}

// keep takes over the processes and the pipes of a call. The pipes are drained, as a
// child that lives on must neither block nor die of SIGPIPE; what it writes is discarded.
// That costs two goroutines that sleep, one more where stderr is apart, and a descriptor
// for each pipe and for a process.
func (g *Group) keep(t *tree, streams []*copier) {
	r := &remnant{tree: t, streams: streams, forgotten: make(chan struct{})}
	g.mu.Lock()
	g.remnants[r] = true
	g.mu.Unlock()

	var drained sync.WaitGroup
	for _, s := range streams {
		if !s.ended {
			drained.Go(func() {
				s.from.idle()
				s.from.drain()
			})
		}
	}
	go func() {
		t.watch()
		drained.Wait()
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
	closeStreams(r.streams)
	r.tree.release()
}

// end ends the processes and waits until they are forgotten.
func (r *remnant) end() {
	r.ending.Do(func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		if !r.gone {
			r.tree.unwatch() // or it looks around for every process that ends
			r.tree.end()
			closeStreams(r.streams)
		}
	})
	<-r.forgotten
}
