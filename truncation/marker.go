package truncation

import (
	"fmt"
	"math"
)

// defaultMarker returns the marker of a policy that sets none.
func defaultMarker(s Strategy, path string, err error) string {
	what := "{count} characters"
	switch s {
	case Head, Tail, MiddleLines, Digest, JSON:
		what = "{lines} of {total} lines"
	case HeadTailLines:
		what = "{total} lines, {reason}: showing the first {first} and the last {last}"
	}
	if s != HeadTailLines {
		what += " left out"
	}
	switch {
	case err != nil:
		what += ". Full output {path}"
	case path != "":
		what += ". Full output: {path}"
	}
	return "\n[... " + what + " ...]\n"
}

// limitName returns the name of a limit: "30KB limit", "2000 lines limit".
func limitName(by Reason, l Limits) string {
	switch by {
	case ByLines:
		return fmt.Sprintf("%d lines limit", max(int(l.Lines), 0))
	case ByChars:
		return fmt.Sprintf("%d characters limit", max(int(l.Chars), 0))
	case ByTokens:
		return fmt.Sprintf("%d tokens limit", max(int(l.Tokens), 0))
	}
	return formatSize(max(int(l.Bytes), 0)) + " limit"
}

// formatSize prints a number of bytes in units of 1024, as notices do: "512B", "30KB", "50.4KB".
func formatSize(n int) string {
	size, unit := float64(n), "B"
	for _, next := range []string{"KB", "MB", "GB", "TB"} {
		if size < 1023.95 { // more would print as 1024.0
			break
		}
		size, unit = size/1024, next
	}
	if size == math.Trunc(size) {
		return fmt.Sprintf("%.0f%s", size, unit)
	}
	return fmt.Sprintf("%.1f%s", size, unit)
}
