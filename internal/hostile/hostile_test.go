//go:build linux

// Package hostile_test holds the tools to the rule of docs/security.md: no call
// outlives the end of its context by more than a second, or holds more than 256 MiB,
// whatever the workspace or the arguments contain.
//
// Every case runs in a process of its own, which is this test started again: only so
// is the memory that of the calls, and a case that hangs or dies takes no other with it.
package hostile_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/all"
	"github.com/spillway-go/spillway/tools/script"
	"github.com/stretchr/testify/require"
)

// The rule.
const (
	mostLate   = time.Second
	mostMemory = 256 << 20 // bytes
	// mostEngine is what the engine of the tool script takes besides, with the memory of a script.
	mostEngine = 128 << 20
)

const (
	// patience is how long the context of a call lasts, and brief with HOSTILE_TESTS=some, where any outcome is right.
	patience = time.Second
	brief    = 300 * time.Millisecond
	// abandon is when the process of a case is killed.
	abandon = time.Minute
	// attempts is how often a case is tried that is late or holds too much: what else a machine does is not its fault.
	attempts = 3
)

// hostile is one case.
type hostile struct {
	name   string
	build  func(dir string) error  // makes the workspace; nil for an empty one
	with   func(dir string) func() // starts what goes on meanwhile, and returns what ends it
	opts   config.Config           // but for the workspace
	script bool                    // the suite has the tool script
	calls  []call                  // one after the other
	more   func() []call           // further calls, made when they are needed: they take memory
}

// most is how many bytes the process of a case may hold.
func (h hostile) most() int64 {
	if h.script {
		return mostMemory + mostEngine
	}
	return mostMemory
}

// lasts returns how long the context of each call lasts.
func (h hostile) lasts(which string) time.Duration {
	wants := func(c call) bool { return c.limit > 0 || c.code != "" || c.text != "" }
	if which == "some" && !slices.ContainsFunc(h.calls, wants) {
		return brief
	}
	return patience
}

// call is one call of a case. Each has a context of its own.
type call struct {
	tool  string
	args  any           // to be encoded, or the JSON itself
	limit time.Duration // when the call should end by itself, if that is before its context does
	code  tools.Code    // of the failure; "" is any outcome
	text  string        // somewhere in the result
	times int           // how often it is made; 0 is once

	add tools.Tool // is added instead; the text is that of the error
}

// long is a text that is made where it is needed: what all cases hold would count in each.
type long struct {
	text  string
	times int
}

func (l long) MarshalJSON() ([]byte, error) { return json.Marshal(strings.Repeat(l.text, l.times)) }

// report is what the process of a case says of a call.
type report struct {
	Tool string
	Late time.Duration
	Code tools.Code
	Text string // its first and its last bytes
	Said bool   // all of it contains the text that the call wants
	Peak int64  // bytes, of the process until now
}

// The environment of the process of a case.
const (
	caseVariable = "SPILLWAY_HOSTILE_CASE"
	dirVariable  = "SPILLWAY_HOSTILE_DIR"
)

func TestMain(m *testing.M) {
	name := os.Getenv(caseVariable)
	if name == "" {
		os.Exit(m.Run())
	}
	for _, h := range cases {
		if h.name == name {
			if err := h.play(os.Getenv(dirVariable)); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
		}
	}
	os.Exit(0)
}

// With HOSTILE_TESTS=required, all cases run; with some, every third of a kind, which the beginning of its name tells,
// and all that are alone of theirs; with user, those in which the user has a part (to compute costs anybody the same),
// but for those that only print.
const whichVariable = "HOSTILE_TESTS"

var (
	kind     = regexp.MustCompile(`^.*?(: | many )`)
	byUser   = regexp.MustCompile(`command|job|sandbox|spill|FIFO|kernel`)
	printing = regexp.MustCompile(`(command|job): (yes|a line|many lines|zeros|returns|erasing|far cursors|inserting|a sequence)`)
)

func TestHostile(t *testing.T) {
	testkit.NotUnderRace(t)
	which := os.Getenv(whichVariable)
	if which == "" {
		t.Skip("takes two minutes and a gigabyte in the temporary directory: HOSTILE_TESTS=required runs it")
	}
	kinds := make(map[string]int)
	byName := func(a, b hostile) int { return strings.Compare(a.name, b.name) }
	for _, h := range slices.SortedFunc(slices.Values(cases), byName) {
		t.Run(h.name, func(t *testing.T) {
			if k := kind.FindString(h.name); k != "" {
				kinds[k]++
				if which == "some" && kinds[k]%3 != 1 {
					t.Skip("one of a kind")
				}
			}
			if which == "user" && (!byUser.MatchString(h.name) || printing.MatchString(h.name)) {
				t.Skip("the same for every user")
			}
			t.Parallel()
			dir := testkit.MemoryDir(t)
			late := h.first(t, dir)
			for attempt := 2; late != "" && attempt <= attempts; attempt++ {
				t.Log(late)
				late = h.again(t, dir)
			}
			require.Empty(t, late)
		})
	}
}

// alone is held by a case that nothing else runs beside.
var alone sync.RWMutex

// first makes the workspace of a case and plays it, beside others.
func (h hostile) first(t *testing.T, dir string) (late string) {
	alone.RLock()
	defer alone.RUnlock()
	if h.build != nil {
		must(t, h.build(dir))
	}
	return h.judge(t, dir)
}

// again plays a case that was late or held too much, alone: what else goes on is not its fault. Nor is what the collector
// had no time for: with a limit it takes the time, so that the peak is what the calls need.
func (h hostile) again(t *testing.T, dir string) (late string) {
	alone.Lock()
	defer alone.Unlock()
	return h.judge(t, dir, fmt.Sprintf("GOMEMLIMIT=%d", h.most()*3/4))
}

// judge plays a case once, with these variables. It returns which call was late or held too much, if one was;
// whatever else is wrong fails the test.
func (h hostile) judge(t *testing.T, dir string, env ...string) (late string) {
	ctx, cancel := context.WithTimeout(t.Context(), abandon)
	defer cancel()
	var out, complaints bytes.Buffer
	cmd := exec.CommandContext(ctx, os.Args[0])
	cmd.Env = append(append(os.Environ(), caseVariable+"="+h.name, dirVariable+"="+dir), env...)
	cmd.Stdout, cmd.Stderr = &out, &complaints
	cmd.WaitDelay = time.Second
	err := cmd.Run()
	dec := json.NewDecoder(&out)
	for i := 0; ; i++ {
		var r report
		if dec.Decode(&r) != nil {
			break
		}
		t.Logf("%s: %v late, peak %d MiB: %s", r.Tool, r.Late.Round(time.Millisecond), r.Peak>>20, r.Text)
		if r.Peak > h.most() {
			late += fmt.Sprintf("%s held %d MiB, perhaps for want of time to collect them. ", r.Tool, r.Peak>>20)
		}
		if r.Late > mostLate {
			late += fmt.Sprintf("%s ended %v after its context. ", r.Tool, r.Late)
		}
		if i < len(h.calls) {
			if want := h.calls[i]; want.code != "" && want.code != r.Code || !r.Said {
				t.Errorf("%s is %q: %s", r.Tool, r.Code, r.Text)
			}
		}
	}
	require.Nil(t, ctx.Err(), "a call runs on %v after the case began", abandon)
	require.NoError(t, err, "%v: %.2000s", err, complaints.String())
	return late
}

// play makes the calls of a case and reports each on stdout.
func (h hostile) play(dir string) error {
	cfg := h.opts
	cfg.Workspace = dir
	s, err := tools.New(cfg, all.Parts()...)
	if err != nil {
		return err
	}
	if h.script {
		tool, err := script.New(s, script.Options{})
		if err := cmp.Or(err, s.Add(tool)); err != nil {
			return err
		}
	}
	if h.with != nil {
		defer h.with(dir)()
	}
	say := json.NewEncoder(os.Stdout)
	calls := h.calls
	if h.more != nil {
		calls = append(calls, h.more()...)
	}
	lasts := h.lasts(os.Getenv(whichVariable))
	for i := range calls {
		r, err := calls[i].make(s, lasts)
		if err != nil {
			return err
		}
		calls[i].args = nil
		say.Encode(r)
	}
	began := time.Now()
	s.Close()
	return say.Encode(report{Tool: "Close", Late: time.Since(began), Peak: testkit.Peak()})
}

// make makes a call, as often as it says, each with a context that lasts so long.
func (c call) make(s *tools.Suite, lasts time.Duration) (r report, err error) {
	args, ok := c.args.(json.RawMessage)
	if !ok {
		if args, err = json.Marshal(c.args); err != nil {
			return r, err
		}
	}
	r.Tool = c.tool
	due := lasts
	if c.limit > 0 {
		due = min(due, c.limit)
	}
	for range max(c.times, 1) {
		ctx, cancel := context.WithTimeout(context.Background(), lasts)
		began := time.Now()
		var res tools.Result
		if c.add == nil {
			res, err = s.Call(ctx, c.tool, args)
		} else if err := s.Add(c.add); err != nil {
			res.Text = err.Error()
		}
		r.Late = max(r.Late, time.Since(began)-due)
		cancel()
		if err != nil && !errors.Is(err, context.DeadlineExceeded) {
			return r, err
		}
		r.Text = res.Text[:min(len(res.Text), 500)] + res.Text[max(len(res.Text)-500, 0):]
		r.Said = strings.Contains(res.Text, c.text)
		r.Code = ""
		if res.IsError {
			code, _, _ := strings.Cut(res.Text, ":")
			r.Code = tools.Code(code)
		}
	}
	r.Peak = testkit.Peak()
	return r, nil
}

func must(t *testing.T, err error) {
	t.Helper()
	require.NoError(t, err)
}
