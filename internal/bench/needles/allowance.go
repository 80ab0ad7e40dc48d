package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/spillway-go/spillway/internal/docs/chart"
	"github.com/spillway-go/spillway/internal/docs/section"
	"github.com/spillway-go/spillway/truncation"
)

// Where the bench's page says what more of the allowance would show, and its picture.
const (
	benchPage      = "../../docs/bench.md"
	allowanceChart = "../../docs/allowance.svg"
)

// allowances are the kilobytes of a result for which the ways to cut are set side by side.
var allowances = []int{2, 4, 8, 16, 30}

// ways are the ways to cut, by kilobytes.
var ways = []struct {
	name, class string
	show        func(kilobytes int) func([]byte) (string, []string)
}{
	{"digest", "digest", digest},
	{"tail, and what stands out", "tail", sentence},
	{"both ends", "ends", func(kilobytes int) func([]byte) (string, []string) {
		return cut(truncation.Policy{Strategy: truncation.MiddleLines, Limits: limits(0, kilobytes)})
	}},
}

// allowance measures each way with each allowance, on the texts that nothing was tuned on.
func allowance() (rows [][]row, err error) {
	texts, err := load("unseen")
	if err != nil {
		return nil, err
	}
	for _, w := range ways {
		var list []row
		for _, kilobytes := range allowances {
			r := row{strategy: strategy{name: w.name, show: w.show(kilobytes)}}
			for _, t := range texts {
				r.add(t.measure(r.strategy))
			}
			list = append(list, r)
		}
		rows = append(rows, list)
	}
	return rows, nil
}

// allowanceTable returns a row for each way.
func allowanceTable(rows [][]row) string {
	var b strings.Builder
	b.WriteString("| needles, tokens |")
	for _, kilobytes := range allowances {
		fmt.Fprintf(&b, " %d KB |", kilobytes)
	}
	b.WriteString("\n|---|" + strings.Repeat("---|", len(allowances)) + "\n")
	for _, list := range rows {
		fmt.Fprintf(&b, "| %s |", list[0].name)
		for _, r := range list {
			fmt.Fprintf(&b, " %.0f%%, %s |", r.share(), chart.Thousands(r.tokens/r.texts))
		}
		b.WriteString("\n")
	}
	return b.String()
}

// allowanceSVG draws the share of needles over the kilobytes of a result.
func allowanceSVG(rows [][]row) string {
	const width, height, left, top, right, bottom = 480, 330, 52, 84, 464, 270
	var b strings.Builder
	chart.Begin(&b, width, height, "What more bytes would show", map[string]chart.Colour{
		"tail": {Light: "#0072b2", Dark: "#56b4e9"}, "digest": {Light: "#d55e00", Dark: "#f28e2b"}, "ends": {Light: "#6e7781", Dark: "#9198a1"},
	})
	b.WriteString(`<text class="muted" x="16" y="48">The share of lines that say what failed in a result of so many KB, of recorded</text>` + "\n")
	b.WriteString(`<text class="muted" x="16" y="64">outputs that nothing was tuned on.</text>` + "\n")
	x := func(i int) int { return left + i*(right-left)/(len(allowances)-1) }
	y := func(share float64) int { return bottom - int(share*(bottom-top)/100) }
	for share := 0; share <= 100; share += 25 {
		fmt.Fprintf(&b, `<line class="line" x1="%d" x2="%d" y1="%d" y2="%[3]d"/><text class="muted" x="%d" y="%d" text-anchor="end">%d%%</text>`+"\n",
			left, right, y(float64(share)), left-8, y(float64(share))+4, share)
	}
	for i, kilobytes := range allowances {
		fmt.Fprintf(&b, `<text class="muted" x="%d" y="%d" text-anchor="middle">%d KB</text>`+"\n", x(i), bottom+18, kilobytes)
	}
	for i, list := range rows {
		var points []string
		for k, r := range list {
			points = append(points, fmt.Sprintf("%d,%d", x(k), y(r.share())))
			fmt.Fprintf(&b, `<circle class="%s" cx="%d" cy="%d" r="4"/>`+"\n", ways[i].class, x(k), y(r.share()))
		}
		fmt.Fprintf(&b, `<polyline class="%s" points="%s" style="fill:none" stroke-width="2"/>`+"\n", ways[i].class, strings.Join(points, " "))
		fmt.Fprintf(&b, `<rect class="%s" x="%d" y="%d" width="10" height="10"/><text x="%d" y="%d">%s</text>`+"\n",
			ways[i].class, 16+110*i+50*min(i, 1)*(i-1), height-26, 32+110*i+50*min(i, 1)*(i-1), height-17, ways[i].name)
	}
	b.WriteString("</svg>\n")
	return b.String()
}

func writeAllowance() error {
	rows, err := allowance()
	if err != nil {
		return err
	}
	if err := section.Write(benchPage, "allowance", allowanceTable(rows)); err != nil {
		return err
	}
	return os.WriteFile(allowanceChart, []byte(allowanceSVG(rows)), 0o644)
}
