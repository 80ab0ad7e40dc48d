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

// maxHosts is how many hosts are counted apart. All others are one, without a name.
const maxHosts = 100

// counts is what a command had to do with hosts. It is safe for concurrent use.
type counts struct {
	mu    sync.Mutex
	hosts map[string]*count
	order []string
}

type count struct {
	config.HostUse
	sent, received atomic.Int64
}

// of returns what to count a target's bytes in.
func (c *counts) of(to hosts.Target) *count {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.named(to.String())
}

func (c *counts) named(name string) *count {
	if c.hosts == nil {
		c.hosts = map[string]*count{}
	}
	if c.hosts[name] == nil && len(c.hosts) >= maxHosts {
		name = ""
	}
	if c.hosts[name] == nil {
		c.hosts[name] = &count{HostUse: config.HostUse{Host: name}}
		c.order = append(c.order, name)
	}
	return c.hosts[name]
}

// done counts a request or connection that ended so.
func (c *counts) done(to hosts.Target, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	h := c.named(to.String())
	var refusal *Refusal
	switch {
	case errors.As(err, &refusal):
		h.Refused++
		h.Reason = string(refusal.Reason)
	case err != nil:
		h.Failed++
	default:
		h.Requests++
	}
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
