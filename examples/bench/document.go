package main

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spillway-go/spillway/internal/docs/chart"
	"github.com/spillway-go/spillway/internal/docs/section"
)

// Where the results are kept that the documents are made of, and where the documents are.
const (
	recorded  = "testdata/results.json"
	documents = "../.."
)

// document writes the sections of docs/bench.md and of README.md, and the page.
func (r *run) document(root string) error {
	manual := filepath.Join(root, "docs", "bench.md")
	return errors.Join(
		section.Write(manual, "suites", r.suites()),
		section.Write(manual, "speed", r.times()),
		section.Write(manual, "losses", r.losses()),
		section.Write(filepath.Join(root, "README.md"), "compared", r.compared()),
		r.writePage(filepath.Join(root, "examples", "bench", "results.html")))
}

// ours is the suite of this project.
const ours = "spillway"

func heading(b *strings.Builder, cells ...string) {
	fmt.Fprintf(b, "| %s |\n|%s\n", strings.Join(cells, " | "), strings.Repeat("---|", len(cells)))
}

// suites is the table of all suites, a column for each family.
func (r *run) suites() string {
	var b strings.Builder
	heading(&b, "suite", "needles: shown, tokens; reached", "paging", "edits", "ignores", "hostile", "processes", "tasks: done, KB")
	for _, s := range r.Suites {
		fmt.Fprintf(&b, "| %s %s", s.Name, s.release())
		for _, family := range families[:len(families)-1] {
			fmt.Fprintf(&b, " | %s", r.score(s.Name, family).words(family))
		}
		b.WriteString(" |\n")
	}
	fmt.Fprintf(&b, "\n%s, on %s, with %s; seed %d, %d rounds.\n", r.Date, r.System, r.Programs, r.Seed, r.Rounds)
	return b.String()
}

// release is a suite's version, but for what is made of this tree, which says nothing to a reader.
func (s *suite) release() string {
	if s.Name == ours || s.Name == "plain" {
		return "(this tree)"
	}
	return s.Version
}

// words is a score in a table of the manual.
func (s score) words(family string) string {
	all := s.passed + s.failed
	switch {
	case all == 0:
		return "–"
	case family == "needles":
		return fmt.Sprintf("%s, %s; %s", percent(s.shown, s.needles), chart.Thousands(s.tokens), percent(s.reached, s.needles))
	case family == "tasks":
		return fmt.Sprintf("%d/%d, %s", s.passed, all, chart.Thousands(s.bytes/1000))
	}
	return fmt.Sprintf("%d/%d", s.passed, all)
}

// times is the table of what is timed, for suites that have tools for more than half of it.
func (r *run) times() string {
	var b strings.Builder
	names := []string{"ms", "plain program"}
	var timed []*suite
	for _, s := range r.Suites {
		if score := r.score(s.Name, "speed"); score.passed+score.failed > score.skipped {
			timed, names = append(timed, s), append(names, s.Name)
		}
	}
	heading(&b, names...)
	for _, c := range r.Cases {
		if c.family() != "speed" {
			continue
		}
		beside := 0.0
		var cells []string
		for _, s := range timed {
			one := r.result(s.Name, c.Name)
			if one == nil || one.MS == 0 {
				cells = append(cells, "–")
				continue
			}
			beside = one.PlainMS
			cells = append(cells, chart.Digits(one.MS))
		}
		fmt.Fprintf(&b, "| %s | %s | %s |\n", c.Title, chart.Digits(beside), strings.Join(cells, " | "))
	}
	return b.String()
}

// losses says where this project's suite fails, and where another one is better, and by how much.
func (r *run) losses() string {
	var b strings.Builder
	for _, c := range r.Cases {
		if one := r.result(ours, c.Name); one != nil && one.Status == failed {
			fmt.Fprintf(&b, "- fails `%s`: %s\n", c.Name, c.Title)
		}
	}
	mine := r.score(ours, "needles")
	for _, s := range r.Suites {
		other := r.score(s.Name, "needles")
		if s.Name != ours && s.Name != "plain" && other.needles > 0 && other.shown*mine.needles > mine.shown*other.needles {
			fmt.Fprintf(&b, "- %s shows %s of the needles, in %.1f times Spillway's tokens\n", s.Name,
				percent(other.shown, other.needles), float64(other.tokens)/float64(mine.tokens))
		}
	}
	for _, c := range r.Cases {
		if first := r.first(c); c.family() == "speed" && first != nil && first.Suite != ours {
			if one := r.result(ours, c.Name); one != nil && one.MS > 0 {
				fmt.Fprintf(&b, "- %s: %s takes %s ms, Spillway %s\n", c.Title, first.Suite, chart.Digits(first.MS), chart.Digits(one.MS))
			}
		}
	}
	return b.String()
}

// first is the quickest result of a timed case that is bounded.
func (r *run) first(c *benchCase) (first *result) {
	for _, s := range r.Suites {
		one := r.result(s.Name, c.Name)
		if one != nil && one.MS > 0 && one.Bytes <= bounded && (first == nil || one.MS < first.MS) {
			first = one
		}
	}
	return first
}

// mostCompared is how many suites the README has; docs/bench.md has all.
const mostCompared = 5

// compared is the part of the README: suites as columns, in the order of what they pass.
func (r *run) compared() string {
	list := slices.Clone(r.Suites)
	slices.SortStableFunc(list, func(a, b *suite) int { return cmp.Compare(r.passes(b.Name), r.passes(a.Name)) })
	list = list[:min(len(list), mostCompared)]
	var b strings.Builder
	names := []string{""}
	for _, s := range list {
		names = append(names, s.Name)
	}
	heading(&b, names...)
	row := func(title string, cell func(suite string) string) {
		fmt.Fprintf(&b, "| %s", title)
		for _, s := range list {
			fmt.Fprintf(&b, " | %s", cell(s.Name))
		}
		b.WriteString(" |\n")
	}
	needles := func(say func(s score) string) func(string) string {
		return func(suite string) string {
			if s := r.score(suite, "needles"); s.needles > 0 {
				return say(s)
			}
			return "–"
		}
	}
	row("lines that say what failed, in tokens", needles(func(s score) string {
		return fmt.Sprintf("%s in %s", percent(s.shown, s.needles), chart.Thousands(s.tokens))
	}))
	for _, f := range []struct{ family, title string }{
		{"paging", "long results that can be had in full"}, {"edits", "edits, right to the byte"},
		{"hostile", "hostile files and outputs"}, {"processes", "nothing left running"},
	} {
		row(f.title, func(suite string) string { return r.score(suite, f.family).words(f.family) })
	}
	row("tasks done, and their KB", func(suite string) string { return r.score(suite, "tasks").words("tasks") })
	return b.String()
}

// passes is how many cases a suite passes, without those that are timed.
func (r *run) passes(suite string) (n int) {
	for _, one := range r.Results {
		if one.Suite == suite && one.Status == passed && !strings.HasPrefix(one.Case, "speed/") {
			n++
		}
	}
	return n
}
