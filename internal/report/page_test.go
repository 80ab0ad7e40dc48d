package report

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"flag"
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

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/spillway-go/spillway/internal/testkit/records"
	"github.com/spillway-go/spillway/tools/record"
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

func joined(parts []segment) (text string) {
	for _, p := range parts {
		text += p.Text
	}
	return text
}

// The segments of a text are all of it, in order, and tell output from what the tool says, whatever the facts are.
func FuzzSegments(f *testing.F) {
	f.Add("a\nb\n\n[Showing lines 1-2 of 3]\n\n[Line 1 b]\n", 1, 2, 4, 1, 12)
	f.Add("io_error: x\n\na\n", 3, 1, 3, 9, 3)
	f.Add("\n\nx", -1, 5, math.MaxInt/2, math.MaxInt/2, 1)
	f.Fuzz(func(t *testing.T, text string, at, count, secondAt, secondCount, most int) {
		text = strings.ToValidUTF8(text, "\uFFFD")
		rec := record.Line{Text: text, Facts: &record.Facts{Output: []config.Lines{{At: at, Count: count}, {At: secondAt, Count: secondCount}}}}
		c := &Call{Bytes: len(text), text: excerpt{head: text}}
		c.setOutput(&rec)
		require.Equal(t, text, joined(c.segments()))
		output := ""
		for _, r := range runsOf(&rec) {
			output += text[r.from:r.to]
		}
		said := ""
		for _, p := range c.segments() {
			if p.Kind == bracket {
				said += p.Text
			}
		}
		if output == "" {
			require.Empty(t, said)
			output = text
		}
		visible := func(text string) int { return len(strings.ReplaceAll(text, "\n", "")) }
		require.Equal(t, visible(text), visible(output)+visible(said))

		short := c.text.cut(8)
		require.LessOrEqual(t, short.size(), 8)
		require.Equal(t, len(text), short.size()+short.gap)
		require.True(t, strings.HasPrefix(text, short.head) && strings.HasSuffix(text, short.tail))
		c.text = c.text.cut(max(most%50, 0))
		want := c.text.head
		if c.text.gap > 0 {
			want += c.text.tail
		}
		require.Equal(t, want, joined(c.segments()))
	})
}

// What a tool says is told from output by the facts of the call, not by how it reads.
func TestSegments(t *testing.T) {
	text := "timeout: no\n\na\n[Showing lines 1-2]\n[3 lines left out]\nb\n\n[Full output: x]\n\nThe end"
	c := &Call{text: excerpt{head: text}}
	c.setOutput(&record.Line{Text: text, Facts: &record.Facts{Output: []config.Lines{{At: 3, Count: 2}, {At: 6, Count: 1}}}})
	require.Equal(t, []segment{{Kind: bracket, Text: "timeout: no"}, {Text: "\n\na\n[Showing lines 1-2]\n"}, {Kind: bracket, Text: "[3 lines left out]"},
		{Text: "\nb\n\n"}, {Kind: bracket, Text: "[Full output: x]\n\nThe end"}}, c.segments())
	c = &Call{text: excerpt{head: text}}
	c.setOutput(&record.Line{Text: text})
	require.Equal(t, []segment{{Text: text}}, c.segments(), "without facts nothing is known")
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
