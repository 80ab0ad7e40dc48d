package truncation

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// runs are outputs in which each line names a thing and says its state. What failed is often there.
var runs = []struct {
	name       string
	good, bad  string   // lines of a thing, with %s for its name
	why        []string // lines that belong to a bad one, in front of it
	wants      string   // what of a bad one must be shown, with %s for its name
	otherwords bool     // names are words that no other line has
}{
	{name: "googletest", good: "[ RUN      ] Box.%s\n[       OK ] Box.%[1]s (0 ms)", bad: "[  FAILED  ] Box.%s (1 ms)",
		why:   []string{"[ RUN      ] Box.Corner", "box_test.cc:17: Failure", "Expected equality of these values:", "  area(b)", "    Which is: 12", "  14"},
		wants: "Which is: 12"},
	{name: "ctest", good: " 1/99 Test  #1: %s .......   Passed    0.01 sec", bad: " 1/99 Test  #1: %s .......***Failed    0.01 sec", wants: "%s"},
	{name: "dots", good: "Compile %s........................................Passed", bad: "Compile %s........................................Failed", wants: "%s"},
	{name: "dejagnu", good: "PASS: %s", bad: "FAIL: %s", wants: "%s", otherwords: true},
	{name: "tap", good: "ok 3 %s", bad: "not ok 3 %s", wants: "%s", otherwords: true},
	{name: "words at the end", good: "  settles %s (0.1ms)\n  opens %[1]s", bad: "  settles %s (FAILED - 3)", wants: "%s", otherwords: true},
	{name: "services", good: "Starting service %s ... done", bad: "Starting service %s ... failed", wants: "%s"},
	{name: "push", good: "   12ab34..56cd78  %s -> %[1]s", bad: " ! [rejected]        %s -> %[1]s (fetch first)", wants: "%s"},
	{name: "merge", good: "Auto-merging src/%s.c", bad: "CONFLICT (content): Merge conflict in src/%s.c", wants: "%s.c"},
	{name: "levels", good: `{"@timestamp":"2026-05-07T12:05:37Z","log.level":"info","message":"stored","id":"%s"}`,
		bad: `{"@timestamp":"2026-05-07T12:05:37Z","log.level":"error","message":"stored","id":"%s"}`, wants: "%s"},
	{name: "systemd", good: "May 07 12:05:37 box systemd[1]: %s.service: Deactivated successfully.",
		bad: "May 07 12:05:37 box systemd[1]: %s.service: Main process exited, code=exited, status=1/FAILURE", wants: "%s.service"},
	{name: "c++", good: "case %s: 12 checks", bad: "terminate called after throwing an instance of 'std::%s'", wants: "%s"},
	{name: "r", good: "> fit <- lm(y ~ %s)", bad: "Error in %s(x) : object 'y' not found", wants: "%s"},
	{name: "health", good: "node %s is healthy since 12:00", bad: "node %s is unhealthy since 12:00", wants: "%s"},
	{name: "deploy", good: "deploy %s: succeeded after 3s", bad: "deploy %s: failed after 3s", wants: "%s"},
}

// namesOf returns n names: identifiers, or words of which no two are alike.
func namesOf(n int, words bool) (list []string) {
	syllables := []string{"ba", "ke", "lo", "mi", "nu", "ra", "se", "to"}
	for i := range n {
		if !words {
			list = append(list, fmt.Sprintf("thing%d", i))
			continue
		}
		var b strings.Builder
		for rest := i + 64; rest > 0; rest /= 8 {
			b.WriteString(syllables[rest%8])
		}
		list = append(list, b.String())
	}
	return list
}

func TestStates(t *testing.T) {
	for _, run := range runs {
		for _, failing := range []int{1, 3, 30} {
			t.Run(fmt.Sprintf("%s/%d", run.name, failing), func(t *testing.T) {
				const all = 2600
				var b strings.Builder
				failed := 0
				var first string
				for i, name := range namesOf(all, run.otherwords) {
					if i < 700 || i%60 != 0 || failed == failing {
						fmt.Fprintf(&b, run.good+"\n", name)
						continue
					}
					for _, line := range run.why {
						b.WriteString(line + "\n")
					}
					fmt.Fprintf(&b, run.bad+"\n", name)
					if failed++; first == "" {
						first = name
					}
				}
				wants := strings.ReplaceAll(run.wants, "%s", first)
				digest := Policy{Strategy: Digest}.Truncate(b.String())
				require.Contains(t, digest.Text, wants)
				require.NotContains(t, digest.Text, "no failures")
				tail := Policy{Strategy: Tail, Limits: Limits{Bytes: 4 << 10}, Standout: true}.Truncate(b.String())
				var named strings.Builder
				for _, line := range tail.Standout {
					named.WriteString(line.Text + "\n")
				}
				require.Contains(t, named.String(), wants)
			})
		}
	}
}

// What says that nothing failed is no failure.
func TestNoFailures(t *testing.T) {
	for _, line := range []string{
		`  "failed": 0,`, "failed: false", "error: none", "Failures: none", "0 errors", "errors: []", `{"error":null,"id":7}`,
		"0 Error(s)", "offline: False", `  "offline": false,`, "failed=0 rescued=0", "Error: no", "  if-no-files-found: error-free", "failures = 0", "DEBUG config: Failed to load local config: none",
		"level=debug msg=retry error=\"failed to do request\"", "tests/unit/test_cli.py::test_message[error9-Could not install: [Errno 2] No such file: 'x'] PASSED",
		"[gw1] [ 16%] PASSED tests/unit/test_cli.py::test_message[error9-Could not install: [Errno 2] No such file: 'x']",
	} {
		var b strings.Builder
		for i := range 400 {
			fmt.Fprintf(&b, "stored order %d of shop 7\n", i)
			if i%100 == 50 {
				b.WriteString(line + "\n")
			}
			if i%100 == 70 {
				b.WriteString("active: False\n  \"active\": false,\n")
			}
		}
		got := Policy{Strategy: Digest}.Truncate(b.String())
		require.Contains(t, got.Text, "no failures", line)
	}
}

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
