package egress

import (
	"cmp"
	"errors"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/hosts"
	"github.com/spillway-go/spillway/internal/notice"
)

// maxHosts is how many hosts that may be reached are counted apart, and how many that are refused: names that are
// refused do not hide one that was reached. All others are one, without a name.
const maxHosts = 100

// counts is what a command had to do with hosts. It is safe for concurrent use.
type counts struct {
	mu    sync.Mutex
	hosts map[string]*count
	order []string
	held  [2]int // hosts of each room
}

type count struct {
	config.HostUse
	sent, received atomic.Int64
	room           room
}

// room is that of the hosts that are counted apart.
type room int

const (
	refused room = iota // never allowed so far
	allowed
)

// in returns what counts a host. One that was refused before moves to the room of those that are allowed.
func (c *counts) in(to hosts.Target, r room) *count {
	name := to.String()
	h := c.hosts[name]
	switch full := c.held[r] >= maxHosts; {
	case h != nil && (h.room >= r || full):
		return h
	case h != nil:
		c.held[h.room]--
	case full:
		name = ""
		if h = c.hosts[name]; h != nil {
			return h
		}
	}
	if h == nil {
		h = &count{HostUse: config.HostUse{Host: name}}
		if c.hosts == nil {
			c.hosts = map[string]*count{}
		}
		c.hosts[name] = h
		c.order = append(c.order, name)
	}
	if name != "" {
		h.room = r
		c.held[r]++
	}
	return h
}

// took counts a request or connection that a host took, and returns what its bytes are counted in.
func (c *counts) took(to hosts.Target) *count {
	c.mu.Lock()
	defer c.mu.Unlock()
	h := c.in(to, allowed)
	h.Requests++
	return h
}

// failed counts a request or connection that no host took.
func (c *counts) failed(to hosts.Target, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	r := allowed
	if _, ok := errors.AsType[*Refusal](err); ok {
		r = refused
	}
	c.in(to, r).fail(err)
}

// lost counts one that took has counted as one that failed after all.
func (c *counts) lost(h *count, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	h.Requests--
	h.fail(err)
}

func (h *count) fail(err error) {
	if refusal, ok := errors.AsType[*Refusal](err); ok {
		h.Refused++
		h.Reason = string(refusal.Reason)
		return
	}
	h.Failed++
}

// snapshot returns the hosts in the order in which they were first asked for.
func (c *counts) snapshot() (list []config.HostUse) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, name := range c.order {
		h := c.hosts[name]
		now := h.HostUse
		now.Sent, now.Received = h.sent.Load(), h.received.Load()
		list = append(list, now)
	}
	// The one without a name is last.
	slices.SortStableFunc(list, func(a, b config.HostUse) int {
		return cmp.Compare(btoi(a.Host == ""), btoi(b.Host == ""))
	})
	return list
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// Refusals returns a notice for each reason for which hosts were refused.
func Refusals(uses []config.HostUse) (notices []notice.Notice) {
	for _, reason := range []Reason{NotListed, IsPrivate, NeverReached, OtherName} {
		var names []string
		for _, u := range uses {
			if u.Reason == string(reason) && u.Host != "" {
				names = append(names, u.Host)
			}
		}
		if len(names) > 0 {
			notices = append(notices, reason.Notice(names...))
		}
	}
	return notices
}
