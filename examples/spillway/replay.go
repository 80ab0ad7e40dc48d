package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"

	"github.com/spillway-go/spillway/internal/replay"
)

// maxValues is how many values -sweep takes.
const maxValues = 50

// versioned is a comparison as -json prints it.
type versioned struct {
	Format int `json:"format"`
	*replay.Comparison
}

// replayCommand is spillway replay.
func replayCommand(flags *flag.FlagSet) runner {
	var changes []replay.Change
	var sweep []replay.Change
	var o replay.Options
	const set = "an option as it would be, as `NAME=VALUE`: -set Bash.MaxBytes=8KB; again for more"
	flags.Func("set", set, func(text string) error {
		name, value, ok := strings.Cut(text, "=")
		if !ok || name == "" {
			return errors.New("write it as -set Bash.MaxBytes=8KB")
		}
		changes = append(changes, replay.Change{Name: name, Value: value, Source: "-set"})
		return nil
	})
	flags.Func("sweep", "an option with several values, as `NAME=A,B,C`: a row for each", func(text string) error {
		name, values, ok := strings.Cut(text, "=")
		switch {
		case !ok || name == "" || values == "":
			return errors.New("write it as -sweep Bash.MaxBytes=4KB,8KB,16KB")
		case len(sweep) > 0:
			return errors.New("one option can have several values at a time: -set the others")
		}
		for value := range strings.SplitSeq(values, ",") {
			sweep = append(sweep, replay.Change{Name: name, Value: strings.TrimSpace(value), Source: "-sweep"})
		}
		if len(sweep) > maxValues {
			return fmt.Errorf("%d values are too many: give %d at most", len(sweep), maxValues)
		}
		return nil
	})
	flags.BoolVar(&o.Files, "files", false,
		"trust the record: open full outputs wherever it says they are, and read outside of the workspace where it could")
	asJSON := flags.Bool("json", false, "print a line of JSON for each comparison")
	return func(args []string, out io.Writer) error {
		switch {
		case len(args) == 0:
			return usage("name the record: spillway replay -set Bash.MaxBytes=8KB FILE")
		case len(args) > 1:
			return usage("unexpected argument %q", args[1])
		}
		settings := [][]replay.Change{changes}
		if len(sweep) > 0 {
			settings = nil
		}
		for _, value := range sweep {
			settings = append(settings, append(changes[:len(changes):len(changes)], value))
		}
		for _, changes := range settings {
			if err := replay.Check(changes); err != nil {
				return refused{err}
			}
		}
		ctx, stop := untilSignal()
		defer stop()
		all, err := replay.Run(ctx, args[0], settings, o)
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case err != nil:
			return unreadable(args[0], err)
		case *asJSON:
			encoder := json.NewEncoder(out)
			for _, c := range all {
				if err := encoder.Encode(versioned{jsonFormat, c}); err != nil {
					return err
				}
			}
			return nil
		case len(sweep) > 0:
			return replay.WriteSweep(out, all, sweep[0].Name)
		}
		return all[0].WriteText(out)
	}
}
