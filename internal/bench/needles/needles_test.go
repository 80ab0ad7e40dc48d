package main

import (
	"strings"
	"testing"

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
