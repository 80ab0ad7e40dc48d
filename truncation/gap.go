package truncation

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

const (
	likeBytes = 60 // bytes of a line that stands for those like it
	fewLines  = 16 // that may be left out without a word on what they are like
	minLines  = 50 // of a text in which lines can stand out
)

// text returns the lines, and what stands in place of the others.
func (d *digest) text() string {
	var b strings.Builder
	d.hidden = d.elsewhere()
	saved := d.saved // until it has been said
	if !d.bare {
		b.WriteString("[" + d.totals())
		if d.path != "" && saved != "" {
			b.WriteString(". Read lines left out with offset and limit")
		}
		b.WriteString(saved + "]\n")
		saved = ""
	}
	next := 1
	var before []string
	gap := func(to int) {
		if next > to {
			return
		}
		message, last := d.message(next, to)
		var like []string
		if to-max(last, next-1) >= fewLines {
			like = d.like(max(last+1, next), to)
		}
		b.WriteString("[" + d.describe(next, to, like, slices.Equal(like, before), message) + saved + "]\n")
		if len(like) > 0 {
			before = like
		}
		saved = ""
	}
	for _, line := range d.lines {
		gap(line.number - 1)
		b.WriteString(line.text + "\n")
		next = line.number + 1
	}
	gap(d.last)
	return strings.TrimSuffix(b.String(), "\n")
}

// like returns up to two lines, quoted, that most of those between two lines are like.
func (d *digest) like(from, to int) (quotes []string) {
	quotes, known := d.quotes[span{from, to}]
	if known {
		return quotes
	}
	for _, line := range d.report.Like(from, to) {
		quotes = append(quotes, quoted(beginning(line)))
	}
	d.quotes[span{from, to}] = quotes
	return quotes
}

// describe returns what stands in place of lines. like are quotes of lines that most of them are like; known says that
// these were quoted before.
func (d *digest) describe(from, to int, like []string, known bool, message string) string {
	if from == to {
		return fmt.Sprintf("line %d", d.before+from) + message
	}
	count, but, of := thousands(to-from+1), ", except ", "that"
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
	if failures := d.failures(from, to, of); failures != "" {
		what += but + failures
	}
	return fmt.Sprintf("lines %d-%d: ", d.before+from, d.before+to) + count + what + message
}

// failures says how many of the lines that are left out between two report failures: "2 that report failures". It is
// empty if none does.
func (d *digest) failures(from, to int, of string) string {
	first, _ := find(d.telling, from)
	last, _ := find(d.telling, to+1)
	n := 0
	for _, line := range d.telling[first:last] {
		n += one(line.failing)
	}
	said, unknown := "", d.hidden
	if !d.report.MayFail(from, to) {
		unknown = 0
	}
	switch {
	case n == 0 && unknown == 0:
		return ""
	case n == 0 && d.report.Unseen > 0:
		return "some " + of + " may report failures"
	case n == 0:
		n, said = min(unknown, to-from+1), "at most "
	case unknown > 0:
		said = "at least "
	}
	if n == 1 {
		return said + "1 " + of + " reports a failure"
	}
	return fmt.Sprintf("%s%s %s report failures", said, thousands(n), of)
}

// elsewhere returns how many lines that report failures are neither shown nor known by their numbers.
func (d *digest) elsewhere() int {
	n := d.report.Failing
	for _, line := range d.telling {
		n -= one(line.failing)
	}
	for _, line := range d.lines {
		if _, is := find(d.telling, line.number); line.failing && !is {
			n--
		}
	}
	return max(n, one(d.report.Unseen > 0))
}

// message says which of the lines that are left out between two belong to the failure above them, and returns the last of
// these. Or it says that no line explains that failure, if only its name is shown.
func (d *digest) message(from, to int) (said string, last int) {
	at, is := find(d.telling, from-1)
	if !is || d.report.Lines[at].Leader == 0 {
		return "", 0
	}
	above, first := d.report.Lines[at], 0
	for _, s := range d.report.Lines[at+1:] {
		if s.Number > to || s.Leader != above.Leader {
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
	case above.Silent && to-from+1 >= fewLines:
		return "; no message directly below", 0
	}
	return "", 0
}

// totals returns what is said of all lines.
func (d *digest) totals() string {
	lines := thousands(d.last) + " lines"
	if d.before > 0 {
		lines = fmt.Sprintf("lines %d-%d", d.before+1, d.before+d.last)
	}
	switch {
	case d.report.Repeats:
	case d.last < minLines:
		return "Digest of " + lines + ": too few to tell which stand out"
	default:
		return "Digest of " + lines + ": they are too different to tell which stand out"
	}
	failing, warning, rare := 0, 0, 0
	for _, line := range d.lines {
		failing, warning, rare = failing+one(line.failing), warning+one(line.warning), rare+one(line.rare)
	}
	t := d.report.Totals
	if t.Unseen > 0 {
		lines += fmt.Sprintf(" (without %s that were not looked at)", thousands(t.Unseen))
	}
	said := []string{
		total(t.Failing, failing, "no failures found", "line reports a failure", "lines report failures"),
		total(t.Warning, warning, "no warnings found", "warning", "warnings"),
		total(t.Rare, rare, "nothing else stands out", "other line stands out", "other lines stand out"),
	}
	switch {
	case t.Warning == 0 && t.Mentions:
		said = slices.Delete(said, 1, 2) // there may be some in words that are not known
	case t.Failing+t.Warning == 0:
		said[0], said = "no failures and no warnings found", slices.Delete(said, 1, 2)
	}
	return "Digest of " + lines + ": " + strings.Join(said, ", ")
}

func one(is bool) int {
	if is {
		return 1
	}
	return 0
}

// total says how many lines there are that say something, and how many of them are shown.
func total(all, shown int, none, singular, plural string) string {
	switch {
	case all == 0:
		return none
	case all == 1 && shown >= 1:
		return "1 " + singular + " (shown)"
	case all == 1:
		return "1 " + singular + " (not shown)"
	case shown >= all:
		return thousands(all) + " " + plural + " (all shown)"
	case shown == 0:
		return thousands(all) + " " + plural + " (none shown)"
	}
	return fmt.Sprintf("%s %s (%s shown)", thousands(all), plural, thousands(shown))
}

// thousands prints a number with commas: "46,218".
func thousands(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// quoted returns the beginning of a line in quotes.
func quoted(line string) string {
	for most := likeBytes; ; most = most * 3 / 4 {
		if q := strconv.Quote(shortened(line, most)); len(q) <= likeBytes+5 {
			return q
		}
	}
}

// shortened returns a line, or its beginning if it has more bytes.
func shortened(line string, most int) string {
	if len(line) <= most {
		return line
	}
	return line[:most-unfinished(bytesOf(line[:most]))] + "..."
}
