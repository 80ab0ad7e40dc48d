package main

import (
	"encoding/xml"
	"io"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// What a terminal shows of an output, without colours.
func TestScreen(t *testing.T) {
	for name, c := range map[string]struct {
		output string
		want   []string
	}{
		"lines":            {"one\r\ntwo\r\n", []string{"one", "two"}},
		"no return":        {"one\ntwo", []string{"one", "   two"}},
		"progress":         {"10%\r50%\r100%\r\n", []string{"100%"}},
		"shorter progress": {"working\rdone\r\n", []string{"doneing"}},
		"erased line":      {"working\r\x1b[Kdone\r\n", []string{"done"}},
		"erased to here":   {"abcdef\x1b[3D\x1b[1Kx", []string{"   xef"}},
		"erased whole":     {"abcdef\x1b[2K", []string{""}},
		"line above":       {"a\r\nb\r\n\x1b[2Ac\r\n", []string{"c", "b"}},
		"column":           {"abc\x1b[2Gx", []string{"axc"}},
		"tab":              {"a\tb", []string{"a       b"}},
		"backspace":        {"ab\bc", []string{"ac"}},
		"wrapped":          {"0123456789abc", []string{"0123456789", "abc"}},
		"exactly full":     {"0123456789\r\nabc", []string{"0123456789", "abc"}},
		"wide":             {"日本語", []string{"日本語"}},
		"wide at the end":  {"012345678日", []string{"012345678", "日"}},
		"combining":        {"e\u0301x", []string{"e\u0301x"}},
		"title":            {"\x1b]0;title\aa\x1b]8;;http://x\x1b\\b", []string{"ab"}},
		"other escapes":    {"\x1b(Ba\x1b=b\x1b[?25lc\ad", []string{"abcd"}},
		"not UTF-8":        {"a\xffb", []string{"a\ufffdb"}},
		"cut off":          {"a\x1b[3", []string{"a"}},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, row := range screen(c.output, 10) {
				got = append(got, text(row))
			}
			require.Equal(t, c.want, got)
		})
	}
}

func TestStyles(t *testing.T) {
	row := screen("\x1b[1;31ma\x1b[0mb\x1b[2mc\x1b[22;33md\x1b[38;2;1;2;255me\x1b[39mf\x1b[38;5;12mg\x1b[48;5;1mh\x1b[94mi\x1b[mj", 20)[0]
	want := []style{
		{color: "c1", bold: true}, {}, {dim: true}, {color: "c3"}, {color: "#0102ff"}, {}, {color: "c12"}, {color: "c12"}, {color: "c12"}, {},
	}
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
	picture := svg(screen("  \x1b[33m<a&b>\x1b[0m c  日本\x1b[1md\r\n", 20), 20, `go run "." <x>`)
	require.NoError(t, xml.Unmarshal([]byte(picture), &got))
	require.Equal(t, `go run "." <x>`, got.Title)
	require.Len(t, got.Lines, 2)
	require.Equal(t, got.Title, got.Lines[0].Text)
	require.Equal(t, []span{
		{Class: "c3", X: "30.8", Width: "42.0", Text: "<a&b>"},
		{X: "81.2", Width: "8.4", Text: "c"},
		{X: "106.4", Width: "33.6", Text: "日本"},
		{Class: "b", X: "140.0", Width: "8.4", Text: "d"},
	}, got.Lines[1].Spans)
}

// Every class that a style may have is defined.
func TestClasses(t *testing.T) {
	for _, code := range strings.Fields("1 2 31 36 90 97 1;32 38;5;9") {
		picture := svg(screen("\x1b["+code+"mx", 5), 5, "")
		for class := range strings.FieldsSeq(screen("\x1b["+code+"mx", 5)[0][0].style.class()) {
			require.Contains(t, picture, "."+class+"{", code)
		}
	}
	decoder := xml.NewDecoder(strings.NewReader(svg(screen("\x00\x01\ufffex", 5), 5, "\x00")))
	for {
		_, err := decoder.Token()
		if err == io.EOF {
			break
		}
		require.NoError(t, err)
	}
}

func TestCrop(t *testing.T) {
	rows := screen("one\r\ntwo\r\nthree\r\n\r\nfour", 10)
	for _, c := range []struct {
		parts []part
		want  string
	}{
		{nil, "one two three  four"},
		{[]part{{"two", 0}}, "⋮ two three  four"},
		{[]part{{"two", 1}}, "⋮ two ⋮"},
		{[]part{{"one", 1}, {"two", 1}}, "one two ⋮"},
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
	require.EqualError(t, err, `-part "one" is on no row`)
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
