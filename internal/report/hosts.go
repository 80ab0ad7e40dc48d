package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/spillway-go/spillway/config"
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
}

// hostsOf adds up what commands did with hosts.
type hostsOf struct {
	list  *[]Host
	index map[string]int
	calls map[string][]config.HostUse // what was counted of calls that may go on as jobs, by session and id
}

func newHostsOf(list *[]Host) hostsOf {
	return hostsOf{list, map[string]int{}, map[string][]config.HostUse{}}
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

// count adds a use to its host, or takes it away again. A name that no list takes is left out, whoever wrote the record.
func (h *hostsOf) count(u config.HostUse, sign int64) {
	if _, err := hosts.ParseEntry(u.Host); err != nil {
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
}

// summable is a number of a record that sums may hold.
func summable(n int64) int64 { return max(0, min(n, 1<<40)) }

// allowing returns the flags with which commands may reach hosts, as one types them in a shell.
func allowing(hosts []Host) string {
	var flags []string
	for _, h := range hosts {
		flags = append(flags, "-allow-host "+shellWord(h.Name))
	}
	return strings.Join(flags, " ")
}

// shellWord quotes an entry of a list of hosts.
func shellWord(entry string) string {
	if strings.ContainsAny(entry, "*[]") {
		return "'" + entry + "'"
	}
	return entry
}

func (r *Report) textHosts(w io.Writer) {
	if len(r.Hosts) == 0 {
		return
	}
	fmt.Fprintf(w, "\n%-46s%9s%10s%9s\n", "Which hosts did commands want to reach?", "requests", "bytes", "refused")
	for _, h := range r.Hosts[:min(len(r.Hosts), maxTools)] {
		fmt.Fprintf(w, "%-46s%9d%10s%9d\n", quote.Short(h.Name, 43), h.Requests, size.Format(h.Bytes), h.Refused)
	}
	if left := len(r.Hosts) - maxTools; left > 0 {
		fmt.Fprintf(w, "and %s\n", notice.Count(left, "more host"))
	}
	fmt.Fprintf(w, "To allow them all: %s\n", r.Allow)
}
