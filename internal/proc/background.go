package proc

import (
	"context"
	"sync"
)

// keepBackground keeps an exited call in g.background until none of its processes and no writer of its pipes is left.
// It keeps reading the pipes, so that a child neither blocks nor dies of SIGPIPE, and discards what it reads unless
// the command is Detached. That costs three sleeping goroutines, a fourth if stderr has its own pipe, and one
// descriptor for each pipe and each process.
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
				detached := copier{from: s.from, to: s.to, left: s.left} // Wait reads s
				if p.command.Detached && detached.run() != Exited {
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
		p.ProcessLimit() // before the release, after which it cannot be asked
		p.release()
		<-p.ended // Gone comes after Ended
		close(p.gone)
		g.mu.Lock()
		delete(g.background, p)
		g.mu.Unlock()
	}()
	kill := p.kill
	if !p.command.Detached {
		kill = nil
	}
	go func() {
		select {
		case <-p.gone:
			return
		case <-kill:
		case <-p.excess:
		}
		p.end(false)
	}()
}

func (p *Process) EndLeft() {
	<-p.ended
	p.end(false)
}

func (p *Process) end(gently bool) {
	p.ending.Do(func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		if !p.released {
			p.unwatch() // otherwise watch would scan again for every process that ends
			p.tree.end(gently)
			closeStreams(p.streams)
		}
	})
	<-p.gone
}
