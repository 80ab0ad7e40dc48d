package notice

import "fmt"

// HostRefused says that a command could not reach a host, because of what an option does not name, or because of why.
func HostRefused(host, option, why string) Notice {
	switch {
	case option == "":
		return Notice(fmt.Sprintf("%s was refused: %s. Go on without", host, why))
	case why != "":
		return Notice(fmt.Sprintf("%s was refused: %s (%s). Ask the user to allow it, or go on without", host, why, option))
	}
	return Notice(fmt.Sprintf("%s was refused (%s). Ask the user to allow it, or go on without", host, option))
}

// HostUnknown says that what a command took for a host is none.
func HostUnknown(text, why string) Notice {
	return Notice(fmt.Sprintf("%s was refused: %s", text, why))
}
