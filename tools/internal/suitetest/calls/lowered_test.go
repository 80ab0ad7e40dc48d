package calls_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/internal/suitetest"
	"github.com/stretchr/testify/require"
)

// TestLowered asks for more than there may be: the notice says so. Exactly the most is no more than that.
func TestLowered(t *testing.T) {
	t.Parallel()
	short := config.Bash{Timeout: 100 * time.Millisecond, MaxTimeout: 200 * time.Millisecond}
	s := newSuite(t, config.Config{Bash: short}, map[string]string{"a": "x\n"})
	enough := newSuite(t, config.Config{Bash: config.Bash{MaxTimeout: 5 * time.Minute}}, nil)
	const lowered, much = "timeout_ms was lowered to 200, the maximum", "timeout_ms was lowered to 300000, the maximum"
	type args = map[string]any
	for _, test := range []struct {
		tool string
		args args
		want string // of the text
	}{
		{"bash", args{"command": "echo hi", "timeout_ms": 300_001}, "^hi\n\n\\[" + much + "\\]$"},
		{"bash", args{"command": "echo hi", "timeout_ms": 300_000}, "^hi\n?$"},
		{"bash", args{"command": "echo hi", "timeout_ms": 1e13}, "^hi\n\n\\[" + much + "\\]$"}, // overflows a duration
		{"bash", args{"command": "echo hi", "timeout_ms": int64(math.MaxInt64)}, "^hi\n\n\\[" + much + "\\]$"},
		{"bash", args{"command": "echo hi", "timeout_ms": "1e300"}, "^hi\n\n\\[" + much + "\\]$"},
		{"bash", args{"command": "sleep 300", "timeout_ms": 999},
			"^timeout: the command ran longer than 200ms, the maximum, and was ended.*[.] To give it more time, " +
				"start it with background=true and wait for it with job\n\n\\(no output\\)\n\n\\[" + lowered + "\\]$"},
		{"bash", args{"command": "sleep 300"},
			"Give it more time with timeout_ms \\(at most 200\\), or start it with background"},
		{"bash", args{"command": "exec sleep 300", "background": true, "ready_when": "never", "timeout_ms": 1e12},
			"\\[No line matched the pattern in ready_when within 200ms. " + lowered + ". Job 1 is running. "},
		{"bash", args{"command": "exec sleep 300", "background": true, "timeout_ms": 1e12},
			"^\\(no new output\\)\n\n\\[timeout_ms has no effect without ready_when[.] Job 2 is running. "},
		{"job", args{"id": 1, "until": "x", "wait_ms": 201},
			"\\[No line matched the pattern in until within 200ms. wait_ms was lowered to 200, the maximum. Job 1 is running. "},
		{"job", args{"id": 1, "until": "x", "wait_ms": 1e13},
			"\\[No line matched the pattern in until within 200ms. wait_ms was lowered to 200, the maximum. Job 1 is running. "},
		{"job", args{"id": 1, "wait_ms": 200}, "^\\(no new output\\)\n\n\\[Job 1 is running. "},
		{"grep", args{"pattern": "x", "before": 10_001}, "^a:1: x\n\n\\[before was lowered to 10000, the maximum\\]$"},
		{"grep", args{"pattern": "x", "context": 10_001, "after": 10_000},
			"^a:1: x\n\n\\[context was lowered to 10000, the maximum\\]$"},
		{"grep", args{"pattern": "x", "context": 10_000}, "^a:1: x$"},
		{"grep", args{"pattern": "x", "context": 10_001, "output_mode": "count"}, "^a:1$"}, // there is none to lower
	} {
		suite := s
		if test.args["command"] == "echo hi" {
			suite = enough
		}
		require.Regexp(t, test.want, call(t, suite, test.tool, test.args).Text)
	}
}

// TestFindByTimeEnds finds more than can be sorted by time: it suggests no larger limit and no
// offset that would give nothing.
func TestFindByTimeEnds(t *testing.T) {
	t.Parallel()
	s := newSuite(t, config.Config{Find: config.Find{MaxLines: 20_000, MaxBytes: 1 << 20}}, nil)
	notices := func(r tools.FindResult) string { return r.Text[strings.LastIndex(r.Text, "\n")+1:] }
	require.NoError(t, os.WriteFile(filepath.Join(s.Workspace(), "0"), nil, 0o600))
	for i := range 10_000 {
		require.NoError(t, os.Link(filepath.Join(s.Workspace(), "0"), filepath.Join(s.Workspace(), fmt.Sprint(i+1))))
	}
	const end = "sort=mtime gives the newest 10000 results. Use a narrower pattern or path, or sort=path, for the others"
	for _, p := range []tools.FindParams{{Limit: 10_000}, {Limit: 20_000}, {Limit: 20_000, Offset: 9990}} {
		p.Pattern, p.Sort = "*", "mtime"
		res, err := s.Find(t.Context(), p)
		require.NoError(t, err)
		require.Equal(t, "["+end+". 10001 results in all]", notices(res))
		require.Zero(t, res.NextOffset)
		require.Positive(t, res.LimitReached)
	}
	res, err := s.Find(t.Context(), tools.FindParams{Pattern: "*", Sort: "mtime", Limit: 9999})
	require.NoError(t, err)
	require.Equal(t, "["+suitetest.Limited(9999, "result")+". "+
		suitetest.NextAlone(9999)+". 10001 results in all]", notices(res))
	require.NoError(t, os.Remove(filepath.Join(s.Workspace(), "0")))
	res, err = s.Find(t.Context(), tools.FindParams{Pattern: "*", Sort: "mtime", Limit: 20_000})
	require.NoError(t, err)
	require.NotContains(t, res.Text, "[", "that was all")
}
