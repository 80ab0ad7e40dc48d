package mcptools_test

//lint:file-ignore SA1019 as in logging.go

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/stretchr/testify/require"
)

// TestLogsTheEndOfAJob: a client that asks for messages of a level is told when the job that it started ends.
func TestLogsTheEndOfAJob(t *testing.T) {
	heard := make(chan *mcp.LoggingMessageParams, 9)
	session := connectBy(t, "2025-06-18", suiteOf(t), &mcp.ClientOptions{
		LoggingMessageHandler: func(_ context.Context, req *mcp.LoggingMessageRequest) { heard <- req.Params },
	})
	run := func(code string) {
		invoke(t, session, "bash", `{"command": "echo ready; read x; exit `+code+`", "background": true, "ready_when": "ready"}`)
	}
	end := func(id string) { invoke(t, session, "job", `{"id": `+id+`, "input": "\n", "wait_ms": 60000}`) }
	level := func(level mcp.LoggingLevel) {
		require.NoError(t, session.SetLoggingLevel(t.Context(), &mcp.SetLoggingLevelParams{Level: level}))
	}
	run("0")
	end("1") // no level was set
	level("warning")
	run("0")
	end("2") // below the level
	run("7")
	end("3")
	level("info")
	run("0")
	end("4")
	for _, want := range []struct{ level, message string }{
		{"warning", "Job 3: exited with code 7"}, {"info", "Job 4: exited with code 0"},
	} {
		select {
		case m := <-heard:
			data, _ := json.Marshal(m.Data)
			var got struct {
				Message string
				Job     struct{ Command string }
			}
			if err := json.Unmarshal(data, &got); err != nil || got.Message != want.message || string(m.Level) != want.level ||
				m.Logger != "spillway/job" || got.Job.Command == "" {
				t.Fatalf("%s %s %s, want %v", m.Level, m.Logger, data, want)
			}
		case <-time.After(time.Minute):
			t.Fatalf("not told of %v", want)
		}
	}
}
