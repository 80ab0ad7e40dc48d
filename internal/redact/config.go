package redact

import (
	"slices"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/mask"
)

// For returns what masks the secrets of a suite with cfg, or nil if nothing does. withheld returns the values of the
// host's variables that commands do not get.
func For(cfg config.Config, withheld func() []string) mask.Engine {
	if cfg.Redact == config.RedactOff {
		return nil
	}
	values := withheld
	if cfg.RedactValues != nil {
		values = func() []string { return slices.Concat(withheld(), cfg.RedactValues()) }
	}
	return New(Options{Values: values, Kinds: cfg.Redact == config.RedactSecrets})
}

// KindNames returns the kinds that Options.Kinds finds, in the order of the alphabet.
func KindNames() []string {
	var names []string
	for _, r := range rules {
		names = append(names, r.kind)
	}
	slices.Sort(names)
	return slices.Compact(names)
}
