package mcptools_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/truncation"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Of the log that another program's server sends, the model sees the line that failed. The suite has all of it.
func TestDigestOfForeignLog(t *testing.T) {
	var log strings.Builder
	for i := range 50_000 {
		if i == 12_345 {
			log.WriteString("ERROR checkout: payment refused: card expired\n")
		}
		fmt.Fprintf(&log, "INFO checkout: order %d paid in %d ms\n", i, i%97)
	}
	server := mcp.NewServer(&mcp.Implementation{Name: "foreign", Version: "1"}, nil)
	logs := &mcp.Tool{Name: "logs", InputSchema: json.RawMessage(`{"type": "object"}`)}
	server.AddTool(logs, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: log.String()}}}, nil
	})
	list, _, _ := connectTo(t, server)

	suite := suiteOf(t, tools.Truncate(list[0], truncation.Policy{Strategy: truncation.Digest}))
	res, err := suite.Call(t.Context(), "logs", []byte(`{}`))
	require.NoError(t, err)
	require.LessOrEqual(t, len(res.Text), truncation.DigestBytes)
	for _, want := range []string{
		"\nERROR checkout: payment refused: card expired\n", `lines like "INFO checkout: order `, ". Full output: .clarvis/tool-",
	} {
		assert.Contains(t, res.Text, want)
	}
	details := res.Details.(tools.TruncatedDetails)
	require.Len(t, details.Standout, 1)
	require.Equal(t, 12_346, details.Standout[0].Number, "%+v stands out", details.Standout)
	whole := fmt.Sprintf(`{"path": %q, "offset": 12346, "limit": 1}`, details.FullOutputPath)
	if res, err := suite.Call(t.Context(), "read", []byte(whole)); err != nil || !strings.HasPrefix(res.Text, "ERROR checkout") {
		t.Errorf("%v, %s", err, res.Text)
	}
}
