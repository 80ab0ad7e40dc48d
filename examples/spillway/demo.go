package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/spillway-go/spillway/examples/quickstart/demo"
)

// demoCommand is spillway demo.
func demoCommand(*flag.FlagSet) runner {
	return func(args []string, out io.Writer) error {
		dir := "."
		if len(args) > 0 {
			dir = args[0]
			if err := noArguments(args[1:]); err != nil {
				return err
			}
		}
		if _, err := os.Stat(dir); err != nil {
			return refused{err}
		}
		ctx, stop := untilSignal()
		defer stop()
		err := demo.Run(ctx, dir, demo.Screen{Out: out, Colour: colourful(out), Width: widthOf(out)})
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case err != nil:
			return err
		}
		fmt.Fprintln(out, "\nNow yours: spillway call grep TODO; spillway help call has more.")
		return nil
	}
}
