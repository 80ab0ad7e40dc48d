package redact

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/spillway-go/spillway/config"
)

// For returns what masks the secrets of a suite with cfg. withheld returns the values of the
// host's variables that commands do not get.
func For(cfg config.Config, withheld func() []string) *Redactor {
	if cfg.Redact == config.RedactOff {
		return New(Options{})
	}
	values := withheld
	if cfg.RedactValues != nil {
		values = func() []string { return slices.Concat(withheld(), cfg.RedactValues()) }
	}
	return New(Options{Values: values, Kinds: cfg.Redact == config.RedactSecrets})
}

// JSON returns JSON with its secrets masked. It stays JSON: where a placeholder breaks it, all of it becomes a string.
func (r *Redactor) JSON(text []byte) []byte {
	if r.Off() || len(text) == 0 {
		return text
	}
	shown := bytes.Clone(text)
	if r.Mask(shown); json.Valid(shown) || !json.Valid(text) {
		return shown
	}
	return []byte(`"` + jsonString(string(shown), false) + `"`)
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
