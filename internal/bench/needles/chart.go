package main

import (
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"

	"github.com/spillway-go/spillway/internal/docs/chart"
	"github.com/spillway-go/spillway/internal/docs/section"
)

const picture = "../../docs/needles.svg"

// charted are the rows of the table that the chart has, with their names in it.
var charted = []struct{ row, name, class string }{
	{everything, "everything", "other"},
	{"`tail`, 2000 lines or 30 KB", "the last 30 KB", "other"},
	{"`tail`, 2000 lines or 30 KB, and what stands out", "Spillway", "spillway"},
	{"`digest`, 4 KiB", "Spillway, show=digest", "spillway"},
}

// A bar is a row of the table as the chart has it.
type bar struct {
	name, class     string
	percent, tokens int
}

var (
	measured = regexp.MustCompile(`(?m)^\| (.+?) \| (\d+)% \| \d+ \| (\d+) \|`)
	counted  = regexp.MustCompile(`(?m)^(\d+) texts .* and (\d+) without`)
)

// redraw draws the chart from the table that the page has.
func redraw() error {
	text, err := section.Read(page, "needles")
	if err != nil {
		return err
	}
	drawn, err := svg(text)
	if err != nil {
		return err
	}
	return os.WriteFile(picture, []byte(drawn), 0o644)
}

// bars returns the charted rows of a table.
func bars(text string) (list []bar, err error) {
	rows := map[string]bar{}
	for _, m := range measured.FindAllStringSubmatch(text, -1) {
		var b bar
		if b.percent, err = strconv.Atoi(m[2]); err == nil {
			b.tokens, err = strconv.Atoi(m[3])
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", m[1], err)
		}
		rows[m[1]] = b
	}
	for _, c := range charted {
		b, ok := rows[c.row]
		if !ok {
			return nil, fmt.Errorf("the table has no row %s", c.row)
		}
		b.name, b.class = c.name, c.class
		list = append(list, b)
	}
	return list, nil
}

// Places in the chart, which is narrow enough to be read on a telephone.
const (
	chartWidth = 480
	barLeft    = 16
	barWidth   = 448.0
	barHeight  = 14
	rowHeight  = 42
	firstRow   = 96
)

// svg draws a bar of tokens for each row, and says behind it how many needles they have.
func svg(text string) (string, error) {
	list, err := bars(text)
	if err != nil {
		return "", err
	}
	n := counted.FindStringSubmatch(text)
	if n == nil {
		return "", fmt.Errorf("the table does not say of how many texts it is")
	}
	with, _ := strconv.Atoi(n[1])
	without, _ := strconv.Atoi(n[2])
	most := 0
	for _, b := range list {
		most = max(most, b.tokens)
	}
	var b strings.Builder
	chart.Begin(&b, chartWidth, firstRow+rowHeight*len(list)+10, "What a long output costs, and what it tells", map[string]chart.Colour{
		"spillway": {Light: "#0072b2", Dark: "#56b4e9"}, "other": {Light: "#8c959f", Dark: "#6e7681"},
	})
	fmt.Fprintf(&b, `<text class="muted" x="16" y="48">The mean of %d outputs of builds, tests, servers and others: the tokens</text>`+"\n", with+without)
	b.WriteString(`<text class="muted" x="16" y="64">that the model gets at first, and how many of the lines that say what</text>` + "\n")
	b.WriteString(`<text class="muted" x="16" y="80">failed are among them.</text>` + "\n")
	for i, r := range list {
		y := firstRow + rowHeight*i
		width := max(float64(r.tokens)/float64(most)*barWidth, 1)
		weight := ""
		if r.class == "spillway" {
			weight = ` class="bold"`
		}
		fmt.Fprintf(&b, `<text%s x="%d" y="%d">%s: %s tokens, %d%% of the lines</text>`, weight, barLeft, y+14, r.name, chart.Thousands(r.tokens), r.percent)
		fmt.Fprintf(&b, `<rect class="%s" stroke-width="0" x="%d" y="%d" width="%.1f" height="%d"/>`+"\n", r.class, barLeft, y+20, width, barHeight)
	}
	b.WriteString("</svg>\n")
	return b.String(), nil
}
