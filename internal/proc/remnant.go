package proc

import (
	"context"
	"sync"
)

// keep takes over what a call that exited left behind: processes, or just a writer of one
// of its pipes. It is forgotten as soon as both are gone. The pipes are drained, as a
// child that lives on must neither block nor die of SIGPIPE; what it writes is discarded,
// unless the command is Detached. That costs two goroutines that sleep, one more where
// stderr is apart, and a descriptor for each pipe and for a process.
func (g *Group) keep(p *Process) {
	ctx, unwatch := context.WithCancel(context.Background())
	p.unwatch = unwatch
	g.mu.Lock()
	g.remnants[p] = true
	g.mu.Unlock()

	var drained sync.WaitGroup
	for _, s := range p.streams {
		if !s.ended {
			drained.Go(func() {
				s.from.idle()
				if p.command.Detached && s.follow() != Exited {
					go p.end(true)
				}
				s.from.drain()
			})
		}
	}
	go func() {
		p.tree.watch(ctx)
		unwatch()
		drained.Wait()
		p.release()
		<-p.ended // no command is gone before it has ended
		close(p.gone)
		g.mu.Lock()
		delete(g.remnants, p)
		g.mu.Unlock()
	}()
	if p.command.Detached {
		go func() {
			select {
			case <-p.gone:
			case <-p.kill:
				p.end(false)
			}
		}()
	}
}

// follow goes on to copy after the shell has ended.
func (c *copier) follow() (reason Reason) {
	defer func() {
		if recover() != nil {
			reason = Canceled
		}
	}()
	return c.run()
}

// end ends what the group has taken over and waits until it is forgotten.
func (p *Process) end(gently bool) {
	p.ending.Do(func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		if !p.over {
			p.unwatch() // or watch looks around for every process that ends
			p.tree.end(gently)
			closeStreams(p.streams)
		}
	})
	<-p.gone
}
