package mcptools

import (
	"context"
	"math"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/spillway-go/spillway/tools"
)

const (
	// commonPatience is how long a client waits for a result that is not known to wait longer: the default of the SDK
	// for TypeScript (DEFAULT_REQUEST_TIMEOUT_MSEC), which most clients are made with and many leave as it is.
	commonPatience = time.Minute
	// answerMargin is what an answer may take on its way, and what becomes of a call at its time: a job is made, its
	// output is cut, a script ends.
	answerMargin = 10 * time.Second
	// forever is longer than any call.
	forever = math.MaxInt64
)

// patient are the clients that wait longer by default at stdin and stdout, by the name that they give themselves.
// docs/mcp.md has the sources.
var patient = map[string]time.Duration{
	"claude-code":                   forever, // MCP_TOOL_TIMEOUT: about 28 hours; 30 minutes without progress
	"gemini-cli-mcp-client":         10 * time.Minute,
	"Visual Studio Code":            forever,
	"Visual Studio Code - Insiders": forever,
	"spillway":                      forever, // Connect
}

// AnswerWithin is an [Options].AnswerWithin that goes by the timeouts that clients are known to have if nobody has set
// others: ten seconds less, and no limit for those that wait as long as it takes. Over HTTP none is known to wait longer
// than a minute.
func AnswerWithin(req *mcp.CallToolRequest) time.Duration {
	wait := commonPatience
	if params := req.Session.InitializeParams(); params != nil && params.ClientInfo != nil && !overHTTP(req) {
		if longer, known := patient[params.ClientInfo.Name]; known {
			wait = longer
		}
	}
	if wait == forever {
		return 0
	}
	return wait - answerMargin
}

// answeredInTime returns a context for a call that came now.
func (o *Options) answeredInTime(ctx context.Context, req *mcp.CallToolRequest) context.Context {
	if o.AnswerWithin == nil {
		return ctx
	}
	within := o.AnswerWithin(req)
	if within <= 0 {
		return ctx
	}
	return tools.WithAnswerBy(ctx, time.Now().Add(within))
}
