package truncation

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// standsOut returns what is named of a text whose end alone is shown.
func standsOut(text string) string {
	var b strings.Builder
	for _, line := range (Policy{Strategy: Tail, Limits: Limits{Bytes: 1 << 10}, Standout: true}).Truncate(text).Standout {
		b.WriteString(line.Text + "\n")
	}
	return b.String()
}

// A word of failure is found however far it is from the beginning of its line, to 64 KiB, and shown.
func TestFarInALine(t *testing.T) {
	for _, far := range []int{0, 100, 300, 319, 330, 500, 5000, 40_000} {
		for name, line := range map[string]string{
			"JSON":  `{"msg":"stored order","pad":"` + strings.Repeat("x", far) + `","level":"%s","id":7}`,
			"words": "stored order " + strings.Repeat("and more ", far/9) + "level=%s id=7",
		} {
			t.Run(fmt.Sprintf("%s/%d", name, far), func(t *testing.T) {
				var b strings.Builder
				for i := range 400 {
					level := "info"
					if i == 200 {
						level = "error"
					}
					fmt.Fprintf(&b, line+"\n", level)
				}
				text := b.String()
				want := strings.Split(line[strings.Index(line, "level"):], "%s")[0] + "error"
				digest := Policy{Strategy: Digest}.Truncate(text)
				require.Contains(t, digest.Text, want)
				require.Contains(t, digest.Text, ": 1 line reports a failure (shown)")
				require.Contains(t, standsOut(text), want)
				w := Policy{Strategy: Digest}.NewWriter()
				for rest := text; rest != ""; {
					n := min(777, len(rest))
					w.WriteString(rest[:n])
					rest = rest[n:]
				}
				require.Equal(t, digest, w.Result())
			})
		}
	}
}

// What is not looked at is not cleared.
func TestLinesTooLongToLookAt(t *testing.T) {
	long := strings.Repeat("x", 70<<10) + " error: the disk is full\n"
	text := strings.Repeat("=== RUN   TestX\n", 300) + long + strings.Repeat("=== RUN   TestX\n", 300)
	require.Contains(t, Policy{Strategy: Digest}.Cut(text), "of 1 line only the first 64KB was looked at")
}

// What colors a line hides no failure, as escape sequences or as cat -v prints them, and is not shown in a digest.
func TestColoredFailures(t *testing.T) {
	for _, escape := range []string{"\x1b[", "^[["} {
		run := strings.Repeat("compile a.c ... "+escape+"32mok"+escape+"0m\n", 400)
		text := run + "compile b.c ... " + escape + "31;1mFAILED" + escape + "0m\n" + run
		require.Contains(t, Policy{Strategy: Digest}.Cut(text), "\ncompile b.c ... FAILED\n", "%q", escape)
		require.Contains(t, standsOut(text), "FAILED")
	}
}

// A log of a runner: each line has a time, what failed is followed by much that did not.
func runnerLog(failure ...string) string {
	var b strings.Builder
	n := 0
	line := func(text string) {
		fmt.Fprintf(&b, "2026-05-07T06:%02d:%02d.5133302Z %s\n", n/60%60, n%60, text)
		n++
	}
	for i := range 900 {
		line(fmt.Sprintf("Compiling object %d of numbers", i))
	}
	for _, text := range failure {
		line(text)
	}
	for i := range 300 {
		line(fmt.Sprintf("Removing credentials of step %d", i))
	}
	return b.String()
}

// What led to the last failure is shown, though its words do not tell, and what follows is not.
func TestWhatLedToAFailure(t *testing.T) {
	failure := []string{
		"$ node ./scripts/format/index.js", "This project formats all code.", "Please run the formatter on the files below:",
		"packages/dom/src/Refs.js", "error Command failed with exit code 1.",
	}
	digest := Policy{Strategy: Digest}.Cut(runnerLog(failure...))
	for _, line := range failure {
		require.Contains(t, digest, "\n"+line+"\n")
	}
	require.LessOrEqual(t, strings.Count(digest, "\nRemoving credentials"), 5)
	// a failure behind the sum, which concerns a step of its own, does not change that
	digest = Policy{Strategy: Digest}.Cut(runnerLog(failure...) + "2026-05-07T07:00:00.0000000Z Failed to save the cache\n" + runnerLog())
	require.Contains(t, digest, "\nThis project formats all code.\n")
	require.Contains(t, digest, "\nFailed to save the cache\n")
}

// A time in front of nearly all lines is not shown, and that is said; where few lines have one it tells.
func TestTimesInADigest(t *testing.T) {
	digest := Policy{Strategy: Digest}.Cut(runnerLog("error: no rule"))
	require.Contains(t, digest, "[Digest of 1,201 lines without their times: ")
	require.Contains(t, digest, "\nerror: no rule\n")
	require.NotContains(t, digest, "2026-")
	mixed := runnerLog("error: no rule") + strings.Repeat("a line without one\n", 400)
	digest = Policy{Strategy: Digest}.Cut(mixed)
	require.NotContains(t, digest, "without their times")
	require.Contains(t, digest, "Z error: no rule\n")
}

// Hundreds of like failures leave room for others, and for what sums them up.
func TestLikeFailures(t *testing.T) {
	var b strings.Builder
	for i, name := range namesOf(300, true) {
		fmt.Fprintf(&b, "pkg/%s.py:%d: error: Module has no attribute %q  [attr-defined]\n", name, i, name)
		b.WriteString(strings.Repeat("checked\n", 9))
	}
	text := strings.Repeat("checked\n", 500) + b.String() + "Found 300 errors in 300 files\n" + strings.Repeat("checked\n", 200) +
		"Fatal Python error: Segmentation fault\n" + strings.Repeat("checked\n", 200)
	digest := Policy{Strategy: Digest}.Cut(text)
	require.Contains(t, digest, "Fatal Python error: Segmentation fault")
	require.Contains(t, digest, "Found 300 errors in 300 files")
	require.Contains(t, digest, "attr-defined")
	require.Contains(t, standsOut(text), "Segmentation fault")
}

// In a text in which nothing repeats, a plain failure is named; prose about failures is not.
func TestFailuresAmongUnlikeLines(t *testing.T) {
	var b strings.Builder
	for i, name := range namesOf(2000, true) {
		fmt.Fprintf(&b, "  %s the %s of a %s\n", name, strings.ToUpper(name[:2]), name[1:])
		if i == 900 {
			b.WriteString("  settles the bonus once (FAILED - 1)\n")
		}
		if i == 1200 {
			b.WriteString("If it is failed: an error of the kind failure: no one knows\n")
		}
	}
	digest := Policy{Strategy: Digest}.Truncate(b.String())
	require.Contains(t, digest.Text, "settles the bonus once (FAILED - 1)")
	require.Contains(t, digest.Text, "the other lines are too different to tell which stand out")
	require.NotContains(t, standsOut(b.String()), "no one knows")
}

// A command that failed is not cleared: where no line says why, more of both ends is shown.
func TestUnexplained(t *testing.T) {
	text := strings.Repeat("read a block of 4 bytes\n", 3000)
	failed := Policy{Strategy: Digest, Failed: true}.Truncate(text)
	passed := Policy{Strategy: Digest}.Truncate(text)
	require.Contains(t, failed.Text, "the command failed, and no output line was recognized as the reason")
	require.NotContains(t, failed.Text, "no failures")
	require.Greater(t, len(failed.Text), 2*len(passed.Text))
	require.Zero(t, failed.Failing)
	w := Policy{Strategy: Digest}.NewWriter()
	w.WriteString(text)
	w.Fail()
	require.Equal(t, failed, w.Result())
	told := Policy{Strategy: Digest, Failed: true}.Truncate(text + "error: no space\n" + text)
	require.NotContains(t, told.Text, "recognized")
	require.Equal(t, 1, told.Failing)
	require.Equal(t, -1, Policy{Strategy: Tail, Limits: Limits{Lines: 9}}.Truncate(text).Failing, "nobody looked")
}
