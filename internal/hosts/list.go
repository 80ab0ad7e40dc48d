package hosts

import (
	"errors"
	"net/netip"
	"strings"
)

// Entry is an entry of a list of hosts.
type Entry struct {
	host    Host
	below   bool   // the names below the host's, and not that itself
	port    uint16 // 0: 80 and 443
	allPort bool
}

// List says which hosts may be reached.
type List []Entry

// Loopback is the name of this host's loopback, which no server of names is asked for. An entry must name it in full:
// whoever lists *.internal means other hosts.
const Loopback = "host.spillway.internal"

// MaxEntries is how many entries a list may have. A list that names more names everything.
const MaxEntries = 4096

// Want says what an entry of a list must be.
const Want = `a host with or without a port, such as "example.org", "*.example.org", "db.internal:5432", ` +
	`"example.org:*" or "[2001:db8::1]:443"`

var (
	errAll    = errors.New("every host: set Bash.Network for that")
	errScheme = errors.New("an address of a page: write its host alone")
)

// ParseEntry returns the entry of a text. Without a port it stands for 80 and 443, and with the port "*" for all.
// "*.example.org" stands for all names below example.org, however far below.
func ParseEntry(text string) (e Entry, err error) {
	if strings.Contains(text, "/") {
		return e, errScheme
	}
	host, port, ok := cutPort(text)
	if addr, err := netip.ParseAddr(text); err == nil && addr.Is6() {
		host, ok = text, false
	}
	switch {
	case ok && port == "*":
		e.allPort = true
	case ok:
		if e.port, err = parsePort(port); err != nil {
			return Entry{}, err
		}
	}
	if host == "*" {
		return Entry{}, errAll
	}
	if name, ok := strings.CutPrefix(host, "*."); ok {
		host, e.below = name, true
	}
	if e.host, err = Parse(host); err != nil {
		return Entry{}, err
	}
	if e.below && e.host.Name == "" {
		return Entry{}, errName
	}
	return e, nil
}

// ParseList returns the list of these entries. bad is the first that is none, if err is not nil.
func ParseList(entries []string) (list List, bad string, err error) {
	if len(entries) > MaxEntries {
		return nil, entries[MaxEntries], errors.New("one entry too many")
	}
	for _, text := range entries {
		e, err := ParseEntry(text)
		if err != nil {
			return nil, text, err
		}
		list = append(list, e)
	}
	return list, "", nil
}

// Has says whether the list names a target.
func (l List) Has(t Target) bool {
	for _, e := range l {
		if e.has(t) {
			return true
		}
	}
	return false
}

func (e Entry) has(t Target) bool {
	switch {
	case e.allPort:
	case e.port == 0 && t.Port != 80 && t.Port != 443, e.port != 0 && e.port != t.Port:
		return false
	}
	if e.below {
		return t.Name != "" && t.Name != Loopback && strings.HasSuffix(t.Name, "."+e.host.Name)
	}
	return e.host == t.Host
}
