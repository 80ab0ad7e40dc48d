package tools

import (
	"errors"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/part"
)

// Part is an optional part of a suite, which a program imports and hands to [New]: that of package tools/sandbox, for
// example. Package tools/all has all of them. A program without a part is smaller; [New] refuses the options that need
// one which it was not given.
type Part = part.Part

// Check returns a configuration with every zero replaced by its default, as [New] takes it with these parts. The error is
// that of New, but for what only a look at the file system shows.
func Check(cfg config.Config, parts ...Part) (config.Config, error) {
	set, err := part.Join(parts)
	if err != nil {
		return cfg, err
	}
	return resolved(cfg, set)
}

func resolved(cfg config.Config, parts part.Set) (config.Config, error) {
	cfg, err := cfg.Resolved()
	return cfg, errors.Join(err, parts.Refused(cfg))
}
