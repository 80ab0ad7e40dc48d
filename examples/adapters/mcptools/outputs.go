package mcptools

import (
	"context"
	"fmt"
	"io"
	"path"
	"strings"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/spillway-go/spillway/tools"
)

// outputs is in front of the name of a file with a full output, as a resource.
const outputs = "spillway://output/"

// maxOutput is how many bytes a full output may have that is read as a resource. Encoded, it has up to six times as many.
const maxOutput = 1 << 20

// linksSince is the revision of the protocol that has links in results.
const linksSince = "2025-06-18"

// link returns a link to the full output of a result, if there is one and the client knows links. It is for people: the
// model has the path in a notice, and reads the file with the tools. Who has made Connect reads it likewise.
func link(req *mcp.CallToolRequest, res tools.Result) []mcp.Content {
	file := res.FullOutputPath()
	if file == "" || req.ProtocolVersion() < linksSince || FromConnect(req) {
		return nil
	}
	name := path.Base(strings.Trim(file, `"`))
	return []mcp.Content{&mcp.ResourceLink{
		URI: outputs + name, Name: name, Title: "Full output", MIMEType: "text/plain",
		Annotations: &mcp.Annotations{Audience: []mcp.Role{"user"}},
	}}
}

// addOutputs makes the files with full outputs resources of a server.
func addOutputs(server *mcp.Server, suite *tools.Suite) {
	server.AddResourceTemplate(&mcp.ResourceTemplate{
		URITemplate: outputs + "{name}", Name: "output", Title: "Full output", MIMEType: "text/plain",
		Description: "The full output of a call whose result links to it, if that has 1 MiB at most.",
	}, func(_ context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		return readOutput(suite, req.Params.URI)
	})
}

// readOutput returns a full output. It is never cached, as that of a job may grow.
func readOutput(suite *tools.Suite, uri string) (*mcp.ReadResourceResult, error) {
	name, ok := strings.CutPrefix(uri, outputs)
	if !ok || strings.ContainsAny(name, `/\%`) {
		return nil, mcp.ResourceNotFoundError(uri)
	}
	f, err := suite.OpenOutput(name)
	if err != nil {
		return nil, mcp.ResourceNotFoundError(uri)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxOutput+1))
	if err != nil {
		return nil, err
	}
	if len(data) > maxOutput {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: fmt.Sprintf(
			"%s is larger than %d MiB. Read it in parts, by the tool read with the path that the result names", name, maxOutput>>20)}
	}
	contents := &mcp.ResourceContents{URI: uri, MIMEType: "text/plain"}
	if utf8.Valid(data) {
		contents.Text = string(data)
	} else {
		contents.MIMEType, contents.Blob = "application/octet-stream", data
	}
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{contents}}, nil
}
