// Command report turns the output of the benchmarks in internal/bench into the
// table and the chart of docs/performance.md.
//
//	go -C internal/bench test -run '^$' -bench . -benchtime 20x | go -C internal/bench run ./report
//
// It renews the rows between the page's markers that were measured, and the chart. Only lines
// with a ratio count. With -redraw it makes the chart anew from the numbers that the page has.
package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/spillway-go/spillway/internal/docs/chart"
	"github.com/spillway-go/spillway/internal/docs/section"
)

// row is a comparison.
type row struct {
	name                string
	ours, theirs, ratio float64 // milliseconds; the median of the pairs' ratios
}

const (
	page    = "../../docs/performance.md"
	picture = "../../docs/performance.svg"
)

func main() {
	redraw := flag.Bool("redraw", false, "make the chart anew from the table")
	flag.Parse()
	if err := run(*redraw); err != nil {
		fmt.Fprintln(os.Stderr, "report:", err)
		os.Exit(1)
	}
}

func run(redraw bool) error {
	old, err := section.Read(page, "measured")
	if err != nil {
		return err
	}
	rows, err := tabled(old)
	if err != nil {
		return err
	}
	if !redraw {
		measured, err := parse(os.Stdin)
		if err == nil && len(measured) == 0 {
			err = errors.New("there are no comparisons in the input")
		}
		if err != nil {
			return err
		}
		rows = renewed(rows, measured)
		if err := section.Write(page, "measured", table(rows)); err != nil {
			return err
		}
	}
	if rows, err = tabled(table(rows)); err != nil { // rounded, as the page has them
		return err
	}
	return os.WriteFile(picture, []byte(svg(rows)), 0o644)
}

var line = regexp.MustCompile(`^Benchmark(\S+?)(?:-\d+)?\s+\d+\s+(.*)$`)

func parse(r io.Reader) (rows []row, err error) {
	in := bufio.NewScanner(r)
	for in.Scan() {
		m := line.FindStringSubmatch(in.Text())
		if m == nil {
			continue
		}
		f := strings.Fields(m[2])
		c := row{name: m[1]}
		for i := 0; i+1 < len(f); i += 2 {
			v, err := strconv.ParseFloat(f[i], 64)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", m[1], err)
			}
			switch f[i+1] {
			case "ratio":
				c.ratio = v
			case "ours-ms":
				c.ours = v
			case "theirs-ms":
				c.theirs = v
			}
		}
		if _, ok := cases[c.name]; ok && c.ratio > 0 { // docs/sandbox.md has what a sandbox costs
			rows = append(rows, c)
		}
	}
	return rows, in.Err()
}

var cells = regexp.MustCompile("(?m)^\\| `(\\S+)` \\| (\\S+) \\| (\\S+) \\| (\\S+) \\|")

// tabled are the rows of a table.
func tabled(text string) (rows []row, err error) {
	for _, m := range cells.FindAllStringSubmatch(text, -1) {
		r := row{name: m[1]}
		for i, v := range []*float64{&r.ours, &r.theirs, &r.ratio} {
			if *v, err = strconv.ParseFloat(m[i+2], 64); err != nil {
				return nil, fmt.Errorf("%s: %w", r.name, err)
			}
		}
		rows = append(rows, r)
	}
	return rows, nil
}

// renewed are the rows with those that were measured in their place, or at the end.
func renewed(rows, measured []row) []row {
	rows = slices.Clone(rows)
	for _, m := range measured {
		if i := slices.IndexFunc(rows, func(r row) bool { return r.name == m.name }); i >= 0 {
			rows[i] = m
		} else {
			rows = append(rows, m)
		}
	}
	return rows
}

// table returns the rows as the page has them. A goal is met if the ratio, as it is printed, is no more than it.
func table(rows []row) string {
	var b strings.Builder
	b.WriteString("| case | ours, ms | theirs, ms | ratio | goal |\n|---|---|---|---|---|\n")
	for _, r := range rows {
		printed := ratio(r.ratio)
		goal, missed := "", ""
		if g := cases[r.name].goal; g > 0 {
			goal = fmt.Sprint(g)
			if v, err := strconv.ParseFloat(printed, 64); err == nil && v > g {
				missed = ", missed"
			}
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s%s |\n", r.name, chart.Digits(r.ours), chart.Digits(r.theirs), printed, goal, missed)
	}
	return b.String()
}

// ratio prints two decimals, or two digits of what is smaller.
func ratio(r float64) string {
	if r < 0.01 {
		return fmt.Sprintf("%.2g", r)
	}
	return fmt.Sprintf("%.2f", r)
}
