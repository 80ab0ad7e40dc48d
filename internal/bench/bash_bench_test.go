package bench_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/all"
)

// BenchmarkEcho is the cost of a call: against starting bash for the same.
func BenchmarkEcho(b *testing.B) {
	bash, dir := peer(b, "bash"), b.TempDir()
	s := suite(b, dir, nil)
	compare(b,
		func() { call(b, s, "bash", tools.BashParams{Command: "echo hi"}) },
		func() {
			cmd := exec.Command(bash, "-c", "echo hi")
			cmd.Dir = dir
			if _, err := cmd.CombinedOutput(); err != nil {
				b.Fatal(err)
			}
		})
}

// BenchmarkEchoDash is the same with a shell that starts much faster: what is left is the call's.
func BenchmarkEchoDash(b *testing.B) {
	dash, dir := peer(b, "dash"), b.TempDir()
	s := suite(b, dir, func(c *config.Config) { c.Bash.Shell = dash })
	compare(b,
		func() { call(b, s, "bash", tools.BashParams{Command: "echo hi"}) },
		func() { run(b, dir, dash, "-c", "echo hi") })
}

// BenchmarkGigabyte runs commands that print 1 GiB, all of which is on disk at the
// end, against what a shell takes to put it there.
func BenchmarkGigabyte(b *testing.B) {
	bash := peer(b, "bash")
	log := filepath.Join(bigLog(b), "app.log")
	dir := inMemory(b)
	s := suite(b, dir, func(c *config.Config) { c.Bash.MaxCaptureBytes = 4 << 30; c.Spill.MaxTotalBytes = 8 << 30 })
	for name, command := range map[string]string{"cat": "cat " + log, "yes": "yes | head -c 1G"} {
		ours := func() {
			res := call(b, s, "bash", tools.BashParams{Command: command})
			os.Remove(filepath.Join(dir, res.Details.(tools.BashResult).FullOutputPath))
		}
		for shape, redirect := range map[string]string{"to-file": " > out", "tee": " | tee out | tail -n 2000"} {
			b.Run(name+"/"+shape, func(b *testing.B) {
				compare(b, ours, func() {
					run(b, dir, bash, "-c", command+redirect)
					os.Remove(filepath.Join(dir, "out"))
				})
			})
		}
	}
}

// BenchmarkDisk runs a command that prints 100 MB, which a disk has at the end, against one
// whose output goes to a file, of which the end is read.
func BenchmarkDisk(b *testing.B) {
	bash, dir := peer(b, "bash"), b.TempDir()
	s := suite(b, dir, nil)
	const command = "seq 1 12400000"
	compare(b,
		func() {
			res := call(b, s, "bash", tools.BashParams{Command: command})
			os.Remove(filepath.Join(dir, res.Details.(tools.BashResult).FullOutputPath))
		},
		func() {
			run(b, dir, bash, "-c", command+" > out; tail -n 2000 out")
			os.Remove(filepath.Join(dir, "out"))
		})
}

// inMemory is a directory in memory, if there is one: a disk that writes back what
// one program wrote while the other runs would be what is measured.
func inMemory(b *testing.B) string {
	dir, err := os.MkdirTemp("/dev/shm", "spillway-bench")
	if err != nil {
		return b.TempDir()
	}
	b.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

// BenchmarkSandbox is the cost of a call under each engine: against the same call without
// one, and of the engine bwrap against the program started for the same.
func BenchmarkSandbox(b *testing.B) {
	echo := tools.BashParams{Command: "echo hi"}
	for _, engine := range []string{"landlock", "bwrap"} {
		dir := b.TempDir()
		confined, err := tools.New(config.Config{Workspace: dir, Bash: config.Bash{Sandbox: config.Sandbox(engine)}}, all.Parts()...)
		need.Sandbox(b, err)
		b.Cleanup(func() { confined.Close() })
		ours := func() { call(b, confined, "bash", echo) }
		plain := suite(b, dir, nil)
		b.Run(engine+"/plain", func(b *testing.B) {
			compare(b, ours, func() { call(b, plain, "bash", echo) })
		})
		b.Run(engine+"/program", func(b *testing.B) {
			bwrap := peer(b, "bwrap")
			compare(b, ours, func() {
				cmd := exec.Command(bwrap, "--unshare-pid", "--unshare-net", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--bind", dir, dir, "bash", "-c", "echo hi")
				cmd.Dir = dir
				if out, err := cmd.CombinedOutput(); err != nil || string(out) != "hi\n" {
					b.Fatal(err, string(out))
				}
			})
		})
	}
}

// BenchmarkHosts is what Bash.Hosts costs: a call, against the same call in the same sandbox without a network, and a
// download of 1 GB through the proxy, against one in a sandbox that has the network of the host.
func BenchmarkHosts(b *testing.B) {
	const size = 1 << 30
	chunk := make([]byte, 1<<20)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", fmt.Sprint(size))
		for range size / len(chunk) {
			_, _ = w.Write(chunk)
		}
	}))
	b.Cleanup(server.Close)
	port := server.URL[strings.LastIndex(server.URL, ":"):]
	for _, engine := range []config.Sandbox{config.SandboxLandlock, config.SandboxBwrap} {
		open := func(bash config.Bash) *tools.Suite {
			bash.Sandbox = engine
			s, err := tools.New(config.Config{Workspace: b.TempDir(), Bash: bash}, all.Parts()...)
			need.Sandbox(b, err)
			b.Cleanup(func() { s.Close() })
			return s
		}
		named := open(config.Bash{PrivateHosts: []string{"host.spillway.internal" + port}})
		run := func(s *tools.Suite, command string) func() {
			return func() { call(b, s, "bash", tools.BashParams{Command: command}) }
		}
		b.Run(string(engine)+"/echo", func(b *testing.B) {
			compare(b, run(named, "echo hi"), run(open(config.Bash{}), "echo hi"))
		})
		const get = "curl -sSo /dev/null http://"
		b.Run(string(engine)+"/download", func(b *testing.B) {
			need.Program(b, "curl")
			compare(b, run(named, get+"host.spillway.internal"+port), run(open(config.Bash{Network: true}), get+"127.0.0.1"+port))
		})
		b.Run(string(engine)+"/download-socks", func(b *testing.B) {
			need.Program(b, "curl")
			compare(b, run(named, get+"host.spillway.internal"+port+" -x $ALL_PROXY"), run(open(config.Bash{Network: true}), get+"127.0.0.1"+port))
		})
	}
}
