package calls_test

import (
	"context"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/exit"
	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/internal/suitetest"
	"github.com/spillway-go/spillway/truncation"
	"github.com/stretchr/testify/require"
)

var strategies = []truncation.Strategy{
	truncation.Head, truncation.Tail, truncation.HeadChars, truncation.TailChars,
	truncation.Middle, truncation.MiddleLines, truncation.HeadTailLines,
}

// TestSplitStreams prints random texts to both streams: what is shown of the two is
// within the limits together, what does not fit is in the files, byte by byte, and what
// does is whole.
func TestSplitStreams(t *testing.T) {
	t.Parallel()
	need.Shell(t)
	limits := []truncation.Limit{0, 0, 500, 3000} // with each of the seven strategies, twice
	for seed := range testkit.Some(56) {
		r := rand.New(rand.NewSource(int64(seed)))
		cfg := randomLimits(r)
		cfg.ReadOnly = false
		cfg.MaxLines = max(cfg.MaxLines, 2)
		cfg.Bash.SplitStreams = true
		cfg.Bash.Strategy = strategies[seed%7]
		cfg.Bash.Policy.Chars = limits[seed%4]
		texts := [2]string{randomText(r, 60, 400), randomText(r, 60, 400)}
		s := newSuite(t, cfg, map[string]string{"out": texts[0], "err": texts[1]})
		what := fmt.Sprintf("seed %d, %+v", seed, cfg)

		res, err := s.Bash(t.Context(), tools.BashParams{Command: "cat out; cat err >&2; exit 3"})
		require.NoError(t, err, what)
		require.True(t, utf8.ValidString(res.Text), what)
		require.LessOrEqual(t, len(res.Text), cfg.MaxBytes+notice.Allowance, what)
		require.LessOrEqual(t, len(res.Output)+len(res.Stderr), cfg.MaxBytes+2, what) // a newline each
		require.Contains(t, res.Text, exit.WithCode(3), what)
		if byLines := strings.HasSuffix(string(cfg.Bash.Strategy), "_lines") || cfg.Bash.Strategy == truncation.Head || cfg.Bash.Strategy == truncation.Tail; byLines {
			require.LessOrEqual(t, len(linesOf(res.Output))+len(linesOf(res.Stderr)), cfg.MaxLines, "%s: %q %q", what, res.Output, res.Stderr)
		}
		if cfg.Bash.Policy.Chars > 0 {
			require.LessOrEqual(t, utf8.RuneCountInString(res.Output+res.Stderr), int(cfg.Bash.Policy.Chars)+2, what)
		}
		want := cfg.MaxBytes
		if res.MaxLength != want && cfg.Bash.Policy.Chars > 0 {
			want = int(cfg.Bash.Policy.Chars)
		}
		require.Equal(t, want, res.MaxLength, what)
		require.Equal(t, res.Truncation != nil || res.StderrTruncation != nil, res.Truncated, what)
		for i, stream := range []struct {
			shown string
			cut   *truncation.Result
			path  string
		}{{res.Output, res.Truncation, res.FullOutputPath}, {res.Stderr, res.StderrTruncation, res.FullStderrPath}} {
			if stream.cut == nil {
				require.Empty(t, stream.path, what)
				continue
			}
			require.Contains(t, res.Text, stream.path, what)
			all, err := os.ReadFile(filepath.Join(s.Workspace(), stream.path))
			require.NoError(t, err, what)
			require.Equal(t, texts[i], string(all), what)
		}
		s.Close()
	}
}

// TestSplitStreamsTimeout shows both streams of a command that is ended by its time.
func TestSplitStreamsTimeout(t *testing.T) {
	t.Parallel()
	need.Shell(t)
	s := newSuite(t, config.Config{Bash: config.Bash{SplitStreams: true, MaxLines: 8}}, nil)
	suitetest.InTime(t, func(timeoutMs int) bool {
		res := call(t, s, "bash", tools.BashParams{Command: "echo out; echo why >&2; sleep 60", TimeoutMs: timeoutMs})
		require.Equal(t, tools.CodeTimeout, res.Code)
		lines := strings.Split(res.Text, "\n")
		return slices.Contains(lines, "out") && slices.Contains(lines, "why")
	})
}

// TestSplitStreamsShares divides the room by need.
func TestSplitStreamsShares(t *testing.T) {
	t.Parallel()
	need.Shell(t)
	tests := []struct {
		out, err                   int // lines printed
		shownOut, shownErr         int // lines shown
		outTruncated, errTruncated bool
	}{
		{4, 6, 4, 6, false, false},
		{100, 0, 10, 0, true, false},
		{0, 100, 0, 10, false, true},
		{100, 3, 7, 3, true, false},
		{3, 100, 3, 7, false, true},
		{100, 100, 5, 5, true, true},
		{6, 6, 5, 5, true, true},
	}
	for _, test := range tests {
		s := newSuite(t, config.Config{MaxLines: 10, Bash: config.Bash{SplitStreams: true}}, nil)
		res, err := s.Bash(t.Context(), tools.BashParams{Command: fmt.Sprintf("seq %d; seq %d >&2", test.out, test.err)})
		require.NoError(t, err)
		require.Equal(t, test.shownOut, len(linesOf(res.Output)), "%+v: %s", test, res.Text)
		require.Equal(t, test.shownErr, len(linesOf(res.Stderr)), "%+v: %s", test, res.Text)
		require.Equal(t, test.outTruncated, res.Truncation != nil, "%+v", test)
		require.Equal(t, test.errTruncated, res.StderrTruncation != nil, "%+v", test)
		require.Equal(t, test.outTruncated || test.errTruncated, res.Truncated, "%+v", test)
	}
}

// TestSplitStreamsProgress shows the end of the stream that came last, and what both
// have printed.
func TestSplitStreamsProgress(t *testing.T) {
	t.Parallel()
	need.Shell(t)
	s := newSuite(t, config.Config{Bash: config.Bash{SplitStreams: true}}, nil)
	var mu sync.Mutex
	var last tools.Update
	ctx := tools.WithProgress(t.Context(), func(u tools.Update) {
		mu.Lock()
		defer mu.Unlock()
		last = u
		if u.Lines >= 2 {
			os.WriteFile(filepath.Join(s.Workspace(), fmt.Sprint(u.Lines)), nil, 0o600)
		}
	})
	const command = "echo a; echo b; until [ -e 2 ]; do sleep 0.02; done; echo c >&2; until [ -e 3 ]; do sleep 0.02; done"
	_, err := s.Bash(ctx, tools.BashParams{Command: command})
	require.NoError(t, err)
	mu.Lock()
	defer mu.Unlock()
	require.Equal(t, 3, last.Lines)
	require.EqualValues(t, 6, last.Bytes)
	require.Equal(t, "c\n", last.Tail)
}

func TestSplitStreamsEvent(t *testing.T) {
	t.Parallel()
	need.Shell(t)
	var event config.Event
	s := newSuite(t, config.Config{MaxLines: 10, Bash: config.Bash{SplitStreams: true}, Observe: func(_ context.Context, e config.Event) { event = e }}, nil)
	res, err := s.Bash(context.Background(), tools.BashParams{Command: "seq 4; seq 100 >&2"})
	require.NoError(t, err)
	require.True(t, event.Truncated)
	require.Equal(t, res.FullStderrPath, event.SpillPath)
	require.Equal(t, 104, event.LinesProduced)
	require.Equal(t, 8+292, event.BytesProduced)
	require.Equal(t, 292-(5*3+4), res.CharsRemoved)
}

// TestSplitStreamsMarkerPath has the path of the file in a marker take room of the stream
// that has much, not lines of the one that has little.
func TestSplitStreamsMarkerPath(t *testing.T) {
	t.Parallel()
	need.Shell(t)
	for _, command := range []string{"seq 30 >&2; seq -f '%0105.f' 19", "seq 30; seq -f '%0105.f' 19 >&2"} {
		s := newSuite(t, config.Config{MaxBytes: 1024, Bash: config.Bash{SplitStreams: true, Strategy: truncation.HeadTailLines, Policy: truncation.Policy{First: 5, Last: 5, Threshold: 1}}}, nil)
		res, err := s.Bash(t.Context(), tools.BashParams{Command: command})
		require.NoError(t, err)
		require.Contains(t, res.Text, "\n4\n5\n[... 30 lines, over 1 characters: showing the first 5 and the last 5. Full output: .clarvis/")
		require.Contains(t, res.Text, "\n26\n27\n28\n29\n30")
		require.LessOrEqual(t, len(res.Output)+len(res.Stderr), 1024)
	}
}

// TestOutputLimitIsKept has a command print nothing that is shown, up to the limit: the
// file has it all the same.
func TestOutputLimitIsKept(t *testing.T) {
	t.Parallel()
	need.Shell(t)
	for _, split := range []bool{false, true} {
		for _, to := range []string{"1", "2"} {
			s := newSuite(t, config.Config{Bash: config.Bash{MaxCaptureBytes: 1 << 20, SplitStreams: split}}, nil)
			res, err := s.Bash(t.Context(), tools.BashParams{Command: `yes $'\033[0m' | tr -d '\n' >&` + to})
			require.Equal(t, tools.CodeOutputLimit, tools.CodeOf(err))
			path := res.FullOutputPath
			if split && to == "2" {
				require.Empty(t, path)
				path = res.FullStderrPath
			}
			info, err := os.Stat(filepath.Join(s.Workspace(), path))
			require.NoError(t, err)
			require.EqualValues(t, 1<<20, info.Size())
		}
	}
}
