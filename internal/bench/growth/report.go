package main

import (
	"cmp"
	"fmt"
	"math"
	"os"
	"regexp"
	"strconv"
	"strings"

	"github.com/spillway-go/spillway/internal/docs/chart"
	"github.com/spillway-go/spillway/internal/docs/section"
)

const (
	page    = "docs/performance.md"
	picture = "docs/growth.svg"
	left    = 60.0
	top     = 60.0
	width   = 420.0
	height  = 330.0
	whole   = 700
)

// times are the powers of ten on the scale of the time, and works those on the scale of
// the work, which is that of a series' first point.
var (
	times = []string{"0.1 ms", "1 ms", "10 ms", "0.1 s", "1 s", "10 s", "100 s"}
	works = []string{"1", "10", "100", "1000", "10⁴", "10⁵", "10⁶", "10⁷"}
)

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
	series   string
	work, ms float64 // work is a multiple of that of the series' first dot
}

var cells = regexp.MustCompile(`(?m)^\| (\w[^|]*) \| (\d+)([^|]*) \| ([\d.]+) \|`)

// tabled returns the dots of a table.
func tabled(text string) (dots []dot, err error) {
	units := map[string]float64{" MiB": 1 << 10, " GiB": 1 << 20}
	first := map[string]float64{}
	for _, m := range cells.FindAllStringSubmatch(text, -1) {
		d := dot{series: m[1]}
		if d.work, err = strconv.ParseFloat(m[2], 64); err != nil {
			return nil, err
		}
		if d.ms, err = strconv.ParseFloat(m[4], 64); err != nil {
			return nil, fmt.Errorf("%s, %s%s: %w", m[1], m[2], m[3], err)
		}
		d.work *= cmp.Or(units[m[3]], 1)
		first[d.series] = cmp.Or(first[d.series], d.work)
		d.work /= first[d.series]
		dots = append(dots, d)
	}
	return dots, nil
}

// svg draws a line for each series: the time over the work, both on scales of powers of ten.
func svg(dots []dot) string {
	x := func(work float64) float64 { return left + width*math.Log10(work)/float64(len(works)-1) }
	y := func(ms float64) float64 {
		return top + height - height*(math.Log10(max(ms, 0.1))+1)/float64(len(times)-1)
	}
	palette := []chart.Colour{{Light: "#0072b2", Dark: "#56b4e9"}, {Light: "#d55e00", Dark: "#f28e2b"}, {Light: "#008a64", Dark: "#2fd3a3"},
		{Light: "#6e7781", Dark: "#9198a1"}, {Light: "#8250df", Dark: "#bc8cff"}, {Light: "#9a6700", Dark: "#d29922"}, {Light: "#bf3989", Dark: "#f778ba"}}
	var series []string
	colours := map[string]chart.Colour{"any": chart.Text}
	of := map[string][]dot{}
	for _, p := range dots {
		if of[p.series] == nil {
			colours[fmt.Sprintf("s%d", len(series))] = palette[len(series)%len(palette)]
			series = append(series, p.series)
		}
		of[p.series] = append(of[p.series], p)
	}
	var b strings.Builder
	chart.Begin(&b, whole, int(top+height)+50, "How the time grows with the work", colours)
	for i, label := range times {
		at := top + height - height*float64(i)/float64(len(times)-1)
		fmt.Fprintf(&b, `<path class="line" d="M%.0f %.0fh%.0f"/><text class="muted" x="%.0f" y="%.0f" text-anchor="end">%s</text>`+"\n", left, at, width, left-6, at+4, label)
	}
	for i, label := range works {
		fmt.Fprintf(&b, `<text class="muted" x="%.0f" y="%.0f" text-anchor="middle">%s</text>`+"\n", left+width*float64(i)/float64(len(works)-1), top+height+18, label)
	}
	fmt.Fprintf(&b, `<text class="muted" x="%.0f" y="%.0f">times the work of the first point; both scales logarithmic</text>`+"\n", left, top+height+38)
	for i, name := range series {
		var path strings.Builder
		for k, p := range of[name] {
			fmt.Fprintf(&path, "%c%.1f %.1f", "ML"[min(k, 1)], x(p.work), y(p.ms))
			fmt.Fprintf(&b, `<circle class="s%d" cx="%.1f" cy="%.1f" r="3.5"/>`, i, x(p.work), y(p.ms))
		}
		fmt.Fprintf(&b, `<path class="s%d" fill="none" style="fill:none" stroke-width="1.5" d="%s"/>`+"\n", i, path.String())
		fmt.Fprintf(&b, `<circle class="s%d" cx="%.0f" cy="%.0f" r="5"/><text x="%.0f" y="%.0f">%s</text>`+"\n", i, left+width+24, top+20+26*float64(i), left+width+36, top+24+26*float64(i), chart.Escape(name))
	}
	b.WriteString("</svg>\n")
	return b.String()
}
