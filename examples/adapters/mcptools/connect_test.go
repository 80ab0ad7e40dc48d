package mcptools_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/examples/adapters/internal/adaptertest"
	"github.com/spillway-go/spillway/examples/adapters/mcptools"
	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/all"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// far gives the tools of a suite behind two pipes, by name, and what breaks these.
func far(t *testing.T, suite *tools.Suite) (list map[string]tools.Tool, session *mcp.ClientSession, hangUp func()) {
	t.Helper()
	return farThatAllows(t, suite, 0)
}

// farThatAllows is far, and the server says that it allows that silence.
func farThatAllows(t *testing.T, suite *tools.Suite, silence time.Duration) (list map[string]tools.Tool, session *mcp.ClientSession, hangUp func()) {
	t.Helper()
	server := mcp.NewServer(&mcp.Implementation{Name: "far", Version: "1.2.3"}, &mcp.ServerOptions{
		Capabilities: &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}, Experimental: mcptools.Handshake(silence)}})
	mcptools.Add(server, suite, nil)
	toServer, fromClient := io.Pipe()
	toClient, fromServer := io.Pipe()
	served, err := server.Connect(t.Context(), &mcp.IOTransport{Reader: toServer, Writer: fromServer}, nil)
	require.NoError(t, err)
	all, session, err := mcptools.Connect(t.Context(), &mcp.IOTransport{Reader: toClient, Writer: fromClient})
	require.NoError(t, err)
	hangUp = func() { fromServer.Close(); fromClient.Close() }
	t.Cleanup(func() { hangUp(); session.Close(); _ = served.Wait() })
	list = map[string]tools.Tool{}
	for _, tool := range all {
		list[tool.Name()] = tool
	}
	return list, session, hangUp
}

// A suite's tools from afar: described and behaving as they are near, except for details,
// which are decoded JSON.
func TestFarAndNear(t *testing.T) {
	t.Parallel()
	suite := suiteOf(t, adaptertest.Rich())
	list, session, _ := far(t, suite)
	if info := session.InitializeResult().ServerInfo; info.Name != "far" || info.Version != "1.2.3" {
		t.Errorf("the server is %+v", info)
	}
	for _, tool := range suite.Tools() {
		got := list[tool.Name()]
		if got == nil || got.Description() != tool.Description() || tools.EffectsOf(got) != tools.EffectsOf(tool) {
			t.Fatalf("%s is %+v", tool.Name(), got)
		}
		adaptertest.SameSchema(t, tool, got.Schema())
	}
	for _, step := range adaptertest.Steps() {
		here, err := suite.Call(t.Context(), step.Tool, json.RawMessage(step.Args))
		require.NoError(t, err)
		there, err := list[step.Tool].Call(t.Context(), json.RawMessage(step.Args))
		require.NoError(t, err)
		step.Check(t, adaptertest.Answer{Text: there.Text, IsError: there.IsError, Images: there.Images}, true)
		if there.Text != here.Text || there.Code != here.Code {
			t.Errorf("%s %s: %q %q, near %q %q", step.Tool, step.Args, there.Code, there.Text, here.Code, here.Text)
		}
	}
}

// Guard, observer and limits of a near suite are over the far tools.
func TestFarToolsInASuite(t *testing.T) {
	t.Parallel()
	list, _, _ := far(t, suiteOf(t))
	var asked []string
	nearby, err := tools.New(config.Config{
		Workspace: t.TempDir(), Tools: []string{config.NoTools}, MaxBytes: 1024,
		Guard: func(_ context.Context, call config.Call) error {
			if asked = append(asked, call.Tool); call.Effects.Executes {
				return errors.New("not there")
			}
			return nil
		},
	}, all.Parts()...)
	require.NoError(t, err)
	defer nearby.Close()
	require.NoError(t, nearby.Add(list["grep"], list["bash"]))
	res, err := nearby.Call(t.Context(), "grep", json.RawMessage(`{"pattern": "error"}`))
	if err != nil || res.IsError || len(res.Text) > 2048 || !strings.Contains(res.Text, "Full output: ") {
		t.Errorf("%v, %d bytes: %s", err, len(res.Text), res.Text)
	}
	if res, err = nearby.Call(t.Context(), "bash", json.RawMessage(`{"command": "echo hi"}`)); err != nil || res.Code != tools.CodeDenied {
		t.Errorf("%v, %+v", err, res)
	}
	require.Equal(t, "grep bash", strings.Join(asked, " "))
}

// What a far suite cut to its limits is not cut again by a near one with the same: the
// file that would be named then is one that the far tools cannot read.
func TestFarNoticesAreKept(t *testing.T) {
	t.Parallel()
	list, _, _ := far(t, suiteOf(t))
	nearby, err := tools.New(config.Config{Workspace: t.TempDir(), Tools: []string{config.NoTools}}, all.Parts()...)
	need.Built(t, err)
	require.NoError(t, err)
	defer nearby.Close()
	require.NoError(t, nearby.Add(list["write"], list["read"]))
	for name, line := range map[string]string{"lines": "x\n", "bytes": strings.Repeat("x", 99) + "\n"} {
		args := adaptertest.Encoded(map[string]string{"path": "large.txt", "content": strings.Repeat(line, 3000)})
		if res, err := nearby.Call(t.Context(), "write", json.RawMessage(args)); err != nil || res.IsError {
			t.Fatal(res, err)
		}
		there, err := list["read"].Call(t.Context(), json.RawMessage(`{"path": "large.txt"}`))
		if err != nil || !strings.Contains(there.Text, "Use offset=") {
			t.Fatal(there, err)
		}
		here, err := nearby.Call(t.Context(), "read", json.RawMessage(`{"path": "large.txt"}`))
		if err != nil || here.Text != there.Text {
			t.Errorf("%s: %v; here %d bytes, there %d", name, err, len(here.Text), len(there.Text))
		}
	}
}

// A context that ends here ends the command there.
func TestFarCancel(t *testing.T) {
	suite := suiteOf(t)
	list, _, _ := far(t, suite)
	adaptertest.Cancel(t, suite, func(ctx context.Context) error {
		res, err := list["bash"].Call(ctx, json.RawMessage(adaptertest.Sleeper))
		if res.Code != tools.CodeAborted || !strings.HasPrefix(res.Text, "aborted: ") {
			t.Errorf("%+v", res)
		}
		return err
	})
}

// Progress comes from afar, and not after the call has returned.
func TestFarProgress(t *testing.T) {
	t.Parallel()
	needBash(t)
	suite := suiteOf(t)
	list, _, _ := far(t, suite)
	updates := make(chan tools.Update, 1000)
	ctx := tools.WithProgress(t.Context(), func(u tools.Update) {
		updates <- u
		assert.NoError(t, os.WriteFile(filepath.Join(suite.Workspace(), "go-on"), nil, 0o600))
	})
	res, err := list["bash"].Call(tools.WithCallID(ctx, "near"), json.RawMessage(`{"command": "echo half way; until [ -e go-on ]; do sleep 0.05; done"}`))
	if err != nil || res.IsError {
		t.Fatal(res, err)
	}
	close(updates) // a report that is late panics
	if u := <-updates; u.ID != "near" || u.Tool != "bash" || u.Tail != "half way\n" || u.Elapsed <= 0 {
		t.Errorf("%+v", u)
	}
}

// A connection that breaks fails the call that waits, and those that follow, with a code.
func TestFarConnectionBreaks(t *testing.T) {
	running := make(chan bool)
	suite := suiteOf(t, fake{"wait", func(ctx context.Context, _ json.RawMessage) (tools.Result, error) {
		close(running)
		<-ctx.Done()
		return tools.Result{}, ctx.Err()
	}})
	list, _, hangUp := far(t, suite)
	go func() { <-running; hangUp() }()
	for _, name := range []string{"wait", "ls"} {
		res, err := list[name].Call(t.Context(), json.RawMessage(`{}`))
		if err != nil || !res.IsError || res.Code != tools.CodeIOError || !strings.HasPrefix(res.Text, "io_error: ") {
			t.Errorf("%s: %v, %+v", name, err, res)
		}
	}
}

// A call that fails says what still runs there.
func TestWhatRemains(t *testing.T) {
	for silence, want := range map[time.Duration]string{
		0:                        ". What it started there may still run; the call",
		mcptools.ShortestSilence: ". Commands and jobs there have been ended; the call",
		10 * time.Minute:         ". Commands and jobs there have been ended, or go on for 10m0s at most; the call",
	} {
		list, session, hangUp := farThatAllows(t, suiteOf(t), silence)
		hangUp()
		session.Wait()
		if res, err := list["ls"].Call(t.Context(), nil); err != nil || !strings.Contains(res.Text, want) {
			t.Errorf("%v; %q; want %q", err, res.Text, want)
		}
	}
}

// What other servers send: several texts, resources, sounds, and objects without a text.
func TestForeignServer(t *testing.T) {
	server := mcp.NewServer(&mcp.Implementation{Name: "foreign", Version: "1"}, nil)
	results := map[string]*mcp.CallToolResult{
		"texts":     {Content: []mcp.Content{&mcp.TextContent{Text: "one"}, &mcp.TextContent{Text: "two"}}},
		"resource":  {Content: []mcp.Content{&mcp.EmbeddedResource{Resource: &mcp.ResourceContents{URI: "file:///a", Text: "inside"}}}},
		"blob":      {Content: []mcp.Content{&mcp.EmbeddedResource{Resource: &mcp.ResourceContents{URI: "file:///b", MIMEType: "application/zip", Blob: []byte("PK..")}}}},
		"link":      {Content: []mcp.Content{&mcp.ResourceLink{URI: "file:///c", Name: "c"}}},
		"sound":     {Content: []mcp.Content{&mcp.AudioContent{MIMEType: "audio/wav", Data: []byte("RIFF")}}},
		"object":    {StructuredContent: map[string]any{"n": 1}},
		"failure":   {IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: "It failed: no idea why"}}},
		"worded":    {IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: "not_found: a.txt"}}},
		"coded":     {IsError: true, Meta: mcp.Meta{"code": "timeout"}},
		"detailed":  {IsError: true, Meta: mcp.Meta{"details": map[string]any{"error": "not_found"}}},
		"emptiness": {},
	}
	for name, res := range results {
		server.AddTool(&mcp.Tool{Name: name, InputSchema: json.RawMessage(`{"type": "object"}`)}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return res, nil
		})
	}
	here, there := mcp.NewInMemoryTransports()
	served, err := server.Connect(t.Context(), there, nil)
	require.NoError(t, err)
	defer served.Close()
	list, session, err := mcptools.Connect(t.Context(), here)
	require.NoError(t, err)
	defer session.Close()
	for _, tool := range list {
		if e := tools.EffectsOf(tool); !e.Reads || !e.Writes || !e.Executes {
			t.Errorf("%s: effects %+v of a tool that says nothing", tool.Name(), e)
		}
		want := map[string]string{
			"texts": "one\ntwo", "resource": "inside", "blob": "[file:///b, application/zip, 4 bytes, cannot be shown]", "link": "file:///c",
			"sound": "[audio/wav, 4 bytes, cannot be shown]", "object": `{"n":1}`, "failure": "It failed: no idea why", "worded": "not_found: a.txt",
		}[tool.Name()]
		code := map[string]tools.Code{"coded": tools.CodeTimeout, "detailed": tools.CodeNotFound}[tool.Name()]
		if res, err := tool.Call(t.Context(), nil); err != nil || res.Text != want || res.Code != code || res.IsError != results[tool.Name()].IsError {
			t.Errorf("%s: %v, %+v; want %q, %q", tool.Name(), err, res, want, code)
		}
	}
}
