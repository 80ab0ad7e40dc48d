package main

import (
	"encoding/xml"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// draw returns the rows of an output, which must not be refused.
func draw(t *testing.T, output string, cols int) [][]cell {
	t.Helper()
	rows, err := screen(output, cols)
	require.NoError(t, err)
	return rows
}

func TestScreen(t *testing.T) {
	for name, c := range map[string]struct {
		output string
		want   []string
	}{
		"lines":         {"one\r\ntwo\r\n", []string{"one", "two"}},
		"blank lines":   {"one\r\n\r\ntwo\r\n\r\n", []string{"one", "", "two"}},
		"progress":      {"10%\r\x1b[K50%\r\x1b[Kdone\r\n", []string{"done"}},
		"progress left": {"working\r\n\r\x1b[K50%\r\x1b[K", []string{"working", ""}},
		"tab":           {"a\tb", []string{"a       b"}},
		"tab at a stop": {"12345678\tb", []string{"12345678", "b"}},
		"wrapped":       {"0123456789abcdef0", []string{"0123456789abcdef", "0"}},
		"exactly full":  {"0123456789abcdef\r\nabc", []string{"0123456789abcdef", "abc"}},
		"not UTF-8":     {"a\xffb", []string{"a\ufffdb"}},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, row := range draw(t, c.output, 16) {
				got = append(got, text(row))
			}
			require.Equal(t, c.want, got)
		})
	}
}

// What a picture would show wrongly is an error.
func TestRefused(t *testing.T) {
	for _, output := range []string{"50%\r100%", "a\b", "\x1b[2A", "\x1b]0;title\a", "\x00", "e\u0301", "日", "\x1b[38;5;9mx", "\x1b[44mx", "\x1b[91mx"} {
		_, err := screen(output, 10)
		require.ErrorContains(t, err, "not drawn here", "%q", output)
	}
}

func TestStyles(t *testing.T) {
	row := draw(t, "\x1b[1;31ma\x1b[0mb\x1b[2mc\x1b[36md\x1b[mj", 20)[0]
	want := []style{{color: "c1", bold: true}, {}, {dim: true}, {color: "c6", dim: true}, {}}
	for i, w := range want {
		require.Equal(t, w, row[i].style, "%d", i)
	}
}

// A picture is XML, and its text is that of the screen, at its place.
func TestSVG(t *testing.T) {
	type span struct {
		Class string `xml:"class,attr"`
		X     string `xml:"x,attr"`
		Width string `xml:"textLength,attr"`
		Text  string `xml:",chardata"`
	}
	var got struct {
		Title string `xml:"title"`
		Lines []struct {
			Text  string `xml:",chardata"`
			Spans []span `xml:"tspan"`
		} `xml:"text"`
	}
	picture := svg(draw(t, "  \x1b[33m<a&b>\x1b[0m c  é·\x1b[1md\r\n", 20), 20, `go run "." <x>`)
	require.NoError(t, xml.Unmarshal([]byte(picture), &got))
	require.Equal(t, `go run "." <x>`, got.Title)
	require.Len(t, got.Lines, 2)
	require.Equal(t, got.Title, got.Lines[0].Text)
	require.Equal(t, []span{
		{Class: "c3", X: "30.8", Width: "42.0", Text: "<a&b>"},
		{X: "81.2", Width: "8.4", Text: "c"},
		{X: "106.4", Width: "16.8", Text: "é·"},
		{Class: "b", X: "123.2", Width: "8.4", Text: "d"},
	}, got.Lines[1].Spans)
}

// Every class that a style may have is defined.
func TestClasses(t *testing.T) {
	for _, code := range strings.Fields("1 2 31 36 1;32") {
		rows := draw(t, "\x1b["+code+"mx", 5)
		for class := range strings.FieldsSeq(rows[0][0].style.class()) {
			require.Contains(t, svg(rows, 5, ""), "."+class+"{", code)
		}
	}
}

func TestCrop(t *testing.T) {
	rows := draw(t, "one\r\ntwo\r\nthree\r\n\r\nfour", 10)
	for _, c := range []struct {
		parts []part
		want  string
	}{
		{nil, "one two three  four"},
		{[]part{{"two", 0}}, "two three  four"},
		{[]part{{"two", 1}}, "two"},
		{[]part{{"one", 1}, {"two", 1}}, "one two"},
		{[]part{{"one", 1}, {"three", 1}, {"four", 9}}, "one ⋮ three ⋮ four"},
	} {
		shown, err := crop(rows, c.parts)
		require.NoError(t, err)
		var got []string
		for _, row := range shown {
			got = append(got, text(row))
		}
		require.Equal(t, c.want, strings.Join(got, " "))
	}
	_, err := crop(rows, []part{{"two", 1}, {"one", 1}})
	require.EqualError(t, err, `"one" is on no row`)
}

// Every colour can be read in its theme, as WCAG counts contrast.
func TestContrast(t *testing.T) {
	luminance := func(color string) float64 {
		var l float64
		for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
			n, err := strconv.ParseUint(color[1+2*i:3+2*i], 16, 8)
			require.NoError(t, err)
			c := float64(n) / 255
			if c <= 0.04045 {
				c /= 12.92
			} else {
				c = math.Pow((c+0.055)/1.055, 2.4)
			}
			l += weight * c
		}
		return l
	}
	for _, theme := range []theme{light, dark} {
		ground := luminance(theme.ground)
		for class, color := range theme.text {
			l := luminance(color)
			require.GreaterOrEqual(t, (max(l, ground)+0.05)/(min(l, ground)+0.05), 4.5, "%q on %s", class, theme.ground)
		}
	}
}
