package adaptertest

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
)

// Server is a model's API that gives the same answers to whatever it is asked,
// one after the other.
type Server struct {
	URL string

	server   *httptest.Server
	mu       sync.Mutex // of what follows
	answers  []string
	requests [][]byte
}

// NewServer starts a server. It must be closed.
func NewServer(answers ...string) *Server {
	s := &Server{answers: answers}
	s.server = httptest.NewServer(s)
	s.URL = s.server.URL
	return s
}

// Close ends the server.
func (s *Server) Close() { s.server.Close() }

// Requests are the bodies of the requests so far.
func (s *Server) Requests() [][]byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.requests
}

func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	s.mu.Lock()
	defer s.mu.Unlock()
	if err != nil || len(s.answers) == 0 {
		// No SDK tries again after this status, unlike after 500.
		http.Error(w, fmt.Sprintf("nothing is scripted for this request (%v)", err), http.StatusTeapot)
		return
	}
	s.requests = append(s.requests, body)
	w.Header().Set("Content-Type", "application/json")
	io.WriteString(w, s.answers[0])
	s.answers = s.answers[1:]
}
