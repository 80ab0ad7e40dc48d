package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/spillway-go/spillway/tools"
)

const (
	path = "/mcp" // of the one address that is served

	headerTime  = 10 * time.Second // that a client may take to send the headers of a request
	bodyTime    = time.Minute      // and the rest of it
	idleTime    = 2 * time.Minute  // that a connection without a request stays open
	headerBytes = 64 << 10
	sessionTime = 24 * time.Hour // that a session without a request is kept
	maxSessions = 1000           // of about 13 KiB; for one more, one that is not in use is ended
	maxAlone    = 1000           // requests without a session that are served at once; one more is refused
)

// sessionless is the first revision of the protocol without sessions. Each of its requests stands alone.
const sessionless = "2026-07-28"

// endpoint is where HTTP is served, and to whom.
type endpoint struct {
	listener net.Listener
	token    string
	stderr   io.Writer
}

// openEndpoint listens, and says on stderr where. Without a token it makes one, and says
// what that is.
func openEndpoint(addr, token string, stderr io.Writer) (*endpoint, error) {
	isNew := token == ""
	if isNew {
		token = rand.Text()
	}
	listener, err := listen(addr)
	if err != nil {
		return nil, err
	}
	fmt.Fprintf(stderr, "spillway: serving http://%s%s\n", listener.Addr(), path)
	if isNew {
		fmt.Fprintf(stderr, "spillway: clients need the header: Authorization: Bearer %s\n", token)
	}
	return &endpoint{listener, token, stderr}, nil
}

// listen listens at an address of this machine alone. There is no flag for others:
// who has the token can run commands, and HTTP shows it to everyone on the way.
func listen(addr string) (net.Listener, error) {
	tcp, err := net.ResolveTCPAddr("tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("-http %s: %w. Give a host and a port, as 127.0.0.1:8080", addr, err)
	}
	if !tcp.IP.IsLoopback() {
		return nil, fmt.Errorf("-http %s: other machines could reach this address. "+
			"Use 127.0.0.1:%d, and from elsewhere a tunnel, as ssh -L gives it", addr, tcp.Port)
	}
	listener, err := net.ListenTCP("tcp", tcp)
	if err != nil {
		return nil, fmt.Errorf("-http %s: %w", addr, err)
	}
	return listener, nil
}

// serve serves all clients, from one suite, until ctx ends.
func (e *endpoint) serve(ctx context.Context, suite *tools.Suite, server *mcp.Server) error {
	web := &http.Server{
		Handler:           guarded(server, e.token, limits{bodyTime, maxAlone}),
		ReadHeaderTimeout: headerTime,
		IdleTimeout:       idleTime,
		MaxHeaderBytes:    headerBytes,
		ErrorLog:          log.New(e.stderr, "spillway: ", 0),
	}
	ended := make(chan error, 1)
	go func() { ended <- web.Serve(e.listener) }()
	select {
	case err := <-ended:
		return fmt.Errorf("serving HTTP: %w", err)
	case <-ctx.Done():
	}
	err := suite.Close() // first: the calls that are running end by it, and can still be answered
	over, cancel := context.WithTimeout(context.Background(), grace)
	defer cancel()
	go func() {
		for session := range server.Sessions() {
			session.Close() // and with it the stream that a client holds open
		}
	}()
	if web.Shutdown(over) != nil {
		return errors.Join(err, web.Close())
	}
	return err
}

// limits are for all clients together, and for each.
type limits struct {
	body  time.Duration // that a request may take to arrive
	alone int           // requests without a session that are served at once
}

// guarded is the server's handler behind all that keeps others out: pages of a web
// site that a browser has open, and programs of other users, who reach this address
// too.
func guarded(server *mcp.Server, token string, most limits) http.Handler {
	get := func(*http.Request) *mcp.Server { return server }
	sessions := mcp.NewStreamableHTTPHandler(get,
		&mcp.StreamableHTTPOptions{SessionTimeout: sessionTime, MaxRequestBodyBytes: maxMessage})
	// There a client that closes its connection cancels its call.
	alone := mcp.NewStreamableHTTPHandler(get,
		&mcp.StreamableHTTPOptions{Stateless: true, PropagateRequestCancellation: true, MaxRequestBodyBytes: maxMessage})
	running := newCalls(server)
	server.AddReceivingMiddleware(running.watch)
	handler := byRevision(whole(running.serve(sessions)), atMost(most.alone, whole(alone)))
	options := &auth.RequireBearerTokenOptions{AllowMissingExpiration: true}
	handler = auth.RequireBearerToken(verifier(token), options)(challenge(handler, false))
	mux := http.NewServeMux()
	mux.Handle(path, challenge(handler, true))
	return inTime(ownHost(sameOrigin(mux)), most.body)
}

// byRevision has requests of the revisions without sessions served by alone.
func byRevision(sessions, alone http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Mcp-Protocol-Version") >= sessionless {
			alone.ServeHTTP(w, r)
			return
		}
		sessions.ServeHTTP(w, r)
	})
}

// atMost refuses requests while so many are served.
func atMost(most int, next http.Handler) http.Handler {
	free := make(chan struct{}, most)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		select {
		case free <- struct{}{}:
			defer func() { <-free }()
			next.ServeHTTP(w, r)
		default:
			w.Header().Set("Retry-After", "1")
			http.Error(w, fmt.Sprintf("%d requests are served already, as many as can be: try again when one has ended", most),
				http.StatusServiceUnavailable)
		}
	})
}

// inTime closes the connection of a client that takes too long to send the body of a
// request, also of one that is refused: net/http waits for a little of it then.
func inTime(next http.Handler, bodyTime time.Duration) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(bodyTime)) // a server's own writer can
		next.ServeHTTP(w, r)
	})
}

// whole reads the body, for which the time is up to inTime. From then on there is no
// limit: a call may run, and a stream be open, for as long as it likes.
func whole(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxMessage))
		var tooLarge *http.MaxBytesError
		if errors.As(err, &tooLarge) {
			http.Error(w, fmt.Sprintf("the request is larger than %d MiB", maxMessage>>20), http.StatusRequestEntityTooLarge)
			return
		}
		if err != nil {
			http.Error(w, "the request has not come whole: "+err.Error(), http.StatusRequestTimeout)
			return
		}
		_ = http.NewResponseController(w).SetReadDeadline(time.Time{})
		if _, refused := sift(body); len(refused) > 0 { // of a batch, all of it
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusBadRequest)
			_ = json.NewEncoder(w).Encode(refused[0]) // a client that is gone needs no answer
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		next.ServeHTTP(w, r)
	})
}

// challenge says in the answer that a token is needed, or takes that back: the SDK
// says so only where there is a server that gives tokens out.
func challenge(next http.Handler, on bool) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Del("WWW-Authenticate")
		if on {
			w.Header().Set("WWW-Authenticate", `Bearer realm="spillway"`)
		}
		next.ServeHTTP(w, r)
	})
}

// ownHost refuses requests whose Host is not this machine: those of a page whose name was
// made to lead here, and which a browser takes for one of this server's own.
func ownHost(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host := (&url.URL{Host: r.Host}).Hostname()
		if ip := net.ParseIP(host); !strings.EqualFold(host, "localhost") && (ip == nil || !ip.IsLoopback()) {
			http.Error(w, fmt.Sprintf("Forbidden: the Host %q is not this machine", r.Host), http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// sameOrigin refuses what a page of another origin asks a browser for.
func sameOrigin(next http.Handler) http.Handler {
	protection := http.NewCrossOriginProtection()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// A GET opens a stream here, and is checked like a POST.
		post := *r
		post.Method = http.MethodPost
		if err := protection.Check(&post); err != nil {
			http.Error(w, "Forbidden: "+err.Error(), http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	})
}
