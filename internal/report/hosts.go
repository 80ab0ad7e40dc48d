package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/egress"
	"github.com/spillway-go/spillway/internal/hosts"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/internal/size"
	"github.com/spillway-go/spillway/tools/record"
)

// Host is a host that commands wanted to reach.
type Host struct {
	Name     string `json:"name"`     // as an entry of Bash.Hosts
	Requests int64  `json:"requests"` // and connections that it took
	Bytes    int64  `json:"bytes"`    // both ways
	Refused  int64  `json:"refused"`
	Option   string `json:"option,omitempty"` // that allows it: "Bash.Hosts" or "Bash.PrivateHosts"; "" if none does
}

// hostsOf adds up what commands did with hosts.
type hostsOf struct {
	list    *[]Host
	index   map[string]int
	refused map[refusal]int64
	calls   map[string][]config.HostUse // what was counted of calls that may go on as jobs, by session and id
}

// refusal is why a host was refused.
type refusal struct {
	host   string
	reason egress.Reason
}

func newHostsOf(list *[]Host) hostsOf {
	return hostsOf{list, map[string]int{}, map[refusal]int64{}, map[string][]config.HostUse{}}
}

// add adds a line. That of a job's end has what the call that started it has, too; a call of job has a part of that.
func (h *hostsOf) add(rec *record.Line) {
	key := rec.Session + "\x00" + rec.ID
	switch {
	case rec.Kind == "call" && rec.Tool == "job":
		return
	case rec.Kind == "job":
		for _, u := range h.calls[key] {
			h.count(u, -1)
		}
		delete(h.calls, key)
	case len(rec.Network) > 0 && len(h.calls) < maxJobs:
		h.calls[key] = rec.Network
	}
	for _, u := range rec.Network {
		h.count(u, 1)
	}
}

// count adds a use to its host, or takes it away again. A name that no proxy writes, such as "*.example.org", is left
// out: anybody may have written the record.
func (h *hostsOf) count(u config.HostUse, sign int64) {
	if to, err := hosts.ParseTarget(u.Host, 443); err != nil || to.String() != u.Host {
		return
	}
	i, ok := h.index[u.Host]
	if !ok {
		if len(*h.list) >= maxHosts {
			return
		}
		i = len(*h.list)
		h.index[u.Host] = i
		*h.list = append(*h.list, Host{Name: u.Host})
	}
	at := &(*h.list)[i]
	at.Requests += sign * summable(u.Requests)
	at.Bytes += sign * (summable(u.Sent) + summable(u.Received))
	at.Refused += sign * summable(u.Refused)
	if reason := egress.Reason(u.Reason); reason == egress.NotListed || reason == egress.IsPrivate {
		h.refused[refusal{u.Host, reason}] += sign * summable(u.Refused)
	}
	at.Option = h.option(at)
}

// option returns the list that allows a host. A host that commands reached stays allowed, and one that was refused as a
// private address needs the list of those. No list helps against the other refusals.
func (h *hostsOf) option(at *Host) string {
	switch {
	case h.refused[refusal{at.Name, egress.IsPrivate}] > 0:
		return "Bash.PrivateHosts"
	case at.Requests > 0 && isLoopback(at.Name):
		return "Bash.PrivateHosts"
	case at.Requests > 0, h.refused[refusal{at.Name, egress.NotListed}] > 0:
		return "Bash.Hosts"
	}
	return ""
}

// isLoopback says whether a target is the loopback of the host, which Bash.Hosts does not open.
func isLoopback(target string) bool {
	to, err := hosts.ParseTarget(target, 443)
	return err == nil && (to.Name == hosts.Loopback || to.Addr.IsLoopback())
}

// summable is a number of a record that sums may hold.
func summable(n int64) int64 { return max(0, min(n, 1<<40)) }

// allowing returns the flags with which commands may reach hosts, as one types them in a shell; "" if no flag helps.
func allowing(hosts []Host) string {
	var flags, private []string
	for _, h := range hosts {
		switch h.Option {
		case "Bash.Hosts":
			flags = append(flags, "-allow-host "+shellWord(h.Name))
		case "Bash.PrivateHosts":
			private = append(private, h.Name)
		}
	}
	if len(private) > 0 { // one flag, as -set replaces a list
		flags = append(flags, "-set "+shellWord("Bash.PrivateHosts="+strings.Join(private, ",")))
	}
	return strings.Join(flags, " ")
}

// shellWord quotes hosts.
func shellWord(entry string) string {
	if strings.ContainsAny(entry, "[]") {
		return "'" + entry + "'"
	}
	return entry
}

func (r *Report) textHosts(w io.Writer) {
	if len(r.Hosts) == 0 {
		return
	}
	fmt.Fprintf(w, "\n%-46s%9s%10s%9s\n", "Which hosts did commands want to reach?", "requests", "bytes", "refused")
	shown := r.Hosts[:min(len(r.Hosts), maxTools)]
	for _, h := range shown {
		fmt.Fprintf(w, "%-46s%9d%10s%9d\n", quote.Short(h.Name, 43), h.Requests, size.Format(h.Bytes), h.Refused)
	}
	if left := len(r.Hosts) - maxTools; left > 0 {
		fmt.Fprintf(w, "and %s\n", notice.Count(left, "more host"))
	}
	if flags := allowing(shown); flags != "" {
		fmt.Fprintf(w, "To allow them: %s\n", flags)
	}
}
