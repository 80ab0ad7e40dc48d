package notice

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/spillway-go/spillway/truncation"
)

// Standout names lines that stand out in the part that is not shown.
type Standout struct {
	Lines  []truncation.Line // the most important first
	More   int               // how many more there are
	Before bool              // they come before the shown part
	Room   int               // the most bytes that the notice may take
}

const Unexplained Notice = "The command failed, and no output line was recognized as the reason"

// moreRoom is the share of a text, one in so many bytes, that makes room if the lines that stand out before it do not
// fit in the notice: they are more important than the part farthest from its end.
const moreRoom = 10

// Needs returns how many bytes beyond Room the notice could use, from a text with that limit.
func (s Standout) Needs(limit int) int {
	all := s
	all.Room = s.Room + limit/moreRoom
	return max(len(all.Notice())-s.Room, 0)
}

// Notice names the lines in order, as many as fit.
func (s Standout) Notice() Notice {
	if len(s.Lines) == 0 {
		return ""
	}
	begin := "Lines left out that stand out: "
	if s.Before {
		begin = "Lines before it that stand out: "
	}
	const number = 8 // bytes at most, with the comma
	room := s.Room - len(begin) - len(" and more") - number
	named := map[int]string{}
	for _, line := range s.Lines {
		most := wide
		if room < s.Room/2 {
			most = narrow
		}
		name := fmt.Sprintf("%d %s", line.Number, excerpt(line, most))
		if room -= len(name) + len(", "); room < 0 {
			break
		}
		named[line.Number] = name
	}
	if len(named) == 0 {
		return ""
	}
	var list []string
	for _, number := range slices.Sorted(maps.Keys(named)) {
		list = append(list, named[number])
	}
	text := begin + strings.Join(list, ", ")
	if more := s.More + len(s.Lines) - len(list); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return Notice(text)
}

// Bytes shown of a line: while there is much room, and after that.
const wide, narrow = 200, 120

// excerpt returns the important part of a line, with at most most bytes when quoted.
func excerpt(line truncation.Line, most int) string {
	text, from := line.Text, 0
	if line.At > most*3/4 {
		from = max(line.At-most/4, 0)
	}
	for n := most; ; n -= 8 {
		if q := strconv.Quote(cut(text, from, from+n)); len(q) <= most+len(`"......"`) {
			return q
		}
	}
}

func cut(text string, from, to int) string {
	for from > 0 && !utf8.RuneStart(text[from]) {
		from--
	}
	before, after := "", "..."
	if from > 0 {
		before = "..."
	}
	if to >= len(text) {
		return before + text[from:]
	}
	for to > from && !utf8.RuneStart(text[to]) {
		to--
	}
	return before + text[from:to] + after
}
