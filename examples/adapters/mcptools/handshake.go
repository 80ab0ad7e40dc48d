package mcptools

import (
	"encoding/json"
	"fmt"
	"math"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/tools"
)

// extension names the experimental capability by which both ends of a connection identify
// themselves.
const extension = "spillway"

// protocol is the version of what the ends expect of each other beyond MCP: this capability,
// the details in _meta, and the promise in a ping.
const protocol = 1

// handshake is what one end tells the other.
type handshake struct {
	Protocol int      `json:"protocol"`
	Tools    []string `json:"tools"`             // those of its version, whether the suite has them or not
	Watches  bool     `json:"watches,omitempty"` // the server ends when the client breaks its promise
	// SilenceMs is how many milliseconds a server that watches lets its client stay silent.
	SilenceMs int64 `json:"silenceMs,omitempty"`
}

// Handshake returns what a server puts into Experimental of [mcp.ServerCapabilities], so that
// [Connect], [Differences] and [Silence] recognize it. silence is how long the server lets a
// client stay silent that has promised a limit ([PromisedSilence]), at least
// [ShortestSilence]; it is 0 if the server does not watch its client. One that does needs [Add], or it does not hear the
// promises of revision 2026-07-28, which has no ping.
func Handshake(silence time.Duration) map[string]any {
	return map[string]any{extension: handshake{protocol, config.ToolNames(), silence > 0, silence.Milliseconds()}}
}

// Silence returns how long this program may stay silent before the server of a session of
// [Connect] ends with all that it runs; 0 if the server does not watch.
func Silence(session *mcp.ClientSession) time.Duration {
	server := handshakeOf(session)
	if !server.Watches {
		return 0
	}
	silence := min(max(server.SilenceMs, 0), time.Duration(math.MaxInt64).Milliseconds()) // more would overflow
	return max(time.Duration(silence)*time.Millisecond, ShortestSilence)
}

// FromConnect reports whether a request comes from [Connect], which passes details on to a
// program; no model sees them.
func FromConnect(req interface {
	ClientCapabilities() *mcp.ClientCapabilities
}) bool {
	capabilities := req.ClientCapabilities()
	return capabilities != nil && handshakeIn(capabilities.Experimental).Protocol > 0
}

func handshakeIn(experimental map[string]any) (g handshake) {
	encoded, err := json.Marshal(experimental[extension])
	if err != nil || json.Unmarshal(encoded, &g) != nil {
		return handshake{}
	}
	g.Tools = g.Tools[:min(len(g.Tools), maxTools)]
	return g
}

func handshakeOf(session *mcp.ClientSession) handshake {
	if result := session.InitializeResult(); result != nil && result.Capabilities != nil {
		return handshakeIn(result.Capabilities.Experimental)
	}
	return handshake{}
}

// Differences returns a sentence for each way in which the server of a session of [Connect]
// differs from this program: its version, tools that only one of the two knows or that the
// server was started without, and what the server cannot do. A program should log them; calls
// work all the same. Equal versions have no differences.
func Differences(session *mcp.ClientSession, list []tools.Tool) (said []string) {
	say := func(format string, args ...any) { said = append(said, fmt.Sprintf(format, args...)) }
	theirs, name, has := handshakeOf(session), "", ""
	if result := session.InitializeResult(); result != nil && result.ServerInfo != nil {
		name, has = short(result.ServerInfo.Name), short(result.ServerInfo.Version)
	}
	if theirs.Protocol == 0 {
		say("the server is %s %s, which is not Spillway or an older version: its results have no details "+
			"unless it is told to send them, and what it runs may go on when the connection breaks", name, has)
		return said
	}
	switch {
	case theirs.Protocol > protocol:
		say("the server speaks version %d of Spillway's additions to MCP, and this program %d: update this program",
			theirs.Protocol, protocol)
	case !theirs.Watches:
		say("the server does not watch the connection: what it runs may go on when the connection breaks")
	}
	if is := version(); is != "" && has != is && strings.HasPrefix(has, "v") {
		say("the server is of version %s, and this program of %s", has, is)
	}
	var listed []string
	for _, t := range list {
		listed = append(listed, t.Name())
	}
	own := config.ToolNames()
	if names := without(own, theirs.Tools); len(names) > 0 {
		say("the server's version lacks %s: update the server", strings.Join(names, ", "))
	}
	if names := without(theirs.Tools, own); len(names) > 0 {
		say("this program's version does not know %s: update this program if it goes by the names of tools",
			short(strings.Join(names, ", ")))
	}
	// A suite has apply_patch only if it is asked for.
	if names := without(theirs.Tools, append(listed, "apply_patch")); len(names) > 0 {
		say("the server was started without %s", short(strings.Join(names, ", ")))
	}
	return said
}

// without returns the names that are not among others.
func without(names, others []string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool { return slices.Contains(others, name) })
}

// version returns the version of the library in this program; "" if it was not built from a
// release.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	for _, m := range append(info.Deps, &info.Main) {
		if m.Path == "github.com/spillway-go/spillway" && m.Replace == nil && strings.HasPrefix(m.Version, "v") {
			return m.Version
		}
	}
	return ""
}
