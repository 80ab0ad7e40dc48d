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

// The chart has a block for each scenario and in it a line for each contender: a bar as long as the call took, on a scale
// of powers of ten, and in words how long that is, how much memory it took, and what is wrong with the result. It is
// narrow enough to be read on a telephone.
const (
	chartWidth = 480
	chartTop   = 112
	lineHeight = 17
	blockGap   = 30 // for a block's title
	nameEnd    = 104
	barsWidth  = 150
)

// colours of the contenders, told apart by people who see no red or no green too.
var colours = map[string]chart.Colour{
	"spillway":  {Light: "#0072b2", Dark: "#56b4e9"},
	"anthropic": {Light: "#d55e00", Dark: "#f28e2b"},
	"pi":        {Light: "#008a64", Dark: "#2fd3a3"},
	"naive":     {Light: "#6e7781", Dark: "#9198a1"},
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

// chartRow is a scenario on the chart, with a spot for each column of the tables.
type chartRow struct {
	group, title string
	spots        []spot
}

// spot is what a contender's call took, if it could be made.
type spot struct {
	ms, peak float64
	made     bool
	faults   []string // what was wrong with the result, in the table's words
}

var (
	costRow  = regexp.MustCompile(`(?m)^\| (\w+): (.*?) \| (.*) \|$`)
	costCell = regexp.MustCompile(`^\**([\d.]+)\**, ([\d.]+)$`)
	fault    = regexp.MustCompile(`(?:(rest|process) )?\*\*(.*?)\*\*`)
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
				s.made = true
			}
			if k < len(became) {
				for _, f := range fault.FindAllStringSubmatch(became[k], -1) {
					s.faults = append(s.faults, strings.TrimSpace(f[1]+" "+f[2]))
				}
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
	time := scale{left: nameEnd + 8, width: barsWidth, low: -2, high: 4}
	block := blockGap + lineHeight*len(names) + 6
	var b strings.Builder
	chart.Begin(&b, chartWidth, chartTop+block*len(rows)+8, "The same calls, with four sets of tools", colours)
	b.WriteString(`<text class="muted" x="16" y="48">Bars are the times of a call, on a logarithmic scale: a little longer is much</text>` + "\n")
	b.WriteString(`<text class="muted" x="16" y="64">slower. Beside them are the time, the most memory that the program held,</text>` + "\n")
	b.WriteString(`<text class="muted" x="16" y="80">and what is wrong with the result, if anything is.</text>` + "\n")
	for i, row := range rows {
		top := chartTop + block*i
		fmt.Fprintf(&b, `<text class="bold" x="16" y="%d">%s: <tspan font-weight="400">%s</tspan></text>`+"\n",
			top+12, row.group, chart.Escape(strings.ReplaceAll(row.title, "`", "")))
		for n, name := range names {
			y := top + blockGap + lineHeight*n
			fmt.Fprintf(&b, `<text x="%d" y="%d" text-anchor="end">%s</text>`, nameEnd, y, name)
			s := row.spots[n]
			if s.made {
				fmt.Fprintf(&b, `<rect class="%s" stroke-width="0" x="%.0f" y="%d" width="%.1f" height="9"/>`, class(name), time.left, y-9, max(time.x(s.ms)-time.left, 1))
			}
			fmt.Fprintf(&b, `<text x="%.0f" y="%d">%s</text>`+"\n", time.left+barsWidth+8, y, chart.Escape(s.words()))
		}
	}
	b.WriteString("</svg>\n")
	return b.String()
}

// words say what a call took and what is wrong with its result.
func (s spot) words() string {
	if !s.made {
		return "cannot be asked for"
	}
	took := chart.Digits(s.ms) + " ms"
	if s.ms >= 1000 {
		took = chart.Digits(s.ms/1000) + " s"
	}
	words := fmt.Sprintf("%s, %s MiB", took, chart.Digits(s.peak))
	if s.faults != nil {
		words += ": " + strings.Join(s.faults, ", ")
	}
	return words
}
