package redact

import "slices"

// KindNames returns the kinds that Options.Kinds finds, in the order of the alphabet.
func KindNames() []string {
	var names []string
	for _, r := range rules {
		names = append(names, r.kind)
	}
	slices.Sort(names)
	return slices.Compact(names)
}
