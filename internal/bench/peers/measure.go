package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
)

// result is what a contender did in a scenario.
type result struct {
	absent string  // why it took no part, "" if it did
	ms     float64 // median
	peak   float64 // MiB
	bytes  int     // of the result
	failed bool    // the tool refuses the call
	finding
}

// row is a scenario with the results by contender.
type row struct {
	scenario
	results map[string]*result
}

// run runs one scenario: every contender in a process of its own, one call of each
// in turn, so that what else the machine does hits all alike.
func run(s scenario, w *world, list []*contender, rounds int, log io.Writer) (row, error) {
	r := row{s, map[string]*result{}}
	processes := map[string]*process{}
	defer func() {
		for _, p := range processes {
			p.close()
		}
	}()
	var taking []*contender
	for _, c := range list {
		if _, ok := s.calls[c.id]; !ok {
			why := s.absent[c.id]
			if why == "" {
				why = "has no such tool"
			}
			r.results[c.id] = &result{absent: why}
			continue
		}
		p, err := start(c, w.dir)
		if err != nil {
			return r, err
		}
		if c.rest == 0 {
			if c.rest, err = p.peak(); err != nil {
				return r, err
			}
		}
		processes[c.id], r.results[c.id] = p, &result{}
		taking = append(taking, c)
	}
	times := map[string][]float64{}
	for round := range rounds + 1 { // the first one is for warming up
		for i := range taking {
			c := taking[(i+round)%len(taking)]
			answer, err := once(processes[c.id], s, s.calls[c.id], w)
			if err != nil {
				return r, fmt.Errorf("%s, %s: %w", s.name, c.name, err)
			}
			r.results[c.id].bytes, r.results[c.id].failed = answer.Bytes, answer.Error
			if round > 0 {
				times[c.id] = append(times[c.id], float64(answer.Nanoseconds)/1e6)
			}
		}
	}
	for _, c := range taking {
		if err := judge(r.results[c.id], processes[c.id], c, s, w, times[c.id]); err != nil {
			return r, fmt.Errorf("%s, %s: %w", s.name, c.name, err)
		}
		fmt.Fprintf(log, "%-20s %-10s %s\n", s.name, c.id, r.results[c.id])
	}
	return r, nil
}

// once makes one call that is measured.
func once(p *process, s scenario, c call, w *world) (reply, error) {
	if s.before != nil {
		if err := s.before(); err != nil {
			return reply{}, err
		}
	}
	answer, err := p.call(c, false)
	sweep(w.dir)
	return answer, err
}

// judge takes the memory, and then asks for what was not shown.
func judge(r *result, p *process, c *contender, s scenario, w *world, times []float64) (err error) {
	slices.Sort(times)
	r.ms = times[len(times)/2]
	if r.peak, err = p.peak(); err != nil {
		return err
	}
	probe := &prober{p: p, who: c, dir: w.dir, first: s.calls[c.id], finding: finding{Bounded: true, Sound: true}}
	err = s.check(probe)
	r.finding = probe.finding
	if c.note != nil {
		if note := c.note(s.name); note != "" {
			r.Notes = append(r.Notes, note)
		}
	}
	sweep(w.dir)
	return err
}

// sweep removes the full outputs: those of a hundred calls would fill the disk.
func sweep(dir string) {
	for _, pattern := range []string{".clarvis/bash-*", "pi-bash-*"} {
		list, _ := filepath.Glob(filepath.Join(dir, pattern))
		for _, name := range list {
			os.Remove(name)
		}
	}
}

// refused says that the call was turned down and did nothing.
func (r *result) refused() bool { return r.failed && r.Rest == lost }

// good says that nothing of what is looked for was wrong.
func (r *result) good() bool {
	return r.absent == "" && r.Bounded && r.Sound && r.Rest != lost && r.Left != "left behind"
}

func (r *result) String() string {
	return fmt.Sprintf("%10.3f ms %7.1f MiB %s bounded=%v rest=%s told=%v sound=%v %s %q", r.ms, r.peak, size(r.bytes), r.Bounded, r.Rest, r.Told, r.Sound, r.Left, r.Notes)
}

// size prints bytes with three digits at most.
func size(n int) string {
	switch {
	case n < 1000:
		return fmt.Sprintf("%d B", n)
	case n < 1_000_000:
		return fmt.Sprintf("%.3g KB", float64(n)/1e3)
	default:
		return fmt.Sprintf("%.3g MB", float64(n)/1e6)
	}
}
