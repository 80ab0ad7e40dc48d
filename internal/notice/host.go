package notice

import "fmt"

// maxHostBytes bounds the names of refused hosts in a notice. A DNS name has at most 253 bytes.
const maxHostBytes = 300

// HostsRefused says which hosts a command could not reach, because option does not name them or because of why.
func HostsRefused(hosts []string, option, why string) Notice {
	if len(hosts) == 0 {
		return ""
	}
	text := listed(hosts, maxHostBytes) + pluralOf(len(hosts), " was", " were") + " refused"
	if why != "" {
		text += ": " + why
	}
	if option == "" {
		return Notice(text + ". Go on without")
	}
	return Notice(fmt.Sprintf("%s (%s). Ask the user to allow %s, or go on without", text, option, pluralOf(len(hosts), "it", "them")))
}

// listed lists the first names, at least one, within room bytes, and says how many more there are.
func listed(names []string, room int) string {
	text, rest := names[0], names[1:]
	for i, name := range rest {
		if len(text)+len(name) > room {
			return text + fmt.Sprintf(" and %d more", len(rest)-i)
		}
		text += ", " + name
	}
	return text
}

// HostUnknown says why a text that a command used as a host is not one.
func HostUnknown(text, why string) Notice {
	return Notice(fmt.Sprintf("%s was refused: %s", text, why))
}
