package truncation

import (
	"fmt"
)

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
		return fmt.Sprintf("%d lines limit", max(int(l.Lines), 0))
	case ByChars:
		return fmt.Sprintf("%d characters limit", max(int(l.Chars), 0))
	case ByTokens:
		return fmt.Sprintf("%d tokens limit", max(int(l.Tokens), 0))
	}
	return FormatSize(int64(max(int(l.Bytes), 0))) + " limit"
}

// Saved says where a full output was saved, or why it was not. The zero value is for
// an output that nobody tried to save.
type Saved struct {
	Path string // as the text's reader can use it; "" if Err is set
	Err  error  // why there is no file
}
