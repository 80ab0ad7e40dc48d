package calls_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/tools"
)

// observed collects the events of a suite.
type observed struct {
	mu     sync.Mutex
	events []config.Event
}

func (o *observed) observe(_ context.Context, e config.Event) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.events = append(o.events, e)
}

// byID returns the events by their ids, of which no two are alike.
func (o *observed) byID(t *testing.T) map[string]config.Event {
	t.Helper()
	o.mu.Lock()
	defer o.mu.Unlock()
	all := map[string]config.Event{}
	for _, e := range o.events {
		require.NotContains(t, all, e.ID)
		all[e.ID] = e
	}
	return all
}

func (o *observed) last() config.Event {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.events[len(o.events)-1]
}

// TestCallID makes two calls at once: the guard, the updates and the events of each have its id. Neither ends before
// both have been heard of.
func TestCallID(t *testing.T) {
	t.Parallel()
	need.Shell(t)
	var mu sync.Mutex
	guarded, updated := map[string]string{}, map[string]string{}
	var o observed
	s := newSuite(t, config.Config{Observe: o.observe, Guard: func(_ context.Context, c config.Call) error {
		mu.Lock()
		defer mu.Unlock()
		guarded[c.ID] = string(c.Args)
		return nil
	}}, nil)
	var heard, calls sync.WaitGroup
	heard.Add(2)
	for _, name := range []string{"one", "two"} {
		calls.Go(func() {
			var first sync.Once
			ctx := tools.WithProgress(tools.WithCallID(t.Context(), "id of "+name), func(u tools.Update) {
				if u.Tail == "" {
					return
				}
				mu.Lock()
				updated[u.ID] += u.Tail
				mu.Unlock()
				first.Do(func() {
					heard.Done()
					heard.Wait()
					_ = os.WriteFile(filepath.Join(s.Workspace(), name), nil, 0o600)
				})
			})
			args := `{"command": "echo ` + name + `; until [ -e ` + name + ` ]; do sleep 0.01; done"}`
			res, err := s.Call(ctx, "bash", json.RawMessage(args))
			require.NoError(t, err)
			require.Equal(t, name, strings.TrimSpace(res.Text))
		})
	}
	calls.Wait()
	events := o.byID(t)
	require.Len(t, guarded, 2)
	require.Len(t, updated, 2)
	require.Len(t, events, 2)
	for _, name := range []string{"one", "two"} {
		id := "id of " + name
		require.Contains(t, guarded[id], "echo "+name)
		require.Empty(t, strings.ReplaceAll(updated[id], name+"\n", ""))
		require.Equal(t, guarded[id], string(events[id].Args))
	}
}

// TestCallIDOwn makes calls of all kinds that have no id: each gets one that no other has.
func TestCallIDOwn(t *testing.T) {
	t.Parallel()
	var o observed
	var asked []string
	s := newSuite(t, config.Config{Observe: o.observe, Guard: func(_ context.Context, c config.Call) error {
		asked = append(asked, c.ID)
		return nil
	}}, nil)
	require.NoError(t, s.Add(says("fetched")))
	call(t, s, "ls", nil)
	call(t, s, "fetch", nil)
	require.Len(t, asked, 2)
	call(t, s, "nothing", nil)
	call(t, s, "read", map[string]any{"path": []int{1}})
	_, err := s.Ls(tools.WithCallID(t.Context(), ""), tools.LsParams{})
	require.NoError(t, err)
	events := o.byID(t)
	require.Len(t, events, 5)
	require.NotContains(t, events, "")
	for _, id := range asked {
		require.Contains(t, events, id)
	}
}

// TestCallIDInside has a tool of the host's make a call, and tell how far it is: both belong to its own call.
func TestCallIDInside(t *testing.T) {
	t.Parallel()
	var o observed
	s := newSuite(t, config.Config{Observe: o.observe}, nil)
	require.NoError(t, s.Add(tools.Func("deploy", "", func(ctx context.Context, _ struct{}) (string, error) {
		tools.Progress(ctx)(tools.Update{Tool: "deploy"})
		tools.Progress(ctx)(tools.Update{Tool: "deploy", ID: "a part"})
		res, err := s.Ls(ctx, tools.LsParams{})
		return res.Text, err
	})))
	var heard []string
	ctx := tools.WithProgress(t.Context(), func(u tools.Update) { heard = append(heard, u.ID) })
	_, err := s.Call(ctx, "deploy", nil)
	require.NoError(t, err)
	require.Len(t, o.events, 2)
	id := o.events[0].ID
	require.NotEmpty(t, id)
	require.Equal(t, id, o.events[1].ID)
	require.Equal(t, []string{id, "a part"}, heard)
}

// TestCallIDOfJob has the events of a job name the call that started it.
func TestCallIDOfJob(t *testing.T) {
	t.Parallel()
	need.Shell(t)
	var mu sync.Mutex
	var states []string
	ended := make(chan struct{})
	s := newSuite(t, config.Config{Observe: func(_ context.Context, e config.Event) {
		mu.Lock()
		defer mu.Unlock()
		states = append(states, e.ID+": "+e.Tool+" "+e.JobState)
		if strings.HasPrefix(e.JobState, "exited") {
			require.Nil(t, e.Args)
			close(ended)
		}
	}}, nil)
	ctx := tools.WithCallID(t.Context(), "first")
	res, err := s.Bash(ctx, tools.BashParams{Command: "read x; echo up; read x", Background: true, TimeoutMs: long})
	require.NoError(t, err)
	ctx = tools.WithCallID(t.Context(), "second")
	_, err = s.Job(ctx, tools.JobParams{ID: res.Job, Input: "\n", Until: "up", WaitMs: long})
	require.NoError(t, err)
	job(t, s, tools.JobParams{ID: res.Job, Input: "\n", WaitMs: long})
	<-ended
	mu.Lock()
	defer mu.Unlock()
	require.Equal(t, []string{"first: job started", "first: bash ", "first: job matched", "second: job "}, states[:4])
	require.Contains(t, states[4:], "first: job exited with code 0")
}

// TestEventArgs has an event hold the arguments of its call in a form that can always be encoded.
func TestEventArgs(t *testing.T) {
	t.Parallel()
	var o observed
	s := newSuite(t, config.Config{Observe: o.observe}, map[string]string{"a.txt": "a\n"})
	require.NoError(t, s.Add(says("fetched")))
	long := strings.Repeat("é", 8<<10)
	cut := func(sent string) string {
		encoded, err := json.Marshal(string([]rune(sent)[:4096]) + "...")
		require.NoError(t, err)
		return string(encoded)
	}
	for _, test := range []struct{ tool, args, want string }{
		{"read", `{"path": "a.txt", "limit": "3"}`, `{"path":"a.txt","limit":3}`},
		{"write", `{"path": "b.txt", "content": "` + long + `"}`, `{"path":"b.txt","content":"` + long + `"}`},
		{"grep", `{"pattern": "a <b> && c"}`, `{"pattern":"a <b> && c"}`},
		{"ls", ``, `{}`},
		{"fetch", ``, ``},
		{"fetch", `{"a":  [1]}`, `{"a":  [1]}`},
		{"fetch", `{"a": "` + long + `"}`, `{"a": "` + long + `"}`},
		{"fetch", `{"a": `, `"{\"a\": "`},
		{"read", `{"path": [1]}`, `{"path": [1]}`},
		{"read", `{"path": `, `"{\"path\": "`},
		{"read", "\xff", `"\ufffd"`},
		{"read", `[` + long, cut(`[` + long)},
		{"read", `{"path": ["` + long + `"]}`, cut(`{"path": ["` + long + `"]}`)},
		{"nothing", `{"path": 1}`, `{"path": 1}`},
		{"nothing", ``, ``},
		{"nothing", " \n", ``},
		{"nothing", strings.Repeat("[", 20_000), cut(strings.Repeat("[", 20_000))},
		{"nothing", `"` + long + `"`, cut(`"` + long + `"`)},
	} {
		res, err := s.Call(t.Context(), test.tool, json.RawMessage(test.args))
		require.NoError(t, err)
		e := o.last()
		require.Equal(t, res.Text, e.Text)
		require.Equal(t, test.want, string(e.Args), test.tool+" "+test.args)
		_, err = json.Marshal(e)
		require.NoError(t, err, test.tool+" "+test.args)
	}
	_, err := s.Read(t.Context(), tools.ReadParams{Path: "a.txt"})
	require.NoError(t, err)
	require.JSONEq(t, `{"path": "a.txt"}`, string(o.last().Args))

	scribbles := fake{"scribble", func(args json.RawMessage) (tools.Result, error) {
		copy(args, "xxxxxx")
		return tools.Result{Text: "done"}, nil
	}}
	require.NoError(t, s.Add(scribbles))
	_, err = s.Call(t.Context(), "scribble", json.RawMessage(`{"a": 1}`))
	require.NoError(t, err)
	require.Equal(t, `{"a": 1}`, string(o.last().Args), "as they were sent")
}
