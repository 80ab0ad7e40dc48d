// Package egress lets the commands of a suite reach the hosts that a list names, through proxies that this process
// serves.
//
// A [Network] has the list, and what somebody was asked about it. A [Proxy] of it serves one command, as a proxy of
// HTTP and of SOCKS 5, on listeners that only this command can reach.
package egress

import (
	"context"
	"net"
	"net/netip"
	"sync"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/hosts"
	"github.com/spillway-go/spillway/internal/notice"
)

// Answer is what somebody says about a host that no list has.
type Answer int

// The answers.
const (
	No      Answer = iota // not for this command
	Once                  // for this command
	Session               // for all commands of the network
)

// Options of a [Network].
type Options struct {
	Hosts hosts.List // what may be reached if it is on the internet
	// Private names what may be reached even if it is this host or one near it. What it names needs no entry in Hosts.
	Private hosts.List
	// Ask asks about a target that no list has, which a call wants to reach. It is called once at a time for a host, and
	// 20 times for a command. No is the answer for all ports of the host; any other is for the target, of which the
	// ports 80 and 443 are one. The context has the values of that of the command, and ends with it. Nil refuses the
	// target, and so does an error.
	Ask func(ctx context.Context, to hosts.Target, call config.Call) (Answer, error)

	Resolve func(ctx context.Context, name string) ([]netip.Addr, error)   // nil asks the system
	Dial    func(ctx context.Context, to netip.AddrPort) (net.Conn, error) // nil dials TCP
	Own     func() ([]netip.Prefix, error)                                 // this host's networks; nil asks the system
}

// Network is what the commands of a suite may reach.
type Network struct {
	options Options

	mu      sync.Mutex
	session map[string]bool          // allowed for the session, by what a list would have
	asking  map[string]chan struct{} // by host; holds a value while somebody is asked
}

const (
	maxAnswers   = 4096 // targets that a network remembers answers for
	maxQuestions = 20   // that are asked for a command; what it wants to reach then is refused
)

// New returns a network.
func New(options Options) *Network {
	if options.Resolve == nil {
		options.Resolve = resolve
	}
	if options.Dial == nil {
		options.Dial = dialTCP
	}
	if options.Own == nil {
		options.Own = ownNetworks
	}
	return &Network{options: options, session: map[string]bool{}, asking: map[string]chan struct{}{}}
}

// Reason says why a target is refused.
type Reason string

// The reasons.
const (
	NotListed    Reason = "not on the list"
	IsPrivate    Reason = "a private address"
	NeverReached Reason = "an address that no command may reach"
	OtherName    Reason = "another name inside the connection"
)

// Refusal is the error for a target that may not be reached.
type Refusal struct {
	Target hosts.Target
	Reason Reason
}

// Error returns the sentence that a model reads.
func (r *Refusal) Error() string { return string(r.Reason.Notice(r.Target.String())) }

// Notice returns the sentence that says so of hosts.
func (r Reason) Notice(hosts ...string) notice.Notice {
	switch r {
	case NotListed:
		return notice.HostsRefused(hosts, "Bash.Hosts", "")
	case IsPrivate:
		return notice.HostsRefused(hosts, "Bash.PrivateHosts", string(r))
	}
	return notice.HostsRefused(hosts, "", string(r))
}

// allow returns a [*Refusal] if a command may not reach a target, before its name is looked up: a name that is not on
// the list is asked of nobody, as looking it up would tell whoever serves it.
func (p *Proxy) allow(ctx context.Context, to hosts.Target) error {
	n := p.network
	if n.options.Hosts.Has(to) || n.options.Private.Has(to) {
		return nil
	}
	refusal := &Refusal{to, NotListed}
	if n.options.Ask == nil || p.call == nil {
		return refusal
	}
	if to.Addr.IsValid() {
		if _, err := n.checked(to, []netip.Addr{to.Addr}); err != nil {
			return err // no answer would help
		}
	}
	done, err := n.alone(ctx, to.Host)
	if err != nil {
		return err
	}
	defer done()
	switch p.verdict(to) {
	case yes:
		return nil
	case no:
		return refusal
	}
	answer, err := n.options.Ask(ctx, to, p.call())
	if err == nil || ctx.Err() == nil { // else the question was taken back
		p.answer(to, answer, err)
	}
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil, answer == No:
		return refusal
	}
	return nil
}

// alone waits until nobody else is asked about a host.
func (n *Network) alone(ctx context.Context, to hosts.Host) (done func(), err error) {
	n.mu.Lock()
	gate := n.asking[to.String()]
	if gate == nil {
		if len(n.asking) >= maxAnswers {
			clear(n.asking) // who waits keeps his gate
		}
		gate = make(chan struct{}, 1)
		n.asking[to.String()] = gate
	}
	n.mu.Unlock()
	select {
	case gate <- struct{}{}:
		return func() { <-gate }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// verdict is what is known of a target before somebody is asked.
type verdict int

const (
	ask verdict = iota
	yes
	no
)

// verdict returns what was said about a target, or ask, and counts the question.
func (p *Proxy) verdict(to hosts.Target) verdict {
	p.network.mu.Lock()
	defer p.network.mu.Unlock()
	switch {
	case p.network.session[to.String()], p.answers[to.String()] == yes:
		return yes
	case p.answers[anyPort(to)] == no, p.asked >= maxQuestions:
		return no
	}
	p.asked++
	return ask
}

// anyPort names all ports of a target's host.
func anyPort(to hosts.Target) string { return to.Host.String() + ":*" }

// answer remembers what was said about a target, for this command at least.
func (p *Proxy) answer(to hosts.Target, answer Answer, err error) {
	p.network.mu.Lock()
	defer p.network.mu.Unlock()
	switch {
	case err != nil || answer == No:
		p.answers[anyPort(to)] = no
		return
	case answer == Session && len(p.network.session) < maxAnswers:
		p.network.session[to.String()] = true
	}
	p.answers[to.String()] = yes
}
