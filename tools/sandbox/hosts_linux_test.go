//go:build amd64 || arm64

package sandbox_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/stretchr/testify/require"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/all"
)

func TestHosts(t *testing.T) {
	t.Parallel()
	need.Program(t, "curl")
	onEngines(t, func(t *testing.T, engine config.Sandbox) {
		host := serve(t, http.HandlerFunc(hello))
		other := serve(t, http.HandlerFunc(hello))
		s := newSuite(t, engine, config.Config{Bash: config.Bash{PrivateHosts: []string{host}}})
		res := run(t, s, "curl -sS http://"+host+"/; curl -sSx $ALL_PROXY http://"+host+"/")
		require.Equal(t, strings.Repeat("hello from "+host+"\n", 2), res.Text)
		require.EqualValues(t, 2, network(t, res)[host].Requests)
		require.Positive(t, network(t, res)[host].Received)

		res = run(t, s, "curl -sS http://"+other+"/; curl -sS https://evil.example/; curl -sS --socks5-hostname ${ALL_PROXY#*://} http://evil.example/")
		require.Contains(t, res.Text, other+" was refused (Bash.Hosts). Ask the user to allow it, or go on without\n", "the proxy's answer")
		require.Contains(t, res.Text, other+", evil.example were refused (Bash.Hosts). Ask the user to allow them, or go on without")
		require.EqualValues(t, 2, network(t, res)["evil.example"].Refused)
		require.Equal(t, "not on the list", network(t, res)["evil.example"].Reason)

		port := host[strings.LastIndex(host, ":"):]
		for _, command := range []string{
			"curl -sS --noproxy '*' -m 5 http://127.0.0.1" + port + "/", "curl -sS --noproxy '*' -m 5 http://1.1.1.1/",
			"curl -sS http://127.0.0.2" + port + "/", "curl -sS --noproxy '*' -m 5 http://" + host + "/", "curl -sS http://localhost.localdomain" + port + "/",
			"curl -sS http://169.254.169.254/latest/", "curl -sS http://metadata.google.internal/",
		} {
			require.NotContains(t, run(t, s, command).Text, "hello", command)
		}
	})
}

// What a host heard of a command in its last moment is in the record, though the host never answers.
func TestLastBytesAreCounted(t *testing.T) {
	t.Parallel()
	onEngines(t, func(t *testing.T, engine config.Sandbox) {
		l := testkit.Listen(t)
		heard := make(chan int64, 10)
		testkit.Accept(l, func(c net.Conn) {
			n, _ := io.Copy(io.Discard, c)
			c.Close()
			heard <- n
		})
		_, port, _ := net.SplitHostPort(l.Addr().String())
		host := "host.spillway.internal:" + port
		s := newSuite(t, engine, config.Config{Bash: config.Bash{PrivateHosts: []string{host}}})
		for range 10 {
			res := run(t, s, "p=${HTTP_PROXY##*:}; exec 3<>/dev/tcp/127.0.0.1/${p%/}; printf 'CONNECT "+host+
				" HTTP/1.1\\r\\n\\r\\n' >&3; read -r line <&3; read -r -n 2 end <&3; echo \"$line\"; head -c 100000 /dev/zero >&3")
			require.Contains(t, res.Text, "200 ")
			require.EqualValues(t, 1, network(t, res)[host].Requests)
			require.Equal(t, <-heard, network(t, res)[host].Sent)
		}
	})
}

// The loopback of a command is its own.
func TestOwnLoopback(t *testing.T) {
	t.Parallel()
	need.Program(t, "python3", "curl")
	onEngines(t, func(t *testing.T, engine config.Sandbox) {
		s := newSuite(t, engine, config.Config{Bash: config.Bash{Hosts: []string{"example.org"}}})
		res := run(t, s, testkit.Python()+` -m http.server 8000 --bind 127.0.0.1 >/dev/null 2>&1 & server=$!
for i in $(seq 100); do curl -sf http://localhost:8000/ >/dev/null && echo reached && break; sleep 0.1; done; kill $server`)
		require.Contains(t, res.Text, "reached")
		require.Empty(t, network(t, res))
	})
}

func TestHostsNeedASandbox(t *testing.T) {
	t.Parallel()
	for _, b := range []config.Bash{{Hosts: []string{"example.org"}}, {PrivateHosts: []string{"db.internal"}}} {
		_, err := tools.New(config.Config{Workspace: t.TempDir(), Bash: b}, all.Parts()...)
		var e *config.OptionError
		require.ErrorAs(t, err, &e)
		require.Equal(t, "Bash.Sandbox", e.Option)
		require.ErrorContains(t, err, "config: Bash.Sandbox is off, but must be auto, landlock or bwrap with Bash.Hosts")
	}
}

// What is not on the list is asked about, one question at a time.
func TestAskAboutHosts(t *testing.T) {
	testkit.Raced(t)
	t.Parallel()
	need.Part(t, "tools/permission")
	need.Program(t, "curl")
	onEngines(t, func(t *testing.T, engine config.Sandbox) {
		host, session := serve(t, http.HandlerFunc(hello)), serve(t, http.HandlerFunc(hello))
		var mu sync.Mutex
		var asked []string
		cfg := config.Config{Rules: config.Rules{Allow: []string{"bash"}}, Bash: config.Bash{PrivateHosts: []string{"unused.example"}}}
		cfg.Bash.Hosts = []string{"other.example"}
		cfg.Ask = func(ctx context.Context, call config.Call) (config.Answer, error) {
			mu.Lock()
			defer mu.Unlock()
			preview, err := call.Preview(ctx)
			asked = append(asked, fmt.Sprint(call.Tool, " ", call.Host, " ", call.Session, " ", call.Why, ": ", preview, err))
			switch call.Host {
			case "once.example:443":
				return config.Answer{Decision: config.DecisionOnce}, nil
			case "session.example:443":
				return config.Answer{Decision: config.DecisionSession}, nil
			case "fails.example:443":
				return config.Answer{Decision: config.DecisionSession}, errors.New("nobody is there")
			}
			return config.Answer{}, nil
		}
		_, _ = host, session
		s := newSuite(t, engine, cfg)
		for range 2 {
			for _, name := range []string{"once", "session", "no", "fails"} {
				run(t, s, "curl -sS https://"+name+".example/ https://"+name+".example:443/")
			}
		}
		require.Len(t, asked, 7, "%q", asked)
		require.Equal(t, "bash once.example:443 [once.example] the command wants to reach once.example, which Bash.Hosts does not name: "+
			"curl -sS https://once.example/ https://once.example:443/<nil>", asked[0])
	})
}

func TestJobsReachHosts(t *testing.T) {
	t.Parallel()
	need.Program(t, "curl")
	onEngines(t, func(t *testing.T, engine config.Sandbox) {
		host := serve(t, http.HandlerFunc(hello))
		var mu sync.Mutex
		var events []config.Event
		s := newSuite(t, engine, config.Config{
			Bash: config.Bash{PrivateHosts: []string{host}},
			Observe: func(_ context.Context, e config.Event) {
				mu.Lock()
				defer mu.Unlock()
				events = append(events, e)
			},
		})
		res, err := s.Bash(context.Background(), tools.BashParams{Background: true, ReadyWhen: "hello",
			Command: "curl -sS http://evil.example/; curl -sS http://" + host + "/; read x; curl -sS http://" + host + "/; echo done"})
		require.NoError(t, err)
		require.Contains(t, res.Text, "evil.example was refused (Bash.Hosts)")
		require.EqualValues(t, 1, network(t, res)[host].Requests)
		end, err := s.Job(context.Background(), tools.JobParams{ID: res.Job, Input: "\n", Until: "done"})
		require.NoError(t, err)
		require.Contains(t, end.Text, "hello from")
		require.NotContains(t, end.Text, "[evil.example was refused", "once is enough")
		require.EqualValues(t, 2, end.Network[1].Requests)
		require.NoError(t, s.Close())
		mu.Lock()
		defer mu.Unlock()
		ended := slices.IndexFunc(events, func(e config.Event) bool { return e.Job == res.Job && len(e.Network) == 2 })
		require.GreaterOrEqual(t, ended, 0, "the end of the job has the hosts")
	})
}

// What Bash.Env says counts last and in both cases, and what the host itself has in its environment does not.
func TestProxyVariables(t *testing.T) {
	t.Setenv("HTTPS_PROXY", "http://proxy.corp.example:3128")
	t.Setenv("npm_config_proxy", "http://proxy.corp.example:3128")
	onEngines(t, func(t *testing.T, engine config.Sandbox) {
		bash := config.Bash{Hosts: []string{"example.org"}, Env: []string{"NO_PROXY=own.example"}}
		res := run(t, newSuite(t, engine, config.Config{Bash: bash}), "env | grep -i proxy | sort")
		for _, line := range []string{
			"ALL_PROXY=socks5h://127.0.0.1:", "HTTPS_PROXY=http://127.0.0.1:", "HTTP_PROXY=http://127.0.0.1:", "NO_PROXY=own.example\n",
			"all_proxy=socks5h://127.0.0.1:", "https_proxy=http://127.0.0.1:", "http_proxy=http://127.0.0.1:",
			"npm_config_proxy=http://127.0.0.1:",
		} {
			require.Contains(t, res.Text, line)
		}
		require.NotContains(t, res.Text, "corp.example")
		require.NotContains(t, res.Text, "no_proxy=", "programs that prefer small letters see NO_PROXY")
		without := run(t, newSuite(t, engine, config.Config{}), "env | grep -c 127.0.0.1")
		require.Contains(t, without.Text, "0\n")
	})
}

// Nothing is left when a command has ended: no connection, and no question.
func TestNothingIsLeft(t *testing.T) {
	testkit.Raced(t)
	need.Program(t, "curl")
	onEngines(t, func(t *testing.T, engine config.Sandbox) {
		ended := make(chan struct{})
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		host := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(200)
			_ = http.NewResponseController(w).Flush()
			cancel()
			<-r.Context().Done()
			close(ended)
		}))
		s := newSuite(t, engine, config.Config{Bash: config.Bash{PrivateHosts: []string{host}}})
		_, err := s.Bash(ctx, tools.BashParams{Command: "curl -sN http://" + host + "/"})
		require.Error(t, err)
		<-ended
		before, err := os.ReadDir("/proc/self/fd")
		require.NoError(t, err)
		for range 20 {
			run(t, s, "true")
		}
		after, err := os.ReadDir("/proc/self/fd")
		require.NoError(t, err)
		require.Less(t, len(after), len(before)+10)
	})
}

// The description says what can be reached.
func TestDescribeHosts(t *testing.T) {
	t.Parallel()
	onEngines(t, func(t *testing.T, engine config.Sandbox) {
		s := newSuite(t, engine, config.Config{Bash: config.Bash{Hosts: []string{"example.org", "*.example.net:8443"}}})
		for _, tool := range s.Tools() {
			if tool.Name() == "bash" {
				require.Contains(t, tool.Description(), "and reach only example.org, *.example.net:8443, by a proxy that the environment names.")
			}
		}
	})
}
