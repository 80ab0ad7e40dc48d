package carrier_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/examples/remote/carrier"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/all"
)

// project makes a directory of 200 files.
func project(b *testing.B, dir string) {
	for i := range 200 {
		write(b, filepath.Join(dir, fmt.Sprintf("pkg%d", i%20), fmt.Sprintf("file%d.go", i)), strings.Repeat("package pkg // a line of some length\n", 50), 0o600)
	}
	write(b, filepath.Join(dir, "large.txt"), strings.Repeat(strings.Repeat("x", 99)+"\n", 1000), 0o600)
}

// here is this machine, without a carrier.
func here(b *testing.B) map[string]tools.Tool {
	suite, err := tools.New(config.Config{Workspace: b.TempDir()}, all.Parts()...)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { suite.Close() })
	project(b, suite.Workspace())
	named := map[string]tools.Tool{}
	for _, tool := range suite.Tools() {
		named[tool.Name()] = tool
	}
	return named
}

func stdio(t testing.TB) site {
	dir := t.TempDir()
	return site{on: binary + " mcp -workspace " + dir, dir: dir}
}

// A call of each tool, here and elsewhere.
func BenchmarkCall(b *testing.B) {
	calls := []struct{ tool, args string }{
		{"read", `{"path": "pkg3/file3.go"}`}, {"read large", `{"path": "large.txt"}`}, {"grep", `{"pattern": "nowhere"}`}, {"find", `{"pattern": "*.go"}`}, {"ls", `{}`},
		{"write", `{"path": "new.txt", "content": "one\n"}`}, {"bash", `{"command": "true"}`},
	}
	for _, place := range []string{"here", "stdio", "ssh", "runc"} {
		var remote map[string]tools.Tool
		if place == "here" {
			remote = here(b)
		} else {
			s := map[string]func(testing.TB) site{"stdio": stdio, "ssh": sshHost, "runc": container}[place](b)
			project(b, s.dir)
			remote = connect(b, s)
		}
		for _, c := range calls {
			b.Run(strings.ReplaceAll(c.tool, " ", "-")+"/"+place, func(b *testing.B) {
				tool, _, _ := strings.Cut(c.tool, " ")
				fastest := time.Hour // the others are about what else runs here
				for b.Loop() {
					began := time.Now()
					call(b, remote[tool], c.args)
					fastest = min(fastest, time.Since(began))
				}
				b.ReportMetric(float64(fastest.Microseconds()), "fastest-µs/op")
			})
		}
	}
}

// Fifty calls at once, beside a command that runs for all of the time.
func BenchmarkFiftyAtOnce(b *testing.B) {
	s := stdio(b)
	project(b, s.dir)
	remote := connect(b, s)
	go remote["bash"].Call(b.Context(), json.RawMessage(`{"command": "sleep 600"}`))
	fastest := time.Hour
	for b.Loop() {
		began := time.Now()
		var all sync.WaitGroup
		for i := range 50 {
			all.Go(func() {
				args := fmt.Sprintf(`{"path": "pkg%d/file%d.go"}`, i%20, i)
				if i%5 == 0 {
					args = `{"path": "large.txt"}`
				}
				if res, err := remote["read"].Call(b.Context(), json.RawMessage(args)); err != nil || res.IsError {
					b.Error(res, err)
				}
			})
		}
		all.Wait()
		fastest = min(fastest, time.Since(began))
	}
	b.ReportMetric(float64(fastest.Microseconds()), "fastest-µs/op")
}

// Two hundred servers, each with a connection and a call behind it: their memory.

func BenchmarkTwoHundred(b *testing.B) {
	const sessions = 200
	for b.Loop() {
		var pids []int
		for range sessions {
			s := stdio(b)
			remote, err := carrier.Connect(b.Context(), s.on, carrier.Options{})
			if err != nil {
				b.Fatal(err)
			}
			defer remote.Close()
			for _, tool := range remote.Tools {
				if tool.Name() == "bash" {
					pid, err := strconv.Atoi(strings.TrimSpace(call(b, tool, `{"command": "echo $PPID"}`)))
					if err != nil {
						b.Fatal(err)
					}
					pids = append(pids, pid)
				}
			}
		}
		private, resident := 0, 0
		for _, pid := range pids {
			rollup, err := os.ReadFile(fmt.Sprintf("/proc/%d/smaps_rollup", pid))
			if err != nil {
				b.Fatal(err)
			}
			for line := range bytes.Lines(rollup) {
				var name string
				var kb int
				fmt.Sscanf(string(line), "%s %d", &name, &kb)
				switch name {
				case "Rss:":
					resident += kb
				case "Private_Dirty:", "Private_Clean:":
					private += kb
				}
			}
		}
		b.ReportMetric(float64(private)/1024/sessions, "private-MB/session")
		b.ReportMetric(float64(resident)/1024/sessions, "resident-MB/session")
	}
}
