package main

import (
	"bytes"
	"cmp"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/truncation"
	"github.com/stretchr/testify/require"
)

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
