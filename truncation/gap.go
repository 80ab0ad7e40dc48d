package truncation

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spillway-go/spillway/internal/size"
)

const (
	likeBytes = 60 // bytes of a quoted example line
	fewLines  = 16 // a gap with fewer lines gets no examples
	minLines  = 50 // a shorter text has no lines that stand out
)

// text returns the shown lines with descriptions of the gaps. said are the indexes of lines that are not of the
// original.
func (d *digest) text() (text string, said []int) {
	var lines []string
	saved := d.saved // "" once the text has said it
	if !d.bare {
		said, lines = append(said, len(lines)), append(lines, "["+d.totals()+saved+"]")
		saved = ""
	}
	gaps := d.gaps()
	var before []string
	for i, line := range append(d.lines[:len(d.lines):len(d.lines)], numbered{}) {
		if gap := gaps[i]; gap.from <= gap.to {
			message, last := d.message(gap)
			like := d.like(span{max(last+1, gap.from), gap.to})
			what := d.describe(gap, like, slices.Equal(like, before), message)
			said, lines = append(said, len(lines)), append(lines, "["+what+saved+"]")
			if len(like) > 0 {
				before = like
			}
			saved = ""
		}
		if i < len(d.lines) {
			lines = append(lines, line.text)
		}
	}
	return strings.Join(lines, "\n"), said
}

// gaps returns what is left out before each line and at the end; a gap may be empty. It also locates failures in the
// gaps.
func (d *digest) gaps() (list []span) {
	next := 1
	for _, line := range d.lines {
		list = append(list, span{next, line.number - 1})
		next = line.number + 1
	}
	list = append(list, span{next, d.last})
	d.hidden, d.hiding = d.elsewhere(), 0
	for _, gap := range list {
		d.hiding += one(gap.from <= gap.to && d.report.MayFail(gap.from, gap.to))
	}
	return list
}

// like returns up to two quotes that most lines of a gap resemble; none for a small gap.
func (d *digest) like(gap span) (quotes []string) {
	quotes, known := d.quotes[gap]
	if known || gap.to-gap.from+1 < fewLines {
		return quotes
	}
	for _, line := range d.report.Like(gap.from, gap.to) {
		text, _ := excerpt(line)
		quotes = append(quotes, quoted(d.shown(text)))
	}
	d.quotes[gap] = quotes
	return quotes
}

// describe returns the description of a gap. like are quotes that most of its lines resemble; known says that they
// were quoted before.
func (d *digest) describe(gap span, like []string, known bool, message string) string {
	if gap.from == gap.to {
		return fmt.Sprintf("line %d", d.before+gap.from) + message
	}
	but, of := ", except ", "that"
	what := " ordinary lines"
	switch {
	case len(like) == 0:
		what, but, of = " lines", ", ", "of which"
	case known:
	case len(like) == 1:
		what += " like " + like[0]
	default:
		what = " lines like " + like[0] + " and " + like[1]
	}
	if failures := d.failures(gap, of); failures != "" {
		what += but + failures
	}
	return fmt.Sprintf("lines %d-%d: ", d.before+gap.from, d.before+gap.to) + size.Thousands(gap.to-gap.from+1) + what + message
}

// failures says how many lines of a gap report failures, such as "2 that report failures"; "" if none do.
func (d *digest) failures(gap span, of string) string {
	first, _ := find(d.telling, gap.from)
	last, _ := find(d.telling, gap.to+1)
	least := 0
	for _, line := range d.telling[first:last] {
		least += one(line.failing)
	}
	most := least
	if d.report.MayFail(gap.from, gap.to) {
		most = min(least+d.hidden, gap.to-gap.from+1)
		if d.hiding == 1 { // they can only be in this gap
			least = most
		}
	}
	switch {
	case most == 0:
		return ""
	case least == most:
		return size.Thousands(most) + " " + of + plural(most, " reports a failure", " report failures")
	case least == 0:
		return fmt.Sprintf("at most %s %s", size.Thousands(most), of) + plural(most, " reports a failure", " report failures")
	}
	return fmt.Sprintf("%s to %s %s report failures", size.Thousands(least), size.Thousands(most), of)
}

func plural(n int, singular, plural string) string {
	if n == 1 {
		return singular
	}
	return plural
}

// elsewhere returns how many lines that report failures are neither shown nor listed by number.
func (d *digest) elsewhere() int {
	n := d.report.Failures()
	for _, line := range d.telling {
		n -= one(line.failing)
	}
	for _, line := range d.lines {
		if _, is := find(d.telling, line.number); line.failing && !is {
			n--
		}
	}
	return max(n, 0)
}

// message says which lines of a gap belong to the failure above them. It returns the last of these lines.
func (d *digest) message(gap span) (said string, last int) {
	at, is := find(d.telling, gap.from-1)
	if !is || d.report.Lines[at].Leader == 0 {
		return "", 0
	}
	above, first := d.report.Lines[at], 0
	for _, s := range d.report.Lines[at+1:] {
		if s.Number > gap.to || s.Leader != above.Leader {
			break
		}
		if last = s.Number; first == 0 {
			first = last
		}
	}
	switch {
	case last > 0 && last == first:
		return fmt.Sprintf("; line %d belongs to the message", d.before+first), last
	case last > 0:
		return fmt.Sprintf("; lines %d-%d belong to the message", d.before+first, d.before+last), last
	}
	return "", 0
}

func (d *digest) totals() string {
	lines := size.Thousands(d.last) + plural(d.last, " line", " lines")
	if d.before > 0 {
		lines = fmt.Sprintf("lines %d-%d", d.before+1, d.before+d.last)
	}
	if d.report.Stamped {
		lines += " without their times"
	}
	switch {
	case d.report.Repeats, len(d.report.Lines) > 0:
	case d.last < minLines:
		return "Digest of " + lines + ": too few to tell which stand out"
	default:
		return "Digest of " + lines + ": they are too different to tell which stand out"
	}
	failing, sums, warning, rare := 0, 0, 0, 0
	for _, line := range d.lines {
		failing, warning, rare = failing+one(line.failing), warning+one(line.warning), rare+one(line.rare)
		sums += one(line.sums)
	}
	t := d.report.Totals
	said := []string{
		total(t.Failures(), failing, "no failures found", "line reports a failure", "lines report failures"),
		total(t.Warning, warning, "no warnings found", "warning", "warnings"),
		total(t.Rare, rare, "nothing else stands out", "other line stands out", "other lines stand out"),
	}
	switch {
	case t.Warning == 0 && d.warns:
		said = slices.Delete(said, 1, 2) // no claim that there are none: unknown words may warn
	case t.Failing+t.Warning == 0:
		said[0], said = "no failures and no warnings found", slices.Delete(said, 1, 2)
	}
	if !t.OnlySums() && sums < t.Summing {
		said = slices.Insert(said, 1, total(t.Summing, sums, "", "line sums up failures", "lines sum up failures"))
	}
	if d.unexplained() {
		said = append([]string{"the command failed, and no output line was recognized as the reason"}, said[1:]...)
	}
	if t.Cut > 0 {
		said = append(said, fmt.Sprintf("of %s only the first 64KB %s looked at",
			plural(t.Cut, "1 line", size.Thousands(t.Cut)+" lines"), plural(t.Cut, "was", "were")))
	}
	if !d.report.Repeats {
		said = append(said[:1], "the other lines are too different to tell which stand out")
	}
	return "Digest of " + lines + ": " + strings.Join(said, ", ")
}

func one(is bool) int {
	if is {
		return 1
	}
	return 0
}

// total says how many lines of a kind there are, and how many of them are shown.
func total(all, shown int, none, singular, plural string) string {
	switch {
	case all == 0:
		return none
	case all == 1 && shown >= 1:
		return "1 " + singular + " (shown)"
	case all == 1:
		return "1 " + singular + " (not shown)"
	case shown >= all:
		return size.Thousands(all) + " " + plural + " (all shown)"
	case shown == 0:
		return size.Thousands(all) + " " + plural + " (none shown)"
	}
	return fmt.Sprintf("%s %s (%s shown)", size.Thousands(all), plural, size.Thousands(shown))
}

func quoted(line string) string {
	for most := likeBytes; ; most = most * 3 / 4 {
		if q := strconv.Quote(shortened(line, most)); len(q) <= likeBytes+5 {
			return q
		}
	}
}

func shortened(line string, most int) string {
	if len(line) <= most {
		return line
	}
	return line[:most-unfinished(bytesOf(line[:most]))] + "..."
}
