package proc

import "sync"

// remnant is what a call that exited left behind: processes, or just a writer of one
// of its pipes. It is forgotten as soon as both are gone.
type remnant struct {
	*Process
	ending sync.Once
}

// keep takes over the processes and the pipes of a call. The pipes are drained, as a
// child that lives on must neither block nor die of SIGPIPE; what it writes is discarded,
// unless the command is Detached. That costs two goroutines that sleep, one more where
// stderr is apart, and a descriptor for each pipe and for a process.
func (g *Group) keep(p *Process) {
	r := &remnant{Process: p}
	g.mu.Lock()
	g.remnants[r] = true
	g.mu.Unlock()

	var drained sync.WaitGroup
	for _, s := range p.streams {
		if !s.ended {
			drained.Go(func() {
				s.from.idle()
				if p.command.Detached && s.follow() != copyDone {
					go r.end(true)
				}
				s.from.drain()
			})
		}
	}
	go func() {
		p.tree.watch()
		drained.Wait()
		p.release()
		<-p.ended // no command is gone before it has ended
		close(p.gone)
		g.mu.Lock()
		delete(g.remnants, r)
		g.mu.Unlock()
	}()
	if p.command.Detached {
		go func() {
			select {
			case <-p.gone:
			case <-p.kill:
				r.end(false)
			}
		}()
	}
}

// follow goes on to copy after the shell has ended.
func (c *copier) follow() (end ending) {
	defer func() {
		if recover() != nil {
			end = copyAbandoned
		}
	}()
	return c.run()
}

// end ends the processes and waits until they are forgotten.
func (r *remnant) end(gently bool) {
	r.ending.Do(func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		if !r.over {
			r.tree.unwatch() // or it looks around for every process that ends
			r.tree.end(gently)
			closeStreams(r.streams)
		}
	})
	<-r.gone
}
