package mcptools

import (
	"context"
	"crypto/sha256"
	"encoding/base32"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/spillway-go/spillway/tools"
)

// From protocol revision 2026-07-28 there are no sessions over HTTP, and what a request says of its client is no secret.
// A client that is to be known from one request to the next sends a key of its own: in the header ClientHeader, which
// most clients let their users set, or under ClientKey in the _meta of a request, which counts more. It takes 16 to 128
// characters of A-Z a-z 0-9 . _ ~ + / = -. Whoever knows the key is the client, so it should be random.
const (
	ClientHeader = "Spillway-Client"
	ClientKey    = "io.github.spillway-go/client"
)

const (
	minKey = 16  // characters of a key
	maxKey = 128 // as many as an id has
)

// unknown is what the model of a client without a key is told.
const unknown = "Say to the user: this MCP client sends no key by which the server knows it again. It takes a header, " +
	ClientHeader + ", with 16 random characters or more, in the client's configuration of this server"

// client is who has sent a request.
type client struct {
	id   string // of its session, or made of its key; "" if it has neither
	http bool   // there may be others
}

// clientOf returns who has sent a request. The error is for the client.
func clientOf(req *mcp.CallToolRequest) (c client, err error) {
	key, given := req.Params.Meta[ClientKey]
	if c.http = overHTTP(req); c.http {
		if header := req.Extra.Header.Get(ClientHeader); !given && header != "" {
			key, given = header, true
		}
	}
	if c.id = req.Session.ID(); c.id != "" || !given {
		return c, nil
	}
	text, _ := key.(string)
	if !validKey(text) {
		return c, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: fmt.Sprintf(
			"the key of the client, in the header %s or the _meta field %s, takes %d to %d characters of A-Z a-z 0-9 . _ ~ + / = -",
			ClientHeader, ClientKey, minKey, maxKey)}
	}
	// Not the key itself, which is a secret: events have this. No session has such an id.
	sum := sha256.Sum256([]byte(text))
	c.id = "key-" + base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(sum[:16])
	return c, nil
}

func overHTTP(req *mcp.CallToolRequest) bool {
	return req.Extra != nil && req.Extra.Header.Get("Content-Type") != "" // which HTTP demands
}

func validKey(key string) bool {
	for _, c := range []byte(key) {
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9':
		default:
			switch c {
			case '.', '_', '~', '+', '/', '=', '-':
			default:
				return false
			}
		}
	}
	return minKey <= len(key) && len(key) <= maxKey
}

// isNobody reports whether the next request of the client cannot be told from another client's.
func (c client) isNobody() bool { return c.http && c.id == "" }

// reading returns a context for a call of the client.
func (c client) reading(ctx context.Context) context.Context {
	if c.isNobody() {
		return tools.WithConversation(ctx, "", unknown)
	}
	return tools.WithConversation(ctx, c.id)
}
