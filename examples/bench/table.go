package main

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"text/tabwriter"
)

// score is what a suite did in a family.
type score struct {
	passed, failed, skipped int
	needles, shown, reached int
	tokens, calls           int // the means of needles' first results, and of calls to reach all
	bytes, wasted           int
	ratio                   float64 // the geometric mean of times beside the plain programs'
}

func (r *run) score(suite, family string) (s score) {
	logs, timed := 0.0, 0
	for _, one := range r.of(suite, family) {
		switch one.Status {
		case passed:
			s.passed++
		case failed:
			s.failed++
		default:
			s.skipped++
			continue
		}
		s.needles, s.shown, s.reached = s.needles+one.Needles, s.shown+one.Shown, s.reached+one.Reached
		s.tokens, s.calls = s.tokens+one.Tokens, s.calls+one.Calls
		s.bytes, s.wasted = s.bytes+one.Bytes, s.wasted+one.Wasted
		if one.MS > 0 && one.PlainMS > 0 {
			logs, timed = logs+math.Log(one.MS/one.PlainMS), timed+1
		}
	}
	if n := s.passed + s.failed; n > 0 {
		s.tokens /= n
	}
	if timed > 0 {
		s.ratio = math.Exp(logs / float64(timed))
	}
	return s
}

// cell says in a table what a suite did in a family.
func (s score) cell(family string) string {
	all := s.passed + s.failed
	switch {
	case all == 0:
		return "–"
	case family == "needles":
		return fmt.Sprintf("%s shown in %d tokens, %s reached", percent(s.shown, s.needles), s.tokens, percent(s.reached, s.needles))
	case family == "tasks":
		return fmt.Sprintf("%d of %d, %d calls, %d bytes", s.passed, all, s.calls, s.bytes)
	case family == "speed":
		return fmt.Sprintf("%d of %d, %.2g times the plain program", s.passed, all, s.ratio)
	}
	return fmt.Sprintf("%d of %d", s.passed, all)
}

func percent(n, of int) string {
	if of == 0 {
		return "–"
	}
	return fmt.Sprintf("%.0f%%", 100*float64(n)/float64(of))
}

// table prints a row for each suite's family, and what failed.
func (r *run) table(out io.Writer) {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, family := range families {
		if !slices.ContainsFunc(r.Results, func(one *result) bool { return strings.HasPrefix(one.Case, family+"/") }) {
			continue
		}
		for _, s := range r.Suites {
			score := r.score(s.Name, family)
			skips := ""
			if score.skipped > 0 {
				skips = fmt.Sprintf("%d skipped", score.skipped)
			}
			fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", family, s.Name, score.cell(family), skips)
		}
	}
	w.Flush()
	for _, one := range r.Results {
		for _, why := range one.Failed {
			fmt.Fprintf(out, "%s, %s: %s\n", one.Suite, one.Case, why)
		}
	}
}

// against prints what differs from an earlier run, but for times that are within a fifth.
func (r *run) against(before *run, out io.Writer) (differences int) {
	for _, one := range r.Results {
		was := before.result(one.Suite, one.Case)
		var changed []string
		if was == nil {
			changed = append(changed, "is new: "+one.Status)
		} else {
			changed = one.changes(was)
		}
		if changed != nil {
			differences++
			fmt.Fprintf(out, "%s, %s: %s\n", one.Suite, one.Case, strings.Join(changed, "; "))
		}
	}
	return differences
}

func (r *result) changes(was *result) (list []string) {
	if r.Status != was.Status {
		list = append(list, was.Status+" is now "+r.Status)
	}
	for _, n := range []struct {
		name     string
		was, now int
	}{{"calls", was.Calls, r.Calls}, {"bytes", was.Bytes, r.Bytes}, {"needles shown", was.Shown, r.Shown},
		{"needles reached", was.Reached, r.Reached}} {
		if n.was != n.now && (r.MS == 0 || n.name == "calls") {
			list = append(list, fmt.Sprintf("%s %d, now %d", n.name, n.was, n.now))
		}
	}
	if r.MS > 0 && was.MS > 0 {
		ratio := r.MS / r.PlainMS / (was.MS / was.PlainMS)
		if ratio > 1.2 || ratio < 1/1.2 {
			list = append(list, fmt.Sprintf("%.2f times as long, measured by the plain program", ratio))
		}
	}
	return list
}
