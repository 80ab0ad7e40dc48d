package truncation

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

// pods is a document with so many pods, of which one is not like the others.
func pods(n, odd int, separator string) string {
	var list []string
	for i := range n {
		phase := "Running"
		if i == odd {
			phase = "CrashLoopBackOff"
		}
		list = append(list, fmt.Sprintf(`{"name": "pod-%d", "phase": %q, "restarts": 0}`, i, phase))
	}
	return `{"kind": "List", "items": [` + strings.Join(list, ","+separator) + "]}\n"
}

func TestJSON(t *testing.T) {
	for _, s := range []Strategy{JSON, Digest} {
		for _, separator := range []string{"", "\n"} {
			text := pods(500, 321, separator)
			p := Policy{Strategy: s, Save: func() (string, error) { return "x.log", errors.New("full") }}
			r := p.Truncate(text)
			require.True(t, json.Valid([]byte(r.Text)), r.Text)
			require.LessOrEqual(t, len(r.Text), DigestBytes)
			require.Contains(t, r.Text, `{"name": "pod-321", "phase": "CrashLoopBackOff", "restarts": 0}`)
			require.Contains(t, r.Text, `"[319 left out: $.items[2..320]]"`)
			require.Equal(t, s, r.Strategy)
			require.Equal(t, &Document{OneLine: separator == "", Left: "$.items[2..320]", Line: r.Document.Line}, r.Document)
			require.Equal(t, len(text), r.TotalBytes)
			require.Positive(t, r.OutputBytes)
			require.Empty(t, r.Standout, "its lines do not stand out")
			require.Equal(t, r.Text, p.Cut(text))
		}
	}
	r := Policy{Strategy: JSON, Limits: Limits{Tokens: 300}, Prefix: "[api]: "}.Truncate(pods(500, 321, ""))
	require.LessOrEqual(t, EstimateTokens(r.Text), 300)
	require.True(t, json.Valid([]byte(strings.TrimPrefix(r.Text, "[api]: "))), r.Text)
	require.Contains(t, r.Text, "pod-321")
}

// A text that is not one document is cut like one that Digest never takes for one, whatever it begins with.
func TestJSONOfOtherTexts(t *testing.T) {
	text := pods(500, 321, "\n")
	ordinary := strings.Repeat(`{"level": "info", "msg": "order paid"}`+"\n", 3000)
	lines := ordinary + `{"level": "error", "msg": "order lost"}` + "\n" + ordinary
	for _, text := range []string{
		lines, text + "done\n", "$ kubectl\n" + text, text[:len(text)-2], run(3000, 3000),
		strings.Repeat("[", 1<<20), strings.Repeat("{", 1<<17),
	} {
		r := Policy{Strategy: JSON}.Truncate(text)
		require.Nil(t, r.Document)
		require.LessOrEqual(t, len(r.Text), DigestBytes)
		require.Equal(t, Policy{Strategy: Digest}.Cut(text), r.Text)
	}
	require.Contains(t, Policy{Strategy: JSON}.Cut(lines), "order lost")
	require.Contains(t, Policy{Strategy: JSON}.Cut(run(3000, 3000)), "--- FAIL: TestLedger")
	require.Equal(t, text, Policy{Strategy: JSON, Limits: Limits{Bytes: 1 << 20}}.Cut(text))
	require.Equal(t, "{}", Policy{Strategy: JSON, Limits: Limits{Bytes: 2}}.Cut(text))
	require.Empty(t, Policy{Strategy: JSON, Limits: Limits{Bytes: 1}}.Cut(text))
}

// A part of a longer text has the lines of that, and more may be written after a result.
func TestJSONWriter(t *testing.T) {
	text := pods(500, 321, "\n")
	w := Policy{Strategy: JSON}.NewWriter()
	w.StartAt(101)
	w.WriteString(text[:9000])
	require.Nil(t, w.Result().Document, "it is not complete")
	w.WriteString(text[9000:])
	whole, got := Policy{Strategy: JSON}.Truncate(text), w.Result()
	require.Equal(t, whole.Text, got.Text)
	require.Equal(t, whole.Document.Line+100, got.Document.Line)
	w.WriteString("\xe4")
	require.Nil(t, w.Result().Document, "a character is unfinished")
	w.WriteString("[")
	require.Nil(t, w.Result().Document)
}

func FuzzJSON(f *testing.F) {
	f.Add([]byte(pods(9, 4, "")), uint16(100), uint16(0), uint8(3), "")
	f.Add([]byte("[\"\xff\xc3\", 1]  "), uint16(9), uint16(4), uint8(1), "p: ")
	f.Add([]byte(strings.Repeat("[", 99)+strings.Repeat("]", 99)), uint16(60), uint16(2), uint8(7), "")
	f.Fuzz(func(t *testing.T, text []byte, bytes, lines uint16, piece uint8, prefix string) {
		p := Policy{Strategy: JSON, Limits: Limits{Bytes: Limit(bytes), Lines: Limit(lines)}, Prefix: valid(prefix)}
		got := p.Truncate(string(text))
		w := p.NewWriter()
		for rest := text; len(rest) > 0; {
			n := min(len(rest), int(piece)+1)
			w.Write(rest[:n])
			rest = rest[n:]
		}
		require.Equal(t, got, w.Result())
		require.True(t, utf8.ValidString(got.Text))
		if bytes > 0 {
			require.LessOrEqual(t, len(got.Text), int(bytes))
		}
		if lines > 0 {
			require.LessOrEqual(t, strings.Count(got.Text, "\n"), int(lines))
		}
		if d := got.Document; d != nil && len(got.Text) >= len(p.Prefix)+2 {
			require.True(t, json.Valid([]byte(got.Text[len(p.Prefix):])), got.Text)
		}
	})
}
