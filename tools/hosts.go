package tools

import (
	"time"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/egress"
	"github.com/spillway-go/spillway/internal/hosts"
)

// settleTraffic is how long the end of a command waits at most for the end of its connections, whose bytes are counted
// then. It takes about a millisecond unless a process is left that holds the network.
const settleTraffic = 100 * time.Millisecond

// newNetwork returns the network of a suite's commands, or nil if Bash.Hosts and Bash.PrivateHosts are empty: the
// sandbox alone decides then. cfg is resolved.
func newNetwork(cfg config.Config) *egress.Network {
	if len(cfg.Bash.Hosts)+len(cfg.Bash.PrivateHosts) == 0 || !selects(cfg, "bash") {
		return nil
	}
	public, _, _ := hosts.ParseList(cfg.Bash.Hosts)
	private, _, _ := hosts.ParseList(cfg.Bash.PrivateHosts)
	return egress.New(egress.Options{Hosts: public, Private: private, Ask: askHost(cfg.Ask)})
}
