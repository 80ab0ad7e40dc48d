// Package netns makes network namespaces for commands. A namespace has loopback and nothing else: no route, no other
// device, no abstract socket of the host. Servers of this process can listen inside it, and so connect it to what they
// choose.
//
// A namespace needs no program and leaves nothing behind. A child that shares this program's memory and descriptors
// makes it in a millisecond and ends. Where this program may not make network namespaces, the child makes a user
// namespace first, and a command is started by such a child as well, since only a process with a single thread can
// enter a user namespace.
package netns

import (
	"net"
	"os"
	"strings"
)

// Namespace is a network namespace. A nil one is the host's: its methods do nothing.
type Namespace struct {
	net       *os.File // the descriptor that keeps it
	user      *os.File // the user namespace that owns it, or nil if that is this program's own
	listeners []net.Listener
}

// Listeners returns what listens in the namespace, in the order of the ports that New was given.
func (n *Namespace) Listeners() []net.Listener {
	if n == nil {
		return nil
	}
	return n.listeners
}

// Close closes the listeners, so that Accept returns [net.ErrClosed], and lets go of the namespace, which ends with its
// last process and its last connection.
func (n *Namespace) Close() {
	if n == nil {
		return
	}
	for _, l := range n.listeners {
		l.Close() // a second time, it returns an error
	}
	n.net.Close()
	n.user.Close()
}

// NeedsStart reports whether a process can get into the namespace only by Start, not by Enter.
func (n *Namespace) NeedsStart() bool { return n != nil && n.user != nil }

// settings are the kernel's settings that keep programs without rights from making namespaces.
var settings = []struct{ name, value string }{
	{"kernel.unprivileged_userns_clone", "0"},
	{"user.max_user_namespaces", "0"},
	{"user.max_net_namespaces", "0"},
	{"kernel.apparmor_restrict_unprivileged_userns", "1"},
}

// Refusing returns the name and the value of the setting that keeps programs without rights from making namespaces, or
// "" if it finds none.
func Refusing() (name, value string) {
	for _, s := range settings {
		is, err := os.ReadFile("/proc/sys/" + strings.ReplaceAll(s.name, ".", "/"))
		if err == nil && strings.TrimSpace(string(is)) == s.value {
			return s.name, s.value
		}
	}
	return "", ""
}
