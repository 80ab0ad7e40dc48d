package report

// skipped marks a search that left something out. Of several reasons the first one counts: the one that is seldom meant.
func skipped(e *event) {
	if e.rec.Tool != "grep" && e.rec.Tool != "find" {
		return
	}
	s := e.facts.Skipped
	for _, r := range []struct {
		name  string
		count int
	}{
		{"unreadable", s.Unreadable}, {"refused by rules", s.Refused}, {"too large", s.Large}, {"not UTF-8", s.NotUTF8},
		{"binary", s.Binary}, {"hidden", s.Hidden}, {"ignored by git", s.Ignored},
	} {
		if r.count > 0 {
			e.mark(Mark{Kind: kindSkipped, How: r.name})
			return
		}
	}
}
