package notice

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spillway-go/spillway/truncation"
)

// Standout names lines that stand out among those that are not shown.
type Standout struct {
	Lines  []truncation.Line // the most telling ones first
	More   int               // how many more there are
	Before bool              // they are in front of what is shown
	Room   int               // the most bytes that the notice may take
}

// Notice names the lines in their order, as many as there is room for.
func (s Standout) Notice() Notice {
	if len(s.Lines) == 0 {
		return ""
	}
	begin := "Lines left out that stand out: "
	if s.Before {
		begin = "Lines before it that stand out: "
	}
	room := s.Room - len(begin) - len(" and 1000000 more")
	var chosen []truncation.Line
	for _, line := range s.Lines {
		if size := len(standing(line)) + len(", "); size <= room {
			room -= size
			chosen = append(chosen, line)
		} else if len(chosen) > 0 && room < s.Room/4 {
			break
		}
	}
	if len(chosen) == 0 {
		return ""
	}
	slices.SortFunc(chosen, func(a, b truncation.Line) int { return a.Number - b.Number })
	var named []string
	for _, line := range chosen {
		named = append(named, standing(line))
	}
	text := begin + strings.Join(named, ", ")
	if more := s.More + len(s.Lines) - len(chosen); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return Notice(text)
}

func standing(line truncation.Line) string {
	return strconv.Itoa(line.Number) + " " + strconv.Quote(line.Text)
}
