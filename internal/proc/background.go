package proc

import (
	"context"
	"sync"
)

// keepBackground takes over what an exited call left behind: processes, or a writer of one of
// its pipes. It forgets the call as soon as both are gone. It drains the pipes, because a
// child that lives on must neither block nor die of SIGPIPE, and discards what it reads unless
// the command is Detached. That costs two sleeping goroutines, a third where stderr has its
// own pipe, and one descriptor for each pipe and each process.
func (g *Group) keepBackground(p *Process) {
	ctx, unwatch := context.WithCancel(context.Background())
	p.unwatch = unwatch
	g.mu.Lock()
	g.background[p] = true
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
		<-p.ended // a command must not be gone before it has ended
		close(p.gone)
		g.mu.Lock()
		delete(g.background, p)
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

// follow keeps copying after the shell has ended.
func (c *copier) follow() (reason Reason) {
	defer func() {
		if recover() != nil {
			reason = Canceled
		}
	}()
	return c.run()
}

// end ends what the group has taken over and waits until it is gone.
func (p *Process) end(gently bool) {
	p.ending.Do(func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		if !p.released {
			p.unwatch() // or watch scans again for every process that ends
			p.tree.end(gently)
			closeStreams(p.streams)
		}
	})
	<-p.gone
}
