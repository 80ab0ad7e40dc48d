// Package chart begins the manual's charts, SVGs in the colours of the reader's theme.
package chart

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Colour is how something is drawn on a light page and on a dark one.
type Colour struct{ Light, Dark string }

// Ground is what a chart is drawn on. It is that of GitHub's pages.
var Ground = Colour{"#ffffff", "#0d1117"}

// The colours of every chart's own classes: of text, of text that explains, and of lines.
var (
	Text  = Colour{"#1f2328", "#e6edf3"}
	Muted = Colour{"#59636e", "#9198a1"}
	Line  = Colour{"#d1d9e0", "#30363d"}
)

// Begin writes the head of a chart: its title, which is shown too, and its styles. An
// element of a class in colours is filled and drawn in that colour. Other classes are
// muted and bold for texts, line for lines, and hollow for a shape filled with the ground.
func Begin(b *strings.Builder, width, height int, title string, colours map[string]Colour) {
	fmt.Fprintf(b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %[1]d %[2]d" role="img" font-family="sans-serif" font-size="12">`+"\n", width, height)
	fmt.Fprintf(b, "<title>%s</title>\n<style>\n%s@media (prefers-color-scheme: dark) {\n%s}\n.bold{font-weight:700}\n</style>\n", Escape(title),
		styles(colours, func(c Colour) string { return c.Light }), styles(colours, func(c Colour) string { return c.Dark }))
	fmt.Fprintf(b, `<rect class="ground" width="%d" height="%d"/>`+"\n", width, height)
	fmt.Fprintf(b, `<text class="bold" x="16" y="26" font-size="15">%s</text>`+"\n", Escape(title))
}

func styles(colours map[string]Colour, in func(Colour) string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "text{fill:%s}.muted{fill:%s}.line{stroke:%s}.ground{fill:%s}\n", in(Text), in(Muted), in(Line), in(Ground))
	for _, class := range slices.Sorted(maps.Keys(colours)) {
		fmt.Fprintf(&b, ".%s{fill:%s;stroke:%[2]s}", class, in(colours[class]))
	}
	fmt.Fprintf(&b, ".hollow{fill:%s}\n", in(Ground))
	return b.String()
}

// Escape makes text of an SVG.
var Escape = strings.NewReplacer("&", "&amp;", "<", "&lt;").Replace

// Digits prints three digits of a number, or all before its point.
func Digits(x float64) string {
	if x >= 100 {
		return fmt.Sprintf("%.0f", x)
	}
	return fmt.Sprintf("%.3g", x)
}

// Thousands prints a number with commas, such as 11,155.
func Thousands(n int) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%s,%03d", Thousands(n/1000), n%1000)
}
