package main

import (
	"encoding/xml"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Sizes in pixels. A character is 0.6 of the font's size wide, as in nearly all
// fonts of this kind; where it is not, textLength makes it so.
const (
	fontSize   = 14
	cellWidth  = 8.4
	lineHeight = 18
	padding    = 14
	titleBar   = 34
)

// theme is the window's ground and frame, and the colours of text by their class: "" is
// the terminal's own, "d" dim.
type theme struct {
	ground, frame string
	text          map[string]string
}

// light and dark are for pages of either kind. What a terminal calls white and black is
// readable in both.
var (
	light = theme{"#ffffff", "#d1d9e0", map[string]string{
		"": "#1f2328", "d": "#59636e",
		"c0": "#24292f", "c1": "#cf222e", "c2": "#116329", "c3": "#7d4e00", "c4": "#0969da", "c5": "#8250df", "c6": "#1b6e75", "c7": "#59636e",
		"c8": "#57606a", "c9": "#a40e26", "c10": "#1a7f37", "c11": "#633c01", "c12": "#0550ae", "c13": "#6639ba", "c14": "#0e5a61", "c15": "#1f2328",
	}}
	dark = theme{"#0d1117", "#3d444d", map[string]string{
		"": "#e6edf3", "d": "#9198a1",
		"c0": "#8b949e", "c1": "#ff7b72", "c2": "#7ee787", "c3": "#e3b341", "c4": "#79c0ff", "c5": "#d2a8ff", "c6": "#56d4dd", "c7": "#c9d1d9",
		"c8": "#8b949e", "c9": "#ffa198", "c10": "#aff5b4", "c11": "#f2cc60", "c12": "#a5d6ff", "c13": "#e2c5ff", "c14": "#b3f0ff", "c15": "#ffffff",
	}}
)

// css are the styles of a theme.
func (t theme) css() string {
	var b strings.Builder
	fmt.Fprintf(&b, ".window{fill:%s;stroke:%s}text{fill:%s}", t.ground, t.frame, t.text[""])
	for _, class := range slices.Sorted(maps.Keys(t.text)) {
		if class != "" {
			fmt.Fprintf(&b, ".%s{fill:%s}", class, t.text[class])
		}
	}
	return b.String()
}

// svg draws rows in a window.
func svg(rows [][]cell, cols int, title string) string {
	width := int(float64(cols)*cellWidth) + 2*padding
	height := titleBar + len(rows)*lineHeight + padding
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" role="img">`+"\n", width, height, width, height)
	fmt.Fprintf(&b, "<title>%s</title>\n", escaped(title))
	// A page must not lay other fonts over it: the widths belong to these.
	fmt.Fprintf(&b, `<style>text{font:%dpx ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;white-space:pre}.b{font-weight:700}`+
		"\n%s\n@media (prefers-color-scheme: dark) {\n%s\n}</style>\n", fontSize, light.css(), dark.css())
	fmt.Fprintf(&b, `<rect class="window" x=".5" y=".5" width="%d" height="%d" rx="9"/>`+"\n", width-1, height-1)
	for i, color := range []string{"#ff5f57", "#febc2e", "#28c840"} {
		fmt.Fprintf(&b, `<circle cx="%d" cy="17" r="6" fill="%s"/>`, 22+20*i, color)
	}
	fmt.Fprintf(&b, "\n"+`<text class="d" x="%d" y="22" text-anchor="middle">%s</text>`+"\n", width/2, escaped(title))
	for i, row := range rows {
		line(&b, row, titleBar+i*lineHeight+fontSize)
	}
	b.WriteString("</svg>\n")
	return b.String()
}

// line draws a row: each of its words that belong together at a place of its own,
// so that none is out of place in a font that is a little wider.
func line(b *strings.Builder, row []cell, y int) {
	spans := split(row)
	if len(spans) == 0 {
		return
	}
	fmt.Fprintf(b, `<text y="%d">`, y)
	for _, r := range spans {
		class := strings.TrimSpace(r.style.class())
		if class != "" {
			class = fmt.Sprintf(` class="%s"`, class)
		}
		if strings.HasPrefix(r.style.color, "#") {
			class += fmt.Sprintf(` style="fill:%s"`, r.style.color)
		}
		fmt.Fprintf(b, `<tspan x="%.1f" textLength="%.1f" lengthAdjust="spacingAndGlyphs"%s>%s</tspan>`,
			padding+float64(r.col)*cellWidth, float64(r.cells)*cellWidth, class, escaped(r.text))
	}
	b.WriteString("</text>\n")
}

func (s style) class() string {
	class := ""
	if s.bold {
		class += "b "
	}
	switch {
	case strings.HasPrefix(s.color, "c"):
		class += s.color
	case s.color == "" && s.dim:
		class += "d"
	}
	return class
}

// span is text of one style.
type span struct {
	col, cells int
	text       string
	style      style
}

// split makes spans of a row. Two blanks end one.
func split(row []cell) []span {
	var spans []span
	open := false
	blanks := 0
	for col, c := range row {
		if c.text == " " {
			blanks++
			continue
		}
		if open && blanks < 2 && spans[len(spans)-1].style == c.style {
			last := &spans[len(spans)-1]
			last.text += strings.Repeat(" ", blanks) + c.text
			last.cells = col + 1 - last.col
		} else {
			spans = append(spans, span{col, 1, c.text, c.style})
			open = true
		}
		blanks = 0
	}
	return spans
}

func escaped(text string) string {
	var b strings.Builder
	xml.EscapeText(&b, []byte(text)) // a Builder does not fail
	return b.String()
}
