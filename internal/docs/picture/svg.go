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

// theme has the colours of the window's ground and frame, and those of text by class: "" is the terminal's own,
// "d" dim, "c1" to "c6" are red to cyan.
type theme struct {
	ground, frame string
	text          map[string]string
}

// The themes of light and of dark pages.
var (
	light = theme{"#ffffff", "#d1d9e0", map[string]string{
		"": "#1f2328", "d": "#59636e",
		"c1": "#cf222e", "c2": "#116329", "c3": "#7d4e00", "c4": "#0969da", "c5": "#8250df", "c6": "#1b6e75",
	}}
	dark = theme{"#0d1117", "#3d444d", map[string]string{
		"": "#e6edf3", "d": "#9198a1",
		"c1": "#ff7b72", "c2": "#7ee787", "c3": "#e3b341", "c4": "#79c0ff", "c5": "#d2a8ff", "c6": "#56d4dd",
	}}
)

// css returns the theme's style sheet.
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
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%[1]d" height="%[2]d" viewBox="0 0 %[1]d %[2]d" role="img">`,
		width, height)
	b.WriteString("\n")
	fmt.Fprintf(&b, "<title>%s</title>\n", escaped(title))
	// The widths are those of these fonts, so the page must not set another.
	fmt.Fprintf(&b, `<style>text{font:%dpx ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;`+
		"white-space:pre}.b{font-weight:700}\n%s\n@media (prefers-color-scheme: dark) {\n%s\n}</style>\n", fontSize, light.css(), dark.css())
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

// line draws a row. Each span has its own position, so that none is out of place in a font that is a little wider.
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
	if s.color == "" && s.dim {
		return class + "d"
	}
	return class + s.color
}

// span is text of one style.
type span struct {
	col, cells int
	text       string
	style      style
}

// split returns the spans of a row. Two spaces end one.
func split(row []cell) []span {
	var spans []span
	blanks := 0
	for col, c := range row {
		if c.char == ' ' {
			blanks++
			continue
		}
		if n := len(spans); n > 0 && blanks < 2 && spans[n-1].style == c.style {
			last := &spans[n-1]
			last.text += strings.Repeat(" ", blanks) + string(c.char)
			last.cells = col + 1 - last.col
		} else {
			spans = append(spans, span{col, 1, string(c.char), c.style})
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
