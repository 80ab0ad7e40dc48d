// Command picture runs a program in a terminal of a fixed size and draws what it prints
// as an SVG. These commands, in the repository's directory, make the pictures of the
// documents:
//
//	go run ./internal/docs/picture -o docs/quickstart.svg -cols 110 -from '4. read' \
//		-title 'go run ./examples/quickstart' -- go run ./examples/quickstart
//	go run ./internal/docs/picture -o docs/agent.svg -from 'The go command knows' \
//		-title 'go -C examples/agent run .' -- go -C examples/agent run .
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"strings"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "picture:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	var out, title, from string
	var cols, rows int
	flags := flag.NewFlagSet("picture", flag.ExitOnError)
	flags.StringVar(&out, "o", "", "`FILE` to write")
	flags.StringVar(&title, "title", "", "`TEXT` over the window")
	flags.IntVar(&cols, "cols", 100, "columns of the terminal")
	flags.IntVar(&rows, "rows", 0, "rows to draw at most; 0 draws all")
	flags.StringVar(&from, "from", "", "draw from the first row that contains `TEXT`")
	flags.Parse(args)
	if out == "" || flags.NArg() == 0 {
		return errors.New("-o and a command are needed: picture -o docs/x.svg -- command")
	}
	cmd := exec.Command(flags.Arg(0), flags.Args()[1:]...)
	printed, err := inTerminal(cmd, cols)
	if err != nil {
		return fmt.Errorf("%s: %w\n%s", strings.Join(cmd.Args, " "), err, printed)
	}
	shown, err := crop(screen(printed, cols), from, rows)
	if err != nil {
		return err
	}
	return os.WriteFile(out, []byte(svg(shown, cols, title)), 0o644)
}

// crop picks rows, and marks where there are others.
func crop(all [][]cell, from string, rows int) ([][]cell, error) {
	first := 0
	for from != "" && !strings.Contains(text(all[first]), from) {
		if first++; first == len(all) {
			return nil, fmt.Errorf("-from %q is on no row", from)
		}
	}
	last := len(all)
	if rows > 0 {
		last = min(last, first+rows)
	}
	for last > first && text(all[last-1]) == "" {
		last--
	}
	mark := []cell{{text: "⋮", width: 1, style: style{dim: true}}}
	var shown [][]cell
	if first > 0 {
		shown = append(shown, mark)
	}
	shown = append(shown, all[first:last]...)
	if last < len(all) {
		shown = append(shown, mark)
	}
	return shown, nil
}
