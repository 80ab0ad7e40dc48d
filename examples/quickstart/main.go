// Command quickstart runs ls, find, grep, read and bash over a directory and prints
// what a model would see of each: a listing, two searches, a file that is read in
// pages, and a command whose output is too long, with the file that its notice names.
//
//	go run ./examples/quickstart [DIR]
//
// The code to copy is in demo/demo.go. On a terminal notices are yellow and errors
// red, unless NO_COLOR is set. spillway demo, a command of examples/spillway, shows
// the same.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"

	"github.com/spillway-go/spillway/examples/quickstart/demo"
)

func main() {
	dir := "."
	if len(os.Args) > 1 {
		dir = os.Args[1]
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := demo.Run(ctx, dir, demo.Screen{Out: os.Stdout, Colour: colourful(os.Stdout), Width: 80}); err != nil {
		fmt.Fprintln(os.Stderr, "quickstart:", err)
		os.Exit(1)
	}
}

// colourful says whether out is a terminal, and its owner likes colours.
func colourful(out *os.File) bool {
	info, err := out.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0 && os.Getenv("NO_COLOR") == ""
}
