package suitetest

import (
	"github.com/spillway-go/spillway/internal/notice"
)

// What follows are sentences that tests of several files expect in a text. Their words are those of internal/notice.

// Limited says that a list ended at its limit of matches, files, results or entries, and how to get all at once.
func Limited(limit int, one string) string { return limited(limit, one, false) }

// LimitedAgain is Limited for a list with an offset.
func LimitedAgain(limit int, one string) string { return limited(limit, one, true) }

func limited(limit int, one string, continued bool) string {
	many := map[string]string{"match": "matches", "file": "files", "result": "results", "entry": "entries"}[one]
	return string(notice.LimitReached{
		Limit: limit, One: one, Many: many, Refine: one != "entry", Continued: continued,
	}.Notice())
}

// Next says at which offset to continue a list.
func Next(offset int) string { return string(notice.Continue(offset, false)) }

// NextAlone is Next where a larger limit is suggested as well.
func NextAlone(offset int) string { return string(notice.Continue(offset, true)) }

// Exited says that a job has exited with a code.
func Exited(code int) string { return notice.JobState{Code: code}.String() }

// FullOutput says which file has all of an output. The path may be the beginning of one, or a pattern.
func FullOutput(path string) string { return string(notice.FullOutput(notice.Saved{Path: path})) }
