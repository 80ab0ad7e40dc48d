package access_test

import (
	"context"
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/truncation"
	"github.com/stretchr/testify/require"
)

func view(t testing.TB, s *tools.Suite, v tools.View) *tools.Suite {
	t.Helper()
	view, err := s.With(v)
	require.NoError(t, err)
	return view
}

func names(s *tools.Suite) (list []string) {
	for _, t := range s.Tools() {
		list = append(list, t.Name())
	}
	return list
}

func TestViewTools(t *testing.T) {
	t.Parallel()
	s := newSuite(t, config.Config{}, map[string]string{"a.txt": "a\n"})
	require.NoError(t, s.Add(greet("greet", config.Effects{Reads: true}), greet("act")))
	all := names(s)
	require.Equal(t, all, names(view(t, s, tools.View{})))
	require.Equal(t, []string{"read", "grep", "find", "ls", "greet"}, names(view(t, s, tools.View{ReadOnly: true})))
	sub := view(t, s, tools.View{Tools: []string{"act", "read"}})
	require.Equal(t, []string{"read", "act"}, names(sub))
	require.Equal(t, []string{"act"}, names(view(t, sub, tools.View{Tools: []string{"act"}})))
	require.Equal(t, "hello", call(t, sub, "act", nil).Text)
	require.Equal(t, tools.CodeDenied, call(t, sub, "grep", map[string]string{"pattern": "a"}).Code)
	require.Contains(t, call(t, sub, "greet", nil).Text, "there is no tool greet; there are read, act")
	_, err := sub.Grep(t.Context(), tools.GrepParams{Pattern: "a"})
	require.Equal(t, tools.CodeDenied, tools.CodeOf(err))
	require.NoError(t, sub.Add(greet("later")))
	require.Equal(t, all, names(s), "a view's own tools are not the suite's")

	_, err = sub.With(tools.View{Tools: []string{"read", "grep"}})
	require.ErrorContains(t, err, "a view cannot have the tool grep, because the suite has only read, act, later")
	_, err = s.With(tools.View{Tools: []string{"write", "bash"}, ReadOnly: true})
	require.ErrorContains(t, err, "has none, as ReadOnly leaves them out: write, bash")
	_, err = s.With(tools.View{Rules: config.Rules{Allow: []string{"bash(git"}}})
	var refused *config.OptionError
	require.ErrorAs(t, err, &refused)
	require.Equal(t, "Rules.Allow", refused.Option)
}

// TestViewShares calls a suite and its view in turn: what one was shown, told and has started, the other knows.
func TestViewShares(t *testing.T) {
	t.Parallel()
	need.Shell(t)
	s := newSuite(t, config.Config{Edit: config.Edit{RequireRead: true}}, map[string]string{"a.txt": "one\n"})
	sub := view(t, s, tools.View{Tools: []string{"read", "edit", "bash", "job"}})
	call(t, sub, "read", tools.ReadParams{Path: "a.txt"})
	res := call(t, s, "edit", tools.EditParams{Path: "a.txt", OldString: "one", NewString: "two"})
	require.False(t, res.IsError, res.Text)

	id := started(t, sub, "read x; echo over")
	require.NoError(t, sub.Close())
	require.Equal(t, tools.CodeDenied, call(t, sub, "read", tools.ReadParams{Path: "a.txt"}).Code)
	require.Len(t, s.Jobs(), 1)
	require.Contains(t, job(t, s, tools.JobParams{ID: id, Input: "\n", Until: "over", WaitMs: long}).Text, "over")
	require.Equal(t, 3, s.Stats()["read"].Calls+s.Stats()["edit"].Calls)

	other := view(t, s, tools.View{})
	within := view(t, other, tools.View{})
	require.NoError(t, s.Close())
	for _, s := range []*tools.Suite{other, within} {
		require.Equal(t, tools.CodeDenied, call(t, s, "read", tools.ReadParams{Path: "a.txt"}).Code)
	}
}

func TestViewWithoutJobs(t *testing.T) {
	t.Parallel()
	need.Shell(t)
	s := newSuite(t, config.Config{}, nil)
	sub := view(t, s, tools.View{Tools: []string{"bash"}})
	require.NotContains(t, string(sub.Tools()[0].Schema()), "background")
	res := call(t, sub, "bash", map[string]any{"command": "echo hi", "background": true})
	require.Contains(t, res.Text, "this suite has no jobs")
	require.Equal(t, "hi\n", call(t, sub, "bash", tools.BashParams{Command: "echo hi"}).Text)
}

func TestViewKeepsState(t *testing.T) {
	t.Parallel()
	need.Shell(t)
	s := newSuite(t, config.Config{Bash: config.Bash{KeepState: true}}, map[string]string{"a/b/c": ""})
	where := func(s *tools.Suite, command string) string {
		res := call(t, s, "bash", tools.BashParams{Command: command + "; pwd"})
		rel, err := filepath.Rel(s.Workspace(), filepath.FromSlash(strings.SplitN(res.Text, "\n", 2)[0]))
		require.NoError(t, err)
		return filepath.ToSlash(rel)
	}
	require.Equal(t, "a", where(s, "cd a"))
	sub := view(t, s, tools.View{})
	require.Equal(t, "a/b", where(sub, "cd b"))
	require.Equal(t, "a", where(s, ":"))
	require.Equal(t, "a/b", where(sub, ":"))
}

func TestViewGuards(t *testing.T) {
	t.Parallel()
	guard := func(order *[]string, name string, err error) func(context.Context, config.Call) error {
		return func(context.Context, config.Call) error {
			*order = append(*order, name)
			return err
		}
	}
	var order []string
	s := newSuite(t, config.Config{Guard: guard(&order, "suite", nil)}, nil)
	sub := view(t, s, tools.View{Guard: guard(&order, "view", errors.New("not here"))})
	require.Equal(t, "denied: not here", call(t, sub, "ls", nil).Text)
	require.Equal(t, []string{"suite", "view"}, order)
	require.False(t, call(t, s, "ls", nil).IsError)

	s = newSuite(t, config.Config{Guard: guard(&order, "suite", errors.New("never"))}, nil)
	sub = view(t, s, tools.View{Guard: guard(&order, "view", nil)})
	order = nil
	require.Equal(t, "denied: never", call(t, sub, "ls", nil).Text)
	require.Equal(t, []string{"suite"}, order)
	sub = view(t, newSuite(t, config.Config{}, nil), tools.View{Guard: guard(&order, "view", errors.New("alone"))})
	require.Equal(t, "denied: alone", call(t, sub, "ls", nil).Text)
}

// TestViewRules checks whose rules hold where: a view has the suite's, or its own and what the suite denies.
func TestViewRules(t *testing.T) {
	t.Parallel()
	s := newSuite(t, config.Config{Rules: config.Rules{Allow: []string{"edit(a/**)"}, Deny: []string{"edit(**/.env)"}}}, nil)
	same := view(t, s, tools.View{})
	other := view(t, s, tools.View{Rules: config.Rules{Allow: []string{"edit(b/**)", "edit(a/.env)"}}})
	inner := view(t, other, tools.View{Rules: config.Rules{Allow: []string{"edit(b/**)"}, Deny: []string{"edit(b/x)"}}})
	for _, test := range []struct {
		path   string
		suites map[*tools.Suite]bool // whether the file may be written
	}{
		{"a/x", map[*tools.Suite]bool{s: true, same: true, other: false, inner: false}},
		{"b/x", map[*tools.Suite]bool{s: false, same: false, other: true, inner: false}},
		{"b/y", map[*tools.Suite]bool{s: false, same: false, other: true, inner: true}},
		{"a/.env", map[*tools.Suite]bool{s: false, same: false, other: false, inner: false}},
		{"b/.env", map[*tools.Suite]bool{s: false, same: false, other: false, inner: false}},
	} {
		for s, may := range test.suites {
			res := call(t, s, "write", tools.WriteParams{Path: test.path, Content: "x"})
			if may {
				require.False(t, res.IsError, "%s: %s", test.path, res.Text)
			} else {
				require.Equal(t, tools.CodeDenied, res.Code, test.path)
			}
		}
	}
}

// TestViewAnswers checks for whom an answer for the session holds.
func TestViewAnswers(t *testing.T) {
	t.Parallel()
	asked := 0
	s := newSuite(t, config.Config{Ask: func(context.Context, config.Call) (config.Answer, error) {
		asked++
		return config.Answer{Decision: config.DecisionSession}, nil
	}}, nil)
	same, other := view(t, s, tools.View{}), view(t, s, tools.View{Rules: config.Rules{Ask: []string{"bash"}}})
	for _, test := range []struct {
		suite *tools.Suite
		asked int
	}{{s, 1}, {same, 1}, {other, 2}, {other, 2}, {s, 2}} {
		res := call(t, test.suite, "write", tools.WriteParams{Path: "a.txt", Content: "x"})
		require.False(t, res.IsError, res.Text)
		require.Equal(t, test.asked, asked)
	}
}

// TestViewCalls checks that two views can be called at once, by ids that differ.
func TestViewCalls(t *testing.T) {
	t.Parallel()
	ids := make(chan string, 2)
	s := newSuite(t, config.Config{Observe: func(_ context.Context, e config.Event) { ids <- e.ID }}, nil)
	sub := view(t, s, tools.View{})
	for _, s := range []*tools.Suite{s, sub} {
		_, err := s.Call(t.Context(), "ls", json.RawMessage(`{}`))
		require.NoError(t, err)
	}
	require.NotEqual(t, <-ids, <-ids)
}

// The limits of a view hold for the suite's tools and for added ones, in place of the suite's.
func TestViewLimits(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("0123456789\n", 5000)
	s := newSuite(t, config.Config{Find: config.Find{Limit: 3}}, map[string]string{
		"a.txt": long, "b1": "", "b2": "", "b3": "", "b4": "",
	})
	print := func(context.Context, struct{}) (string, error) { return long, nil }
	require.NoError(t, s.Add(tools.Func("print", "Prints.", print),
		tools.Truncate(tools.Func("cut", "Cuts.", print), truncation.Policy{Strategy: truncation.Head, Limits: truncation.Limits{Lines: 7}})))
	wide := view(t, s, tools.View{MaxLines: 10_000, MaxBytes: 1 << 20, MaxResults: 4})
	require.Equal(t, long, call(t, wide, "read", tools.ReadParams{Path: "a.txt"}).Text)
	require.Equal(t, long, call(t, wide, "print", nil).Text)
	require.True(t, call(t, wide, "cut", nil).Shown().Truncated)
	require.Equal(t, 4, strings.Count(call(t, wide, "find", tools.FindParams{Pattern: "b*"}).Text, "b"))
	require.Equal(t, 3, call(t, s, "find", tools.FindParams{Pattern: "b*"}).Details.(tools.FindResult).LimitReached)
	require.Equal(t, 2001, call(t, s, "read", tools.ReadParams{Path: "a.txt"}).Details.(tools.ReadResult).NextOffset)
	require.True(t, call(t, s, "print", nil).Shown().Truncated)

	_, err := s.With(tools.View{MaxBytes: 5})
	var refused *config.OptionError
	require.ErrorAs(t, err, &refused)
}

// What a view apart shows counts as shown to nobody of the suite, and it edits what was not read.
func TestViewApart(t *testing.T) {
	t.Parallel()
	s := newSuite(t, config.Config{Edit: config.Edit{RequireRead: true}, Read: config.Read{Repeat: config.RepeatReceipt}},
		map[string]string{"a.txt": "one\n", "b.txt": "b\n"})
	apart := view(t, s, tools.View{Apart: true})
	require.Equal(t, "one\n", call(t, apart, "read", tools.ReadParams{Path: "a.txt"}).Text)
	require.Equal(t, "one\n", call(t, apart, "read", tools.ReadParams{Path: "a.txt"}).Text, "no receipt")
	require.Equal(t, "one\n", call(t, s, "read", tools.ReadParams{Path: "a.txt"}).Text, "the model has not seen it")
	edit := func(s *tools.Suite, file, from, to string) tools.Result {
		return call(t, s, "edit", tools.EditParams{Path: file, OldString: from, NewString: to})
	}
	require.False(t, edit(apart, "b.txt", "b", "c").IsError)
	require.Equal(t, tools.CodeStale, edit(s, "b.txt", "c", "d").Code, "it was read by nobody but the view")
	changed := edit(apart, "a.txt", "one", "two")
	require.False(t, changed.IsError, changed.Text)
	stale := edit(s, "a.txt", "two", "three")
	require.Equal(t, tools.CodeStale, stale.Code)
	require.Contains(t, stale.Text, "+two", "it is shown what the view did")
	require.False(t, edit(s, "a.txt", "two", "three").IsError)
	before := changed.Details.(tools.EditResult).Before
	_, err := s.Restore(t.Context(), before)
	require.Equal(t, tools.CodeStale, tools.CodeOf(err), "the suite can put back what the view changed, but not over another change")
}

// A tool finds the suite or view that calls it, whichever it was added to.
func TestCallingSuite(t *testing.T) {
	t.Parallel()
	need.Part(t, "tools/permission")
	s := newSuite(t, config.Config{}, map[string]string{"a.txt": "a\n", "b.txt": "b\n"})
	require.Nil(t, tools.CallingSuite(t.Context()))
	require.NoError(t, s.Add(tools.Func("cat", "Reads a.txt.", func(ctx context.Context, _ struct{}) (string, error) {
		res, err := tools.CallingSuite(ctx).Call(ctx, "read", json.RawMessage(`{"path": "a.txt"}`))
		return res.Text, err
	})))
	require.Equal(t, "a\n", call(t, s, "cat", nil).Text)
	strict := view(t, s, tools.View{Rules: config.Rules{Allow: []string{"cat"}, Deny: []string{"read(a.txt)"}}})
	require.Contains(t, call(t, strict, "cat", nil).Text, "the rule deny read(a.txt)")
}
