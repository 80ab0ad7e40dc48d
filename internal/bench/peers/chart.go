package main

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/spillway-go/spillway/internal/docs/chart"
)

// The chart has a row for each scenario and a dot for each contender: how long it
// took on the left, the most memory on the right, both on scales of powers of ten. A
// dot is filled if the result was bounded and nothing was lost.
const (
	rowHeight  = 28
	chartTop   = 150
	chartWidth = 830
	timeLeft   = 296
	timeWidth  = 336
	sizeLeft   = 686
	sizeWidth  = 112
)

// colours of the contenders, told apart by people who see no red or no green too.
var colours = map[string]chart.Colour{
	"spillway":  {Light: "#0072b2", Dark: "#56b4e9"},
	"anthropic": {Light: "#d55e00", Dark: "#f28e2b"},
	"pi":        {Light: "#008a64", Dark: "#2fd3a3"},
	"naive":     {Light: "#6e7781", Dark: "#9198a1"},
	"any":       chart.Text, // in the legend
}

// scale places powers of ten on the chart.
type scale struct {
	left, width float64
	low, high   float64 // logarithms
}

func (s scale) x(v float64) float64 {
	at := (math.Log10(v) - s.low) / (s.high - s.low)
	return s.left + s.width*min(max(at, 0), 1)
}

// mark is a line of the scale.
type mark struct {
	value float64
	label string
}

// chartRow is a scenario on the chart, with a spot for each column of the tables.
type chartRow struct {
	group, title string
	spots        []spot
}

// spot is what a contender's call took, if it is drawn.
type spot struct {
	ms, peak float64
	drawn    bool
	good     bool // nothing of what is looked for was wrong
}

var (
	costRow  = regexp.MustCompile(`(?m)^\| (\w+): (.*?) \| (.*) \|$`)
	costCell = regexp.MustCompile(`^\**([\d.]+)\**, ([\d.]+)$`)
)

// tabled returns the columns' names and the rows of the tables of costs, and of what the model gets, in the section of
// the page. A call that was refused, or not made, has no spot.
func tabled(text string) (names []string, rows []chartRow, err error) {
	_, costs, _ := strings.Cut(text, "| ms, MiB | ")
	costs, shown, ok := strings.Cut(costs, "| to the model | ")
	if !ok {
		return nil, nil, errors.New("the page has no tables of costs and of what the model gets")
	}
	heading, _, _ := strings.Cut(costs, " |\n")
	names = strings.Split(heading, " | ")
	words := costRow.FindAllStringSubmatch(shown, -1)
	for i, m := range costRow.FindAllStringSubmatch(costs, -1) {
		row := chartRow{group: m[1], title: m[2]}
		if i >= len(words) || words[i][2] != m[2] {
			return nil, nil, fmt.Errorf("%s: %s is not in the same place of both tables", m[1], m[2])
		}
		became := strings.Split(words[i][3], " | ")
		for k, cell := range strings.Split(m[3], " | ") {
			var s spot
			if n := costCell.FindStringSubmatch(cell); n != nil && k < len(became) {
				if s.ms, err = strconv.ParseFloat(n[1], 64); err == nil {
					s.peak, err = strconv.ParseFloat(n[2], 64)
				}
				if err != nil {
					return nil, nil, fmt.Errorf("%s: %s: %w", m[1], m[2], err)
				}
				s.drawn = !strings.Contains(became[k], "**refused**")
				s.good = !strings.Contains(became[k], "**")
			}
			row.spots = append(row.spots, s)
		}
		rows = append(rows, row)
	}
	return names, rows, nil
}

// classes are the contenders' colours by their names.
var classes = map[string]string{"Spillway": "spillway", "agenttoolset": "anthropic", "pi-coding-agent": "pi"}

func class(name string) string { return cmp.Or(classes[name], "naive") }

func svg(names []string, rows []chartRow) string {
	time, memory := scale{left: timeLeft, width: timeWidth, low: -2, high: 4}, scale{left: sizeLeft, width: sizeWidth, low: 1, high: 3}
	bottom := chartTop + rowHeight*len(rows)
	var b strings.Builder
	chart.Begin(&b, chartWidth, bottom+36, "Time and memory of the same calls, with four sets of tools", colours)
	legend(&b, names)
	grid(&b, time, bottom, "time of a call", mark{0.01, "10 µs"}, mark{0.1, "0.1 ms"}, mark{1, "1 ms"}, mark{10, "10 ms"}, mark{100, "0.1 s"}, mark{1000, "1 s"}, mark{10000, "10 s"})
	grid(&b, memory, bottom, "peak memory", mark{10, "10 MiB"}, mark{100, "100"}, mark{1000, "1000"})
	group := ""
	for i, row := range rows {
		y := chartTop + rowHeight*i + rowHeight/2
		if row.group != group {
			group = row.group
			fmt.Fprintf(&b, `<text class="bold" x="16" y="%d">%s</text>`, y+4, group)
			fmt.Fprintf(&b, `<line class="line" x1="16" y1="%d" x2="%d" y2="%[1]d"/>`+"\n", y-rowHeight/2, chartWidth-16)
		}
		fmt.Fprintf(&b, `<text x="%d" y="%d" text-anchor="end">%s</text>`+"\n", timeLeft-16, y+4, chart.Escape(strings.ReplaceAll(row.title, "`", "")))
		for n := range names { // the first one last, on top
			n = len(names) - 1 - n
			y := y + 5*n - 5*(len(names)-1)/2 // side by side where they are alike
			if s := row.spots[n]; s.drawn {
				dot(&b, time.x(s.ms), y, class(names[n]), s.good)
				dot(&b, memory.x(s.peak), y, class(names[n]), s.good)
			}
		}
	}
	b.WriteString("</svg>\n")
	return b.String()
}

func legend(b *strings.Builder, names []string) {
	x := 22
	for _, name := range names {
		dot(b, float64(x), 48, class(name), true)
		fmt.Fprintf(b, `<text x="%d" y="52">%s</text>`+"\n", x+10, name)
		x += 45 + 7*len(name)
	}
	dot(b, 22, 70, "any", false)
	b.WriteString(`<text x="32" y="74">hollow: without a bound, something lost, a broken character, or a process left behind</text>` + "\n")
	b.WriteString(`<text class="muted" x="16" y="96">Further left is less. The scales are logarithmic: each vertical line is ten times the one to its left.</text>` + "\n")
}

func grid(b *strings.Builder, s scale, bottom int, title string, marks ...mark) {
	fmt.Fprintf(b, `<text class="bold" x="%.0f" y="%d" text-anchor="middle">%s</text>`+"\n", s.left+s.width/2, chartTop-30, title)
	for _, m := range marks {
		fmt.Fprintf(b, `<line class="line" x1="%.1f" y1="%d" x2="%.1f" y2="%d"/>`+"\n", s.x(m.value), chartTop-6, s.x(m.value), bottom+6)
		for _, y := range []int{chartTop - 12, bottom + 22} {
			fmt.Fprintf(b, `<text class="muted" x="%.1f" y="%d" text-anchor="middle">%s</text>`+"\n", s.x(m.value), y, m.label)
		}
	}
}

// dot is a contender's, by its colour.
func dot(b *strings.Builder, x float64, y int, id string, filled bool) {
	if !filled {
		id += " hollow"
	}
	fmt.Fprintf(b, `<circle class="%s" cx="%.1f" cy="%d" r="4.5" stroke-width="2"/>`+"\n", id, x, y)
}
