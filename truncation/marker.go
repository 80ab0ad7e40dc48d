package truncation

import "fmt"

// SubAgent is the Prefix of a text that a sub-agent of that name wrote.
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
