package main

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
)

// cell is a character on the screen, one column wide.
type cell struct {
	char  rune
	style style
}

type style struct {
	color     string // "c1" to "c6", or "" for the terminal's own
	bold, dim bool
}

// text returns a row without its styles and the spaces at its end.
func text(row []cell) string {
	var b strings.Builder
	for _, c := range row {
		b.WriteRune(c.char)
	}
	return strings.TrimRight(b.String(), " ")
}

// token matches one of the things that the examples print: a style, the erasure of their progress line, or a character.
var token = regexp.MustCompile(`\x1b\[([0-9;]*)m|\r\x1b\[K|(?s:.)`)

// notOneColumn are characters that are wider than a column, or combine with the one before.
var notOneColumn = []*unicode.RangeTable{unicode.M, unicode.Han, unicode.Hangul, unicode.Hiragana, unicode.Katakana}

// screen returns the rows that a terminal shows of an output. It refuses what it does not know how to draw.
func screen(output string, cols int) (rows [][]cell, err error) {
	var now style
	for line := range strings.SplitSeq(strings.TrimRight(output, "\r\n"), "\n") {
		var row []cell
		for _, m := range token.FindAllStringSubmatch(strings.TrimSuffix(line, "\r"), -1) {
			char := []rune(m[0])[0]
			switch {
			case strings.HasSuffix(m[0], "m") && char == 0x1b:
				if now, err = now.with(m[1]); err != nil {
					return nil, err
				}
				continue
			case m[0] == "\r\x1b[K":
				row = nil
				continue
			case char == '\t':
				for range 7 - len(row)%8 {
					row = append(row, cell{' ', now})
				}
				char = ' '
			case !unicode.IsPrint(char), unicode.In(char, notOneColumn...):
				return nil, fmt.Errorf("it prints %q, which is not drawn here", m[0])
			}
			if len(row) == cols {
				rows, row = append(rows, row), nil
			}
			row = append(row, cell{char, now})
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// with returns the style after a sequence with these parameters.
func (s style) with(parameters string) (style, error) {
	for p := range strings.SplitSeq(parameters, ";") {
		switch {
		case p == "" || p == "0":
			s = style{}
		case p == "1":
			s.bold = true
		case p == "2":
			s.dim = true
		case len(p) == 2 && p >= "31" && p <= "36":
			s.color = "c" + p[1:]
		default:
			return s, fmt.Errorf("it prints the style %q, which is not drawn here", parameters)
		}
	}
	return s, nil
}
