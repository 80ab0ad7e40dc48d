package egress

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"net"
	"net/http"
	"net/textproto"
	"strings"
	"sync/atomic"
	"time"

	"github.com/spillway-go/spillway/internal/hosts"
)

const (
	copyBuffer = 64 << 10
	largeBody  = 1 << 20 // bytes from which on the kernel copies a body
	maxInterim = 16      // responses 1xx before the one that counts
)

var (
	errForm  = fmt.Errorf("%w: a proxy takes requests of the form GET http://example.org/ only", errHead)
	errTwice = fmt.Errorf("%w: CONNECT must be the first request of its connection", errHead)
)

// errCut is the error for an answer that ends before its end. The client must see that.
var errCut = errors.New("the answer is cut")

// request serves a request of plain HTTP. net/http has read it, and what goes to the host is written anew from what it
// understood: nothing that two readers understand differently is passed on. Each request has a connection of its own to
// its host. That costs a round trip, and no answer can be taken for that to another request.
func (p *Proxy) request(w http.ResponseWriter, r *http.Request) {
	p.working.Add(1)
	defer p.working.Done()
	to, err := plainTarget(r)
	if err == nil {
		err = p.forward(w, r, to)
	}
	if err == errCut {
		panic(http.ErrAbortHandler)
	}
	if err != nil {
		code, text := status(err)
		w.Header().Set("Connection", "close")
		http.Error(w, text, code)
	}
}

func plainTarget(r *http.Request) (to hosts.Target, err error) {
	switch u := r.URL; {
	case r.Method == http.MethodConnect:
		return to, errTwice
	case u.Scheme != "http" || u.Opaque != "" || u.Host == "" || r.RequestURI == "*":
		return to, errForm
	}
	if to, err = hosts.ParseTarget(r.URL.Host, 80); err != nil {
		return to, &badHost{r.URL.Host, err}
	}
	return to, nil
}

// forward answers a request with the host's answer. An error means that nothing was answered yet.
func (p *Proxy) forward(w http.ResponseWriter, r *http.Request, to hosts.Target) error {
	out, err := p.reach(r.Context(), to)
	if err != nil {
		p.counts.failed(to, err)
		return err
	}
	defer out.Close()
	n := p.counts.took(to)
	if !p.keep(out) {
		p.counts.lost(n, net.ErrClosed)
		return net.ErrClosed
	}
	defer p.drop(out)
	defer context.AfterFunc(r.Context(), func() { out.Close() })()
	control := http.NewResponseController(w)
	_ = control.EnableFullDuplex() // the host may answer while the client sends
	upgrade := upgradeOf(r.Header)
	sender := bufio.NewWriter(out)
	req := outgoing(r, to, upgrade, &outBody{r.Body, sender, &n.sent})
	wrote := make(chan struct{})
	go func() {
		defer close(wrote)
		if req.Write(unread{sender}) == nil { // if it fails, the answer may have come already
			_ = sender.Flush()
		}
	}()
	limited := &io.LimitedReader{R: out}
	x := &exchange{out, limited, bufio.NewReaderSize(limited, 32<<10), upgrade, n, to, req.Body != nil, wrote}
	res, err := x.response(w, req)
	if err == nil {
		err = p.respond(w, res, x)
	}
	out.Close()
	if x.unsent() { // the host has answered before it has read the request
		if err == nil {
			_ = control.Flush()
		}
		_ = control.SetReadDeadline(time.Now()) // which ends the connection: see respond
	}
	<-wrote
	if err != nil {
		p.counts.lost(n, err)
	}
	return err
}

// hopHeaders are those that belong to a connection, not to what is passed on (RFC 9110, 7.6.1).
var hopHeaders = []string{"Connection", "Proxy-Connection", "Keep-Alive", "Proxy-Authenticate", "Proxy-Authorization",
	"Te", "Trailer", "Transfer-Encoding", "Upgrade"}

func removeHops(h http.Header) {
	for _, line := range h["Connection"] {
		for name := range strings.SplitSeq(line, ",") {
			h.Del(textproto.TrimString(name))
		}
	}
	for _, name := range hopHeaders {
		h.Del(name)
	}
}

// upgradeOf returns the protocol that a header changes to, or "".
func upgradeOf(h http.Header) string {
	for _, line := range h["Connection"] {
		for word := range strings.SplitSeq(line, ",") {
			if strings.EqualFold(textproto.TrimString(word), "upgrade") {
				return h.Get("Upgrade")
			}
		}
	}
	return ""
}

// outgoing returns the request for the host. Its Host is that of the URL.
func outgoing(r *http.Request, to hosts.Target, upgrade string, body io.ReadCloser) *http.Request {
	req := r.Clone(r.Context())
	req.URL.Scheme, req.URL.User, req.RequestURI = "http", nil, ""
	req.URL.Host = to.Dialled()
	if to.Port == 80 {
		req.URL.Host = strings.TrimSuffix(to.Dialled(), ":80")
	}
	req.Host = req.URL.Host
	req.Close = upgrade == ""
	removeHops(req.Header)
	req.Header.Del("Expect") // net/http answers it
	if upgrade != "" {
		req.Header.Set("Connection", "Upgrade")
		req.Header.Set("Upgrade", upgrade)
	}
	if _, ok := req.Header["User-Agent"]; !ok {
		req.Header.Set("User-Agent", "") // not Go's own
	}
	if req.Body = body; r.ContentLength == 0 {
		req.Body = nil
	}
	return req
}

// outBody is the body of a request. Before it waits for the client, what it has gets on its way.
type outBody struct {
	io.ReadCloser
	out *bufio.Writer
	n   *atomic.Int64
}

func (b *outBody) Read(p []byte) (int, error) {
	if err := b.out.Flush(); err != nil {
		return 0, err
	}
	n, err := b.ReadCloser.Read(p)
	b.n.Add(int64(n))
	return n, err
}

// unread is a buffer that does not read by itself, while which outBody could not flush it.
type unread struct{ to *bufio.Writer }

func (w unread) Write(p []byte) (int, error) { return w.to.Write(p) }
func (w unread) WriteByte(c byte) error      { return w.to.WriteByte(c) }

// exchange is the connection behind a request.
type exchange struct {
	out     net.Conn
	limit   *io.LimitedReader // of out
	buf     *bufio.Reader     // of limit
	upgrade string
	count   *count
	to      hosts.Target
	hasBody bool            // of the request
	wrote   <-chan struct{} // closed when the whole request was written
}

// unsent reports whether somebody may still read the body of the request.
func (x *exchange) unsent() bool {
	select {
	case <-x.wrote:
		return false
	default:
		return x.hasBody
	}
}

// response reads the answer, and passes on those before it.
func (x *exchange) response(w http.ResponseWriter, req *http.Request) (*http.Response, error) {
	for range maxInterim {
		x.limit.N = maxHead
		res, err := http.ReadResponse(x.buf, req)
		if err != nil {
			return nil, err
		}
		if res.StatusCode >= 200 || res.StatusCode == http.StatusSwitchingProtocols {
			x.limit.N = math.MaxInt64
			return res, nil
		}
		if res.StatusCode == http.StatusEarlyHints {
			removeHops(res.Header)
			maps.Copy(w.Header(), res.Header)
			w.WriteHeader(res.StatusCode)
			clear(w.Header())
		}
	}
	return nil, errors.New("too many answers before the one that counts")
}

// respond passes on an answer.
func (p *Proxy) respond(w http.ResponseWriter, res *http.Response, x *exchange) error {
	if res.StatusCode == http.StatusSwitchingProtocols {
		return p.switched(w, res, x)
	}
	removeHops(res.Header)
	if res.ContentLength >= largeBody && res.Request.Method != http.MethodHead && !x.unsent() {
		return large(w, res, x)
	}
	w.Header()["Content-Type"] = nil // if there is none, net/http would guess
	maps.Copy(w.Header(), res.Header)
	if x.unsent() {
		w.Header().Set("Connection", "close") // what is left of the body is no next request
	}
	w.WriteHeader(res.StatusCode)
	defer res.Body.Close()
	control := http.NewResponseController(w)
	chunk := make([]byte, copyBuffer)
	for {
		n, err := res.Body.Read(chunk)
		x.count.received.Add(int64(n))
		if _, werr := w.Write(chunk[:n]); werr != nil && res.Request.Method != http.MethodHead {
			return errCut
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			return errCut
		}
		if res.ContentLength < 0 {
			_ = control.Flush() // an event, which somebody waits for
		}
	}
	for name, values := range res.Trailer {
		w.Header()[http.TrailerPrefix+name] = values
	}
	return nil
}
