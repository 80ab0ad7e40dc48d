// Package bench_test compares the tools with the programs that agents start for
// the same work: one call in this process against one whole run of the other.
// docs/performance.md says how to run it and what it measured.
package bench_test

import (
	"context"
	"encoding/json"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/all"
	"github.com/stretchr/testify/require"
)

// peer finds a program by one of its names.
func peer(b *testing.B, names ...string) string {
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	b.Skipf("%v is not installed", names)
	return ""
}

// goroot is Go's own source tree.
func goroot(b *testing.B) string {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		b.Skip(err)
	}
	return filepath.Join(strings.TrimSpace(string(out)), "src")
}

func suite(b *testing.B, dir string, change func(*config.Config)) *tools.Suite {
	cfg := config.Config{Workspace: dir}
	if change != nil {
		change(&cfg)
	}
	s, err := tools.New(cfg, all.Parts()...)
	need.Built(b, err)
	require.NoError(b, err)
	b.Cleanup(func() { s.Close() })
	return s
}

// compare runs ours and theirs in turn, and reports the median of the ratios of
// each pair: what else the machine does then hits both alike. cpu-ratio is that of their
// processor times, which other load affects least.
func compare(b *testing.B, ours, theirs func()) {
	ours()
	theirs()
	var ratios, mine, other []float64
	var used, theirUse time.Duration
	for b.Loop() {
		start := time.Now()
		self, _ := processors()
		ours()
		between := time.Now()
		after, programs := processors()
		theirs()
		end := time.Now()
		_, ended := processors()
		mine = append(mine, between.Sub(start).Seconds()*1e3)
		other = append(other, end.Sub(between).Seconds()*1e3)
		ratios = append(ratios, float64(between.Sub(start))/float64(end.Sub(between)))
		used, theirUse = used+after-self, theirUse+ended-programs
	}
	b.ReportMetric(float64(used)/max(1, float64(theirUse)), "cpu-ratio")
	b.ReportMetric(median(ratios), "ratio")
	b.ReportMetric(median(mine), "ours-ms")
	b.ReportMetric(median(other), "theirs-ms")
	b.ReportMetric(0, "ns/op") // of both together: says nothing
}

func median(list []float64) float64 {
	slices.Sort(list)
	return list[len(list)/2]
}

// call is a tool call as an agent makes it.
func call(b *testing.B, s *tools.Suite, tool string, args any) tools.Result {
	data, err := json.Marshal(args)
	require.NoError(b, err)
	res, err := s.Call(context.Background(), tool, data)
	require.NoError(b, err)
	require.False(b, res.IsError, res.Text)
	return res
}

// run runs a program to its end and discards what it prints.
func run(b *testing.B, dir, program string, args ...string) {
	cmd := exec.Command(program, args...)
	cmd.Dir = dir
	err := cmd.Run()
	if _, failed := err.(*exec.ExitError); err != nil && !failed {
		b.Fatal(err)
	}
}
