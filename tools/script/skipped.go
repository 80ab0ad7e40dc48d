package script

import (
	"maps"

	"github.com/spillway-go/spillway/internal/notice"
)

// skippedWhat counts what a search left out, by reason. Zeros are not in it.
type skippedWhat map[string]int

func (s skippedWhat) add(reason string, n int) skippedWhat {
	if n > 0 {
		s[reason] += n
	}
	return s
}

// skips are what the searches of a script left out and the script has not looked at, by the ids of the calls.
type skips map[int]skippedWhat

// note notes what a result has of that.
func (s skips) note(id int, v any) {
	var what skippedWhat
	switch v := v.(type) {
	case grepValue:
		what = v.Skipped
	case findValue:
		what = v.Skipped
	case lsValue:
		what = v.Skipped
	}
	if len(what) > 0 {
		s[id] = maps.Clone(what)
	}
}

// Notice sums them up.
func (s skips) Notice() notice.Notice {
	all := skippedWhat{}
	for _, what := range s {
		for reason, n := range what {
			all[reason] += n
		}
	}
	return notice.SkippedBy(len(s), notice.Skipped{
		Ignored: all["ignored"], Hidden: all["hidden"], Refused: all["refused"], Large: all["large"],
		Binary: all["binary"], NotUTF8: all["notUTF8"], Unreadable: all["unreadable"],
	})
}
