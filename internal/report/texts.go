package report

import (
	"regexp"
	"slices"
	"strings"

	"github.com/spillway-go/spillway/truncation"
)

// excerpt is a text as a page has it: both ends, where it is too long.
type excerpt struct {
	head, tail string
	gap        int // bytes between them
}

func (e excerpt) size() int { return len(e.head) + len(e.tail) }

// cut makes an excerpt hold at most most bytes.
func (e excerpt) cut(most int) excerpt {
	total := e.size()
	if total <= most {
		return e
	}
	limits := func(n int) truncation.Limits { return truncation.Limits{Bytes: truncation.AtMost(n)} }
	head := truncation.Policy{Strategy: truncation.HeadChars, Limits: limits(most / 2), Unmarked: true}
	tail := truncation.Policy{Strategy: truncation.TailChars, Limits: limits(most / 2), Unmarked: true}
	last := e.tail
	if e.gap == 0 {
		last = e.head + e.tail // one text
		e.head = last
	}
	e.head, e.tail = strings.Clone(head.Cut(e.head)), strings.Clone(tail.Cut(last))
	e.gap += total - e.size()
	return e
}

// texts are the results and arguments of a page. Where they become too much, each may be half as long as before.
type texts struct {
	most int // bytes of each
	room int // bytes of all
	used int
	kept []*Call
}

// keep keeps what the page shows of a call.
func (t *texts) keep(c *Call, text string, args arguments) {
	c.args = args.pretty()
	c.text = excerpt{head: strings.ToValidUTF8(text, "\uFFFD")}
	if missing := c.Bytes - len(text); missing > 0 { // the record has the beginning
		c.text.gap = missing
	}
	t.kept = append(t.kept, c)
	t.used += t.shorten(c)
	for t.used > t.room && t.most > 1 {
		t.most /= 2
		t.used = 0
		for _, c := range t.kept {
			t.used += t.shorten(c)
		}
	}
}

// shorten cuts what a call has to the length that each may have, and returns its size.
func (t *texts) shorten(c *Call) int {
	c.text = c.text.cut(t.most)
	size, room := c.text.size(), t.most
	for i := range c.args {
		a := &c.args[i]
		if len(a.Text) > room {
			short := excerpt{head: a.Text}.cut(2 * room).head
			a.Gap += len(a.Text) - len(short)
			a.Text = short
		}
		room -= len(a.Text)
		size += len(a.Text) + len(a.Name)
	}
	return size
}

// The kinds of segments of a text.
const (
	plain   = iota // what a tool returned
	bracket        // a notice in brackets
	left           // in place of bytes that the page does not have: their number
)

// segment is a part of a text.
type segment struct {
	Kind  int    `json:"k,omitempty"`
	Text  string `json:"t,omitempty"`
	Bytes int    `json:"b,omitempty"`
}

// segments are the parts of a text, in order.
func (e excerpt) segments() (parts []segment) {
	parts = marked(parts, e.head)
	if e.gap > 0 {
		parts = append(parts, segment{Kind: left, Bytes: e.gap})
		parts = marked(parts, e.tail)
	}
	return parts
}

func marked(parts []segment, text string) []segment {
	from := 0
	for _, at := range notices(text) {
		if at[0] > from {
			parts = append(parts, segment{Text: text[from:at[0]]})
		}
		parts = append(parts, segment{Kind: bracket, Text: text[at[0]:at[1]]})
		from = at[1]
	}
	if from < len(text) {
		parts = append(parts, segment{Text: text[from:]})
	}
	return parts
}

// notices are where the notices of a text are: paragraphs of one line in brackets that begin as notices do, and what a
// digest says of all lines and of those that it leaves out. A file may hold the like; then the model read it as a notice,
// too.
func notices(text string) (at [][2]int) {
	digest := digestLines(text)
	for from := 0; from < len(text); {
		if from > 0 || text[0] != '[' {
			i := strings.Index(text[from:], "\n\n[")
			if i < 0 {
				break
			}
			from += i + len("\n\n")
		}
		line, rest, more := strings.Cut(text[from:], "\n")
		if isNotice(line) && (!more || rest == "" || rest[0] == '\n') {
			at = append(at, [2]int{from, from + len(line)})
		}
		from += len(line)
	}
	at = append(at, digest...)
	slices.SortFunc(at, func(a, b [2]int) int { return a[0] - b[0] })
	return slices.Compact(at) // a line may be both
}

// The lines in brackets of a digest.
var (
	totals = regexp.MustCompile(`^\[Digest of (?:[\d,]+ lines|lines \d+-\d+)(?: \(.*\))?: .*\]$`)
	gap    = regexp.MustCompile(`^\[(?:line \d+|lines \d+-\d+: [\d,]+ (?:ordinary )?lines)(?:[ ,;.].*)?\]$`)
)

// digestLines are where a text has the totals of a digest, and the lines behind that stand in place of others.
func digestLines(text string) (at [][2]int) {
	from := strings.Index(text, "[Digest of ")
	if from < 0 {
		return nil
	}
	is := false
	from = strings.LastIndexByte(text[:from], '\n') + 1
	for line := range strings.Lines(text[from:]) {
		end := from + len(strings.TrimSuffix(line, "\n"))
		if one := text[from:end]; totals.MatchString(one) || is && gap.MatchString(one) {
			at, is = append(at, [2]int{from, end}), true
		}
		from += len(line)
	}
	return at
}

// nameFirst are what notices say that begin with the name of a file, a glob or a character.
var nameFirst = []string{" does not exist, so ", " matches nothing", " excludes nothing", " exclude nothing", " also excludes by ", " also excludes names ", " stands for a NUL byte",
	" was refused (Bash.", " was refused: ", " were refused (Bash.", " were refused: ",
	" is hidden: ", " are hidden: ", " cannot be read (", " cannot be looked for ("}

// isNotice reports whether a line stands in place of others in a digest, or is in brackets and has two words, the first of which is capitalised, a number, the
// name of an argument that was changed, or a name of which the rest says what notices say.
func isNotice(line string) bool {
	if len(line) < 4 || line[0] != '[' || line[len(line)-1] != ']' {
		return false
	}
	if gap.MatchString(line) {
		return true
	}
	word, rest, ok := strings.Cut(line[1:len(line)-1], " ")
	if !ok || word == "" || rest == "" {
		return false
	}
	c := word[0]
	return c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.HasPrefix(rest, "was lowered to ") ||
		strings.HasPrefix(rest, "has no effect ") || strings.HasPrefix(word, "sort=") ||
		slices.ContainsFunc(nameFirst, func(said string) bool { return strings.Contains(line, said) })
}

// said is the text of all notices of a text.
func said(text string) string {
	var b strings.Builder
	for _, at := range notices(text) {
		b.WriteString(text[at[0]:at[1]])
		b.WriteByte('\n')
	}
	return b.String()
}

func noticeBytes(text string) (n int) {
	for _, at := range notices(text) {
		n += at[1] - at[0] + len("\n\n")
	}
	return n
}
