package main

import (
	"encoding/xml"
	"fmt"
	"strings"
)

// Sizes in pixels. A character is 0.6 of the font's size wide, as in nearly all
// fonts of this kind; where it is not, textLength makes it so.
const (
	fontSize   = 14
	cellWidth  = 8.4
	lineHeight = 19
	padding    = 18
	titleBar   = 38
)

// palette is a dark theme that is readable on light and dark pages.
var palette = map[string]string{
	"":   "#e6edf3",
	"c0": "#6e7681", "c1": "#ff7b72", "c2": "#7ee787", "c3": "#e3b341", "c4": "#79c0ff", "c5": "#d2a8ff", "c6": "#56d4dd", "c7": "#c9d1d9",
	"c8": "#8b949e", "c9": "#ffa198", "c10": "#aff5b4", "c11": "#f2cc60", "c12": "#a5d6ff", "c13": "#e2c5ff", "c14": "#b3f0ff", "c15": "#ffffff",
	"dim": "#8b949e",
}

// svg draws rows in a window.
func svg(rows [][]cell, cols int, title string) string {
	width := int(float64(cols)*cellWidth) + 2*padding
	height := titleBar + len(rows)*lineHeight + padding
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" role="img">`+"\n", width, height, width, height)
	fmt.Fprintf(&b, "<title>%s</title>\n", escaped(title))
	// A page must not lay other fonts over it: the widths belong to these.
	fmt.Fprintf(&b, `<style>text{font:%dpx ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:%s;white-space:pre}`+
		".b{font-weight:700}.d{fill:%s}", fontSize, palette[""], palette["dim"])
	for i := range 16 {
		name := fmt.Sprint("c", i)
		fmt.Fprintf(&b, ".%s{fill:%s}", name, palette[name])
	}
	b.WriteString("</style>\n")
	fmt.Fprintf(&b, `<rect x=".5" y=".5" width="%d" height="%d" rx="9" fill="#0d1117" stroke="#3d444d"/>`+"\n", width-1, height-1)
	for i, color := range []string{"#ff5f57", "#febc2e", "#28c840"} {
		fmt.Fprintf(&b, `<circle cx="%d" cy="19" r="6" fill="%s"/>`, 22+20*i, color)
	}
	fmt.Fprintf(&b, "\n"+`<text class="d" x="%d" y="24" text-anchor="middle">%s</text>`+"\n", width/2, escaped(title))
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
