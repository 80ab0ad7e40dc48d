// Command report turns the output of the benchmarks in internal/bench into the
// table and the chart of docs/performance.md.
//
//	go test ./internal/bench -run '^$' -bench . -benchtime 20x | go run ./internal/bench/report
//
// It replaces the text between the page's markers, and the chart. Only lines with a ratio
// count.
package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"regexp"
	"strconv"
	"strings"
)

// row is a comparison.
type row struct {
	name                string
	ours, theirs, ratio float64 // milliseconds; the median of the pairs' ratios
}

// goals are what the ratios were meant to be.
var goals = map[string]float64{
	"Scan/literal-rare": 0.8, "Scan/literal-none": 0.8, "Scan/literal-many": 0.8, "Scan/inner-literal": 0.8, "Scan/alternation": 0.8,
	"Scan/ignore-case": 1.0, "Scan/no-literal": 1.0, "Scan/ignore-case-alternation": 1.1, "ManyFiles/literal": 0.6, "ManyFiles/regexp": 0.6,
	"First100/return": 0.25, "First100/func_Test": 0.25, `First100/\w+Reader\b`: 0.25, "SmallRepository": 0.4, "Find": 0.4,
	"BigFile/literal": 1.5, "BigFile/digits": 1.5, "BigFile/regexp": 1.5, "Ls/first500": 1.0, "Ls/all": 1.0,
	"Echo": 1.2, "Gigabyte/cat/to-file": 1.3, "Gigabyte/yes/to-file": 1.3, "Gigabyte/cat/tee": 0.6, "Gigabyte/yes/tee": 0.6,
	"Read/deep/wc": 0.9, "Read/deep/sed": 0.25,
}

const (
	page  = "docs/performance.md"
	chart = "docs/performance.svg"
	begin = "<!-- measured -->\n"
	end   = "<!-- /measured -->"
)

func main() {
	rows, err := parse(os.Stdin)
	if err == nil && len(rows) == 0 {
		err = fmt.Errorf("there are no comparisons in the input")
	}
	if err == nil {
		err = write(rows)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "report:", err)
		os.Exit(1)
	}
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
		if c.ratio > 0 {
			rows = append(rows, c)
		}
	}
	return rows, in.Err()
}

func write(rows []row) error {
	data, err := os.ReadFile(page)
	if err != nil {
		return err
	}
	before, rest, ok := strings.Cut(string(data), begin)
	_, after, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		return fmt.Errorf("%s has no markers", page)
	}
	if err := os.WriteFile(page, []byte(before+begin+table(rows)+end+after), 0o644); err != nil {
		return err
	}
	return os.WriteFile(chart, []byte(svg(rows)), 0o644)
}

func table(rows []row) string {
	var b strings.Builder
	b.WriteString("| case | ours, ms | theirs, ms | ratio | goal |\n|---|---|---|---|---|\n")
	for _, r := range rows {
		goal, missed := "", ""
		if g := goals[r.name]; g > 0 {
			goal = fmt.Sprint(g)
			if r.ratio > g {
				missed = ", missed"
			}
		}
		fmt.Fprintf(&b, "| `%s` | %.3g | %.3g | %s | %s%s |\n", r.name, r.ours, r.theirs, ratio(r.ratio), goal, missed)
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

// svg draws a bar for each ratio; the line is where both take the same time.
func svg(rows []row) string {
	const height, left, width, most = 22, 250, 420.0, 2.0
	var b strings.Builder
	total := height*len(rows) + 40
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="760" height="%d" font-family="sans-serif" font-size="12">`+"\n", total)
	fmt.Fprintf(&b, `<rect width="760" height="%d" fill="#ffffff"/>`+"\n", total)
	for i, r := range rows {
		y, w := 10+height*i, min(r.ratio, most)/most*width
		colour := "#2f7d5b"
		if r.ratio > 1 {
			colour = "#b3642c"
		}
		name := strings.NewReplacer("&", "&amp;", "<", "&lt;").Replace(r.name)
		fmt.Fprintf(&b, `<text x="%d" y="%d" text-anchor="end">%s</text><rect x="%d" y="%d" width="%.0f" height="14" fill="%s"/><text x="%.0f" y="%d">%s</text>`+"\n",
			left-8, y+12, name, left, y, w, colour, left+w+6, y+12, ratio(r.ratio))
	}
	x := left + width/most
	fmt.Fprintf(&b, `<line x1="%.0f" y1="4" x2="%.0f" y2="%d" stroke="#444444" stroke-dasharray="4 3"/>`+"\n", x, x, total-26)
	fmt.Fprintf(&b, `<text x="%.0f" y="%d" text-anchor="middle" fill="#444444">the same time (1.0); shorter is faster</text>`+"\n</svg>\n", x, total-10)
	return b.String()
}
