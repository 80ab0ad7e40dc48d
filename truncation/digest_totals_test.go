package truncation

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A digest counts the failures, and not the lines that sum them up. Where there is nothing but such a line, it says that
// something failed.
func TestDigestCountsFailures(t *testing.T) {
	ordinary := strings.Repeat("=== RUN   TestOther\n", 200)
	failure := "--- FAIL: TestCart (0.00s)\n    cart_test.go:84: total = 8750, want 9000\n"
	for _, tt := range []struct{ failures, sums, want string }{
		{failure, "FAIL\nFAIL\texample.com/cart\t0.1s\nFAIL\n", "1 line reports a failure (shown)"},
		{failure + ordinary + failure, "FAIL\nexit status 1\n", "2 lines report failures (all shown)"},
		{"FAILED tests/test_a.py::test_b - assert 1 == 2\n", "3 failed, 2 passed in 1.2s\n", "1 line reports a failure (shown)"},
		{"error: the disk is full\n", "done: 1 failed\n", "1 line reports a failure (shown)"},
		{"main.c:3:1: error: expected ;\n", "make: *** [Makefile:3: all] Error 1\n", "1 line reports a failure (shown)"},
		{"", "FAIL\n", "1 line reports a failure (shown)"},
		{"", "done: 1 failed\n", "1 line reports a failure (shown)"},
		{"", "FAIL\nexit status 1\n", "2 lines report failures (all shown)"},
		{"", "FAIL\n" + ordinary + "exit status 1\n", "2 lines report failures (all shown)"},
		{"", "", "no failures and no warnings found"},
	} {
		got := Policy{Strategy: Digest}.Cut(ordinary + tt.failures + ordinary + tt.sums)
		totals, _, _ := strings.Cut(got, "\n")
		require.Contains(t, totals, " lines: "+tt.want+", ", got)
		require.NotContains(t, strings.SplitN(got, "\n", 2)[1], " report", "what is left out is ordinary")
		for line := range strings.Lines(tt.failures + tt.sums) {
			if line != "=== RUN   TestOther\n" {
				require.Contains(t, got+"\n", "\n"+line)
			}
		}
	}
}

// What sums up failures and is left out is counted as that, and not as another failure.
func TestDigestHidesTotals(t *testing.T) {
	text := failures200()
	for name, sums := range map[string]int{"none": 0, "few": 3, "many": 90} {
		with := text + strings.Repeat("ok  \texample.com/x\t0.1s\nFAIL\texample.com/y\t0.1s\n", sums)
		got := Policy{Strategy: Digest, Limits: Limits{Bytes: 2000}}.Cut(with)
		require.Regexp(t, `^\[Digest of [\d,]+ lines: 200 lines report failures \(\d+ shown\), `, got, name)
		explains(t, Policy{Strategy: Digest, Limits: Limits{Bytes: 2000}}, with, 0, Policy{Strategy: Digest, Limits: Limits{Bytes: 2000}}.Truncate(with))
	}
}
