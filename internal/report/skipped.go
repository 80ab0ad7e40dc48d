package report

import "regexp"

// reasons are why a search left something out, as notices say it.
var reasons = []struct {
	name    string
	pattern *regexp.Regexp
}{
	{"ignored by git", regexp.MustCompile(`Skipped \d+ ignored entr`)},
	{"too large", regexp.MustCompile(`Skipped \d+ files? over `)},
	{"binary", regexp.MustCompile(`\d+ binary files?\b`)},
	{"unreadable", regexp.MustCompile(`\d+ unreadable entr`)},
	{"refused by rules", regexp.MustCompile(`Skipped \d+ files? that rules do not let`)},
	{"not UTF-8", regexp.MustCompile(`files? (?:is|are) not UTF-8`)},
}

// skipped marks a search that left something out. Of several reasons the first one counts.
func skipped(e *event) {
	if e.rec.Tool != "grep" && e.rec.Tool != "find" || e.notices == "" {
		return
	}
	for _, r := range reasons {
		if r.pattern.MatchString(e.notices) {
			e.mark(Mark{Kind: kindSkipped, How: r.name})
			return
		}
	}
}
