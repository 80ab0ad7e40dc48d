package egress

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"sync/atomic"
	"time"

	"github.com/spillway-go/spillway/internal/hosts"
)

const (
	helloTime = 10 * time.Second // for a ClientHello or a header, from its first byte on
	restTime  = 5 * time.Minute  // that one side may be silent after the other has ended
	piece     = 256 << 10        // bytes that are counted at a time
)

// through connects a client to a target, answers whether that was done, and then passes on whatever both say.
func (p *Proxy) through(in *client, to hosts.Target, answer func(io.Writer, error) error) {
	out, err := p.reachFor(in, to)
	if err != nil {
		p.counts.failed(to, err)
		_ = answer(in, err)
		return
	}
	n := p.counts.took(to)
	if answer(in, nil) != nil {
		out.Close()
		return
	}
	p.tunnel(in, out, to, n)
}

// tunnel passes bytes on between a client and a host, both ways, until both sides have ended. It closes out. What the
// client says first is passed on only when it names no other host. n has counted the connection. There is no limit to
// how long both may be silent: programs wait for events so, and the end of the command is the end of the connection.
func (p *Proxy) tunnel(in *client, out net.Conn, to hosts.Target, n *count) {
	defer out.Close()
	if !p.keep(out) {
		return // the command has ended meanwhile; the host was connected to all the same
	}
	defer p.drop(out)
	from, back := &way{dst: out, src: in.Conn, n: &n.sent}, &way{dst: in.Conn, src: out, n: &n.received}
	from.other, back.other = back, from
	done := make(chan struct{})
	go func() {
		defer close(done)
		back.pass()
	}()
	err := p.first(in, out, to, &n.sent)
	if err == nil {
		from.pass()
	} else {
		p.counts.lost(n, err) // before the client, and with it the command, may end
		in.Conn.Close()
		out.Close()
	}
	<-done
}

// first passes on what the client says first, if it agrees with the target.
func (p *Proxy) first(in *client, out net.Conn, to hosts.Target, n *atomic.Int64) error {
	_ = in.SetReadDeadline(time.Time{})
	name, err := innerName(in.buf, func() { _ = in.SetReadDeadline(time.Now().Add(helloTime)) })
	_ = in.SetReadDeadline(time.Time{})
	switch {
	case errors.Is(err, errHead), err == nil && !p.network.agrees(name, to):
		return &Refusal{to, OtherName}
	case err == io.EOF:
		return nil // it listens
	case err != nil:
		return nil // the way itself will tell
	}
	for in.buf.Buffered() > 0 {
		text, _ := in.buf.Peek(in.buf.Buffered())
		m, err := out.Write(text)
		n.Add(int64(m))
		if err != nil {
			return nil
		}
		_, _ = in.buf.Discard(m)
	}
	return nil
}

// way is one direction of a tunnel.
type way struct {
	dst, src net.Conn
	n        *atomic.Int64
	other    *way
	last     atomic.Bool // the other one has ended
}

// pass passes on bytes until the source ends. Between two connections of TCP the kernel does that, by splice.
func (w *way) pass() {
	for {
		if w.last.Load() {
			_ = w.src.SetReadDeadline(time.Now().Add(restTime))
		}
		m, err := io.CopyN(w.dst, w.src, piece)
		w.n.Add(m)
		switch {
		case err == nil, m > 0 && errors.Is(err, os.ErrDeadlineExceeded):
		case err == io.EOF && closeWrite(w.dst) == nil:
			w.other.last.Store(true)
			_ = w.other.src.SetReadDeadline(time.Now().Add(restTime))
			return
		default:
			w.dst.Close()
			w.src.Close()
			return
		}
	}
}

func closeWrite(c net.Conn) error {
	if half, ok := c.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return errors.ErrUnsupported
}

// reach allows a target and connects to it.
func (p *Proxy) reach(ctx context.Context, to hosts.Target) (net.Conn, error) {
	if err := p.allow(ctx, to); err != nil {
		return nil, err
	}
	return p.network.dial(ctx, to)
}

// reachFor is reach for a client that may go meanwhile. One that has said all, and may wait for the answer, looks like
// one that has gone: it is connected, but nobody is asked for it any more.
func (p *Proxy) reachFor(in *client, to hosts.Target) (net.Conn, error) {
	open, asking, stop := whileOpen(p.base(), in)
	defer stop()
	if err := p.allow(asking, to); err != nil {
		return nil, err
	}
	return p.network.dial(open, to)
}

// whileOpen returns contexts that end when the client goes, too: both if its connection fails, and asking also if it
// sends no more. stop ends them, and what the client said meanwhile stays in its buffer.
func whileOpen(ctx context.Context, in *client) (open, asking context.Context, stop func()) {
	open, cancel := context.WithCancel(ctx)
	asking, take := context.WithCancel(open)
	peeked := make(chan struct{})
	go func() {
		defer close(peeked)
		switch _, err := in.buf.Peek(in.buf.Buffered() + 1); {
		case err == nil, errors.Is(err, os.ErrDeadlineExceeded), errors.Is(err, errFull):
		case err == io.EOF:
			take()
		default:
			cancel()
		}
	}()
	return open, asking, func() {
		_ = in.SetReadDeadline(time.Unix(1, 0))
		<-peeked
		_ = in.SetReadDeadline(time.Time{})
		take()
		cancel()
	}
}
