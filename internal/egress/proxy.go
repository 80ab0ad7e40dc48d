package egress

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/spillway-go/spillway/config"
)

const (
	headTime = 30 * time.Second // for the first bytes of a connection, and the header of a request
	keepTime = 2 * time.Minute  // between two requests of a connection
	maxHead  = 64 << 10         // bytes of a header of plain HTTP
	maxConns = 512              // connections of a command at a time; more wait

	// maxFirst is how much of a connection is looked at before any of it is passed on: a whole ClientHello, or the
	// header of a first request.
	maxFirst = 16 << 10
)

// Proxy serves one command. Make one with [Network.Proxy]. Nil serves nothing.
type Proxy struct {
	network *Network
	call    func() config.Call // that the command is; nil if nobody is asked about it
	counts  counts
	answers map[string]verdict // of Ask, for this command; guarded by network.mu, as asked
	asked   int                // questions so far

	start   sync.Once // of server
	server  *http.Server
	plain   queue // connections for server
	room    chan struct{}
	base    func() context.Context // ends with the command
	end     context.CancelFunc
	working sync.WaitGroup
	served  atomic.Bool   // Go was called
	closed  chan struct{} // closed when Close has ended everything
	closing sync.Once     // of closed

	mu   sync.Mutex
	open map[io.Closer]bool // listeners and connections; nil once the proxy is closed
}

// Proxy returns a proxy for a command that ends with ctx; nil of a nil network. call returns the call of the command,
// for a question; if it is nil, nobody is asked. Close the proxy if it was used.
func (n *Network) Proxy(ctx context.Context, call func() config.Call) *Proxy {
	if n == nil {
		return nil
	}
	ctx, cancel := context.WithCancel(ctx)
	p := &Proxy{
		network: n, call: call, answers: map[string]verdict{}, plain: queue{make(chan net.Conn), ctx.Done()},
		room: make(chan struct{}, maxConns), base: func() context.Context { return ctx }, end: cancel,
		open: map[io.Closer]bool{}, closed: make(chan struct{}),
	}
	p.server = &http.Server{
		Handler: http.HandlerFunc(p.request), ReadHeaderTimeout: headTime, IdleTimeout: keepTime, MaxHeaderBytes: maxHead,
		BaseContext: func(net.Listener) context.Context { return ctx }, ErrorLog: silent,
		DisableGeneralOptionsHandler: true,
		ConnState: func(_ net.Conn, state http.ConnState) {
			if state == http.StateClosed || state == http.StateHijacked {
				p.working.Done() // what connection added
			}
		},
	}
	return p
}

// Go serves listeners until all of them are closed, and then closes the proxy. It returns at once.
func (p *Proxy) Go(listeners ...net.Listener) {
	p.served.Store(true)
	var serving sync.WaitGroup
	for _, l := range listeners {
		serving.Go(func() { _ = p.Serve(l) })
	}
	go func() {
		serving.Wait()
		p.Close()
	}()
}

// Serve accepts connections, of HTTP and of SOCKS 5 alike, until the proxy is closed or accepting fails. It closes the
// listener.
func (p *Proxy) Serve(l net.Listener) error {
	if !p.keep(l) {
		l.Close()
		return net.ErrClosed
	}
	defer p.drop(l)
	defer l.Close()
	p.start.Do(func() { p.working.Go(func() { _ = p.server.Serve(p.plain) }) })
	for {
		select {
		case p.room <- struct{}{}:
		case <-p.base().Done():
			return net.ErrClosed
		}
		c, err := l.Accept()
		if err != nil {
			<-p.room
			var passing net.Error
			if errors.As(err, &passing) && passing.Timeout() {
				continue
			}
			return err
		}
		p.accepted(c)
	}
}

func (p *Proxy) accepted(c net.Conn) {
	in := &client{Conn: c, buf: bufio.NewReaderSize(c, maxFirst)}
	in.closed = func() {
		p.drop(in)
		<-p.room
	}
	if !p.keep(in) {
		in.Close()
		return
	}
	p.working.Go(func() { p.connection(in) })
}

// Snapshot returns what the command had to do with hosts so far.
func (p *Proxy) Snapshot() []config.HostUse {
	if p == nil {
		return nil
	}
	return p.counts.snapshot()
}

// Close ends all connections, and waits until nothing serves them any more.
func (p *Proxy) Close() {
	p.end()
	p.mu.Lock()
	open := p.open
	p.open = nil
	p.mu.Unlock()
	for c := range open {
		c.Close()
	}
	p.server.Close()
	p.working.Wait()
	p.closing.Do(func() { close(p.closed) })
}

// Settle waits until what [Proxy.Go] serves is closed and all of it is counted, but no longer than that.
func (p *Proxy) Settle(longest time.Duration) {
	if p == nil || !p.served.Load() {
		return
	}
	late := time.NewTimer(longest)
	defer late.Stop()
	select {
	case <-p.closed:
	case <-late.C:
	}
}

// keep says that Close closes c, unless it already has been called.
func (p *Proxy) keep(c io.Closer) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.open == nil {
		return false
	}
	p.open[c] = true
	return true
}

func (p *Proxy) drop(c io.Closer) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.open, c)
}

// connection serves a connection of the command, whatever it is.
func (p *Proxy) connection(in *client) {
	_ = in.SetReadDeadline(time.Now().Add(headTime))
	first, err := in.buf.Peek(1)
	if err != nil {
		in.Close()
		return
	}
	switch {
	case first[0] == socksVersion:
		defer in.Close()
		p.socks(in)
	case first[0] < 'A' || first[0] > 'Z':
		in.Close() // no method of HTTP starts so
	case isConnect(in.buf):
		defer in.Close()
		p.connect(in)
	default:
		_ = in.SetReadDeadline(time.Time{})
		p.working.Add(1)
		select {
		case p.plain.conns <- in: // the server says when it has done
		case <-p.base().Done():
			p.working.Done()
			in.Close()
		}
	}
}
