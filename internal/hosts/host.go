// Package hosts has the names of hosts as one form each, and lists that say which of them commands may reach.
package hosts

import (
	"errors"
	"fmt"
	"net/netip"
	"strconv"
	"strings"

	"golang.org/x/net/idna"
)

// Host is a host by its name or by its address.
type Host struct {
	Name string     // in lower case and ASCII, without a dot at the end; "" if there is an address
	Addr netip.Addr // not valid if there is a name
}

const (
	maxName  = 253 // bytes of a name, as DNS has it
	maxLabel = 63  // bytes of a part of it
	maxText  = 512 // bytes of what is looked at: a name in another script is longer than in ASCII
)

var (
	errNumber = errors.New("a number that some programs take for an address: write the address in full, such as 127.0.0.1")
	errName   = errors.New("not the name of a host")
	errZone   = errors.New("an address with a zone, which belongs to one interface")
	errPort   = errors.New("without a port from 1 to 65535")
)

// Parse returns the host of a name or an address. An address counts as one only in the form of [netip.ParseAddr], with
// or without brackets around IPv6. Any other number, such as 2130706433, 0x7f.1 or 127.1, is an error: programs differ
// in what they take it for.
func Parse(text string) (Host, error) {
	if len(text) > maxText {
		return Host{}, errName
	}
	if inner, ok := strings.CutPrefix(text, "["); ok {
		inner, ok = strings.CutSuffix(inner, "]")
		addr, err := netip.ParseAddr(inner)
		if !ok || err != nil || !addr.Is6() {
			return Host{}, errName
		}
		return literal(addr)
	}
	if addr, err := netip.ParseAddr(text); err == nil {
		return literal(addr)
	}
	name, err := normal(text)
	if err != nil {
		return Host{}, err
	}
	return Host{Name: name}, nil
}

func literal(addr netip.Addr) (Host, error) {
	if addr.Zone() != "" {
		return Host{}, errZone
	}
	return Host{Addr: addr.Unmap()}, nil
}

// normal returns the one form of a name.
func normal(name string) (string, error) {
	for i := range len(name) {
		if name[i] >= 0x80 {
			ascii, err := idna.Lookup.ToASCII(name)
			if err != nil {
				return "", errName
			}
			name = ascii
			break
		}
	}
	name = strings.ToLower(strings.TrimSuffix(name, "."))
	if len(name) > maxName {
		return "", errName
	}
	last := ""
	for label := range strings.SplitSeq(name, ".") {
		if !isLabel(label) {
			return "", errName
		}
		last = label
	}
	if isNumber(last) {
		return "", errNumber
	}
	return name, nil
}

// isLabel says whether a text can be a part of a name. An underscore is no letter of a host's name, but in use.
func isLabel(label string) bool {
	if label == "" || len(label) > maxLabel || label[0] == '-' || label[len(label)-1] == '-' {
		return false
	}
	for _, c := range []byte(label) {
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-' && c != '_' {
			return false
		}
	}
	return true
}

// isNumber says whether the last part of a name makes programs take the whole for an address, as in the URL standard.
func isNumber(label string) bool {
	if hex, ok := strings.CutPrefix(label, "0x"); ok {
		return strings.Trim(hex, "0123456789abcdef") == ""
	}
	return strings.Trim(label, "0123456789") == ""
}

// String returns the name or the address. It holds nothing but letters, digits, dots, colons, hyphens and underscores.
func (h Host) String() string {
	if h.Addr.IsValid() {
		return h.Addr.String()
	}
	return h.Name
}

// Target is a port of a host.
type Target struct {
	Host
	Port uint16
}

// ParseTarget returns the target of a host and a port: "example.org:443", "[::1]:80". Without a port, it is port; if
// that is 0, the error says that one is missing.
func ParseTarget(text string, port uint16) (Target, error) {
	host, digits, ok := cutPort(text)
	if ok {
		var err error
		if port, err = parsePort(digits); err != nil {
			return Target{}, err
		}
	}
	if port == 0 {
		return Target{}, errPort
	}
	h, err := Parse(host)
	return Target{h, port}, err
}

// cutPort divides a text at the colon before a port. An address of IPv6 without brackets has none.
func cutPort(text string) (host, port string, ok bool) {
	i := strings.LastIndexByte(text, ':')
	if i < 0 || strings.HasSuffix(text, "]") || strings.IndexByte(text, ':') != i && text[0] != '[' {
		return text, "", false
	}
	return text[:i], text[i+1:], true
}

func parsePort(digits string) (uint16, error) {
	n, err := strconv.ParseUint(digits, 10, 16)
	if err != nil || n == 0 || strconv.FormatUint(n, 10) != digits {
		return 0, errPort
	}
	return uint16(n), nil
}

// String returns the target as a list has it: the host alone if the port is 80 or 443, which need not be named.
func (t Target) String() string {
	if t.Port == 80 || t.Port == 443 {
		return t.Host.String()
	}
	return t.Dialled()
}

// Dialled returns the host and the port.
func (t Target) Dialled() string {
	if t.Addr.IsValid() {
		return netip.AddrPortFrom(t.Addr, t.Port).String()
	}
	return fmt.Sprintf("%s:%d", t.Name, t.Port)
}
