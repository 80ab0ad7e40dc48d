package bench_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/all"
)

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
