package mcptools_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/examples/adapters/mcptools"
	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/spillway-go/spillway/tools"
)

// asking is a tool that asks about this call before it says what the answer was.
func asking(call *config.Call) tools.Tool {
	return fake{name: "asks", call: func(ctx context.Context, _ json.RawMessage) (tools.Result, error) {
		answer, err := mcptools.Ask(ctx, *call)
		switch {
		case ctx.Err() != nil:
			return tools.Result{}, ctx.Err()
		case err != nil:
			return tools.Result{Text: "denied: " + err.Error(), IsError: true}, nil
		}
		said, err := json.Marshal(answer)
		return tools.Result{Text: string(said)}, err
	}}
}

func push(preview string, session ...string) *config.Call {
	return &config.Call{
		Tool: "bash", Why: "no rule allows git push", Session: session, Args: json.RawMessage(`{"command":"git push"}`),
		Preview: func(context.Context) (string, error) { return preview, nil },
	}
}

// revisions of the protocol: with titles in enumNames, with titles in oneOf, with questions in results.
var revisions = []string{"2025-06-18", "2025-11-25", "2026-07-28"}

// client is a client of a suite with the tool asks, of a revision of the protocol.
func client(t *testing.T, revision string, call *config.Call,
	handle func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error)) *mcp.ClientSession {
	t.Helper()
	suite := suiteOf(t, asking(call))
	server := mcp.NewServer(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	mcptools.Add(server, suite, nil)
	here, there := mcp.NewInMemoryTransports()
	go server.Run(context.Background(), there)
	c := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, &mcp.ClientOptions{ElicitationHandler: handle})
	session, err := c.Connect(t.Context(), here, &mcp.ClientSessionOptions{ProtocolVersion: revision})
	require.NoError(t, err)
	t.Cleanup(func() { session.Close() })
	require.Equal(t, revision, session.InitializeResult().ProtocolVersion)
	return session
}

func accept(content map[string]any) *mcp.ElicitResult {
	return &mcp.ElicitResult{Action: "accept", Content: content}
}

func TestAskAnswers(t *testing.T) {
	t.Parallel()
	const ignored = `{"Decision":0,"Reason":"the client accepted without one of the choices, which counts as a no"}`
	for _, revision := range revisions {
		for name, tt := range map[string]struct {
			res  *mcp.ElicitResult
			want string
		}{
			"once":     {accept(map[string]any{"answer": "once", "reason": "x"}), `{"Decision":1,"Reason":""}`},
			"session":  {accept(map[string]any{"answer": "session"}), `{"Decision":2,"Reason":""}`},
			"no":       {accept(map[string]any{"answer": "no"}), `{"Decision":0,"Reason":""}`},
			"reason":   {accept(map[string]any{"answer": "no", "reason": "use pull"}), `{"Decision":0,"Reason":"use pull"}`},
			"decline":  {&mcp.ElicitResult{Action: "decline"}, `{"Decision":0,"Reason":""}`},
			"cancel":   {&mcp.ElicitResult{Action: "cancel"}, `{"Decision":0,"Reason":""}`},
			"no form":  {accept(nil), ignored},
			"no words": {&mcp.ElicitResult{}, `{"Decision":0,"Reason":""}`},
		} {
			t.Run(revision+"/"+name, func(t *testing.T) {
				session := client(t, revision, push("$ git push\n", "bash(git push)"),
					func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) { return tt.res, nil })
				require.Equal(t, tt.want, textOf(t, invoke(t, session, "asks", `{}`)))
			})
		}
	}
}

// The form has why the question comes, what the call would do, and what each answer means.
func TestAskForm(t *testing.T) {
	for _, revision := range revisions {
		var form *mcp.ElicitParams
		call := push("+ line\x1b[2J\n"+strings.Repeat("+ line\n", 49), "bash(git push)", "edit(a)")
		session := client(t, revision, call, func(_ context.Context, req *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			form = req.Params
			return &mcp.ElicitResult{Action: "decline"}, nil
		})
		invoke(t, session, "asks", `{}`)
		want := "Allow bash? no rule allows git push.\n\n+ line·[2J\n" + strings.Repeat("+ line\n", 39) +
			"… and 10 more lines not shown here\n\n" +
			"\"For this session\" also allows, until the server ends: bash(git push), edit(a)\n"
		if form.Message != want || form.Mode != "form" {
			t.Errorf("%s: the message is\n%s\nwant\n%s", revision, form.Message, want)
		}
		answer := form.RequestedSchema.(map[string]any)["properties"].(map[string]any)["answer"].(map[string]any)
		if revision == revisions[0] {
			assert.Equal(t, "Allow for this session: bash(git push), edit(a)", answer["enumNames"].([]any)[1], "%s: %v", revision, answer)
		} else if one := answer["oneOf"].([]any)[2].(map[string]any); one["const"] != "no" || one["title"] != "No" {
			t.Errorf("%s: %v", revision, answer)
		}
	}
}

// What no rule can say cannot be allowed for the session, by whatever the client sends.
func TestAskOnceOnly(t *testing.T) {
	for _, revision := range revisions {
		session := client(t, revision, push("$ $cmd\n"), func(_ context.Context, req *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			assert.NotContains(t, req.Params.Message, "session", revision)
			return accept(map[string]any{"answer": "session"}), nil
		})
		res, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "asks"})
		if err == nil {
			assert.NotContains(t, textOf(t, res), `"Decision":2`, revision)
		}
	}
}

// A client that cannot ask is no reason to make the call.
func TestAskWithoutElicitation(t *testing.T) {
	for _, revision := range revisions {
		session := client(t, revision, push("$ git push\n", "bash(git push)"), nil)
		assert.Equal(t, "denied: "+mcptools.ErrNoElicitation.Error(), textOf(t, invoke(t, session, "asks", `{}`)), revision)
	}
	modes := &mcp.ElicitationCapabilities{URL: &mcp.URLElicitationCapabilities{}}
	session := connect(t, suiteOf(t, asking(push("$ git push\n"))), &mcp.ClientOptions{Capabilities: &mcp.ClientCapabilities{Elicitation: modes}})
	require.Equal(t, "denied: "+mcptools.ErrNoElicitation.Error(), textOf(t, invoke(t, session, "asks", `{}`)), "a client without forms")
	if _, err := mcptools.Ask(t.Context(), *push("")); !errors.Is(err, mcptools.ErrNoElicitation) {
		t.Errorf("outside of a call: %v", err)
	}
}

// A call that would fail is not asked about, and an error of the client is no yes.
func TestAskFails(t *testing.T) {
	for _, revision := range revisions {
		call := push("")
		asked := errors.New("the dialog is broken")
		session := client(t, revision, call, func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) { return nil, asked })
		res, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "asks"})
		if err == nil && !strings.Contains(textOf(t, res), asked.Error()) {
			t.Errorf("%s: %s", revision, textOf(t, res))
		}
		call.Preview = func(context.Context) (string, error) { return "", errors.New("not there") }
		assert.Equal(t, "denied: not there", textOf(t, invoke(t, session, "asks", `{}`)), revision)
	}
}

// The end of a call ends its question.
func TestAskCancelled(t *testing.T) {
	for _, revision := range revisions {
		asked := make(chan struct{})
		session := client(t, revision, push("x"), func(ctx context.Context, _ *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			close(asked)
			<-ctx.Done()
			return nil, ctx.Err()
		})
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			<-asked
			cancel()
		}()
		if _, err := session.CallTool(ctx, &mcp.CallToolParams{Name: "asks"}); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", revision, err)
		}
	}
}

// An answer counts for what was shown: if the call would do something else by now, the user is asked again.
func TestAskAgain(t *testing.T) {
	var n atomic.Int32
	call := push("")
	call.Preview = func(context.Context) (string, error) { return strings.Repeat("x", int(min(n.Load(), 2))), nil }
	session := client(t, "2026-07-28", call, func(_ context.Context, req *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
		n.Add(1)
		return accept(map[string]any{"answer": "once"}), nil
	})
	if got := textOf(t, invoke(t, session, "asks", `{}`)); got != `{"Decision":1,"Reason":""}` || n.Load() != 3 {
		t.Errorf("%s after %d questions", got, n.Load())
	}
}

// A client is answered before it gives up, as far as it is known when it does.
func TestAnswerWithin(t *testing.T) {
	t.Parallel()
	nothing := func(context.Context, json.RawMessage) (tools.Result, error) { return tools.Result{}, nil }
	for name, want := range map[string]time.Duration{
		"": 50 * time.Second, "claude-ai": 50 * time.Second, "codex-mcp-client": 50 * time.Second, "cursor-vscode": 50 * time.Second,
		"claude-code": 0, "Visual Studio Code": 0, "spillway": 0, "gemini-cli-mcp-client": 590 * time.Second,
	} {
		for _, revision := range []string{"2025-06-18", "2026-07-28"} {
			t.Run(fmt.Sprint(name, " ", revision), func(t *testing.T) {
				var got time.Duration
				server := mcp.NewServer(&mcp.Implementation{Name: "far", Version: "1"}, nil)
				server.AddTool(mcptools.Tool(fake{"do", nothing}, &mcptools.Options{AnswerWithin: func(req *mcp.CallToolRequest) time.Duration {
					got = mcptools.AnswerWithin(req)
					return got
				}}))
				here, there := mcp.NewInMemoryTransports()
				served, err := server.Connect(t.Context(), there, nil)
				require.NoError(t, err)
				session, err := mcp.NewClient(&mcp.Implementation{Name: name, Version: "1"}, nil).Connect(t.Context(), here, &mcp.ClientSessionOptions{ProtocolVersion: revision})
				require.NoError(t, err)
				defer func() { session.Close(); served.Wait() }()
				if _, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "do"}); err != nil || got != want {
					t.Errorf("answered within %v, want %v (%v)", got, want, err)
				}
			})
		}
	}
}

// A command of a client that would give up becomes a job, and the client can read on.
func TestAnsweredInTime(t *testing.T) {
	testkit.Raced(t)
	t.Parallel()
	need.Shell(t)
	suite := suiteOf(t)
	server := mcp.NewServer(&mcp.Implementation{Name: "far", Version: "1"}, nil)
	mcptools.Add(server, suite, &mcptools.Options{AnswerWithin: func(*mcp.CallToolRequest) time.Duration { return time.Millisecond }})
	list, _, _ := connectTo(t, server)
	named := map[string]tools.Tool{}
	for _, tool := range list {
		named[tool.Name()] = tool
	}
	call := func(tool, args string) string {
		res, err := named[tool].Call(t.Context(), json.RawMessage(args))
		if err != nil || res.IsError {
			t.Errorf("%s: %+v, %v", tool, res, err)
		}
		return res.Text
	}
	require.Contains(t, call("bash", `{"command": "until [ -e go ]; do sleep 0.01; done; echo late"}`), "and continues as a job. Job 1 is running.")
	require.Contains(t, call("job", `{"id": 1, "wait_ms": 600000}`), "wait_ms was lowered to 1000, the maximum. Job 1 is running.")
	require.NoError(t, os.WriteFile(filepath.Join(suite.Workspace(), "go"), nil, 0o600))
	for !strings.Contains(call("job", `{"id": 1}`), "Job 1 exited with code 0") {
	}
}
