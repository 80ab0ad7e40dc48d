package truncation

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
	"unsafe"

	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/stretchr/testify/require"
)

// model is the definition of every strategy, on a []rune and by trying.
type model struct {
	plan
	text  []rune
	lines []string // with their newlines
}

func (m model) fits(s string, r room) bool {
	return len(s) <= r.bytes && utf8.RuneCountInString(s) <= r.chars
}

func (m model) lineCount(s string) int {
	return len(strings.SplitAfter(s, "\n")) - btoi(s == "" || strings.HasSuffix(s, "\n"))
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (m model) headChars(r room) string {
	for n := len(m.text); ; n-- {
		if s := string(m.text[:n]); m.fits(s, r) {
			return s
		}
	}
}

func (m model) tailChars(text []rune, r room) string {
	for ; ; text = text[1:] {
		if s := string(text); m.fits(s, r) {
			return s
		}
	}
}

// joined is the lines without the newline behind the last.
func joined(lines []string) string { return strings.TrimSuffix(strings.Join(lines, ""), "\n") }

func (m model) headLines(r room) (string, int) {
	for n := min(r.lines, len(m.lines)); n > 0; n-- {
		if s := joined(m.lines[:n]); m.fits(s, r) && strings.HasSuffix(m.lines[n-1], "\n") {
			return s, n
		}
	}
	return "", 0
}

func (m model) tailLines(r room, final bool) (string, int) {
	for n := min(r.lines, len(m.lines)); n > 0; n-- {
		s := strings.Join(m.lines[len(m.lines)-n:], "")
		if !final {
			s = strings.TrimSuffix(s, "\n")
		}
		if m.fits(s, r) {
			return s, n
		}
	}
	return "", 0
}

func (m model) choose(r room) (head, tail string, h, t int) {
	half := room{r.lines / 2, r.bytes / 2, r.chars / 2}
	more := room{r.lines - half.lines, r.bytes - half.bytes, r.chars - half.chars}
	last := []rune{}
	if n := len(m.lines); n > 0 {
		last = []rune(m.lines[n-1])
	}
	switch m.Strategy {
	case Head:
		if head, h = m.headLines(r); h == 0 && r.lines > 0 && m.marker != "" {
			head = m.headChars(r)
			h = m.lineCount(head)
		}
		return head, "", h, 0
	case Tail:
		tail, t = m.tailLines(r, false)
		if t == 0 && r.lines > 0 && len(m.lines) > 0 {
			tail, t = m.tailChars([]rune(strings.TrimSuffix(string(last), "\n")), r), 1
		}
		if t > 0 && strings.HasSuffix(string(m.text), "\n") && m.fits(tail+"\n", r) {
			tail += "\n"
		}
		return "", tail, 0, t
	case HeadChars:
		head = m.headChars(r)
	case TailChars:
		tail = m.tailChars(m.text, r)
	case Middle:
		head, tail = m.headChars(more), m.tailChars(m.text, half)
	default:
		first, n := math.MaxInt, math.MaxInt
		if m.Strategy == HeadTailLines {
			first, n = m.First, m.Last
			if first+n <= r.lines {
				head, h = m.headLines(room{first, r.bytes, r.chars})
				tail, t = m.tailLines(room{n, r.bytes, r.chars}, true)
				if h == first && t == n && m.fits(head+tail, r) {
					return head, tail, h, t
				}
			}
		}
		more.lines, half.lines = min(more.lines, first), min(half.lines, n)
		head, h = m.headLines(more)
		tail, t = m.tailLines(half, true)
		if h+t > 0 {
			return head, tail, h, t
		}
		if head, tail = "", ""; more.lines > 0 {
			head = m.headChars(more)
		}
		if half.lines > 0 {
			tail = m.tailChars(last, half)
		}
	}
	return head, tail, m.lineCount(head), m.lineCount(tail)
}

// cut is the text that the policy gives, and what it removed: characters and
// lines.
func (m model) cut() (string, [2]int) {
	r := room{most(m.Lines), most(m.Bytes), most(m.Chars)}
	lineBound := m.Strategy == Head || m.Strategy == Tail || m.Strategy == MiddleLines || m.Strategy == HeadTailLines
	if !lineBound {
		r.lines = math.MaxInt
	}
	text := string(m.text)
	whole := m.Prefix + text
	count := m.lineCount(text)
	within := m.fits(whole, r) && m.lineCount(whole) <= r.lines
	if m.Strategy == Head || m.Strategy == Tail {
		body := m.Prefix + strings.TrimSuffix(text, "\n")
		if fits := m.fits(body, r) && m.lineCount(whole) <= r.lines; fits && !within {
			return body, [2]int{}
		}
	}
	if within && (m.Strategy != HeadTailLines || count <= m.First+m.Last || len(m.text) <= m.Threshold) {
		return whole, [2]int{}
	}
	templates := []string{m.marker}
	if m.Strategy == MiddleLines || m.Strategy == HeadTailLines {
		templates = append(templates, "\n")
	}
	for _, template := range templates {
		if text, removed, partial, ok := m.around(template, r); ok {
			if m.standard && partial && template == m.marker {
				text, removed, _, _ = m.around("\n[... {count} characters left out ...]\n", r)
			}
			return text, removed
		}
	}
	all, removed, _, _ := m.around("", r)
	return all, removed
}

// around is the text with a marker. partial reports that no line of it is whole, of a strategy that keeps whole lines. ok
// is false if there is room for neither.
func (m model) around(template string, r room) (text string, removed [2]int, partial, ok bool) {
	count := m.lineCount(string(m.text))
	for n := 0; ; { // bytes for the marker
		taken := room{0, n + len(m.Prefix), n + utf8.RuneCountInString(m.Prefix)}
		marker := template
		switch m.Strategy {
		case Head, HeadChars:
			marker = strings.TrimRight(marker, "\n")
		case Tail, TailChars:
			marker = strings.TrimLeft(marker, "\n")
		}
		taken.lines = strings.Count(marker+m.Prefix, "\n")
		if strings.HasPrefix(marker, "\n") && strings.HasSuffix(marker, "\n") {
			taken.lines--
		}
		left := room{max(r.lines-taken.lines, 0), max(r.bytes-taken.bytes, 0), max(r.chars-taken.chars, 0)}
		head, tail, h, t := m.choose(left)
		shown := h + t
		if rest := string(m.text[utf8.RuneCountInString(head) : len(m.text)-utf8.RuneCountInString(tail)]); head != "" && tail != "" && !strings.Contains(rest, "\n") && !strings.HasSuffix(head, "\n") {
			shown--
		}
		removed = [2]int{len(m.text) - utf8.RuneCountInString(head+tail), count - shown}
		if removed[0] < 0 {
			panic("removed")
		}
		marker = strings.NewReplacer("{count}", strconv.Itoa(removed[0]), "{lines}", strconv.Itoa(removed[1]), "{total}", strconv.Itoa(count)).Replace(marker)
		if len(marker) > n {
			n = len(marker)
			continue
		}
		if head == "" {
			marker = strings.TrimLeft(marker, "\n")
		}
		if tail == "" {
			marker = strings.TrimRight(marker, "\n")
		}
		before, ends := strings.CutSuffix(string(m.text), tail)
		if !ends { // the end may be without the last newline
			before = strings.TrimSuffix(strings.TrimSuffix(before, "\n"), tail)
		}
		after := strings.TrimPrefix(string(m.text), head)
		whole := head != "" && after[:1] == "\n" || tail != "" && (before == "" || strings.HasSuffix(before, "\n"))
		partial = head+tail != "" && !whole && m.Strategy != HeadChars && m.Strategy != TailChars && m.Strategy != Middle
		all := m.Prefix + head + marker + tail
		fits := m.fits(all, r) && m.lineCount(all) <= r.lines
		for head == "" && tail == "" && !(m.fits(all, r) && m.lineCount(all) <= r.lines) {
			_, size := utf8.DecodeLastRuneInString(all)
			all = all[:len(all)-size]
		}
		return all, removed, partial, head+tail != "" || marker != "" && fits
	}
}

func checkPolicy(t *testing.T, p Policy, text string, split []int) {
	t.Helper()
	if p.Strategy == HeadTailLines && p.Marker == "" {
		p.Marker = "\n{lines}\n" // the default has more in it than the model fills in
	}
	valid := validUTF8(text)
	m := model{plan: p.plan(), text: []rune(valid)}
	if valid != "" {
		m.lines = strings.SplitAfter(strings.TrimSuffix(valid, "\n"), "\n")
		if strings.HasSuffix(valid, "\n") {
			m.lines[len(m.lines)-1] += "\n"
		}
	}
	want, removed := m.cut()
	got := p.Truncate(text)
	msg := fmt.Sprintf("%+v of %q", m.Policy, text)
	require.Equal(t, want, got.Text, msg)
	require.Equal(t, removed, [2]int{got.CharsRemoved(), got.LinesRemoved()}, msg)
	require.Equal(t, got.TruncatedBy != "", got.Truncated, msg)
	require.Equal(t, [3]int{len(m.lines), len(valid), len(m.text)}, [3]int{got.TotalLines, got.TotalBytes, got.TotalChars}, msg)
	require.Equal(t, want, p.Cut(text), msg)
	require.True(t, utf8.ValidString(got.Text), msg)
	require.True(t, within(p.Limits, len(got.Text), utf8.RuneCountInString(got.Text)), msg)
	if m.wholeLines || m.twoEnds {
		require.LessOrEqual(t, linesOf(got.Text), most(p.Lines), msg)
	}
	if want == text && p.Prefix == "" && text != "" {
		require.Same(t, unsafe.StringData(text), unsafe.StringData(got.Text), msg)
	}
	w := p.NewWriter()
	for i, rest := 0, text; rest != ""; i++ {
		n := min(split[i%len(split)], len(rest))
		w.WriteString(rest[:n])
		w.Result() // a snapshot changes nothing
		rest = rest[n:]
	}
	require.Equal(t, got, w.Result(), "written: "+msg)
	if p.Tokens == 0 && w.total.bytes > 0 && w.clean.n == 0 {
		require.Equal(t, got.Truncated, w.plan.overflows(w.total), msg)
	}

	higher := p
	higher.Limits = raised(p.Limits)
	lowered := higher.NewWriter()
	lowered.WriteString(text)
	require.Equal(t, got, lowered.Result(p.Limits), "lowered: "+msg)
}

// raised raises each limit that there is.
func raised(l Limits) Limits {
	for _, n := range []*Limit{&l.Lines, &l.Bytes, &l.Chars} {
		if *n > 0 {
			*n += 9
		}
	}
	return l
}

var markers = []string{"", "", "...{count}...", "\n... (output truncated)", "\n[{lines} of {total}]\n", "{count}{count}{count}", "<{total}\n{lines}>", "{{count}"}

func TestPolicies(t *testing.T) {
	for seed := range testkit.Some(4000) {
		r := rand.New(rand.NewPCG(uint64(seed), 5))
		var b strings.Builder
		for range r.IntN(60) {
			b.WriteString(alphabet[r.IntN(len(alphabet))])
		}
		limit := func(odds, n int) int {
			if r.IntN(odds) > 0 {
				return 0
			}
			return max(r.IntN(n), 1) - 2*btoi(r.IntN(20) == 0)
		}
		p := Policy{
			Strategy: strategies[r.IntN(7)], Limits: Limits{Lines: Limit(limit(3, 12)), Bytes: Limit(limit(2, 120)), Chars: Limit(limit(2, 90))},
			First: r.IntN(5), Last: r.IntN(5), Threshold: limit(4, 100), Marker: markers[r.IntN(len(markers))], Unmarked: r.IntN(5) == 0,
		}
		if p.Threshold < 0 {
			p.Threshold = 0
		}
		if r.IntN(6) == 0 {
			p.Prefix = "[sub-agent ä]: "
		}
		checkPolicy(t, p, b.String(), []int{1 + r.IntN(4), 1 + r.IntN(90)})
	}
}

func FuzzPolicy(f *testing.F) {
	f.Add("a\nb\nc\nd\n", uint8(4), 2, 10, 0, uint8(3), uint8(2), "[{count}]", 1)
	f.Add("世界\n\xff\n\n", uint8(5), 0, 4, 2, uint8(1), uint8(0), "", 2)
	f.Fuzz(func(t *testing.T, text string, strategy uint8, lines, bytes, chars int, first, last uint8, marker string, split int) {
		if split < 1 || len(text) > 3000 || len(marker) > 100 || !utf8.ValidString(marker) || utf8.RuneCountInString(marker) < len(marker) || strings.Contains(marker, "{first}") ||
			strings.Contains(marker, "{last}") || strings.Contains(marker, "{reason}") || strings.Contains(marker, "{path}") {
			t.Skip()
		}
		p := Policy{Strategy: strategies[strategy%7], Limits: Limits{Lines: Limit(lines), Bytes: Limit(bytes), Chars: Limit(chars)}, First: int(first), Last: int(last), Marker: marker}
		checkPolicy(t, p, text, []int{split})
	})
}

// Whatever the marker and the prefix are, the result is within the limits and
// valid, and the same written as at once.
func TestAnyMarker(t *testing.T) {
	markers := append(markers, "…{count}…", "{path}", "\n{reason}: {first}+{last} of {total}\n世", "\xff{lines}\xe4\xb8", "{", "{}", "{count", "\n\n\n")
	saved := []func() (string, error){
		nil, func() (string, error) { return "", nil }, func() (string, error) { return ".clarvis/世 {count}.log", nil },
		func() (string, error) { return "", errors.New("no space left on device") },
	}
	for seed := range testkit.Some(6000) {
		r := rand.New(rand.NewPCG(uint64(seed), 7))
		var b strings.Builder
		for range r.IntN(60) {
			b.WriteString(alphabet[r.IntN(len(alphabet))])
		}
		p := Policy{
			Strategy: strategies[r.IntN(7)], Limits: Limits{Lines: Limit(r.IntN(9) - 1), Bytes: Limit(r.IntN(150) - 1), Chars: Limit(r.IntN(100) - 1)},
			First: r.IntN(4), Last: r.IntN(4), Marker: markers[r.IntN(len(markers))], Prefix: markers[r.IntN(len(markers))],
		}
		p.Save = saved[r.IntN(4)]
		got := p.Truncate(b.String())
		msg := fmt.Sprintf("%+v of %q", p, b.String())
		require.True(t, utf8.ValidString(got.Text), msg)
		require.True(t, within(p.Limits, len(got.Text), utf8.RuneCountInString(got.Text)), msg)
		if m := p.plan(); m.wholeLines || m.twoEnds {
			require.LessOrEqual(t, linesOf(got.Text), most(p.Lines), msg)
		}
		require.Equal(t, got.Text, p.Cut(b.String()), msg)
		w := p.NewWriter()
		w.WriteString(b.String())
		require.Equal(t, got, w.Result(), msg)
	}
}

// A text that is cut for its lines, and then finds no room for those that are to be shown,
// was not cut by a limit that it does not reach.
func TestReasonOfHeadTailLines(t *testing.T) {
	text := strings.Repeat("line\n", 30)
	p := Policy{Strategy: HeadTailLines, First: 5, Last: 5, Limits: Limits{Lines: 1000, Chars: 155}, Marker: "\n[{reason}]\n"}
	require.Equal(t, "line\nline\nline\nline\nline\n[over 10 lines]\nline\nline\nline\nline\nline\n", p.Cut(text))
	p.Chars = 150
	for _, within := range []int{40, 20} {
		p.Marker = "\n[" + strings.Repeat("-", 150-within) + "{reason}]\n"
		for _, got := range []string{p.Cut(text), p.Truncate(text).Text} {
			require.Contains(t, got, "over 10 lines")
		}
		w := p.NewWriter()
		w.WriteString(text)
		require.Contains(t, w.Result().Text, "over 10 lines")
	}
	for _, p := range []Policy{
		{Strategy: HeadTailLines, First: 5, Last: 5, Limits: Limits{Lines: 9}, Marker: "\n[{reason}]\n"},
		{Strategy: HeadTailLines, First: 20, Last: 20, Limits: Limits{Lines: 9}, Marker: "\n[{reason}]\n"},
	} {
		w := p.NewWriter()
		w.WriteString(text)
		require.Equal(t, p.Truncate(text), w.Result())
		require.Contains(t, w.Result().Text, "9 lines limit")
	}
	p = Policy{Strategy: HeadTailLines, First: 5, Last: 5, Limits: Limits{Lines: 12}, Marker: "\n1\n2\n3\n4\n{reason}\n"}
	w := p.NewWriter()
	for line := range strings.Lines(text) {
		w.WriteString(line)
	}
	require.Equal(t, p.Truncate(text), w.Result())
	require.Contains(t, w.Result().Text, "12 lines limit")
}

// A writer that has dropped what it does not need gives what Truncate does.
func TestLongTexts(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 9))
	var b strings.Builder
	for b.Len() < 20_000 {
		b.WriteString(strings.Repeat(alphabet[r.IntN(len(alphabet))], r.IntN(9)))
	}
	for _, s := range strategies {
		for _, limits := range []Limits{{}, {Lines: 7}, {Lines: 7, Bytes: 300}, {Bytes: 300}, {Chars: 200}, {Tokens: 40}} {
			for _, ends := range [][2]int{{3, 4}, {0, 300}, {300, 0}} {
				p := Policy{Strategy: s, Limits: limits, First: ends[0], Last: ends[1]}
				want := p.Truncate(b.String())
				for _, piece := range []int{3, 100, 5000} {
					w := p.NewWriter()
					for part := range slices.Chunk([]byte(b.String()), piece) {
						w.Write(part)
					}
					require.Equal(t, want, w.Result(), "%+v in pieces of %d", p, piece)
				}
				if s != HeadTailLines {
					break // the others ignore First and Last
				}
			}
		}
	}
}

// The newline between two ends is no line of its own.
func TestUnmarkedUsesEveryLine(t *testing.T) {
	require.Equal(t, "a\nb\nf\ng", unmarked(MiddleLines, Limits{Lines: 4}).Truncate("a\nb\nc\nd\ne\nf\ng").Text)
	require.Equal(t, "a\nd", Policy{Strategy: HeadTailLines, First: 1, Last: 1, Unmarked: true, Limits: Limits{Lines: 2}}.Cut("a\nb\nc\nd"))
}

func TestUnknownStrategy(t *testing.T) {
	p := Policy{Strategy: "both", Limits: Limits{Chars: 5}, Marker: "-"}
	require.EqualError(t, p.Check(), `truncation: unknown strategy "both"; there are head tail head_chars tail_chars middle middle_lines head_tail_lines digest json`)
	require.ErrorContains(t, Policy{First: -1}.Check(), "First is -1")
	require.NoError(t, Policy{}.Check())
	require.Equal(t, "ab-yz", p.Cut("abcdefuvwxyz"))
}

// HeadTailLines may keep one end alone, or more of one than of the other; it keeps all of both as
// soon as there is room for them.
func TestHeadTailLines(t *testing.T) {
	text := "1\n2\n3\n4\n5\n6\n7\n8\n9\n"
	for _, tt := range []struct {
		first, last int
		limits      Limits
		want        string
	}{
		{2, 0, Limits{}, "1\n2\n~"},
		{0, 2, Limits{}, "~\n8\n9\n"},
		{3, 1, Limits{}, "1\n2\n3\n~\n9\n"},
		{3, 0, Limits{Lines: 4}, "1\n2\n3\n~"},
		{3, 0, Limits{Lines: 3}, "1\n~"},
		{3, 1, Limits{Lines: 5}, "1\n2\n3\n~\n9\n"},
		{3, 1, Limits{Lines: 4}, "1\n2\n~\n9\n"},
		{3, 1, Limits{Bytes: 10}, "1\n2\n3\n~\n9\n"},
		{3, 1, Limits{Chars: 10}, "1\n2\n3\n~\n9\n"},
		{3, 1, Limits{Chars: 9}, "1\n2\n~\n9\n"},
		{1, 3, Limits{Chars: 10}, "1\n~\n7\n8\n9\n"},
	} {
		p := Policy{Strategy: HeadTailLines, First: tt.first, Last: tt.last, Limits: tt.limits, Marker: "\n~\n"}
		require.Equal(t, tt.want, p.Cut(text), "%+v", p)
	}
}

// A prefix may be all that there is room for, or more.
func TestPrefixAlone(t *testing.T) {
	for _, s := range strategies {
		for _, tt := range []struct {
			limits Limits
			want   string
			by     Reason
		}{
			{Limits{Chars: 4}, "äbc:", ""},
			{Limits{Bytes: 5}, "äbc:", ""},
			{Limits{Lines: 1}, "äbc:", ""},
			{Limits{Chars: 3}, "äbc", ByChars},
			{Limits{Bytes: 4}, "äbc", ByBytes},
		} {
			p := Policy{Strategy: s, Limits: tt.limits, Prefix: "äbc:"}
			r := p.Truncate("")
			require.Equal(t, tt.want, r.Text, "%+v", p)
			require.Equal(t, tt.by, r.TruncatedBy, "%+v", p)
			require.Zero(t, r.OutputLines, "%+v", p)
			require.Equal(t, [3]int{}, [3]int{r.LinesRemoved(), r.BytesRemoved(), r.CharsRemoved()}, "%+v", p)
		}
	}
}

// A text is saved once for each result in which it is cut, and not where it fits.
func TestSave(t *testing.T) {
	path, err, calls := "", error(nil), 0
	w := Policy{Strategy: Head, Limits: Limits{Lines: 3}, Save: func() (string, error) {
		calls++
		return path, err
	}}.NewWriter()
	w.WriteString("1\n2\n3\n")
	require.Equal(t, "1\n2\n3\n", w.Result().Text)
	require.Equal(t, 0, calls)
	w.WriteString("4\n5\n")
	require.Equal(t, "1\n2\n[... 3 of 5 lines left out ...]", w.Result().Text)
	path = "all.log"
	require.Equal(t, "1\n2\n[... 3 of 5 lines left out. Full output: all.log ...]", w.Result().Text)
	err = errors.New("disk full")
	require.Equal(t, "1\n2\n[... 3 of 5 lines left out. Full output (not saved: disk full) ...]", w.Result().Text)
	require.Equal(t, 3, calls)
}

// The lines of a prefix count, as those of the text and of the marker do.
func TestPrefixOfSeveralLines(t *testing.T) {
	text := strings.Repeat("line\n", 20)
	for _, s := range []Strategy{Head, Tail, MiddleLines, HeadTailLines} {
		for most := range 9 {
			p := Policy{Strategy: s, Limits: Limits{Lines: AtMost(most)}, Prefix: "one\ntwo\n"}
			got := p.Truncate(text).Text
			require.LessOrEqual(t, linesOf(got), most, "%s %q", s, got)
			require.Equal(t, most > 2, strings.Contains(got, "line"), "%s %q", s, got)
		}
	}
}
