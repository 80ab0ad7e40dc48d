package main

import (
	"fmt"
	"math"
	"strings"
)

// The chart has a row for each scenario and a dot for each contender: how long it
// took on the left, the most memory on the right, both on scales of powers of ten. A
// dot is filled if the result was bounded and nothing was lost.
const (
	rowHeight  = 26
	chartTop   = 92
	chartWidth = 960
	timeLeft   = 330
	timeWidth  = 390
	sizeLeft   = 770
	sizeWidth  = 160
)

// colours of the contenders, told apart by people who see no red or no green too.
var colours = map[string]string{"spillway": "#0072b2", "anthropic": "#d55e00", "pi": "#009e73", "naive": "#7f7f7f"}

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

func (o outcome) svg() string {
	time, memory := scale{left: timeLeft, width: timeWidth, low: -2, high: 4}, scale{left: sizeLeft, width: sizeWidth, low: 0.7, high: 3}
	bottom := chartTop + rowHeight*len(o.rows)
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="sans-serif" font-size="12" fill="#222222">`+"\n", chartWidth, bottom+40)
	// A ground of its own: it can be read on a dark page as well.
	fmt.Fprintf(&b, `<rect width="%d" height="%d" rx="6" fill="#ffffff"/>`+"\n", chartWidth, bottom+40)
	o.legend(&b)
	grid(&b, time, bottom, "time of a call", mark{0.01, "10 µs"}, mark{0.1, "0.1 ms"}, mark{1, "1 ms"}, mark{10, "10 ms"}, mark{100, "0.1 s"}, mark{1000, "1 s"}, mark{10000, "10 s"})
	grid(&b, memory, bottom, "peak memory", mark{10, "10 MiB"}, mark{100, "100"}, mark{1000, "1000"})
	for i, row := range o.rows {
		y := chartTop + rowHeight*i + rowHeight/2
		if i%2 == 0 {
			fmt.Fprintf(&b, `<rect x="8" y="%d" width="%d" height="%d" fill="#000000" fill-opacity="0.04"/>`+"\n", y-rowHeight/2, chartWidth-16, rowHeight)
		}
		fmt.Fprintf(&b, `<text x="%d" y="%d" text-anchor="end">%s</text>`+"\n", timeLeft-14, y+4, escape(row.group()+": "+strings.ReplaceAll(row.title, "`", "")))
		for n := range o.contenders { // the first one last, on top
			c := o.contenders[len(o.contenders)-1-n]
			y := y + 5*(len(o.contenders)-1-n) - 5*(len(o.contenders)-1)/2 // side by side where they are alike
			if r := row.results[c.id]; r.absent == "" && !r.refused() {
				dot(&b, time.x(r.ms), y, colours[c.id], r.good())
				dot(&b, memory.x(r.peak), y, colours[c.id], r.good())
			}
		}
	}
	b.WriteString("</svg>\n")
	return b.String()
}

func (o outcome) legend(b *strings.Builder) {
	x := 24
	for _, c := range o.contenders {
		dot(b, float64(x), 22, colours[c.id], true)
		fmt.Fprintf(b, `<text x="%d" y="26">%s</text>`+"\n", x+10, c.name)
		x += 45 + 7*len(c.name)
	}
	dot(b, 24, 44, "#222222", false)
	b.WriteString(`<text x="34" y="48">hollow: without a bound, something lost, a broken character, or a process left behind</text>` + "\n")
}

func grid(b *strings.Builder, s scale, bottom int, title string, marks ...mark) {
	fmt.Fprintf(b, `<text x="%.0f" y="%d" font-weight="bold">%s</text>`+"\n", s.left, chartTop-22, title)
	for _, m := range marks {
		fmt.Fprintf(b, `<line x1="%.1f" y1="%d" x2="%.1f" y2="%d" stroke="#cccccc"/><text x="%.1f" y="%d" text-anchor="middle" fill="#555555">%s</text>`+"\n",
			s.x(m.value), chartTop-8, s.x(m.value), bottom+6, s.x(m.value), bottom+22, m.label)
	}
}

func dot(b *strings.Builder, x float64, y int, colour string, filled bool) {
	fill := colour
	if !filled {
		fill = "#ffffff"
	}
	fmt.Fprintf(b, `<circle cx="%.1f" cy="%d" r="4.5" fill="%s" stroke="%s" stroke-width="2"/>`+"\n", x, y, fill, colour)
}

var escape = strings.NewReplacer("&", "&amp;", "<", "&lt;").Replace
