package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"encoding/xml"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/internal/docs/section"
	"github.com/spillway-go/spillway/truncation"
	"github.com/stretchr/testify/require"
)

var sample = newRecording(Text{
	Name: "sample", Needles: []string{"boom at 12", "want 3"}, Also: []string{"FAIL"}, Block: 2,
}, []byte("ok 1\nerror: boom at 12\n    at main\nok 2\n\tgot 4, want 3\nFAIL x\n"))

func TestMeasure(t *testing.T) {
	shows := func(shown string, standout ...string) outcome {
		return sample.measure(strategy{name: "s", show: func([]byte) (string, []string) { return shown, standout }})
	}
	require.Equal(t, []string{"want 3"}, shows("error: boom at 12\n").missed)
	require.Empty(t, shows(`1 "got 4, want 3", 2 "boom at 12"`).missed)
	o := shows("", "error: boom at 12", "    at main", "ok 2", "FAIL x", "ok 1")
	require.Equal(t, []string{"ok 2", "ok 1"}, o.false, "a block goes as far as Block says")
	require.Equal(t, 5, o.named)
	require.Empty(t, shows("", "error: boom", "error: b...", "got 4…", "\tgot 4,").false, "shortened lines")
	require.Equal(t, []string{"", "...", "oom"}, shows("", "", "...", "oom").false)
}

func TestTable(t *testing.T) {
	s := strategy{name: "all", names: true, show: func(text []byte) (string, []string) { return string(text), []string{"ok 1"} }}
	nothing := newRecording(Text{Name: "nothing"}, []byte("ok 1\n"))
	r := row{strategy: s}
	var out strings.Builder
	for _, t := range []recording{sample, nothing} {
		o := t.measure(s)
		r.add(o)
		o.print(&out)
	}
	require.Contains(t, table([]recording{sample, nothing}, []row{r}), "1 texts with 2 needles and 1 without")
	require.Contains(t, table([]recording{sample, nothing}, []row{r}), "| all | 100% | 33 | 16 | 1 | 1, at most 1 in one |")
	require.Contains(t, out.String(), "false:  ok 1")
}

// The page has what is measured, and the chart is that of the page's table.
func TestDocument(t *testing.T) {
	t.Chdir("..")
	text, err := section.Read(page, "needles")
	require.NoError(t, err)
	var printed strings.Builder
	require.NoError(t, run(&printed, "second", "", false, false))
	require.Equal(t, printed.String(), text, "go -C internal/bench run ./needles -half second -write")
	parts, err := section.Read(page, "parts")
	require.NoError(t, err)
	counted, err := partTable()
	require.NoError(t, err)
	require.Equal(t, counted, parts, "go -C internal/bench run ./needles -half second -write")
	drawn, err := svg(text)
	require.NoError(t, err)
	there, err := os.ReadFile(picture)
	require.NoError(t, err)
	require.Equal(t, string(there), drawn, "go -C internal/bench run ./needles -half second -write")
	require.NoError(t, xml.Unmarshal(there, new(struct{})))
	require.Contains(t, drawn, ">The mean of 47 outputs ")

	_, err = svg(strings.Replace(text, "`digest`, 4 KiB", "`digest`, 5 KiB", 1))
	require.EqualError(t, err, "the table has no row `digest`, 4 KiB")
	_, err = svg(strings.Replace(text, " texts ", " files ", 1))
	require.EqualError(t, err, "the table does not say of how many texts it is")
}

// What more of the allowance would show is what is measured.
func TestAllowance(t *testing.T) {
	t.Chdir("..")
	rows, err := allowance()
	require.NoError(t, err)
	text, err := section.Read(benchPage, "allowance")
	require.NoError(t, err)
	require.Equal(t, allowanceTable(rows), text, "go -C internal/bench run ./needles -half second -write")
	there, err := os.ReadFile(allowanceChart)
	require.NoError(t, err)
	require.Equal(t, string(there), allowanceSVG(rows), "go -C internal/bench run ./needles -half second -write")
	require.NoError(t, xml.Unmarshal(there, new(struct{})))
}

// machine is what names the computer that a text was recorded on.
var machine = regexp.MustCompile(`/root/|/home/|/work/|(^|[ '"=])/tmp/|localhost`)

func TestCorpus(t *testing.T) {
	limits := truncation.Limits{Lines: 2000, Bytes: 30 << 10}
	tail := truncation.Policy{Strategy: truncation.Tail, Limits: limits, Unmarked: true}
	rows, allHidden, allNeedles := map[string]int{}, map[string]int{}, map[string]int{} // of a directory
	for _, h := range slices.Concat(halves, documentHalves) {
		all, err := load(h.name)
		require.NoError(t, err)
		needles, hidden, nothing := 0, 0, 0
		most := 4
		if strings.HasPrefix(h.name, "json") {
			most = 16 // a document has a name in each place that refers to it
		}
		rows[cmp.Or(h.dir, h.name)] += len(all)
		for _, r := range all {
			require.NotEmpty(t, r.Program, r.Name)
			require.Empty(t, string(machine.Find(r.text)), r.Name)
			require.NotContains(t, string(r.text), "\r", r.Name)
			require.GreaterOrEqual(t, len(r.text), 30<<10, r.Name)
			require.True(t, bytes.HasSuffix(r.text, []byte("\n")), r.Name)
			require.LessOrEqual(t, len(r.Needles), 6, r.Name)
			end := tail.Cut(string(r.text))
			for _, n := range r.Needles {
				require.Contains(t, string(r.text), n, r.Name)
				require.LessOrEqual(t, bytes.Count(r.text, []byte(n)), most, "%s: %s", r.Name, n)
				needles++
				if !strings.Contains(end, n) {
					hidden++
				}
			}
			for _, a := range r.Also {
				require.Contains(t, string(r.text), a, r.Name)
			}
			if r.Needles == nil {
				nothing++
				require.Zero(t, r.Block, r.Name)
				require.Empty(t, r.Also, r.Name)
			}
		}
		t.Logf("%s half: %d texts with %d needles, %d of them before the last 30 KB; %d texts without",
			h.name, len(all)-nothing, needles, hidden, nothing)
		allHidden[cmp.Or(h.dir, h.name)] += hidden
		allNeedles[cmp.Or(h.dir, h.name)] += needles
	}
	for dir, hidden := range allHidden {
		require.GreaterOrEqual(t, hidden, allNeedles[dir]*3/4, "most needles of %s are not where a tail shows them", dir)
	}
	for dir, n := range rows {
		files, err := recordings.ReadDir("testdata/" + dir)
		require.NoError(t, err)
		require.Len(t, files, n, "a text has a row, and a row a text")
	}
}

func TestNoSuchHalf(t *testing.T) {
	_, err := load("sixth")
	require.ErrorContains(t, err, `no half "sixth"`)
}

// Of each part of the documents, nearly all needles are shown, and each result is JSON.
func TestDocuments(t *testing.T) {
	printed, err := documentTable()
	require.NoError(t, err)
	t.Log("\n" + printed)
	for _, h := range documentHalves {
		texts, err := load(h.name)
		require.NoError(t, err)
		r := row{}
		for _, text := range texts {
			require.True(t, json.Valid(text.text), text.Name)
			for _, s := range documentStrategies {
				if s.name != asJSON {
					continue
				}
				o := text.measure(s)
				r.add(o)
				shown, _ := s.show(text.text)
				require.True(t, json.Valid([]byte(shown)), text.Name)
				require.LessOrEqual(t, len(shown), 4<<10)
				if len(o.missed) > 0 {
					t.Logf("%s: missed %q", text.Name, o.missed)
				}
			}
		}
		require.GreaterOrEqual(t, r.share(), 95.0, h.name)
	}
}
