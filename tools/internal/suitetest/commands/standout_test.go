package commands_test

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/exit"
	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/internal/suitetest"
	"github.com/spillway-go/spillway/truncation"
)

// failingRun prints 9,000 lines, of which two say in the middle what failed.
const failingRun = `seq -f '=== RUN   TestCase%g' 4000; echo '--- FAIL: TestLedger/step_9 (0.02s)'; ` +
	`echo '    ledger_test.go:412: balance = 1190, want 1200'; seq -f '--- PASS: TestCase%g (0.00s)' 4998; `

var standing = regexp.MustCompile(`(\d+) ("(?:[^"\\]|\\.)*")`)

func TestBashStandout(t *testing.T) {
	t.Parallel()
	need.Shell(t)
	var events []config.Event
	s := newSuite(t, config.Config{Observe: func(_ context.Context, e config.Event) { events = append(events, e) }}, nil)
	res := call(t, s, "bash", map[string]any{"command": failingRun + "exit 1"})
	require.Regexp(t, `\[Showing lines 8\d\d\d-9000 of 9000 \(30KB limit\)\. `+suitetest.FullOutput(`\S+\.log`)+`\. Lines before it that stand out: `+
		`4001 "--- FAIL: TestLedger/step_9 \(0\.02s\)", 4002 "    ledger_test\.go:412: balance = 1190, want 1200"\]\n\n`+exit.WithCode(1)+`$`, res.Text)
	details := res.Details.(tools.BashResult)
	require.Equal(t, []truncation.Line{
		{Number: 4001, Bytes: 35, Text: "--- FAIL: TestLedger/step_9 (0.02s)"},
		{Number: 4002, Bytes: 49, Text: "    ledger_test.go:412: balance = 1190, want 1200"},
	}, details.Standout)
	require.Equal(t, 2, events[len(events)-1].Standout)
	encoded, err := json.Marshal(details)
	require.NoError(t, err)
	require.Contains(t, string(encoded), `"standout":[{"line":4001,"bytes":35,"text":"--- FAIL: TestLedger/step_9 (0.02s)"},`)

	// Each number leads to its line.
	for _, m := range standing.FindAllStringSubmatch(res.Text, -1) {
		line := call(t, s, "read", map[string]any{"path": details.FullOutputPath, "offset": m[1], "limit": 1}).Text
		text, err := strconv.Unquote(m[2])
		require.NoError(t, err)
		require.True(t, strings.HasPrefix(line, text+"\n"), "%s: %s", m[0], line)
	}

	for _, show := range []string{"head", "both"} {
		text := call(t, s, "bash", map[string]any{"command": failingRun, "show": show}).Text
		require.Contains(t, text, `Lines left out that stand out: 4001 "--- FAIL`, show)
	}
	require.NotContains(t, call(t, s, "bash", map[string]any{"command": "seq 5000"}).Text, "stand out")
	off := newSuite(t, config.Config{Bash: config.Bash{NoStandout: true}}, nil)
	res = call(t, off, "bash", map[string]any{"command": failingRun})
	require.NotContains(t, res.Text, "stand out")
	require.Empty(t, res.Details.(tools.BashResult).Standout)
}

// Whatever stands out, notices keep to their allowance.
func TestStandoutAllowance(t *testing.T) {
	t.Parallel()
	need.Shell(t)
	var text strings.Builder
	for i := range 200 {
		for n := range 20 {
			fmt.Fprintf(&text, "an ordinary line %d\n", n+1)
		}
		fmt.Fprintf(&text, "error: no %q %0200d é\n", strconv.Itoa(i+1), i+1)
	}
	files := map[string]string{"long.txt": text.String()}
	const long = "cat long.txt; "
	for _, cfg := range []config.Bash{{}, {SplitStreams: true}, {KeepState: true}, {Strategy: truncation.Head}, {Strategy: truncation.Middle}} {
		t.Run(fmt.Sprintf("%v %v %s", cfg.SplitStreams, cfg.KeepState, cfg.Strategy), func(t *testing.T) {
			t.Parallel()
			s := newSuite(t, config.Config{Bash: cfg}, files)
			for _, command := range []string{long, "(" + long + ") >&2; " + long, long + "sleep 60 & sleep 61 & cd /; exit 3", failingRun} {
				text := call(t, s, "bash", map[string]any{"command": command}).Text
				if cfg.Strategy == "" { // others may show all lines that are named
					require.Contains(t, text, "stand out: ", "%+v", cfg)
				}
				require.LessOrEqual(t, len(text), 30<<10+notice.Allowance, "%+v: %s", cfg, tail(text))
			}
		})
	}
}

// A stream that is shown apart names its own.
func TestStandoutOfStreams(t *testing.T) {
	t.Parallel()
	need.Shell(t)
	s := newSuite(t, config.Config{Bash: config.Bash{SplitStreams: true}}, nil)
	text := call(t, s, "bash", map[string]any{"command": failingRun + "(seq -f 'warming up %g' 5000; echo 'fatal: no space'; seq -f 'warming up %g' 5000) >&2"}).Text
	stdout, stderr, found := strings.Cut(text, "\n\nstderr:\n")
	require.True(t, found)
	require.Contains(t, stdout, `Lines before it that stand out: 4001 "--- FAIL: TestLedger/step_9 (0.02s)", 4002 `)
	require.NotContains(t, stdout, "fatal")
	require.Contains(t, stderr, `Lines before it that stand out: 5001 "fatal: no space"]`)
}

// A job names what stands out in its new output, by the lines of all of it.
func TestStandoutOfJobs(t *testing.T) {
	t.Parallel()
	need.Shell(t)
	s := newSuite(t, config.Config{}, nil)
	res := call(t, s, "bash", map[string]any{"command": failingRun + "read x; " + failingRun, "background": true, "ready_when": "TestCase4998 "})
	require.Contains(t, res.Text, `4001 "--- FAIL: TestLedger/step_9 (0.02s)", 4002 "    ledger`)
	for _, show := range []string{"tail", "digest"} {
		res = call(t, s, "bash", map[string]any{"command": failingRun + "read x; " + failingRun, "background": true, "ready_when": "TestCase4998 ", "show": show})
		id := res.Details.(tools.BashResult).Job
		res = call(t, s, "job", map[string]any{"id": id, "input": "go\n", "until": "no such line"})
		require.NotContains(t, res.Text, "4001 ", show)
		first := map[string]string{"tail": `13001 "--- FAIL: TestLedger/step_9 (0.02s)", 13002 "    ledger`, "digest": "\n--- FAIL: TestLedger/step_9 (0.02s)\n    ledger_test.go:412"}[show]
		require.Contains(t, res.Text, first, show)
		require.Equal(t, 13001, res.Details.(tools.JobResult).Standout[0].Number, show)
		if show == "digest" {
			require.Regexp(t, `\[lines \d+-13000: [\d,]+ ordinary lines like "=== RUN   TestCase1"`, res.Text)
		}
	}
}

// A call that ends at a line shows the digest of what precedes it, where that was asked for, and what follows comes next.
func TestDigestUntil(t *testing.T) {
	t.Parallel()
	need.Shell(t)
	for _, cfg := range []config.Bash{{}, {SplitStreams: true}, {Strategy: truncation.Digest}} {
		s := newSuite(t, config.Config{Bash: cfg}, nil)
		args := map[string]any{"command": failingRun + "echo ready; read x; " + failingRun + "echo again; echo more; read x", "background": true, "ready_when": "^ready"}
		if cfg.Strategy == "" {
			args["show"] = "digest"
		}
		res := call(t, s, "bash", args)
		details := res.Details.(tools.BashResult)
		file := details.OutputPath
		require.LessOrEqual(t, len(res.Text), truncation.DigestBytes+notice.Allowance)
		require.True(t, strings.HasPrefix(res.Text, "[Digest of 9,001 lines: 1 line reports a failure (shown), no warnings found, nothing else stands out. "+
			suitetest.FullOutput("")+file+"]\n=== RUN   TestCase1\n"), res.Text)
		require.Contains(t, res.Text, "\n--- FAIL: TestLedger/step_9 (0.02s)\n    ledger_test.go:412: balance = 1190, want 1200\n[lines 4003-")
		require.Contains(t, res.Text, "\n--- PASS: TestCase4998 (0.00s)\nready\n\n[Line 9001 matches. ")
		require.NotContains(t, res.Text, "left out:")
		require.Equal(t, truncation.Digest, details.Truncation.Strategy)

		res = call(t, s, "job", map[string]any{"id": details.Job, "input": "go\n", "until": "^again"})
		require.True(t, strings.HasPrefix(res.Text, "[Digest of lines 9002-18002: 1 line reports a failure (shown), "), res.Text)
		require.Contains(t, res.Text, "\n--- FAIL: TestLedger/step_9 (0.02s)\n    ledger_test.go:412: balance")
		require.Regexp(t, `\n\[lines 13004-\d+: [\d,]+ ordinary lines like "--- PASS: [^"]+"\]\n`, res.Text)
		require.Contains(t, res.Text, "\nagain\n\n[Line 18002 matches. ")
		require.NotContains(t, res.Text, "\nmore")
		require.Equal(t, "--- FAIL: TestLedger/step_9 (0.02s)\n", call(t, s, "read", map[string]any{"path": file, "offset": 13002, "limit": 1}).Text[:36])
		res = call(t, s, "job", map[string]any{"id": details.Job, "input": "go\n"})
		require.True(t, strings.HasPrefix(res.Text, "more\n\n["), res.Text)
	}
}

func TestDigestOfBash(t *testing.T) {
	t.Parallel()
	need.Shell(t)
	s := newSuite(t, config.Config{}, nil)
	text := call(t, s, "bash", map[string]any{"command": failingRun, "show": "digest"}).Text
	require.LessOrEqual(t, len(text), truncation.DigestBytes)
	require.Regexp(t, `^\[Digest of 9,000 lines: 1 line reports a failure \(shown\), no warnings found, nothing else stands out\. `+
		suitetest.FullOutput(`\.clarvis/bash-\w+\.log`)+`\]\n`, text)
	require.Regexp(t, `\[lines \d+-4000: [\d,]+ ordinary lines like "=== RUN   TestCase1"\]\n`+
		`--- FAIL: TestLedger/step_9 \(0\.02s\)\n    ledger_test\.go:412: balance = 1190, want 1200\n\[lines 4003-`, text)
	require.NotContains(t, text, "stand out")
	text = call(t, s, "bash", map[string]any{"command": "seq -f 'compiled %g.go' 200", "show": "digest"}).Text // which would fit
	require.Regexp(t, `^\[Digest of 200 lines: no failures and no warnings found, nothing else stands out\. Full output: \.clarvis/bash-\w+\.log\]\n`+
		`compiled 1\.go\ncompiled 2\.go\ncompiled 3\.go\n\[lines 4-195: 192 ordinary lines like "compiled 1\.go"\]\ncompiled 196\.go\n`, text)
	require.Equal(t, 200, strings.Count(call(t, s, "bash", map[string]any{"command": "seq -f 'compiled %g.go' 200"}).Text, "\n"))

	s = newSuite(t, config.Config{Bash: config.Bash{Strategy: truncation.Digest}}, nil)
	require.LessOrEqual(t, len(call(t, s, "bash", map[string]any{"command": failingRun}).Text), truncation.DigestBytes)
	require.Contains(t, s.Tools()[1].Description(), "4KB")
	s = newSuite(t, config.Config{Bash: config.Bash{Strategy: truncation.Digest, MaxBytes: 8 << 10}}, nil)
	require.Greater(t, len(call(t, s, "bash", map[string]any{"command": failingRun, "show": "tail"}).Text), 7<<10)
}

func TestDigestOfFile(t *testing.T) {
	t.Parallel()
	var log strings.Builder
	for i := range 9000 {
		if i == 4000 {
			log.WriteString("--- FAIL: TestLedger (0.02s)\r\n")
		}
		fmt.Fprintf(&log, "=== RUN   TestCase%d\r\n", i)
	}
	s := newSuite(t, config.Config{MaxFileBytes: 64 << 10}, map[string]string{"test.log": log.String(), "empty.log": "", "short.log": "a\nb\n"})
	text := call(t, s, "read", map[string]any{"path": "test.log"}).Text
	require.Contains(t, text, "show=digest")
	res := call(t, s, "read", map[string]any{"path": "test.log", "show": "digest"})
	require.LessOrEqual(t, len(res.Text), truncation.DigestBytes+notice.Allowance)
	require.True(t, strings.HasPrefix(res.Text, "[Digest of 9,001 lines: 1 line reports a failure (shown), no warnings found, nothing else stands out]\n"+
		"     1\t=== RUN   TestCase0\n"), res.Text)
	require.Contains(t, res.Text, `-4000: `)
	require.Contains(t, res.Text, " ordinary lines like \"=== RUN   TestCase0\"]\n  4001\t--- FAIL: TestLedger (0.02s)\n[lines 4002-")
	require.True(t, strings.HasSuffix(res.Text, "\n  9001\t=== RUN   TestCase8999"), tail(res.Text))
	details := res.Details.(tools.ReadResult)
	require.Equal(t, 9001, details.TotalLines)
	require.Equal(t, 4001, details.Standout[0].Number)
	require.Equal(t, "--- FAIL: TestLedger (0.02s)\n", call(t, s, "read", map[string]any{"path": "test.log", "offset": 4001, "limit": 1}).Text[:29])

	require.Equal(t, "(empty file)", call(t, s, "read", map[string]any{"path": "empty.log", "show": "digest"}).Text)
	require.Equal(t, "a\nb\n", call(t, s, "read", map[string]any{"path": "short.log", "show": "digest"}).Text)
	require.Equal(t, "a\nb\n", call(t, s, "read", map[string]any{"path": "short.log", "show": "page"}).Text)
	for _, args := range []map[string]any{
		{"path": "test.log", "offset": 3}, {"path": "test.log", "limit": 3}, {"path": "short.log", "column": 3}, {"path": "short.log:1-2"}, {"paths": []string{"short.log"}},
	} {
		args["show"] = "digest"
		require.Contains(t, call(t, s, "read", args).Text, "invalid_input: show=digest ")
	}
}
