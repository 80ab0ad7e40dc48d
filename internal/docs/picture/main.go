// Command picture runs a program in a terminal of a fixed size and draws what it prints
// as an SVG. These commands, in the repository's directory, make the pictures of the
// documents:
//
//	go run ./internal/docs/picture -o docs/quickstart.svg -cols 110 -part '0:4. read' \
//		-title 'go run ./examples/quickstart' -- go run ./examples/quickstart
//	go run ./internal/docs/picture -o docs/agent.svg -part '2:> Which' -part '10:● bash' -part '3:stands at line' \
//		-title 'go -C examples/agent run .' -- go -C examples/agent run .
//	go run ./internal/docs/picture -o docs/standout.svg -cols 80 -title 'the same output, without and with what stands out' \
//		-- internal/docs/picture/standout.sh
//	go run ./internal/docs/picture -o docs/permissions.svg -type 'why >:s' -type 'why >:r x is my draft' \
//		-title "go -C examples/agent run . -provider ask -allow 'bash(git status)'" \
//		-- go -C examples/agent run . -provider ask -allow 'bash(git status)'
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "picture:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	var out, title string
	var cols int
	var parts []part
	flags := flag.NewFlagSet("picture", flag.ExitOnError)
	flags.StringVar(&out, "o", "", "`FILE` to write")
	flags.StringVar(&title, "title", "", "`TEXT` over the window")
	flags.IntVar(&cols, "cols", 100, "columns of the terminal")
	usage := "draw that many `ROWS:TEXT` from the next row that contains the text; 0 for all that follow; may be repeated"
	flags.Func("part", usage, func(value string) error {
		rows, text, _ := strings.Cut(value, ":")
		n, err := strconv.Atoi(rows)
		parts = append(parts, part{text, n})
		return err
	})
	var typed []answer
	flags.Func("type", "type a line when a text was printed, `TEXT:LINE`; may be repeated", func(value string) error {
		text, line, _ := strings.Cut(value, ":")
		typed = append(typed, answer{text, line})
		return nil
	})
	flags.Parse(args)
	if out == "" || flags.NArg() == 0 {
		return errors.New("-o and a command are needed: picture -o docs/x.svg -- command")
	}
	cmd := exec.Command(flags.Arg(0), flags.Args()[1:]...)
	printed, err := inTerminal(cmd, cols, typed...)
	if err != nil {
		return fmt.Errorf("%s: %w\n%s", strings.Join(cmd.Args, " "), err, printed)
	}
	rows, err := screen(printed, cols)
	if err != nil {
		return fmt.Errorf("%s: %w", strings.Join(cmd.Args, " "), err)
	}
	shown, err := crop(rows, parts)
	if err != nil {
		return err
	}
	return os.WriteFile(out, []byte(svg(shown, cols, title)), 0o644)
}

// part is a number of rows, from the next one that contains a text; 0 is all.
type part struct {
	from string
	rows int
}

// crop returns the rows of the parts, in order, with a mark in place of the rows between them.
func crop(all [][]cell, parts []part) ([][]cell, error) {
	if len(parts) == 0 {
		return all, nil
	}
	mark := []cell{{'⋮', style{dim: true}}}
	var shown [][]cell
	end := 0 // of the part before
	for _, p := range parts {
		first := end
		for first < len(all) && !strings.Contains(text(all[first]), p.from) {
			first++
		}
		if first == len(all) {
			return nil, fmt.Errorf("-part %q is on no row", p.from)
		}
		if first > end {
			shown = append(shown, mark)
		}
		if end = len(all); p.rows > 0 {
			end = min(end, first+p.rows)
		}
		shown = append(shown, all[first:end]...)
	}
	if end < len(all) {
		shown = append(shown, mark)
	}
	return shown, nil
}
