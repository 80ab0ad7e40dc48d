package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"time"
)

// run is what was measured: the cases, and what each suite did in them.
type run struct {
	Date     string
	System   string
	Programs string // with their versions
	Seed     int
	Rounds   int
	Suites   []*suite
	Cases    []*benchCase
	Results  []*result
}

// measure puts all suites to all cases.
func measure(ctx context.Context, cases []*benchCase, suites []*suite, o options, log io.Writer) (*run, error) {
	system := fmt.Sprintf("%d processors, %s/%s, %s", runtime.NumCPU(), runtime.GOOS, runtime.GOARCH, runtime.Version())
	r := &run{Date: time.Now().UTC().Format(time.DateOnly), System: system, Programs: programs(), Seed: seed, Rounds: o.rounds, Suites: suites, Cases: cases}
	for i, c := range cases {
		var list []*result
		var err error
		if c.family() == "speed" {
			list, err = timeCase(ctx, c, suites, o)
		} else {
			for _, s := range suites {
				var one *result
				if one, err = try(ctx, c, s, o); err != nil {
					break
				}
				list = append(list, one)
			}
		}
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(log, "%3d/%d %-36s", i+1, len(cases), c.Name)
		for _, one := range list {
			fmt.Fprintf(log, " %s", one.word())
		}
		fmt.Fprintln(log)
		r.Results = append(r.Results, list...)
	}
	return r, nil
}

// word is what came of a case, as short as can be.
func (r *result) word() string {
	switch {
	case r.Status == skipped:
		return "-"
	case r.Status == failed:
		return "FAIL"
	case r.MS > 0:
		return fmt.Sprintf("%.3gms", r.MS)
	case r.Needles > 0:
		return fmt.Sprintf("%d/%d", r.Shown, r.Needles)
	}
	return "ok"
}

// programs are those that suites and the plain commands run.
func programs() string {
	var list []string
	for _, name := range []string{"bash", "git", "rg", "fd", "sed", "node"} {
		out, err := exec.Command(name, "--version").Output()
		if err != nil {
			continue
		}
		line, _, _ := strings.Cut(string(out), "\n")
		for _, w := range strings.Fields(line) {
			if w = strings.TrimPrefix(w, "v"); w[0] >= '0' && w[0] <= '9' {
				list = append(list, name+" "+w)
				break
			}
		}
	}
	return strings.Join(list, ", ")
}

// result is what a suite did in a case; nil if it was not put to it.
func (r *run) result(suite, name string) *result {
	for _, one := range r.Results {
		if one.Suite == suite && one.Case == name {
			return one
		}
	}
	return nil
}

// of returns a suite's results in a family.
func (r *run) of(suite, family string) (list []*result) {
	for _, one := range r.Results {
		if one.Suite == suite && strings.HasPrefix(one.Case, family+"/") {
			list = append(list, one)
		}
	}
	return list
}

func readRun(file string) (*run, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var r run
	if err := json.Unmarshal(data, &r); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return &r, nil
}

// slim leaves out the calls of cases that were passed, and of others all but the last.
func (r *run) slim() *run {
	kept := *r
	kept.Results = nil
	for _, one := range r.Results {
		short := *one
		if n := len(one.Log); one.Status == passed {
			short.Log = nil
		} else if n > 0 {
			short.Log = one.Log[n-1:]
			short.Log[0].Text = shortened(short.Log[0].Text, 300)
		}
		kept.Results = append(kept.Results, &short)
	}
	return &kept
}

func (r *run) write(file string) error {
	data, err := jsonText(r)
	if err != nil {
		return err
	}
	return os.WriteFile(file, data, 0o644)
}

// onto puts the results into an earlier run's, in the place of those of the same suites and cases.
func (r *run) onto(before *run) *run {
	merged := *before
	merged.Date, merged.System, merged.Programs = r.Date, r.System, r.Programs
	for _, s := range r.Suites {
		merged.Suites = put(merged.Suites, s, func(other *suite) bool { return other.Name == s.Name })
	}
	for _, c := range r.Cases {
		merged.Cases = put(merged.Cases, c, func(other *benchCase) bool { return other.Name == c.Name })
	}
	for _, one := range r.Results {
		if old := merged.result(one.Suite, one.Case); old != nil {
			*old = *one
		} else {
			merged.Results = append(merged.Results, one)
		}
	}
	return &merged
}

// put puts one into a list, in the place of the first that it replaces, or at the end.
func put[T any](list []T, one T, replaces func(T) bool) []T {
	if at := slices.IndexFunc(list, replaces); at >= 0 {
		list[at] = one
		return list
	}
	return append(list, one)
}
