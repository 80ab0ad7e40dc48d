package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"
)

// A step is one check.
type step struct {
	name      string // "kind" or "kind:what", such as "race:tools"
	waits     bool   // it mostly waits, for processes or for time to pass
	tests     bool   // its output is that of Go tests, which are run once more if they fail
	onlyAsked bool   // it runs only when it is asked for by name
	nightly   bool   // it is one of those that "nightly" and "all" stand for, and not of those that run by default
	check     func(ctx context.Context, out *output, only string) error
}

// output holds what a step printed, and the processor time of its commands.
type output struct {
	bytes.Buffer
	spent time.Duration
}

// command runs a command in dir, with env added to the environment.
func (o *output) command(ctx context.Context, dir string, env []string, args ...string) error {
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	cmd.Stdout, cmd.Stderr = o, o
	cmd.WaitDelay = 10 * time.Second
	err := cmd.Run()
	if cmd.ProcessState != nil {
		o.spent += cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	}
	return err
}

// commands runs several, until one fails.
func (o *output) commands(ctx context.Context, dir string, all ...[]string) error {
	for _, args := range all {
		if err := o.command(ctx, dir, nil, args...); err != nil {
			return fmt.Errorf("%s: %w", strings.Join(args, " "), err)
		}
	}
	return nil
}

// ended is a step that has ended.
type ended struct {
	step
	out  *output
	took time.Duration
	err  error
}

// runSteps runs all steps, as many at a time as keep the processors busy: a step that computes takes
// two units of room, one that waits takes one. The first failure ends the run, but failed tests
// are run once more at the end, when nothing else runs.
func runSteps(ctx context.Context, w io.Writer, steps []step) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	room := 2*runtime.NumCPU() + 1
	results := make(chan ended)
	var repeats []ended
	var failure error
	for running, waiting := 0, slices.Clone(steps); running > 0 || len(waiting) > 0; {
		next := slices.IndexFunc(waiting, func(s step) bool { return s.units() <= room })
		if next >= 0 && failure == nil {
			s := waiting[next]
			waiting = slices.Delete(waiting, next, next+1)
			room -= s.units()
			running++
			go func() { results <- s.run(ctx, "") }()
			continue
		}
		if running == 0 {
			break // the rest is not started any more
		}
		done := <-results
		room += done.units()
		running--
		done.report(w)
		switch {
		case done.err == nil || failure != nil:
		case done.repeatable():
			repeats = append(repeats, done)
		default:
			failure = done.failure()
			cancel()
		}
	}
	if failure != nil {
		return failure
	}
	return runAgain(ctx, w, repeats)
}

func (s step) units() int {
	if s.waits {
		return 1
	}
	return 2
}

// run runs the step; only, if it is not "", is a pattern of the tests to run.
func (s step) run(ctx context.Context, only string) ended {
	began, out := time.Now(), &output{}
	err := s.check(ctx, out, only)
	return ended{s, out, time.Since(began), err}
}

// report prints what the step printed.
func (e ended) report(w io.Writer) {
	fmt.Fprintf(w, "== %s (%ds, %ds of processor time)\n", e.name, int(e.took.Seconds()), int(e.out.spent.Seconds()))
	for line := range bytes.Lines(e.out.Bytes()) {
		if string(line) != "PASS\n" {
			w.Write(line)
		}
	}
}

func (e ended) failure() error { return fmt.Errorf("failed: %s: %w", e.name, e.err) }

var (
	failedTest = regexp.MustCompile(`(?m)^--- FAIL: (\S+)`)
	// A failure of these kinds does not depend on chance, or must not be lost if it does.
	certain = regexp.MustCompile(`(?m)DATA RACE|^panic:|^fatal error:|\[(build|setup) failed\]|test timed out`)
)

// failed returns the names of the tests that failed.
func (e ended) failed() (names []string) {
	for _, match := range failedTest.FindAllStringSubmatch(e.out.String(), -1) {
		names = append(names, match[1])
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func (e ended) repeatable() bool {
	return e.tests && len(e.failed()) > 0 && !certain.Match(e.out.Bytes())
}

// once lists the tests that once passed only when they were run again.
const once = ".ci/again"

// runAgain runs the failed tests of steps once more. A test that passes now is listed, to be entered in the file once;
// one that stands there already, or that failed in another step too, fails the run.
func runAgain(ctx context.Context, w io.Writer, steps []ended) error {
	known, err := os.ReadFile(once)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	seen := strings.Fields(string(known))
	var first, second []string
	for _, s := range steps {
		names := s.failed()
		again := s.step.run(ctx, "^("+strings.Join(names, "|")+")$")
		again.name += ", again: " + strings.Join(names, " ")
		again.report(w)
		if again.err != nil {
			return again.failure()
		}
		for _, name := range names {
			if slices.Contains(seen, name) {
				second = append(second, name)
			} else {
				first, seen = append(first, name), append(seen, name)
			}
		}
	}
	if len(first) > 0 {
		fmt.Fprintf(w, "ci: passed only when run again: %s\n", strings.Join(first, " "))
		fmt.Fprintf(w, "ci: mend the cause, or enter them in %s\n", once)
	}
	if len(second) > 0 {
		return fmt.Errorf("mend what passed only when run again, not for the first time: %s", strings.Join(second, " "))
	}
	return nil
}
