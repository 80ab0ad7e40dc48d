package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/spillway-go/spillway/tools"
)

// call is a call of a tool.
type call struct{ Tool, Args string }

// took is what calls took.
type took struct {
	First, Again float64 // milliseconds until all that were made at once had ended, for the first time and then
	Peak         float64 // MiB of resident memory
}

// helper makes calls at once, in a process of its own, and then once more.
func helper(list string) error {
	var calls []call
	if err := json.Unmarshal([]byte(list), &calls); err != nil {
		return err
	}
	s, err := tools.New(config.Config{
		Bash:  config.Bash{MaxCaptureBytes: 32 << 30},
		Spill: config.Spill{MaxTotalBytes: 64 << 30},
	})
	if err != nil {
		return err
	}
	defer s.Close()
	// A suite's first command starts what watches over all of them.
	if err := all(s, []call{{"bash", `{"command":":"}`}, {"ls", `{}`}}); err != nil {
		return err
	}
	var t took
	began := time.Now()
	if err := all(s, calls); err != nil {
		return err
	}
	t.First = time.Since(began).Seconds() * 1e3
	if os.Getenv(once) == "" {
		began = time.Now()
		if err := all(s, calls); err != nil {
			return err
		}
		t.Again = time.Since(began).Seconds() * 1e3
	}
	peak := testkit.Peak()
	if peak == 0 {
		return errors.New("no VmHWM in /proc/self/status")
	}
	t.Peak = float64(peak) / (1 << 20)
	return json.NewEncoder(os.Stdout).Encode(t)
}

// once is the variable by which a helper makes the calls once only.
const once = "SIZES_ONCE"

// all makes calls at once, and removes the files of what they printed.
func all(s *tools.Suite, calls []call) error {
	errs := make([]error, len(calls))
	var making sync.WaitGroup
	for i, c := range calls {
		making.Go(func() {
			res, err := s.Call(context.Background(), c.Tool, json.RawMessage(c.Args))
			if err == nil && res.IsError {
				err = fmt.Errorf("%s %s: %s", c.Tool, c.Args, res.Text)
			}
			if b, ok := res.Details.(tools.BashResult); ok && b.FullOutputPath != "" {
				os.Remove(b.FullOutputPath)
			}
			errs[i] = err
		})
	}
	making.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// run makes calls in that many processes, one after the other, and gives the medians.
func run(dir string, rounds int, calls []call) (took, error) {
	var first, again, peaks []float64
	for range rounds {
		cmd, err := command(dir, calls, "")
		if err != nil {
			return took{}, err
		}
		if rounds == 1 {
			cmd.Env = append(os.Environ(), once+"=1")
		}
		out, err := cmd.Output()
		if err != nil {
			return took{}, err
		}
		var t took
		if err := json.Unmarshal(out, &t); err != nil {
			return took{}, err
		}
		first, again, peaks = append(first, t.First), append(again, t.Again), append(peaks, t.Peak)
	}
	return took{median(first), median(again), median(peaks)}, nil
}

func command(dir string, calls []call, tracer string, options ...string) (*exec.Cmd, error) {
	list, err := json.Marshal(calls)
	if err != nil {
		return nil, err
	}
	own, err := os.Executable()
	if err != nil {
		return nil, err
	}
	args := append(options, own, "-calls", string(list))
	if tracer != "" {
		args = append([]string{tracer}, args...)
	}
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir, cmd.Stderr = dir, os.Stderr
	return cmd, nil
}

// trace is the number of system calls that calls make, in this program alone: those of the
// commands, and those by which Go's scheduler has threads wait for each other, are left out.
func trace(dir string, calls []call) (string, error) {
	strace, err := exec.LookPath("strace")
	if err != nil {
		return "–", nil
	}
	count := func(calls []call) (int, error) {
		log := filepath.Join(dir, "strace")
		defer os.Remove(log)
		cmd, err := command(dir, calls, strace, "-f", "-q", "-o", log, "-e", "trace=!futex,nanosleep,epoll_pwait,sched_yield,madvise,rt_sigprocmask,rt_sigreturn,rt_sigaction,sigaltstack,tgkill,getpid,gettid,rseq,set_robust_list")
		if err != nil {
			return 0, err
		}
		cmd.Env = append(os.Environ(), once+"=1")
		if _, err := cmd.Output(); err != nil {
			return 0, err
		}
		data, err := os.ReadFile(log)
		return own(string(data)), err
	}
	with, err := count(calls)
	if err != nil {
		return "", err
	}
	without, err := count(nil)
	return strconv.Itoa(max(with-without, 0)), err
}

// own counts the calls in a log of strace of all threads but those that became, or that
// started, another program.
func own(log string) int {
	counts, others, first := map[string]int{}, map[string]bool{}, ""
	for l := range strings.Lines(log) {
		pid, rest, _ := strings.Cut(l, " ")
		rest = strings.TrimLeft(rest, " ")
		if first == "" {
			first = pid
		}
		if strings.HasPrefix(rest, "execve(") && pid != first {
			others[pid] = true
		}
		if rest != "" && rest[0] >= 'a' && rest[0] <= 'z' {
			counts[pid]++
		}
	}
	sum := 0
	for pid, n := range counts {
		if !others[pid] {
			sum += n
		}
	}
	return sum
}
