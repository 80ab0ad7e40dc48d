// Command picture runs the programs of the manual in a terminal, and draws what they print as SVGs in docs. It runs in
// the repository's directory:
//
//	go run ./internal/docs/picture            # draws those that have changed
//	go run ./internal/docs/picture -check     # fails if there are any
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

func main() {
	check := flag.Bool("check", false, "draw nothing; fail if a picture is not what its program prints")
	flag.Parse()
	if err := run("docs", pictures, *check); err != nil {
		fmt.Fprintln(os.Stderr, "picture:", err)
		os.Exit(1)
	}
}

// run draws pictures into a directory or, to check, compares them with what is there.
func run(dir string, list []picture, check bool) error {
	var errs []error
	for _, p := range list {
		file := filepath.Join(dir, p.name+".svg")
		drawn, err := p.draw()
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", file, err))
			continue
		}
		there, err := os.ReadFile(file)
		switch {
		case err == nil && bytes.Equal(timeless(there), timeless(drawn)):
		case check:
			errs = append(errs, fmt.Errorf("%s is not what %s prints: go run ./internal/docs/picture", file, p.heading()))
		default:
			errs = append(errs, os.WriteFile(file, drawn, 0o644))
		}
	}
	return errors.Join(errs...)
}

// A picture is what a command prints in a terminal.
type picture struct {
	name    string   // of the file, without .svg
	title   string   // over the window; "" is the command
	command []string // in the repository's directory
	cols    int      // of the terminal
	parts   []part   // what is drawn; nil is all
	typed   []answer // what somebody types
}

// heading returns what stands over the window.
func (p picture) heading() string {
	if p.title != "" {
		return p.title
	}
	return strings.Join(p.command, " ")
}

// spillName is the name of a full output. Its random part is the same in all pictures.
var spillName = regexp.MustCompile(`\b(bash|result)-[b-z2-9]{8}\b`)

func (p picture) draw() ([]byte, error) {
	cmd := exec.Command(p.command[0], p.command[1:]...)
	printed, err := inTerminal(cmd, p.cols, p.typed...)
	if err != nil {
		return nil, fmt.Errorf("%s: %w\n%s", strings.Join(p.command, " "), err, printed)
	}
	rows, err := screen(spillName.ReplaceAllString(printed, "$1-k3x9q2mf"), p.cols)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", strings.Join(p.command, " "), err)
	}
	shown, err := crop(rows, p.parts)
	if err != nil {
		return nil, err
	}
	return []byte(svg(shown, p.cols, p.heading())), nil
}

// A duration is different in each run, and the place of what follows it may be. Nothing else of a picture is.
var (
	place    = regexp.MustCompile(` (x|textLength)="[^"]*"`)
	duration = regexp.MustCompile(`(&lt;)?\b[0-9.]+m?s\b`)
)

// timeless returns a picture without its durations.
func timeless(svg []byte) []byte {
	return duration.ReplaceAll(place.ReplaceAll(svg, nil), []byte("TIME"))
}

// part is a number of rows, from the next one that contains a text; 0 is all.
type part struct {
	from string
	rows int
}

// crop returns the rows of the parts, in order, with a mark in place of the rows between two of them.
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
			return nil, fmt.Errorf("%q is on no row", p.from)
		}
		if first > end && len(shown) > 0 {
			shown = append(shown, mark)
		}
		if end = len(all); p.rows > 0 {
			end = min(end, first+p.rows)
		}
		shown = append(shown, all[first:end]...)
	}
	return shown, nil
}
