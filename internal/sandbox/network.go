package sandbox

import (
	"net"

	"github.com/spillway-go/spillway/internal/netns"
	"github.com/spillway-go/spillway/internal/proc"
)

// The ports of 127.0.0.1 in a command's own network where Serving serves. They are outside of the ranges from which
// systems choose a port, and no known service has them.
const (
	HTTPPort  = 61080
	SOCKSPort = 61081
)

// serving is a sandbox whose networks are served.
type serving struct {
	*Sandbox
	serve func(http, socks net.Listener)
}

// Serving returns the sandbox for commands whose network serve serves. serve is called before a command starts, with
// what listens at HTTPPort and SOCKSPort of the command's own network. It must return at once. When no process of the
// command is left, Accept returns [net.ErrClosed]; then serve's goroutines must close their connections, which keep the
// namespace. Without Policy.OwnNetwork serve is not called.
func (s *Sandbox) Serving(serve func(http, socks net.Listener)) proc.Sandbox {
	return &serving{s, serve}
}

// Network returns a network for a command, if it has one of its own.
func (s *serving) Network() (proc.Network, error) {
	if s.policy.Network || !s.policy.OwnNetwork {
		return nil, nil
	}
	n, err := netns.New(HTTPPort, SOCKSPort)
	if err != nil {
		return nil, err
	}
	s.serve(n.Listeners()[0], n.Listeners()[1])
	return n, nil
}

// Network returns a network for a command, in which nothing listens, if it has one of its own.
func (s *Sandbox) Network() (proc.Network, error) {
	if s.policy.Network || !s.policy.OwnNetwork {
		return nil, nil
	}
	n, err := netns.New()
	if err != nil {
		return nil, err // and no nil of a type
	}
	return n, nil
}
