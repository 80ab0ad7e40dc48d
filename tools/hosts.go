package tools

import (
	"context"
	"net"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/egress"
	"github.com/spillway-go/spillway/internal/hosts"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/proc"
)

// newNetwork returns the network of a suite's commands, or nil if Bash.Hosts and Bash.PrivateHosts are empty: the sandbox
// alone decides then. cfg is resolved.
func newNetwork(cfg config.Config) *egress.Network {
	if !cfg.Bash.ByName() || !selects(cfg, "bash") {
		return nil
	}
	public, _, _ := hosts.ParseList(cfg.Bash.Hosts)
	private, _, _ := hosts.ParseList(cfg.Bash.PrivateHosts)
	return egress.New(egress.Options{Hosts: public, Private: private, Ask: askHost(cfg.Ask)})
}

// traffic returns what serves the network of a command; nil if the suite has none.
func (s *shell) traffic(ctx context.Context, p BashParams) *egress.Proxy {
	if s.network == nil {
		return nil
	}
	return s.network.Proxy(withHostCall(context.WithoutCancel(ctx), p, s.redact))
}

// onNetwork returns the sandbox of a command whose network a proxy serves, if it is not nil.
func onNetwork(box confinement, p *egress.Proxy) proc.Sandbox {
	if p == nil {
		return box
	}
	return box.Serving(func(http, socks net.Listener) { p.Go(http, socks) })
}

// refusedHosts returns a notice for each reason for which hosts were refused. first says whether the reader has not been
// told yet about these hosts.
func refusedHosts(uses []config.HostUse, first func(reason string, names []string) bool) (notices []notice.Notice) {
	for _, reason := range []egress.Reason{egress.NotListed, egress.IsPrivate, egress.NeverReached, egress.OtherName} {
		var names []string
		for _, u := range uses {
			if u.Reason == string(reason) && u.Host != "" {
				names = append(names, u.Host)
			}
		}
		if len(names) > 0 && first(string(reason), names) {
			notices = append(notices, reason.Notice(names...))
		}
	}
	return notices
}

// once tells of all.
func once(string, []string) bool { return true }
