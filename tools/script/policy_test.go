package script_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/script"
	"github.com/stretchr/testify/require"
)

// Rules, the user, the guard and redaction decide about each call of a script as about any other.
func TestRules(t *testing.T) {
	t.Parallel()
	need.Shell(t)
	var asked []string
	s := newSuite(t, config.Config{
		Rules: config.Rules{Allow: []string{"bash(echo *)"}, Deny: []string{"read(**/.env)"}},
		Ask: func(ctx context.Context, call config.Call) (config.Answer, error) {
			line, text, ok := script.At(ctx)
			require.True(t, ok)
			asked = append(asked, call.Tool+" "+text)
			require.Equal(t, 2, line)
			return config.Answer{Decision: config.DecisionNo, Reason: "not now"}, nil
		},
		Guard: func(_ context.Context, call config.Call) error {
			if strings.Contains(string(call.Args), "guarded") {
				return errors.New("the guard says no")
			}
			return nil
		},
		Redact: config.RedactSecrets,
	}, script.Options{}, map[string]string{".env": "A=1\n", "key.txt": "token ghp_16C7e42F292c6912E7710c838347Ae178B4a\n"})
	res := run(t, s, "print((await tools.bash({command: 'echo hi'})).text);\nawait tools.write({path: 'a', content: 'a'})")
	require.Equal(t, tools.CodeDenied, res.Code)
	require.Contains(t, res.Text, "the user said no: not now")
	require.Contains(t, res.Text, "hi")
	require.Equal(t, []string{"write await tools.write({path: 'a', content: 'a'})"}, asked)
	require.Contains(t, run(t, s, `await tools.read({path: ".env"})`).Text, "the rule deny read(**/.env)")
	require.Contains(t, run(t, s, `await tools.ls({path: "guarded"})`).Text, "the guard says no")
	res = run(t, s, `const {text} = await tools.read({path: "key.txt"}); print(text); return [text.includes("ghp_"), "gh" + "p_16C7e42F292c6912E7710c838347Ae178B4a"]`)
	require.NotContains(t, res.Text, "ghp_16C7")
	require.Contains(t, res.Text, "false")
}

// A script may do what the view that runs it may, whichever suite the tool was made for.
func TestViews(t *testing.T) {
	t.Parallel()
	s := newSuite(t, config.Config{}, script.Options{}, map[string]string{"a.txt": "a\n"})
	plan, err := s.With(tools.View{ReadOnly: true})
	require.NoError(t, err)
	require.Equal(t, "read grep find ls", run(t, plan, `return Object.keys(tools).join(" ")`).Text)
	require.Contains(t, run(t, plan, `await tools.write({path: "b", content: ""})`).Text, "there is no tool write. There are read, grep, find, ls")
	require.NoFileExists(t, s.Workspace()+"/b")
}

// What a script reads counts as shown to nobody, and an edit in it needs no read.
func TestApart(t *testing.T) {
	t.Parallel()
	need.Shell(t)
	s := newSuite(t, config.Config{Edit: config.Edit{RequireRead: true}}, script.Options{}, map[string]string{"a.txt": "one\n", "b.txt": "b\n"})
	run(t, s, `await tools.read({path: "a.txt"})`)
	_, err := s.Edit(t.Context(), tools.EditParams{Path: "a.txt", OldString: "one", NewString: "two"})
	require.Equal(t, tools.CodeStale, tools.CodeOf(err))
	require.False(t, run(t, s, `await tools.edit({path: "b.txt", old_string: "b", new_string: "c"})`).IsError)

	run(t, s, `await tools.bash({command: "echo begun; read x", background: true, ready_when: "begun"})`)
	for range 2 { // each script reads a job from its beginning
		require.Contains(t, run(t, s, `return (await tools.job({id: 1, until: "begun"})).text`).Text, "begun")
	}
	res, err := s.Job(t.Context(), tools.JobParams{ID: 1, Until: "begun"})
	require.NoError(t, err)
	require.Contains(t, res.Text, "begun")
}

// Events name the call of the script that made a call.
func TestEvents(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	by := map[string][]string{}
	s := newSuite(t, config.Config{Observe: func(_ context.Context, e config.Event) {
		mu.Lock()
		defer mu.Unlock()
		by[e.CalledBy] = append(by[e.CalledBy], e.Tool)
	}}, script.Options{}, map[string]string{"a.txt": "a\n"})
	runIn(tools.WithCallID(t.Context(), "toolu_1"), t, s, `await Promise.all([tools.ls({}), tools.read({path: "a.txt"})])`)
	require.ElementsMatch(t, []string{"ls", "read"}, by["toolu_1"])
	require.Equal(t, []string{"script"}, by[""])
	_, _, ok := script.At(t.Context())
	require.False(t, ok)
}
