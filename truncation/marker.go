package truncation

import (
	"fmt"

	"github.com/spillway-go/spillway/internal/size"
)

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

func limitName(by Reason, l Limits) string {
	switch by {
	case ByLines:
		return fmt.Sprintf("%d lines limit", max(int(l.Lines), 0))
	case ByChars:
		return fmt.Sprintf("%d characters limit", max(int(l.Chars), 0))
	case ByTokens:
		return fmt.Sprintf("%d tokens limit", max(int(l.Tokens), 0))
	}
	return size.Format(max(int64(l.Bytes), 0)) + " limit"
}
