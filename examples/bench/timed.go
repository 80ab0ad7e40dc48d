package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spillway-go/spillway/truncation"
)

// time takes the time of one call by all suites, and of the plain program that a case names beside it. They take turns,
// so that whatever else the machine does hits all alike.
func timeCase(ctx context.Context, c *benchCase, suites []*suite, o options) (results []*result, err error) {
	setup := &attempt{ctx: ctx, c: c, options: o, result: &result{}}
	if setup.world, err = newWorld(o.scratch, o.workspace, c); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, setup.world.remove()) }()
	var asked step
	plain := ""
	for _, s := range c.steps {
		switch {
		case s.verb == "beside":
			plain = setup.world.said(s.rest)
		case slices.Contains(roles, s.verb):
			asked = s
		default:
			if err := verbs[s.verb](setup, s.rest); err != nil {
				return nil, err
			}
		}
	}
	var racers []*racer
	defer func() {
		for _, r := range racers {
			err = errors.Join(err, r.session.close())
		}
	}()
	for _, s := range suites {
		r := &racer{attempt: &attempt{ctx: ctx, c: c, suite: s, world: setup.world, options: o,
			result: &result{Suite: s.Name, Case: c.Name, Status: passed}}}
		results = append(results, r.result)
		r.request, err = r.make(asked.verb, asked.rest)
		var lacks errLacks
		if errors.As(err, &lacks) {
			r.result.Status, r.result.Why = skipped, lacks.what
			err = r.session.close()
		} else if err == nil {
			racers = append(racers, r)
		}
		if err != nil {
			return nil, fmt.Errorf("%s, %s: %w", s.Name, c.Name, err)
		}
	}
	return results, race(racers, setup.world, plain, o.rounds)
}

// racer is a suite whose call is timed.
type racer struct {
	*attempt
	request request
	times   []time.Duration
}

// race has everybody make the call, round after round. The first round is for warming up.
func race(racers []*racer, w *world, plain string, rounds int) error {
	var beside []time.Duration
	for round := range rounds + 1 {
		took, err := w.run(plain)
		if err != nil {
			return fmt.Errorf("%s: %w", plain, err)
		}
		if round > 0 {
			beside = append(beside, took)
		}
		for i := range racers {
			r := racers[(i+round)%len(racers)]
			if r.result.Status == failed {
				continue
			}
			if err := r.once(round); err != nil {
				return err
			}
		}
	}
	for _, r := range racers {
		if r.result.Status == passed {
			r.result.MS, r.result.PlainMS, r.result.MiB = median(r.times), median(beside), r.session.peak()
		}
	}
	return nil
}

// once makes the call, and removes what the suite stored of its output: that of a hundred calls would fill the disk.
func (r *racer) once(round int) error {
	since, err := r.world.now()
	if err != nil {
		return err
	}
	answer := r.session.call(r.ctx, r.request.Tool, r.request.Args)
	switch {
	case answer.Silent:
		r.fail("there is no answer within %v, or the server ends", r.session.patience)
	case answer.Error:
		r.fail("the call is refused: %.200s", answer.Text)
	case round > 0:
		r.times = append(r.times, answer.Took)
	}
	r.result.Calls, r.result.Bytes, r.result.Tokens = 1, len(answer.Text), truncation.EstimateTokens(answer.Text)
	if r.request.role != "bash" {
		return nil
	}
	return filepath.WalkDir(r.world.root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return nil // it is gone
		}
		if info, err := d.Info(); err == nil && info.Size() > 1<<20 && info.ModTime().After(since) {
			return os.Remove(path)
		}
		return nil
	})
}

// run runs a command of a shell as a suite would, and reads what it prints.
func (w *world) run(command string) (time.Duration, error) {
	cmd := exec.Command("bash", "-c", command)
	cmd.Dir, cmd.Env = w.dir, w.environment()
	out, err := cmd.StdoutPipe()
	if err != nil {
		return 0, err
	}
	begin := time.Now()
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	_, err = io.Copy(io.Discard, out)
	return time.Since(begin), errors.Join(err, cmd.Wait())
}

// median is in milliseconds.
func median(times []time.Duration) float64 {
	if len(times) == 0 {
		return 0
	}
	slices.Sort(times)
	return float64(times[len(times)/2].Microseconds()) / 1000
}

// peak is the most memory that the server has had, in MiB, without the processes that it started; 0 if it is unknown.
func (s *session) peak() float64 {
	if s.process == nil {
		return 0
	}
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.process.cmd.Process.Pid))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	var kib float64
	if _, err := fmt.Sscan(rest, &kib); err != nil {
		return 0
	}
	return kib / 1024
}
