package mcptools

import (
	"encoding/json"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/tools"
)

// extension names the experimental capability in which both ends of a connection say what
// they are.
const extension = "spillway"

// protocol counts changes to what the ends expect of each other beyond MCP: this
// capability, the details in _meta, the promise in a ping.
const protocol = 1

// greeting is what an end says.
type greeting struct {
	Protocol int      `json:"protocol"`
	Tools    []string `json:"tools"`             // of its version, whether the suite has them or not
	Watches  bool     `json:"watches,omitempty"` // a server ends when the client breaks its promise
	// SilenceMs is how many milliseconds a server that watches lets its client be silent.
	SilenceMs int64 `json:"silenceMs,omitempty"`
}

// Hello returns what a server says of itself in Experimental of [mcp.ServerCapabilities],
// so that [Connect], [Differences] and [Silence] know it. Silence is how long the server
// lets a client be silent that has made a [Promise], at least [ShortestSilence]; 0 if the
// server does not watch its client.
func Hello(silence time.Duration) map[string]any {
	return map[string]any{extension: greeting{protocol, config.ToolNames(), silence > 0, silence.Milliseconds()}}
}

// Silence returns how long the server of a session that [Connect] began lets this program
// be silent before it ends with all that it runs; 0 if it does not watch.
func Silence(session *mcp.ClientSession) time.Duration {
	far := greetingOf(session)
	if !far.Watches {
		return 0
	}
	return max(time.Duration(far.SilenceMs)*time.Millisecond, ShortestSilence)
}

// IsNear reports whether a request comes from [Connect], which passes details on to a
// program: no model sees them.
func IsNear(req interface {
	ClientCapabilities() *mcp.ClientCapabilities
}) bool {
	capabilities := req.ClientCapabilities()
	return capabilities != nil && greetingIn(capabilities.Experimental).Protocol > 0
}

func greetingIn(experimental map[string]any) (g greeting) {
	encoded, err := json.Marshal(experimental[extension])
	if err != nil || json.Unmarshal(encoded, &g) != nil {
		return greeting{}
	}
	return g
}

func greetingOf(session *mcp.ClientSession) greeting {
	if result := session.InitializeResult(); result != nil && result.Capabilities != nil {
		return greetingIn(result.Capabilities.Experimental)
	}
	return greeting{}
}

// Differences says, a sentence each, how the server of a session that [Connect] began
// differs from this program: its version, the tools that one of the two does not know or
// that the server was started without, and what it cannot do. A program logs them; calls
// work all the same. There are none between equals.
func Differences(session *mcp.ClientSession, list []tools.Tool) (said []string) {
	say := func(format string, args ...any) { said = append(said, fmt.Sprintf(format, args...)) }
	far, name, has := greetingOf(session), "", ""
	if result := session.InitializeResult(); result != nil && result.ServerInfo != nil {
		name, has = result.ServerInfo.Name, result.ServerInfo.Version
	}
	if far.Protocol == 0 {
		say("the server is %s %s, which is not Spillway or an older version: its results have no details unless it is told to send them, "+
			"and what it runs may go on when the connection breaks", name, has)
		return said
	}
	switch {
	case far.Protocol > protocol:
		say("the server speaks version %d of Spillway's additions to MCP, and this program %d: update this program", far.Protocol, protocol)
	case !far.Watches:
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
	if names := without(own, far.Tools); len(names) > 0 {
		say("the server's version lacks %s: update the server", strings.Join(names, ", "))
	}
	if names := without(far.Tools, own); len(names) > 0 {
		say("this program's version does not know %s: update this program if it goes by the names of tools", strings.Join(names, ", "))
	}
	if names := without(far.Tools, append(listed, "apply_patch")); len(names) > 0 { // which a suite has only if it is asked for
		say("the server was started without %s", strings.Join(names, ", "))
	}
	return said
}

// without is those of the names that are not among others.
func without(names, others []string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool { return slices.Contains(others, name) })
}

// version is that of the library in this program; "" if it was not built of a release.
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
