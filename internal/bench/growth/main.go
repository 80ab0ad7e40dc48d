// Command growth measures how grep and find grow with files, sizes, matches and calls at
// once, and writes the table of measured.md, beside this file, and the chart of docs/performance.md.
//
//	go -C internal/bench run ./growth
//
// It makes the files, 5 GB at most at a time, in the temporary directory and removes them.
// Every line is a process of its own; perf, where it may, counts its system calls.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/spillway-go/spillway/tools"
)

// point is a measurement.
type point struct {
	series, size string
	ms, cpu, mib float64 // of all calls; the most memory of the process
	calls        string  // system calls
}

// request is what a child does.
type request struct {
	Dir, Tool string
	Args      map[string]any
	AtOnce    int
	Cold      bool // forget what the system holds of the files
}

func main() {
	var err error
	switch {
	case len(os.Args) > 1 && os.Args[1] == "-redraw":
		err = redraw()
	case len(os.Args) > 1:
		err = child(os.Args[1])
	default:
		var points []point
		if points, err = all(); err == nil {
			err = write(points)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "growth:", err)
		os.Exit(1)
	}
}

// all measures every series.
func all() (points []point, err error) {
	top, err := os.MkdirTemp("", "spillway-growth-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(top)
	add := func(series, size string, r request) {
		p, failed := measure(r)
		if failed != nil && err == nil {
			err = fmt.Errorf("%s, %s: %w", series, size, failed)
		}
		p.series, p.size = series, size
		if r.Cold {
			p.calls = "–" // most were those of forget
		}
		points = append(points, p)
		fmt.Fprintf(os.Stderr, "%-32s %-12s %9.1f ms %9.1f ms of processors %6.1f MiB %s calls\n", series, size, p.ms, p.cpu, p.mib, p.calls)
	}
	for _, n := range []int{10_000, 100_000, 1_000_000} {
		dir := filepath.Join(top, "tree")
		if err := tree(dir, n); err != nil {
			return nil, err
		}
		size := fmt.Sprintf("%d files", n)
		none := map[string]any{"pattern": "qwertzuiopasdf"}
		add("grep, files", size, request{Dir: dir, Tool: "grep", Args: none})
		add("grep, files, cold", size, request{Dir: dir, Tool: "grep", Args: none, Cold: true})
		add("find, files", size, request{Dir: dir, Tool: "find", Args: none})
		if n == 10_000 {
			for _, k := range []int{1, 4, 16, 64} {
				add("grep, calls at once", fmt.Sprint(k), request{Dir: dir, Tool: "grep", Args: none, AtOnce: k})
			}
		}
	}
	if err := os.RemoveAll(filepath.Join(top, "tree")); err != nil {
		return nil, err
	}
	for _, f := range []struct {
		name string
		size int64
	}{{"1 KiB", 1 << 10}, {"64 KiB", 1 << 16}, {"4 MiB", 1 << 22}, {"256 MiB", 1 << 28}, {"4 GiB", 1 << 32}} {
		dir := filepath.Join(top, "file")
		if err := log(dir, f.size); err != nil {
			return nil, err
		}
		add("grep, a file", f.name, request{Dir: dir, Tool: "grep", Args: map[string]any{"pattern": "qwertzuiopasdf", "path": "app.log"}})
		os.RemoveAll(dir)
	}
	for _, n := range []int{1, 10, 100, 1000} {
		dir := filepath.Join(top, "matches")
		if err := matches(dir, n); err != nil {
			return nil, err
		}
		add("grep, matches a file", fmt.Sprintf("%d in each", n), request{Dir: dir, Tool: "grep", Args: map[string]any{"pattern": "match", "output_mode": "count", "limit": 1 << 30}})
		os.RemoveAll(dir)
	}
	return points, err
}

// tree makes files of 300 bytes, a hundred in each directory; those that exist stay.
func tree(dir string, n int) error {
	text := bytes.Repeat([]byte("an ordinary line of a program\n"), 10)
	for d := range n / 100 {
		at := filepath.Join(dir, fmt.Sprintf("part%d", d%100), fmt.Sprintf("sub%d", d))
		if _, err := os.Stat(at); err == nil {
			continue
		}
		if err := os.MkdirAll(at, 0o755); err != nil {
			return err
		}
		for f := range 100 {
			if err := os.WriteFile(filepath.Join(at, fmt.Sprintf("file%d.go", f)), text, 0o644); err != nil {
				return err
			}
		}
	}
	return nil
}

// log makes a file of so many bytes.
func log(dir string, size int64) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	f, err := os.Create(filepath.Join(dir, "app.log"))
	if err != nil {
		return err
	}
	defer f.Close()
	var block bytes.Buffer
	for i := 0; block.Len() < 16<<20; i++ {
		fmt.Fprintf(&block, "2026-11-20T12:%02d:%02d.%06dZ level=info path=/api/v1/items/%d status=200\n", i/60%60, i%60, i*7919%1000000, i*31)
	}
	for ; size > 0; size -= int64(block.Len()) {
		if _, err := f.Write(block.Bytes()[:min(size, int64(block.Len()))]); err != nil {
			return err
		}
	}
	return nil
}

// matches makes a thousand files of 2,000 lines, of which n match.
func matches(dir string, n int) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	var b bytes.Buffer
	for i := range 2000 {
		line := "an ordinary line of a program\n"
		if i*n/2000 != (i+1)*n/2000 {
			line = "a line with a match in it now\n"
		}
		b.WriteString(line)
	}
	for i := range 1000 {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("file%d.go", i)), b.Bytes(), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// measured is what a child prints.
type measured struct{ Ms, CPU, MiB float64 }

var entered = regexp.MustCompile(`([\d,.]+)\s+raw_syscalls:sys_enter`)

// measure runs a child.
func measure(r request) (p point, err error) {
	data, err := json.Marshal(r)
	if err != nil {
		return p, err
	}
	cmd := exec.Command(os.Args[0], string(data))
	p.calls = "–"
	if exec.Command("perf", "stat", "-e", "raw_syscalls:sys_enter", "true").Run() == nil {
		cmd = exec.Command("perf", "stat", "-e", "raw_syscalls:sys_enter", os.Args[0], string(data))
	}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return p, fmt.Errorf("%w: %s", err, stderr.Bytes())
	}
	if m := entered.FindStringSubmatch(stderr.String()); m != nil {
		p.calls = strings.NewReplacer(",", "", ".", "").Replace(m[1])
	}
	var got measured
	err = json.Unmarshal(out, &got)
	p.ms, p.cpu, p.mib = got.Ms, got.CPU, got.MiB
	return p, err
}

// child makes the calls that it is asked for.
func child(arg string) error {
	var r request
	if err := json.Unmarshal([]byte(arg), &r); err != nil {
		return err
	}
	s, err := tools.New(config.Config{Workspace: r.Dir, MaxFileBytes: 1 << 40})
	if err != nil {
		return err
	}
	defer s.Close()
	if r.Cold {
		if err := forget(r.Dir); err != nil {
			return err
		}
	}
	args, err := json.Marshal(r.Args)
	if err != nil {
		return err
	}
	errs := make([]error, max(1, r.AtOnce))
	used, start := processorTime(), time.Now()
	var calls sync.WaitGroup
	for i := range errs {
		calls.Go(func() {
			res, err := s.Call(context.Background(), r.Tool, args)
			if errs[i] = err; err == nil && res.IsError {
				errs[i] = fmt.Errorf("%s", res.Text)
			}
		})
	}
	calls.Wait()
	m := measured{Ms: time.Since(start).Seconds() * 1e3, CPU: (processorTime() - used).Seconds() * 1e3, MiB: peak()}
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return json.NewEncoder(os.Stdout).Encode(m)
}

// peak returns the most memory that this process held, in MiB; where the system does not
// tell, what Go obtained from it.
func peak() float64 {
	bytes := testkit.Peak()
	if bytes == 0 {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		bytes = int64(m.Sys)
	}
	return float64(bytes) / (1 << 20)
}
