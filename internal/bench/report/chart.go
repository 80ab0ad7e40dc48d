package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spillway-go/spillway/internal/docs/chart"
)

// cases say in the chart what a benchmark is: the tool, and what it does, and behind the dot which
// program does the same. goal is what the ratio was meant to be, 0 if there is none. A benchmark that is not here is
// like one of these, and not on the page.
var cases = map[string]struct {
	tool, words string
	goal        float64
}{
	"Echo":                 {"bash", "echo hi · bash -c", 1.1},
	"EchoDash":             {"bash", "echo hi · dash -c", 0},
	"Gigabyte/yes/tee":     {"bash", "1 GiB of short lines · | tee file | tail", 0.6},
	"Gigabyte/yes/to-file": {"bash", "1 GiB of short lines · > file", 1.3},
	"Gigabyte/cat/tee":     {"bash", "1 GiB of a log · | tee file | tail", 0.6},
	"Gigabyte/cat/to-file": {"bash", "1 GiB of a log · > file", 1.3},
	"Disk":                 {"bash", "100 MB onto a disk · > file, and tail", 1.2},
	"Standout/digits":      {"bash", "100 MB, numbers · NoStandout", 1.25},
	"Standout/hex":         {"bash", "100 MB, hexadecimal ids · NoStandout", 1.25},
	"Standout/uuid":        {"bash", "100 MB, UUIDs · NoStandout", 1.25},
	"Standout/base64":      {"bash", "100 MB, base64 · NoStandout", 1.25},
	"Standout/json":        {"bash", "100 MB, JSON lines · NoStandout", 1.25},
	"Standout/go-test":     {"bash", "100 MB, go test -v · NoStandout", 1.25},
	"Standout/access":      {"bash", "100 MB, an access log · NoStandout", 1.25},
	"Standout/build":       {"bash", "100 MB, a build log · NoStandout", 1.25},

	"Hosts/landlock/echo":           {"bash", "echo hi, hosts by name · no network", 0},
	"Hosts/landlock/download":       {"bash", "1 GB through the proxy · the host's network", 1.3},
	"Hosts/landlock/download-socks": {"bash", "1 GB through SOCKS · the host's network", 1.3},
	"Hosts/bwrap/echo":              {"bash", "echo hi, hosts by name, in bwrap · no network", 0},
	"Hosts/bwrap/download":          {"bash", "1 GB through the proxy, in bwrap · the host's network", 1.3},
	"Hosts/bwrap/download-socks":    {"bash", "1 GB through SOCKS, in bwrap · the host's network", 1.3},

	"Read/last-1000/tail":  {"read", "the last 1000 lines of 1 GiB · tail", 0},
	"Read/deep/wc":         {"read", "a page far into 1 GiB · wc -l", 0.9},
	"Read/deep/sed":        {"read", "a page far into 1 GiB · sed", 0.25},
	"Read/deep-again/sed":  {"read", "the same page again · sed", 0},
	"ReadLine":             {"read", "far into a line of 300 MB · cut", 0},
	"Scan/literal-rare":    {"grep", "Go's source, a rare word · rg", 0.8},
	"Scan/literal-none":    {"grep", "Go's source, a word that is not there · rg", 0.8},
	"Scan/literal-many":    {"grep", "Go's source, a frequent word · rg", 0.8},
	"Scan/inner-literal":   {"grep", "Go's source, a word inside a pattern · rg", 0.9},
	"Scan/alternation":     {"grep", "Go's source, one of four words · rg", 0.9},
	"Scan/ignore-case":     {"grep", "Go's source, a word in any case · rg", 1},
	"Scan/no-literal":      {"grep", "Go's source, a pattern without words · rg", 1},
	"ManyFiles/literal":    {"grep", "100,000 small files, a word · rg --sort path", 0.6},
	"SmallRepository":      {"grep", "60 files · rg", 0.4},
	"First100/return":      {"grep", "the first 100 of a frequent word · rg --sort path", 0.25},
	`First100/\w+Reader\b`: {"grep", "the first 100 of a pattern · rg --sort path", 0.25},
	"BigFile/literal":      {"grep", "a log of 1 GiB, a word · rg", 1.2},
	"BigFile/regexp":       {"grep", "a log of 1 GiB, a pattern · rg", 1.5},
	"Find":                 {"find", "Go's source files · fd", 0.35},
	"Ls/first500":          {"ls", "50,000 entries, the first 500 shown · ls -A", 1},
	"Ls/all":               {"ls", "50,000 entries, all shown · ls -A", 0.9},
}

// Places in the chart, which is narrow enough to be read on a telephone.
const (
	chartWidth = 480
	barHeight  = 12
	rowHeight  = 36
	firstRow   = 104
	barLeft    = 64
	barWidth   = 340.0
	numberEnd  = chartWidth - 16
)

// svg draws a bar for each ratio, below the name of its tool.
func svg(rows []row) string {
	rows = slices.Clone(rows)
	order := []string{"bash", "read", "grep", "find", "ls"}
	slices.SortStableFunc(rows, func(a, b row) int {
		return slices.Index(order, cases[a.name].tool) - slices.Index(order, cases[b.name].tool)
	})
	const most = 3.0 // a bar that would be longer ends there
	x := func(ratio float64) float64 { return barLeft + ratio/most*barWidth }
	bottom := firstRow + rowHeight*len(rows)

	var b strings.Builder
	chart.Begin(&b, chartWidth, bottom+30, "How long a call takes, beside the program that does the same", map[string]chart.Colour{
		"faster": {Light: "#1a7f37", Dark: "#3fb950"}, "slower": {Light: "#bc4c00", Dark: "#db6d28"}, "same": chart.Muted,
	})
	b.WriteString(`<text class="muted" x="16" y="46">Time of a call, divided by the time of the program named beside it.</text>` + "\n")
	b.WriteString(`<text class="muted" x="16" y="62">Left of the dashed line, green: the call is faster. Bars end at 3.</text>` + "\n")
	for ratio := 0.0; ratio <= most; ratio += 0.5 {
		label := fmt.Sprint(ratio)
		switch ratio {
		case 0.5:
			label = "half"
		case 1:
			label = "the same"
		case 2:
			label = "twice"
		}
		for _, y := range []int{firstRow - 14, bottom + 18} {
			fmt.Fprintf(&b, `<text class="muted" x="%.0f" y="%d" text-anchor="middle">%s</text>`+"\n", x(ratio), y, label)
		}
	}
	tool := ""
	for i, r := range rows {
		y := firstRow + rowHeight*i
		c := cases[r.name]
		if c.words == "" {
			c.words = r.name
		}
		if c.tool != tool {
			tool = c.tool
			fmt.Fprintf(&b, `<text class="bold" x="16" y="%d">%s</text>`, y+15, tool)
			if i > 0 {
				fmt.Fprintf(&b, `<line class="line" x1="16" y1="%d" x2="%d" y2="%[1]d"/>`, y, numberEnd)
			}
		}
		class := "faster"
		if r.ratio >= 1 {
			class = "slower"
		}
		what, program, _ := strings.Cut(c.words, " · ")
		fmt.Fprintf(&b, `<text x="%d" y="%d">%s <tspan class="muted">beside %s</tspan></text>`, barLeft, y+15, chart.Escape(what), chart.Escape(program))
		fmt.Fprintf(&b, `<line class="same" x1="%.1f" y1="%d" x2="%.1[1]f" y2="%[3]d" stroke-dasharray="4 3"/>`, x(1), y+18, y+20+barHeight)
		fmt.Fprintf(&b, `<rect class="%s" stroke-width="0" x="%d" y="%d" width="%.1f" height="%d"/>`, class, barLeft, y+19, max(x(min(r.ratio, most))-barLeft, 1), barHeight)
		fmt.Fprintf(&b, `<text x="%d" y="%d" text-anchor="end">%s</text>`+"\n", numberEnd, y+29, ratio(r.ratio))
	}
	b.WriteString("</svg>\n")
	return b.String()
}
