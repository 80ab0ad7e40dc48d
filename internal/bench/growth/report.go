package main

import (
	"cmp"
	"fmt"
	"math"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/spillway-go/spillway/internal/docs/chart"
	"github.com/spillway-go/spillway/internal/docs/section"
)

const (
	page    = "growth/measured.md"
	picture = "../../docs/growth.svg"
)

// Places in the picture, which is narrow enough to be read on a telephone.
const (
	whole      = 480
	left       = 64.0
	width      = 290.0 // of a panel
	panel      = 190.0 // from one panel's top to the next one's
	height     = 110.0 // of a panel
	firstPanel = 96.0
)

// panels are what grows: each is drawn with a scale of its own.
var panels = []struct {
	title string
	lines map[string]string // the table's series, and what their line is called
}{
	{"files below the directory", map[string]string{"grep, files, cold": "grep, not in memory", "grep, files": "grep", "find, files": "find"}},
	{"size of one file, searched by grep", map[string]string{"grep, a file": "grep"}},
	{"calls of grep at once, 10,000 files each", map[string]string{"grep, calls at once": "grep"}},
	{"matches in each of 1,000 files", map[string]string{"grep, matches a file": "grep"}},
}

// write puts the table into the page, and draws the chart.
func write(points []point) error {
	var b strings.Builder
	b.WriteString("| | | ms | ms of processors | peak, MiB | system calls |\n|---|---|---|---|---|---|\n")
	for _, p := range points {
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %.0f | %s |\n", p.series, p.size, chart.Digits(p.ms), chart.Digits(p.cpu), p.mib, p.calls)
	}
	if err := section.Write(page, "growth", b.String()); err != nil {
		return err
	}
	return redraw()
}

// redraw draws the chart from the table that the page has.
func redraw() error {
	text, err := section.Read(page, "growth")
	if err != nil {
		return err
	}
	points, err := tabled(text)
	if err != nil {
		return err
	}
	return os.WriteFile(picture, []byte(svg(points)), 0o644)
}

// A dot is a point on the chart.
type dot struct {
	series, size string
	work, ms     float64
}

var cells = regexp.MustCompile(`(?m)^\| (\w[^|]*) \| (\d+)([^|]*) \| ([\d.]+) \|`)

// tabled returns the dots of a table.
func tabled(text string) (dots []dot, err error) {
	units := map[string]float64{" MiB": 1 << 10, " GiB": 1 << 20}
	for _, m := range cells.FindAllStringSubmatch(text, -1) {
		d := dot{series: m[1], size: m[2] + m[3]}
		if d.work, err = strconv.ParseFloat(m[2], 64); err != nil {
			return nil, err
		}
		if d.ms, err = strconv.ParseFloat(m[4], 64); err != nil {
			return nil, fmt.Errorf("%s, %s: %w", m[1], d.size, err)
		}
		d.work *= cmp.Or(units[m[3]], 1)
		dots = append(dots, d)
	}
	return dots, nil
}

// svg draws a panel for each thing that grows: the time over it, both on scales of powers of ten.
func svg(dots []dot) string {
	colours := map[string]chart.Colour{"s0": {Light: "#0072b2", Dark: "#56b4e9"}, "s1": {Light: "#d55e00", Dark: "#f28e2b"}, "s2": {Light: "#008a64", Dark: "#2fd3a3"}}
	var b strings.Builder
	chart.Begin(&b, whole, int(firstPanel+panel*float64(len(panels))), "How long a search takes as its work grows", colours)
	b.WriteString(`<text class="muted" x="16" y="46">Each step up or to the right is ten times as much: a line that rises as</text>` + "\n")
	b.WriteString(`<text class="muted" x="16" y="62">fast as it goes to the right takes time in proportion to the work.</text>` + "\n")
	for i, p := range panels {
		top := firstPanel + panel*float64(i)
		fmt.Fprintf(&b, `<text class="bold" x="16" y="%.0f">%s</text>`+"\n", top+4, p.title)
		var names []string
		of := map[string][]dot{}
		for _, d := range dots {
			if p.lines[d.series] == "" {
				continue
			}
			if of[d.series] == nil {
				names = append(names, d.series)
			}
			of[d.series] = append(of[d.series], d)
		}
		drawPanel(&b, top+16, names, of, p.lines)
	}
	b.WriteString("</svg>\n")
	return b.String()
}

// drawPanel draws the lines of a panel, with labels at each work and each power of ten of the time.
func drawPanel(b *strings.Builder, top float64, names []string, of map[string][]dot, called map[string]string) {
	var all []dot
	for _, name := range names {
		all = append(all, of[name]...)
	}
	if all == nil {
		return
	}
	least := slices.MinFunc(all, func(a, b dot) int { return cmp.Compare(a.ms, b.ms) }).ms
	most := slices.MaxFunc(all, func(a, b dot) int { return cmp.Compare(a.ms, b.ms) }).ms
	low, high := math.Floor(math.Log10(least)), math.Ceil(math.Log10(most))
	first, last := math.Log10(all[0].work), math.Log10(all[0].work)
	for _, d := range all {
		first, last = min(first, math.Log10(d.work)), max(last, math.Log10(d.work))
	}
	x := func(d dot) float64 { return left + width*(math.Log10(d.work)-first)/max(last-first, 1) }
	y := func(ms float64) float64 { return top + height - height*(math.Log10(ms)-low)/(high-low) }
	for power := low; power <= high; power++ {
		at := y(math.Pow(10, power))
		fmt.Fprintf(b, `<path class="line" d="M%.0f %.1fh%.0f"/><text class="muted" x="%.0f" y="%.1f" text-anchor="end">%s</text>`+"\n",
			left, at, width, left-8, at+4, duration(power))
	}
	for _, d := range of[names[0]] {
		fmt.Fprintf(b, `<text class="muted" x="%.1f" y="%.0f" text-anchor="middle">%s</text>`+"\n", x(d), top+height+18, label(d.size))
	}
	for i, name := range names {
		var path strings.Builder
		for k, d := range of[name] {
			fmt.Fprintf(&path, "%c%.1f %.1f", "ML"[min(k, 1)], x(d), y(d.ms))
			fmt.Fprintf(b, `<circle class="s%d" cx="%.1f" cy="%.1f" r="3.5"/>`, i, x(d), y(d.ms))
		}
		end := of[name][len(of[name])-1]
		fmt.Fprintf(b, `<path class="s%d" fill="none" style="fill:none" stroke-width="1.5" d="%s"/>`+"\n", i, path.String())
		fmt.Fprintf(b, `<text x="%.1f" y="%.1f">%s</text>`+"\n", x(end)+9, y(end.ms)+4, chart.Escape(called[name]))
	}
}

// label prints a size of the table below its point: its number with commas, and the unit of bytes.
func label(size string) string {
	count, unit, _ := strings.Cut(size, " ")
	n, err := strconv.Atoi(count)
	switch {
	case err != nil:
		return size
	case strings.HasSuffix(unit, "iB"):
		return chart.Thousands(n) + " " + unit
	}
	return chart.Thousands(n)
}

// duration prints a power of ten of milliseconds.
func duration(power float64) string {
	if power >= 3 {
		return fmt.Sprintf("%g s", math.Pow(10, power-3))
	}
	if power == 2 {
		return "0.1 s"
	}
	return fmt.Sprintf("%g ms", math.Pow(10, power))
}
