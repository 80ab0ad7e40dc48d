package anthropictools_test

import (
	"bytes"
	"context"
	"encoding/json"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/stretchr/testify/require"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/examples/adapters/anthropictools"
	"github.com/spillway-go/spillway/tools"
)

// newSuite is a suite over a log of 5,000 lines and a picture.
func newSuite(t *testing.T) (*tools.Suite, []byte) {
	dir := t.TempDir()
	var log, picture bytes.Buffer
	for i := range 5000 {
		log.WriteString("request " + strconv.Itoa(i+1) + "\n")
	}
	require.NoError(t, png.Encode(&picture, image.NewGray(image.Rect(0, 0, 3, 2))))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "server.log"), log.Bytes(), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "dot.png"), picture.Bytes(), 0o644))
	suite, err := tools.New(config.Config{Workspace: dir})
	require.NoError(t, err)
	t.Cleanup(func() { suite.Close() })
	return suite, picture.Bytes()
}

// loops are the two ways to use the adapter, which must send the same.
var loops = map[string]func(context.Context, *model, *tools.Suite) error{
	"runner": func(ctx context.Context, m *model, suite *tools.Suite) error {
		client := m.client()
		runner := client.Beta.Messages.NewToolRunner(anthropictools.Tools(suite), anthropic.BetaToolRunnerParams{
			BetaMessageNewParams: anthropic.BetaMessageNewParams{
				Model: "none", MaxTokens: 100,
				Messages: []anthropic.BetaMessageParam{anthropic.NewBetaUserMessage(anthropic.NewBetaTextBlock("go"))},
			},
		})
		_, err := runner.RunToCompletion(ctx)
		return err
	},
	"own loop": func(ctx context.Context, m *model, suite *tools.Suite) error {
		return ownLoop(ctx, m.client(), suite, "go")
	},
}

// run has the model make the calls of one turn, and gives what it was sent back.
func run(t *testing.T, suite *tools.Suite, check func(t *testing.T, s sent, results []result), calls ...string) {
	for name, loop := range loops {
		t.Run(name, func(t *testing.T) {
			m := &model{turns: []string{use(calls...), say("done")}}
			require.NoError(t, loop(t.Context(), m, suite))
			require.Len(t, m.requests, 2)
			s, results := m.last()
			require.Len(t, results, len(calls)/2)
			for i, r := range results {
				require.Equal(t, []any{"tool_result", "toolu_" + strconv.Itoa(i+1)}, []any{r.Type, r.ToolUseID})
			}
			check(t, s, results)
		})
	}
}

// The names, the descriptions and the schemas go over the wire as the suite has
// them: to the byte, but for white space.
func TestNothingIsLostOfATool(t *testing.T) {
	suite, _ := newSuite(t)
	run(t, suite, func(t *testing.T, s sent, _ []result) {
		require.Len(t, s.Tools, len(suite.Tools()))
		for i, tool := range suite.Tools() {
			var want, got bytes.Buffer
			require.NoError(t, json.Compact(&want, tool.Schema()))
			require.NoError(t, json.Compact(&got, s.Tools[i].InputSchema))
			require.Equal(t, want.String(), got.String())
			require.Equal(t, []string{tool.Name(), tool.Description()}, []string{s.Tools[i].Name, s.Tools[i].Description})
		}
	}, "ls", `{}`)
}

// What the model reads is the text of the suite, its notice included.
func TestText(t *testing.T) {
	suite, _ := newSuite(t)
	want, err := suite.Call(t.Context(), "read", json.RawMessage(`{"path": "server.log"}`))
	require.NoError(t, err)
	require.Contains(t, want.Text, "\n\n[Showing lines 1-")
	run(t, suite, func(t *testing.T, _ sent, results []result) {
		for _, r := range results {
			require.False(t, r.IsError)
			require.Len(t, r.Content, 1)
			require.Equal(t, "text", r.Content[0].Type)
		}
		require.Equal(t, want.Text, results[0].Content[0].Text)
		require.Regexp(t, `\[Showing lines 3001-5000 of 5000\. Full output: \.clarvis/bash-\w+\.log\]$`, results[1].Content[0].Text)
	}, "read", `{"path": "server.log"}`, "bash", `{"command": "seq 5000"}`)
}

// A failure is a result with is_error, and the run goes on. So is a tool that the
// model made up.
func TestFailure(t *testing.T) {
	suite, _ := newSuite(t)
	run(t, suite, func(t *testing.T, _ sent, results []result) {
		for i, want := range []string{"not_found: server.lag does not exist. Did you mean server.log?", "invalid_input: ", "delete"} {
			require.True(t, results[i].IsError)
			require.Len(t, results[i].Content, 1)
			require.Contains(t, results[i].Content[0].Text, want)
		}
		require.False(t, results[3].IsError)
		require.Contains(t, results[3].Content[0].Text, "Command exited with code 3")
	}, "read", `{"path": "server.lag"}`, "read", `{}`, "delete", `{}`, "bash", `{"command": "exit 3"}`)
}

// A picture is an image block behind the text, inside of the same tool_result.
func TestImage(t *testing.T) {
	suite, picture := newSuite(t)
	run(t, suite, func(t *testing.T, _ sent, results []result) {
		require.Len(t, results[0].Content, 2)
		require.Equal(t, "Read image: PNG, 3x2, "+strconv.Itoa(len(picture))+"B", results[0].Content[0].Text)
		shown := results[0].Content[1]
		require.Equal(t, []any{"image", "base64", "image/png", picture}, []any{shown.Type, shown.Source.Type, shown.Source.MediaType, shown.Source.Data})
	}, "read", `{"path": "dot.png"}`)
}

// The API refuses an image in a result with is_error, and an empty text.
func TestBlocksThatTheAPIRefuses(t *testing.T) {
	picture := []tools.Image{{MIMEType: "image/png", Data: []byte("x")}}
	block := anthropictools.Result("1", tools.Result{Text: "aborted: ...", IsError: true, Images: picture}).OfToolResult
	require.Len(t, block.Content, 1)
	require.NotNil(t, block.Content[0].OfText)
	block = anthropictools.Result("1", tools.Result{Images: picture}).OfToolResult
	require.Len(t, block.Content, 1)
	require.NotNil(t, block.Content[0].OfImage)
}

// A context that ends is the error of the run; the processes of the call are gone.
func TestCancellation(t *testing.T) {
	for name, loop := range loops {
		t.Run(name, func(t *testing.T) {
			suite, _ := newSuite(t)
			pid := filepath.Join(suite.Workspace(), "pid")
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			go func() {
				for ctx.Err() == nil && !exists(pid) {
					time.Sleep(time.Millisecond)
				}
				cancel()
			}()
			m := &model{turns: []string{use("bash", `{"command": "sleep 1000 & echo $! > tmp; mv tmp pid; echo waiting; wait"}`), say("done")}}
			require.ErrorIs(t, loop(ctx, m, suite), context.Canceled)
			require.Len(t, m.requests, 1)
			data, err := os.ReadFile(pid)
			require.NoError(t, err)
			if state, err := os.ReadFile("/proc/" + strings.TrimSpace(string(data)) + "/stat"); err == nil {
				require.Contains(t, string(state), ") Z ", "the process is still running")
			}
		})
	}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// Who answers the block although the context ended, in order to go on with the
// conversation later, has what was gathered.
func TestGatheredBeforeCancellation(t *testing.T) {
	suite, _ := newSuite(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	ctx = tools.WithProgress(ctx, func(u tools.Update) {
		if u.Lines > 0 {
			cancel()
		}
	})
	block, err := anthropictools.Call(ctx, suite, anthropic.ToolUseBlock{ID: "toolu_1", Name: "bash", Input: json.RawMessage(`{"command": "echo begun; sleep 1000"}`)})
	require.ErrorIs(t, err, context.Canceled)
	require.True(t, block.OfToolResult.IsError.Value)
	require.Regexp(t, `(?s)^aborted: .*begun`, block.OfToolResult.Content[0].OfText.Text)
}
