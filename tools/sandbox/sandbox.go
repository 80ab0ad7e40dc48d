// Package sandbox confines the commands of a suite, on Linux: Landlock or bubblewrap keep them from writing outside of
// the workspace, and with Bash.Hosts they reach the hosts that it names and no others. Hand [Part] to tools.New; the
// options that need it begin to work then, of which [config.Bash.Sandbox] is the first.
//
// It adds about 4.2 MB to a program, net/http among them. It does not confine the other tools, which keep to the workspace
// by themselves. docs/sandbox.md has what is and what is not prevented.
package sandbox

import (
	"context"
	"fmt"
	"net"
	"strconv"
	"time"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/egress"
	"github.com/spillway-go/spillway/internal/hosts"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/part"
	"github.com/spillway-go/spillway/internal/proc"
	"github.com/spillway-go/spillway/internal/sandbox"
	"github.com/spillway-go/spillway/tools"
)

// Part returns the part, for tools.New.
func Part() tools.Part {
	return tools.Part{Path: "tools/sandbox", Check: check, Confine: confine}
}

// settleTraffic is how long the end of a command waits at most for the end of its connections, whose bytes are counted
// then. It takes about a millisecond unless a process is left that holds the network.
const settleTraffic = 100 * time.Millisecond

// check returns what is refused of the lists of hosts.
func check(cfg config.Config) (refused []*config.OptionError) {
	refuse := func(option, value, want string) {
		_, source, _ := cfg.Lookup(option)
		refused = append(refused, &config.OptionError{Option: option, Value: value, Want: want, Source: source})
	}
	for _, list := range []struct {
		option  string
		entries []string
	}{{"Bash.Hosts", cfg.Bash.Hosts}, {"Bash.PrivateHosts", cfg.Bash.PrivateHosts}} {
		if _, bad, err := hosts.ParseList(list.entries); err != nil {
			refuse(list.option, strconv.Quote(bad), fmt.Sprintf("%s (it is %v)", hosts.Want, err))
		}
		if len(list.entries) > 0 && cfg.Bash.Network {
			refuse("Bash.Network", "true", "false with "+list.option+", as it lets commands reach every host")
		}
	}
	return refused
}

func confine(c part.Commands) (part.Confinement, error) {
	box, err := sandbox.Confine(c.Config, c.Workspace, c.Run)
	if err != nil {
		return nil, err
	}
	if box == nil {
		return part.Unconfined{}, nil
	}
	return confinement{box, newNetwork(c.Config)}, nil
}

// newNetwork returns the network of a suite's commands, or nil if Bash.Hosts and Bash.PrivateHosts are empty: the
// sandbox alone decides then.
func newNetwork(cfg config.Config) *egress.Network {
	if len(cfg.Bash.Hosts)+len(cfg.Bash.PrivateHosts) == 0 {
		return nil
	}
	public, _, _ := hosts.ParseList(cfg.Bash.Hosts)
	private, _, _ := hosts.ParseList(cfg.Bash.PrivateHosts)
	return egress.New(egress.Options{Hosts: public, Private: private, Ask: askHost(cfg.Ask)})
}

// askHost returns what asks about a host, or nil if nobody can be asked.
func askHost(ask func(context.Context, config.Call) (config.Answer, error),
) func(context.Context, hosts.Target, config.Call) (egress.Answer, error) {
	if ask == nil {
		return nil
	}
	return func(ctx context.Context, to hosts.Target, call config.Call) (egress.Answer, error) {
		call.Host, call.Session = to.Dialled(), []string{to.String()}
		call.Why = "the command wants to reach " + to.String() + ", which Bash.Hosts does not name"
		answer, err := ask(ctx, call)
		switch {
		case err != nil:
			return egress.No, err
		case answer.Decision == config.DecisionOnce:
			return egress.Once, nil
		case answer.Decision == config.DecisionSession:
			return egress.Session, nil
		}
		return egress.No, nil
	}
}

// confinement is a sandbox as the confinement of a suite.
type confinement struct {
	*sandbox.Sandbox
	network *egress.Network // nil where the sandbox decides alone
}

func (c confinement) Command(ctx context.Context, call func() config.Call) part.Confined {
	facts := part.Facts(c.Now())
	return &confined{c.Sandbox, c.network.Proxy(ctx, call), &facts}
}

// confined is the confinement of a command.
type confined struct {
	box     *sandbox.Sandbox
	traffic *egress.Proxy // nil where the sandbox decides alone
	facts   *part.Facts
}

func (c *confined) Sandbox() proc.Sandbox {
	if c.traffic == nil {
		return c.box
	}
	return c.box.Serving(func(http, socks net.Listener) { c.traffic.Go(http, socks) })
}

func (c *confined) Facts() *part.Facts       { return c.facts }
func (c *confined) Hosts() []config.HostUse  { return c.traffic.Snapshot() }
func (c *confined) Refused() []notice.Notice { return egress.Refusals(c.traffic.Snapshot()) }

func (c *confined) Ended(left bool) {
	c.box.Undo()
	if !left {
		c.traffic.Settle(settleTraffic)
	}
}

func (c *confined) Notices(failed bool, shown ...string) []notice.Notice {
	return c.box.Notices(failed, shown...)
}
