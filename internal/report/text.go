package report

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/internal/size"
)

// WriteText writes the summary for a terminal of 80 columns.
func (r *Report) WriteText(to io.Writer) error {
	w := bufio.NewWriter(to)
	r.textSums(w)
	r.textTools(w)
	r.textWaste(w)
	r.textDearest(w)
	r.textChanges(w)
	r.textHosts(w)
	for i, p := range r.Problems {
		if i == 0 {
			fmt.Fprintf(w, "\n%s could not be read:\n", notice.Count(r.Sums.Unread, "line"))
		}
		fmt.Fprintf(w, "  %s\n", quote.Short(p, 75))
	}
	return w.Flush()
}

func (r *Report) textSums(w io.Writer) {
	s := r.Sums
	name, _ := quote.Line(r.Name)
	fmt.Fprintf(w, "%s\n%s in %s, of which tools ran for %s; %s\n", quote.Short(name, 75), notice.Count(s.Calls, "call"),
		took(s.WallMs), took(s.BusyMs), notice.Count(s.Sessions, "session"))
	fmt.Fprintf(w, "Read by the model: %s, about %s tokens\n", size.Format(s.Bytes), grouped(s.Tokens))
	fmt.Fprintf(w, "Produced and not shown: %s\n", size.Format(s.Hidden))
	fmt.Fprintf(w, "Wasted: %s, about %s tokens (%s)\n",
		notice.Count(s.Wasted, "call"), grouped(s.WasteT), percent(s.WasteT, s.Tokens))
	if s.Nested > 0 {
		fmt.Fprintf(w, "%s made by tools are in no sum: no model read their text\n", notice.Count(s.Nested, "call"))
	}
	if s.Unknown > 0 {
		fmt.Fprintf(w, "Unknown for %s of an older record: polls, what followed cuts, what searches\n"+
			"left out, and which lines were seen before\n", notice.Count(s.Unknown, "call"))
	}
	if left := s.Calls + s.Nested - s.Listed; left > 0 {
		fmt.Fprintf(w, "The last %s are in the sums alone: a report lists %s\n",
			notice.Count(left, "call"), grouped(maxCalls))
	}
}

func (r *Report) textTools(w io.Writer) {
	fmt.Fprintf(w, "\n%-19s%6s%7s%9s%10s%6s%11s%11s\n",
		"What was paid for?", "calls", "errors", "bytes", "tokens", "", "not shown", "time")
	for _, t := range r.Tools {
		fmt.Fprintf(w, "%s%6d%7d%9s%10s%6s%11s%11s\n",
			column(t.Name, 19), t.Calls, t.Errors, size.Format(t.Bytes), grouped(t.Tokens),
			percent(t.Tokens, r.Sums.Tokens), size.Format(t.Hidden), took(t.Ms))
	}
}

func (r *Report) textWaste(w io.Writer) {
	asked := ""
	for _, k := range r.Waste {
		if k.Question != asked {
			asked = k.Question
			if k.Counts {
				fmt.Fprintf(w, "\n%-30s%6s%9s%10s\n", asked, "calls", "bytes", "tokens")
			} else {
				fmt.Fprintf(w, "\n%-30s%6s  %s\n", asked, "calls", "not shown")
			}
		}
		switch {
		case k.Counts:
			fmt.Fprintf(w, "%-30s%6d%9s%10s%6s\n", k.Title,
				k.Calls, size.Format(k.Bytes), grouped(k.Tokens), percent(k.Tokens, r.Sums.Tokens))
		case k.Bytes > 0:
			fmt.Fprintf(w, "%-30s%6d  %s\n", k.Title, k.Calls, size.Format(k.Bytes))
		default:
			fmt.Fprintf(w, "%-30s%6d\n", k.Title, k.Calls)
		}
		if len(k.Parts) > 0 && k.Kind != kindSeen {
			fmt.Fprintf(w, "  %s\n", quote.Short(list(k.Parts), 75))
		}
	}
}

func (r *Report) textDearest(w io.Writer) {
	if len(r.Dearest) == 0 {
		return
	}
	fmt.Fprintf(w, "\n%-20s%9s%10s%6s  %s\n", "Which cost most?", "bytes", "tokens", "", "arguments")
	for _, i := range r.Dearest {
		c := r.Calls[i]
		fmt.Fprintf(w, "%6d  %s%9s%10s%6s  %s\n",
			c.Number, column(c.Tool, 12), size.Format(int64(c.Bytes)), grouped(int64(c.Tokens)),
			percent(int64(c.Tokens), r.Sums.Tokens), quote.Short(c.Brief, 30))
	}
}

// maxChangers is how many of the commands that changed files are listed: the last ones.
const maxChangers = 10

// textChanges says what commands have changed: what other calls do, their arguments say.
func (r *Report) textChanges(w io.Writer) {
	var changers []*Call
	for _, c := range r.Calls {
		if c.Changed > 0 && (c.Tool == "bash" || c.Tool == "job") {
			changers = append(changers, c)
		}
	}
	if len(changers) == 0 {
		return
	}
	fmt.Fprintf(w, "\n%-31s%6s  %s\n", "What did commands change?", "files", "the first of them")
	if left := len(changers) - maxChangers; left > 0 {
		fmt.Fprintf(w, "  %s before\n", notice.Count(left, "more command"))
		changers = changers[left:]
	}
	for _, c := range changers {
		first := ""
		if len(c.Changes) > 0 {
			first = c.Changes[0]
		}
		fmt.Fprintf(w, "%6d  %s%6d  %s\n", c.Number, column(c.Brief, 23), c.Changed, quote.Short(first, 38))
	}
}

// list is "3 corrected, 1 given up".
func list(parts []Part) string {
	var said []string
	for _, p := range parts {
		said = append(said, fmt.Sprintf("%d %s", p.Calls, p.Name))
	}
	return strings.Join(said, ", ")
}

// column is a name in a column that wide, on one line whatever it holds.
func column(name string, width int) string {
	shown, _ := quote.Line(name)
	if shown == "" {
		shown = "(unknown)"
	}
	if utf8.RuneCountInString(shown) >= width {
		shown = quote.Short(shown, width-4)
	}
	return fmt.Sprintf("%-*s", width, shown)
}

// grouped is a number with commas.
func grouped(n int64) string {
	digits := strconv.FormatInt(n, 10)
	for i := len(digits) - 3; i > 0 && digits[i-1] != '-'; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

func percent(part, whole int64) string {
	if whole <= 0 {
		return "0%"
	}
	return fmt.Sprintf("%.0f%%", 100*float64(part)/float64(whole))
}

// took is a time in its two largest units.
func took(ms float64) string {
	d := time.Duration(ms * float64(time.Millisecond))
	switch {
	case d < time.Second:
		return fmt.Sprintf("%dms", d.Milliseconds())
	case d < time.Minute:
		return fmt.Sprintf("%.1fs", d.Seconds())
	case d < time.Hour:
		return fmt.Sprintf("%dm%02ds", int(d.Minutes()), int(d.Seconds())%60)
	}
	return fmt.Sprintf("%dh%02dm", int(d.Hours()), int(d.Minutes())%60)
}
