package truncation

import (
	"fmt"
	"strings"
)

// SubAgent is the Prefix of a text that a sub-agent of that name wrote:
// "[sub-agent tests]: ".
func SubAgent(name string) string { return "[sub-agent " + name + "]: " }

// defaultMarker is the marker of a policy that names none.
func defaultMarker(s Strategy, saved Saved) string {
	what := "{count} characters"
	switch s {
	case Head, Tail, MiddleLines:
		what = "{lines} of {total} lines"
	case HeadTailLines:
		what = "{total} lines, {reason}: showing the first {first} and the last {last}"
	}
	if s != HeadTailLines {
		what += " left out"
	}
	switch {
	case saved.Err != nil:
		what += ". Full output {path}"
	case saved.Path != "":
		what += ". Full output: {path}"
	}
	return "\n[... " + what + " ...]\n"
}

// limitName names a limit: "30KB limit", "2000 lines limit".
func limitName(by Reason, l Limits) string {
	switch by {
	case ByLines:
		return fmt.Sprintf("%d lines limit", max(l.Lines, 0))
	case ByChars:
		return fmt.Sprintf("%d characters limit", max(l.Chars, 0))
	case ByTokens:
		return fmt.Sprintf("%d tokens limit", max(l.Tokens, 0))
	}
	return FormatSize(int64(max(l.Bytes, 0))) + " limit"
}

// ToolThreshold and SubAgentThreshold are the numbers of characters up to which
// agents are known to pass on what a tool and what a sub-agent wrote. [ToolPolicy]
// and [SubAgentPolicy] use them.
const (
	ToolThreshold     = 3000
	SubAgentThreshold = 24_000
)

// ToolPolicy leaves a text of up to ToolThreshold characters or 20 lines whole.
// Of a longer one it keeps the first and the last 10 lines. What 30,000 characters
// do not hold is cut in any case.
func ToolPolicy() Policy {
	return Policy{Strategy: HeadTailLines, Limits: Limits{Chars: 30_000}, First: 10, Last: 10, Threshold: ToolThreshold}
}

// SubAgentPolicy is ToolPolicy with SubAgentThreshold, for what a sub-agent of
// that name wrote. Every text says so at its beginning.
func SubAgentPolicy(name string) Policy {
	p := ToolPolicy()
	p.Threshold, p.Prefix = SubAgentThreshold, SubAgent(name)
	return p
}

// Notice is String as a [Notice].
func (s Saved) Notice() Notice { return Notice(s.String()) }

// In reports whether a text says where the full one is, or why it is nowhere. Ask it
// of a Saved that is not zero.
func (s Saved) In(text string) bool {
	where := s.Path
	if s.Err != nil {
		where = s.Err.Error()
	}
	return strings.Contains(text, where)
}
