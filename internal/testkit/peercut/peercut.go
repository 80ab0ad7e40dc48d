// Package peercut cuts an output as the bash tools of other suites do, by their rules. The tests of internal/bench/peers
// compare it with those tools.
package peercut

import (
	"regexp"
	"strings"

	"github.com/spillway-go/spillway/truncation"
)

// escape is what agenttoolset removes.
var escape = regexp.MustCompile(`\x1b\[[0-9;?]*[ -/]*[@-~]`)

// Agenttoolset cuts as the bash of tools/agenttoolset in github.com/anthropics/anthropic-sdk-go/v2 v2.15.0 does (bash.go,
// drain, exec and cleanOutput): a pseudo terminal makes \r\n of each newline, and the last 100 KiB of that are kept, with
// a line for the exit code at their end. Then that line, escape sequences and all \r go.
func Agenttoolset(text []byte) string {
	const limit, code = 100 << 10, "__ANT_CMD_0123456789abcdef_DONE__0\r\n"
	printed := strings.ReplaceAll(string(text), "\n", "\r\n") + "\r\n" + code
	over := len(printed) - limit
	kept := escape.ReplaceAllString(strings.TrimSuffix(printed[max(over, 0):], code), "")
	kept = strings.TrimLeft(strings.ReplaceAll(kept, "\r", ""), "\n")
	if over > 0 {
		kept = "[output truncated]\n" + kept
	}
	return kept
}

// Pi cuts as the bash of @earendil-works/pi-coding-agent 1.6.0 does (tools/truncate.js, truncateTail), without the notice.
func Pi(text []byte) string {
	return truncation.Policy{Strategy: truncation.Tail, Limits: truncation.Limits{Lines: 2000, Bytes: 50 << 10}, Unmarked: true}.
		Cut(string(text))
}
