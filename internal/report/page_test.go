package report

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/spillway-go/spillway/internal/testkit/records"
	"github.com/spillway-go/spillway/truncation"
)

// maxPage is the most bytes that a page has beside its data.
const maxPage = 300_000

func pageOf(t *testing.T, r *Report) string {
	var page bytes.Buffer
	require.NoError(t, r.WriteHTML(&page))
	return page.String()
}

// Each meaning has a colour of its own, which can be read on every background it stands on, in both themes.
func TestColours(t *testing.T) {
	css := testkit.ReadFile(t, filepath.Join("page", "style.css"))
	colours := map[string][2]string{}
	for _, m := range regexp.MustCompile(`--([a-z]+): light-dark\(#([0-9a-f]{6}), #([0-9a-f]{6})\)`).FindAllStringSubmatch(css, -1) {
		colours[m[1]] = [2]string{m[2], m[3]}
	}
	luminance := func(hex string) float64 { // as WCAG 2 has it
		sum := 0.0
		for i, part := range []float64{.2126, .7152, .0722} {
			n, err := strconv.ParseUint(hex[2*i:2*i+2], 16, 8)
			require.NoError(t, err)
			c := float64(n) / 255
			if c <= .04045 {
				sum += part * c / 12.92
			} else {
				sum += part * math.Pow((c+.055)/1.055, 2.4)
			}
		}
		return sum
	}
	meanings := []string{"error", "waste", "select", "focus"}
	for theme := range 2 {
		for i, meaning := range meanings {
			require.NotEmpty(t, colours[meaning][theme], meaning)
			for _, other := range meanings[:i] {
				require.NotEqual(t, colours[meaning][theme], colours[other][theme])
			}
			for _, background := range []string{"page", "card", "soft", "row"} {
				a, b := luminance(colours[meaning][theme]), luminance(colours[background][theme])
				require.GreaterOrEqual(t, (max(a, b)+.05)/(min(a, b)+.05), 4.5, "%s on %s", meaning, background)
			}
		}
	}
	for _, use := range []string{
		`:focus-visible \{ outline: 2px solid var\(--focus\)`, `(?m)^\.error \{ color: var\(--error\)`, `(?m)^\.waste \{ color: var\(--waste\)`,
		`\.row\.on \{[^}]*var\(--select\)`, `\.track i\.w \{ background: var\(--waste\)`, `\.track i\.e \{ background: var\(--error\)`,
	} {
		require.Regexp(t, use, css)
	}
}

var dataElement = regexp.MustCompile(`(?s)<script type="application/json" class="(report|texts)">(.*?)</script>\n`)

func TestPage(t *testing.T) {
	page := pageOf(t, readFile(t, records.Session(450, 1)))
	require.True(t, strings.HasPrefix(page, Beginning))
	data := dataElement.FindAllStringSubmatch(page, -1)
	require.Len(t, data, 1+3, "the report, and texts of 200 calls each")
	var r Report
	require.NoError(t, json.Unmarshal([]byte(data[0][2]), &r))
	require.Len(t, r.Calls, r.Sums.Calls)
	var texts []content
	require.NoError(t, json.Unmarshal([]byte(data[1][2]), &texts))
	require.Len(t, texts, chunk)
	rest := dataElement.ReplaceAllString(page, "")
	require.Less(t, len(rest), maxPage)
	require.NotRegexp(t, `https?:|//[a-z]|url\(|@import|src=|href="[^#]|innerHTML|insertAdjacent|document\.write|eval\(|new Function`, rest)
}

// The policy lets nothing but this style and this script run: their hashes are those of what is in the page.
func TestHashes(t *testing.T) {
	page := pageOf(t, readFile(t, records.Session(3, 1)))
	policy := regexp.MustCompile(`content="(default-src 'none'; [^"]*)"`).FindStringSubmatch(page)[1]
	for _, name := range []string{"script", "style"} {
		text := regexp.MustCompile("(?s)<" + name + ">(.*?)</" + name + ">").FindStringSubmatch(page)[1]
		sum := sha256.Sum256([]byte(text))
		require.Contains(t, policy, "; "+name+"-src 'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+"'")
	}
	require.NotContains(t, policy, "unsafe")
}

// Nothing in the data ends its element, and the name of a record is text.
func TestPageOfHostile(t *testing.T) {
	r := readFile(t, records.Hostile())
	r.Name = records.Attack
	page := pageOf(t, r)
	require.Equal(t, 3, strings.Count(page, "</script"), "two of data, one of the page's own")
	require.Equal(t, 2, len(dataElement.FindAllString(page, -1)))
	require.True(t, utf8.ValidString(page))
	require.NotContains(t, dataElement.ReplaceAllString(page, ""), "owned'<")
	require.NotContains(t, page, "\u2028")
	require.NotContains(t, page, "\x00")
}

// shelved matches what stands for a shelved result in a conversation, which no call returns.
var shelved = regexp.MustCompile(`^[a-z_]+: `)

// Every notice of the tools is found at the end of a text, and what is only like one is none.
func TestNoticesFound(t *testing.T) {
	golden := testkit.ReadFile(t, filepath.Join("..", "notice", "testdata", "notices.golden"))
	count := 0
	for line := range strings.Lines(golden) {
		notice, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "\t[")
		if !ok || shelved.MatchString(notice) {
			continue
		}
		notice = "[" + notice
		require.Equal(t, notice+"\n", said("some\noutput\n\n"+notice), "%s", line)
		require.Equal(t, notice+"\n", said(notice))
		require.Equal(t, notice+"\n", said("some\noutput\n\n"+notice+"\n\nCommand exited with code 1"))
		count++
	}
	require.Greater(t, count, 100)
	for _, text := range []string{"", "[", "[]", "a [Line 1 b]", "x\n[Showing lines 1-2]", "[package]\nname = 1", "[a b]", "x\n\n[Line 1\n2]", "[Line 1] b", "[Line]", "[ b]"} {
		require.Empty(t, said(text), text)
	}
	two := "==> a <==\nx\n\n[Showing lines 1-2 of 9. Use path=a offset=3 to continue]\n\n==> b <==\ny\n\n[2 more lines in file. Use path=b offset=3 to continue]"
	require.Len(t, notices(two), 2)
	require.Equal(t, two, joined(excerpt{head: two}.segments()))
}

// What a digest says of lines that it leaves out is no output.
func TestDigestNotices(t *testing.T) {
	var log strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&log, "=== RUN   TestCase%d\n", i)
		if i == 1000 || i == 2000 {
			fmt.Fprintf(&log, "not ok %d\n---\nerror: no %[1]d\n--- FAIL: TestCase%[1]d\n", i)
		}
	}
	for _, p := range []truncation.Policy{
		{}, {Save: func() (string, error) { return ".clarvis/x.log", nil }}, {Number: func(n int) string { return fmt.Sprintf("%6d\t", n) }},
	} {
		p.Strategy = truncation.Digest
		for _, text := range []string{log.String(), "\n" + log.String()} {
			w := p.NewWriter()
			w.StartAt(100)
			w.WriteString(text)
			for _, shown := range []string{p.Cut(text), w.Result().Text, "stderr:\n" + p.Cut(text) + "\n\nCommand exited with code 1"} {
				brackets := 0
				for line := range strings.Lines(shown) {
					brackets += strings.Count(line[:1], "[")
				}
				require.Greater(t, brackets, 3)
				require.Len(t, notices(shown), brackets, shown)
				require.Equal(t, shown, joined(excerpt{head: shown}.segments()))
				require.NotContains(t, said(shown), "TestCase1000\n")
			}
		}
	}
	for _, text := range []string{"x\n[lines 4-5: 2 lines]\ny", "[Digest of lines]\n[line 3]\n", "a [Digest of 3 lines: no]\n[line 3]"} {
		require.Empty(t, said(text), text)
	}
}

func joined(parts []segment) (text string) {
	for _, p := range parts {
		text += p.Text
	}
	return text
}

// The segments of a text are all of it, in order.
func FuzzSegments(f *testing.F) {
	f.Add("a\n\n[Showing lines 1-2 of 3]\n\n[Line 1 b]\n")
	f.Add("[Line 1 b]")
	f.Add("[Digest of 90 lines: no]\n\na\n[lines 2-90: 89 lines]\n")
	f.Fuzz(func(t *testing.T, text string) {
		e := excerpt{head: text}
		require.Equal(t, text, joined(e.segments()))
		for _, at := range notices(text) {
			require.True(t, isNotice(text[at[0]:at[1]]))
		}
		valid := strings.ToValidUTF8(text, "\uFFFD")
		short := excerpt{head: valid}.cut(8)
		require.LessOrEqual(t, short.size(), max(8, 0))
		require.Equal(t, len(valid), short.size()+short.gap)
		require.True(t, strings.HasPrefix(valid, short.head) && strings.HasSuffix(valid, short.tail))
	})
}

// The manual has the definitions of the page.
func TestDefinitions(t *testing.T) {
	page := testkit.ReadFile(t, filepath.Join("..", "..", "docs", "record.md"))
	text := strings.Join(strings.Fields(page), " ")
	for _, w := range newWaste() {
		require.Contains(t, text, w.Title+" | "+w.Definition)
	}
}

var update = flag.Bool("update", false, "rewrite testdata/summary.golden")

// The summary of a session. It is as wide as a terminal at most.
func TestText(t *testing.T) {
	var text bytes.Buffer
	require.NoError(t, readFile(t, records.Session(400, 1)).WriteText(&text))
	golden := filepath.Join("testdata", "summary.golden")
	if *update {
		require.NoError(t, os.WriteFile(golden, text.Bytes(), 0o644))
	}
	require.Equal(t, testkit.ReadFile(t, golden), text.String())
}

// No text of a record reaches the terminal as it is, and no line is wider than 80 columns.
func TestTextOfHostile(t *testing.T) {
	r := readFile(t, append(records.Session(60, 3), records.Hostile()...))
	r.Name = records.Attack
	var text bytes.Buffer
	require.NoError(t, r.WriteText(&text))
	for line := range strings.Lines(text.String()) {
		line = strings.TrimSuffix(line, "\n")
		require.LessOrEqual(t, utf8.RuneCountInString(line), 80, line)
		require.Equal(t, -1, strings.IndexFunc(line, func(r rune) bool { return !unicode.IsPrint(r) }), "%q", line)
	}
}

func TestNumbers(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 999: "999", 1000: "1,000", 1234567: "1,234,567", -1000: "-1,000", -100: "-100"} {
		require.Equal(t, want, grouped(n))
	}
	for ms, want := range map[float64]string{0: "0ms", 999: "999ms", 1000: "1.0s", 59_900: "59.9s", 60_000: "1m00s", 3_600_000: "1h00m", 9_000_000: "2h30m"} {
		require.Equal(t, want, took(ms))
	}
	require.Equal(t, "0%", percent(1, 0))
	require.Equal(t, "33%", percent(1, 3))
}
