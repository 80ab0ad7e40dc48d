package capture

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/spillway-go/spillway/internal/match"
	"github.com/spillway-go/spillway/internal/spill"
	"github.com/spillway-go/spillway/internal/terminal"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/spillway-go/spillway/truncation"
	"github.com/stretchr/testify/require"
)

func TestMain(m *testing.M) {
	testkit.InMemory()
	os.Exit(m.Run())
}

// newOutput returns an output in a directory of the test's.
func newOutput(t *testing.T, policy truncation.Policy, split bool) *Output {
	return New(Options{
		Spill: spill.NewDir(t.TempDir()), Kind: "job", Policy: policy, Recent: policy, Split: split,
		Name: filepath.Base, Open: os.Open,
	})
}

// step is what a command prints at a time; "" is its end.
type step struct {
	at   time.Duration
	text string
}

// TestUnfinishedLineMayEnd has a line match before its newline comes. The time is that of
// synctest: nothing here depends on how long anything takes.
func TestUnfinishedLineMayEnd(t *testing.T) {
	const ms = time.Millisecond
	tests := []struct {
		name, until string
		prints      []step
		want        Match
		after       time.Duration
	}{
		{"whole", "port", []step{{0, "port 80\n"}}, Match{Line: 1, Text: "port 80"}, 0},
		{"its end comes in time", `port \d+`, []step{{0, "port 80"}, {49 * ms, "80\n"}},
			Match{Line: 1, Text: "port 8080"}, 49 * ms},
		{"only its newline comes", `port \d+`, []step{{0, "a\nport 80"}, {ms, "\n"}}, Match{Line: 2, Text: "port 80"}, ms},
		{"no end", `\? $`, []step{{0, "Name? "}}, Match{Line: 1, Text: "Name?"}, 50 * ms},
		{"it grows", `port \d+`, []step{{0, "port 8"}, {20 * ms, "0"}, {40 * ms, "8"}, {60 * ms, "0\n"}},
			Match{Line: 1, Text: "port 808"}, 50 * ms},
		{"whole, it does not match", `port \d+$`, []step{{0, "port 80"}, {ms, " is taken\n"}, {90 * ms, "port 81\n"}},
			Match{Line: 2, Text: "port 81"}, 90 * ms},
		{"the next line matches", `port \d+$`, []step{{0, "port 80"}, {ms, " is taken\nport 81\n"}},
			Match{Line: 2, Text: "port 81"}, ms},
		{"the next line has its own time", `port \d+$`, []step{{0, "port 80"}, {40 * ms, " is taken\nport 81"},
			{60 * ms, "00\n"}}, Match{Line: 2, Text: "port 8100"}, 60 * ms},
		{"it is redrawn", "50%", []step{{0, "\r50%"}, {10 * ms, "\r51%"}, {20 * ms, "\r52%"}},
			Match{Line: 1, Text: "50%"}, 50 * ms},
		{"the command ends", `\? $`, []step{{0, "Name? "}, {10 * ms, ""}}, Match{Line: 1, Text: "Name?"}, 10 * ms},
		{"the call ends", `\? $`, []step{{970 * ms, "Name? "}}, Match{Line: 1, Text: "Name?"}, 1000 * ms},
		{"it does not match", "never", []step{{0, "Name? "}}, Match{}, 1000 * ms},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				out := newOutput(t, tail(limits(10, 1024, 0)), false)
				defer out.Close()
				matcher, err := match.Compile(test.until, match.Options{})
				require.NoError(t, err)
				gone := make(chan struct{})
				began := time.Now()
				var printing sync.WaitGroup
				defer printing.Wait()
				printing.Go(func() {
					for _, p := range test.prints {
						time.Sleep(p.at - time.Since(began))
						if p.text == "" {
							close(gone)
							return
						}
						fmt.Fprint(out.Stdout(), p.text)
					}
				})
				synctest.Wait()
				ctx, cancel := context.WithTimeout(t.Context(), time.Second)
				defer cancel()
				found := out.Reader().Search(matcher).Await(ctx, gone)
				require.Equal(t, test.want, Match{Line: found.Line, Text: found.Text})
				require.Equal(t, test.after, time.Since(began))
			})
		})
	}
}

// TestPartsOfOutput takes an output in parts, and compares each with what a filter makes of all that was
// printed until then.
func TestPartsOfOutput(t *testing.T) {
	many := strings.Repeat("lines\n", 1<<10) // a filter passes on so many without a copy
	pieces := []string{many, "\n" + many, "\n", "\n", "one\n", "Name? ", "Na", "me? ", "\r", "\r99%", "\b", "\x1b[K",
		"é"[:1], "é"[1:], " ", strings.Repeat("x", 9<<10)}
	for seed := range uint64(testkit.Some(60)) {
		random := rand.New(rand.NewPCG(seed, 0))
		out := newOutput(t, tail(truncation.Limits{}), false)
		out.Publish()
		var raw, whole bytes.Buffer
		before, half := 0, "" // the length of the lines that were shown, and the line behind them
		for i := range 40 {
			for range random.IntN(4) {
				piece := pieces[random.IntN(len(pieces))]
				raw.WriteString(piece)
				fmt.Fprint(out.Stdout(), piece)
			}
			whole.Reset()
			filter := terminal.NewFilter(&whole, "")
			filter.Write(raw.Bytes())
			pending := string(filter.Pending())
			if i == 39 {
				out.Complete()
				pending = ""
				filter.Close()
			}
			want, told := whole.String()[before:], strings.TrimSpace(half) != ""
			lines := strings.Count(whole.String()[:before], "\n")
			want += pending
			after, same := strings.CutPrefix(want, half)
			same = same && told
			if same {
				want = after
			}
			if after, ended := strings.CutPrefix(want, "\n"); same && ended {
				want, lines = after, lines+1
			}
			if pending != "" && strings.TrimSpace(pending) == "" {
				want = strings.TrimSuffix(want, pending)
			}
			shown, err := out.Reader().Take(t.Context())
			require.NoError(t, err)
			require.Equal(t, want, shown[0].Text, "seed %d, part %d of %q", seed, i, raw.String())
			require.Equal(t, lines, shown[0].Before, "seed %d, part %d", seed, i)
			before, half = whole.Len(), pending
		}
		out.Close()
	}
}

// A part of a line that goes on says how much of it is new, not how long the line is.
func TestPartOfLongLine(t *testing.T) {
	out := newOutput(t, tail(limits(100, 1024, 0)), false)
	defer out.Close()
	out.Publish()
	said := func(text string) string {
		fmt.Fprint(out.Stdout(), text)
		shown, err := out.Reader().Take(t.Context())
		require.NoError(t, err)
		return Compose(shown, "", nil).Text
	}
	long := strings.Repeat("x", 4096)
	require.Contains(t, said("a\n"+long), "[Showing last 1KB of line 2 (line is 4KB). Full output: ")
	require.Contains(t, said(long+long), "[Showing last 1KB of the 8KB that are new in line 2. Full output: ")
	require.Contains(t, said(long+"\n"), "[Showing last 1KB of the 4KB that are new in line 2. Full output: ")
	require.Contains(t, said(long+"\n"), "[Showing last 1KB of line 3 (line is 4KB). Full output: ")
	require.Contains(t, said(long), "[Showing last 1KB of line 4 (line is 4KB). Full output: ")
	require.Contains(t, said("\n"+long), "[Showing last 1KB of line 5 (line is 4KB). Full output: ")
}

// TestSnapshotWhileShared asks how far a command has come while its output is finished:
// the race detector tells if that is not safe.
func TestSnapshotWhileShared(t *testing.T) {
	out := newOutput(t, tail(limits(10, 1024, 0)), true)
	defer out.Close()
	out.Stdout().Write([]byte("out\n"))
	out.Stderr().Write([]byte("err\n"))
	done := make(chan bool)
	go func() {
		defer close(done)
		out.Finish(false)
	}()
	for range 2000 { // more than Finish lasts, as waiting for it would order the two
		if size, _, _ := out.Snapshot(); size != 8 {
			t.Fatal(size)
		}
	}
	<-done
}
