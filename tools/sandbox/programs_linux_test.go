//go:build amd64 || arm64

package sandbox_test

import (
	"archive/tar"
	"archive/zip"
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto/sha1"
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/cgi"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/stretchr/testify/require"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/need"
)

// zipped returns a zip file with files, each a name and its content.
func zipped(t testing.TB, files ...string) string {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for i := 0; i < len(files); i += 2 {
		f, err := w.Create(files[i])
		require.NoError(t, err)
		_, err = io.WriteString(f, files[i+1])
		require.NoError(t, err)
	}
	require.NoError(t, w.Close())
	return b.String()
}

// files serves texts by their paths.
func files(texts map[string]string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		text, ok := texts[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		if strings.HasSuffix(r.URL.Path, "/") {
			w.Header().Set("Content-Type", "text/html")
		}
		_, _ = io.WriteString(w, text)
	})
}

// A project is built whose module cache is empty, through a module proxy that is the one host allowed.
func TestGoBuild(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it compiles the runtime")
	}
	need.Program(t, "go")
	onEngines(t, func(t *testing.T, engine config.Sandbox) {
		const mod, dir = "module dep.example/hello\n\ngo 1.21\n", "dep.example/hello@v1.2.3/"
		host := serve(t, files(map[string]string{
			"/dep.example/hello/@v/list":        "v1.2.3\n",
			"/dep.example/hello/@v/v1.2.3.info": `{"Version":"v1.2.3","Time":"2024-01-01T00:00:00Z"}`,
			"/dep.example/hello/@v/v1.2.3.mod":  mod,
			"/dep.example/hello/@v/v1.2.3.zip":  zipped(t, dir+"go.mod", mod, dir+"hello.go", "package hello\n\nconst Text = \"built\"\n"),
		}))
		ws := t.TempDir()
		for name, text := range map[string]string{
			"go.mod":  "module main.example\n\ngo 1.21\n\nrequire dep.example/hello v1.2.3\n",
			"main.go": "package main\n\nimport \"dep.example/hello\"\n\nfunc main() { println(hello.Text) }\n",
		} {
			require.NoError(t, os.WriteFile(filepath.Join(ws, name), []byte(text), 0o644))
		}
		bash := config.Bash{PrivateHosts: []string{host}, Env: []string{"GOPROXY=http://" + host, "GONOSUMDB=*", "GOFLAGS=-mod=mod", "GOTOOLCHAIN=local"}}
		s := newSuite(t, engine, config.Config{Workspace: ws, Bash: bash})
		res := run(t, s, "export GOMODCACHE=$TMPDIR/mod GOCACHE=$TMPDIR/build; go mod download && go build -o $TMPDIR/main . && $TMPDIR/main; go clean -modcache")
		require.Equal(t, 0, res.ExitCode, res.Text)
		require.Contains(t, res.Text, "built")
		uses := network(t, res)
		require.Len(t, uses, 1, "%v", uses)
		require.Positive(t, uses[host].Requests)

		res = run(t, s, "export GOMODCACHE=$TMPDIR/mod2 GOPROXY=https://proxy.golang.org; go mod download")
		require.Contains(t, res.Text, "[proxy.golang.org was refused (Bash.Hosts). Ask the user to allow it, or go on without")
		require.Contains(t, res.Text, "v1.2.3.mod\": proxy.golang.org was refused (Bash.Hosts)", "go says it, too")
	})
}

func TestGitClone(t *testing.T) {
	t.Parallel()
	need.Program(t, "git")
	out, err := exec.Command("git", "--exec-path").Output()
	require.NoError(t, err)
	backend := filepath.Join(strings.TrimSpace(string(out)), "git-http-backend")
	if _, err := os.Stat(backend); err != nil {
		t.Skip(err)
	}
	root := t.TempDir()
	for _, args := range [][]string{
		{"init", "-q", "-b", "main", "work"}, {"-C", "work", "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "--allow-empty", "-m", "cloned"},
		{"clone", "-q", "--bare", "work", "smart.git"}, {"clone", "-q", "--bare", "work", "dumb.git"}, {"-C", "dumb.git", "update-server-info"},
	} {
		testkit.Git(t, root, args...)
	}
	mux := http.NewServeMux()
	mux.Handle("/dumb.git/", http.FileServer(http.Dir(root)))
	mux.Handle("/smart.git/", &cgi.Handler{Path: backend, Env: []string{"GIT_PROJECT_ROOT=" + root, "GIT_HTTP_EXPORT_ALL=1"}})
	onEngines(t, func(t *testing.T, engine config.Sandbox) {
		host := serve(t, mux)
		s := newSuite(t, engine, config.Config{Bash: config.Bash{PrivateHosts: []string{host}}})
		for _, kind := range []string{"smart", "dumb"} {
			res := run(t, s, "git clone -q http://"+host+"/"+kind+".git && git -C "+kind+" log --format=%s")
			require.Contains(t, res.Text, "cloned\n")
		}
		res := run(t, s, "git clone http://evil.example/x.git")
		require.Contains(t, res.Text, "evil.example was refused (Bash.Hosts)")
	})
}

// ssh gets out by the ProxyCommand that git is told, whichever of the programs for it is installed.
func TestSSHThrough(t *testing.T) {
	testkit.Raced(t)
	l := testkit.Listen(t)
	testkit.Accept(l, func(c net.Conn) {
		line, _ := bufio.NewReader(c).ReadString('\n')
		fmt.Fprint(c, "heard ", line)
	})
	_, port, err := net.SplitHostPort(l.Addr().String())
	require.NoError(t, err)
	for _, name := range []string{"nc.openbsd", "ncat", "socat"} {
		t.Run(name, func(t *testing.T) {
			need.Program(t, name)
			bin := t.TempDir()
			for _, program := range []string{name, "bash", "sh", "sed"} {
				path, err := exec.LookPath(program)
				require.NoError(t, err)
				require.NoError(t, os.Symlink(path, filepath.Join(bin, strings.TrimSuffix(program, ".openbsd"))))
			}
			t.Setenv("PATH", bin)
			t.Setenv("GIT_SSH", "")
			t.Setenv("GIT_SSH_COMMAND", "")
			s := newSuite(t, config.SandboxLandlock, config.Config{Bash: config.Bash{PrivateHosts: []string{"host.spillway.internal:" + port}}})
			through := func(host, port string) string {
				return run(t, s, `through=$(sed "s/.*'\(.*\)'/\1/; s/%h/`+host+`/; s/%p/`+port+`/" <<<"$GIT_SSH_COMMAND"); echo "$through"; echo ping | sh -c "$through"`).Text
			}
			text := through("host.spillway.internal", port)
			require.Contains(t, text, name)
			require.Contains(t, text, "heard ping")
			require.Contains(t, through("evil.example", "22"), "[evil.example:22 was refused (Bash.Hosts)")
		})
	}
}

func TestPipDownload(t *testing.T) {
	t.Parallel()
	need.Program(t, "pip")
	if testing.Short() {
		t.Skip("pip is slow")
	}
	const info = "hello_pkg-1.0.dist-info/"
	wheel := zipped(t, "hello_pkg.py", "TEXT = 'hello'\n", info+"METADATA", "Metadata-Version: 2.1\nName: hello-pkg\nVersion: 1.0\n",
		info+"WHEEL", "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n", info+"RECORD", "")
	const name = "hello_pkg-1.0-py3-none-any.whl"
	onEngines(t, func(t *testing.T, engine config.Sandbox) {
		host := serve(t, files(map[string]string{
			"/simple/hello-pkg/": `<!DOCTYPE html><html><body><a href="/files/` + name + `">` + name + `</a></body></html>`, "/files/" + name: wheel,
		}))
		s := newSuite(t, engine, config.Config{Bash: config.Bash{PrivateHosts: []string{host}}})
		res := run(t, s, "pip download -q --disable-pip-version-check --no-cache-dir --no-deps --index-url http://"+host+
			"/simple --trusted-host host.spillway.internal -d out hello-pkg; ls out")
		require.Contains(t, res.Text, name, res.Text)
		require.EqualValues(t, 2, network(t, res)[host].Requests)
	})
}

func TestNpmInstall(t *testing.T) {
	t.Parallel()
	need.Program(t, "npm")
	if testing.Short() {
		t.Skip("npm is slow")
	}
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	w := tar.NewWriter(z)
	const manifest = `{"name":"hello-pkg","version":"1.0.0","main":"index.js"}`
	for name, text := range map[string]string{"package/package.json": manifest, "package/index.js": "module.exports = 'hello'\n"} {
		require.NoError(t, w.WriteHeader(&tar.Header{Name: name, Mode: 0o644, Size: int64(len(text))}))
		_, err := io.WriteString(w, text)
		require.NoError(t, err)
	}
	require.NoError(t, w.Close())
	require.NoError(t, z.Close())
	sum1, sum512 := sha1.Sum(b.Bytes()), sha512.Sum512(b.Bytes())
	onEngines(t, func(t *testing.T, engine config.Sandbox) {
		host := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			switch r.URL.Path {
			case "/hello-pkg":
				version := map[string]any{"name": "hello-pkg", "version": "1.0.0", "main": "index.js", "dist": map[string]any{
					"tarball": "http://" + r.Host + "/hello-pkg/-/hello-pkg-1.0.0.tgz", "shasum": hex.EncodeToString(sum1[:]),
					"integrity": "sha512-" + base64.StdEncoding.EncodeToString(sum512[:]),
				}}
				_ = json.NewEncoder(w).Encode(map[string]any{"name": "hello-pkg", "dist-tags": map[string]any{"latest": "1.0.0"}, "versions": map[string]any{"1.0.0": version}})
			case "/hello-pkg/-/hello-pkg-1.0.0.tgz":
				_, _ = w.Write(b.Bytes())
			default:
				http.NotFound(w, r)
			}
		}))
		s := newSuite(t, engine, config.Config{Bash: config.Bash{PrivateHosts: []string{host}}})
		res := run(t, s, "npm init -y >/dev/null; npm install --no-audit --no-fund --no-update-notifier --registry http://"+host+
			" hello-pkg && node -p 'require(\"hello-pkg\")'")
		require.Contains(t, res.Text, "hello\n", res.Text)
		require.EqualValues(t, 2, network(t, res)[host].Requests, "%v", network(t, res))
	})
}

func TestAptMethod(t *testing.T) {
	t.Parallel()
	const method = "/usr/lib/apt/methods/http"
	if _, err := os.Stat(method); err != nil {
		t.Skip(err)
	}
	onEngines(t, func(t *testing.T, engine config.Sandbox) {
		host := serve(t, files(map[string]string{"/Release": "released\n"}))
		s := newSuite(t, engine, config.Config{Bash: config.Bash{PrivateHosts: []string{host}}})
		res := run(t, s, `(printf '601 Configuration\nConfig-Item: APT::Sandbox::User=root\n\n600 URI Acquire\nURI: http://`+host+
			`/Release\nFilename: %s/out\n\n' "$PWD"; until [ -s out ]; do sleep 0.05; done) | `+method+`; cat out`)
		require.Contains(t, res.Text, "released\n", res.Text)
		require.Contains(t, res.Text, "201 URI Done")
	})
}

// A script in Python speaks with the proxy as the libraries for websockets do, and opens many connections.
func TestWebsocketsAndManyConnections(t *testing.T) {
	testkit.Raced(t)
	t.Parallel()
	need.Program(t, "python3")
	onEngines(t, func(t *testing.T, engine config.Sandbox) {
		host := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Upgrade") == "" {
				hello(w, r)
				return
			}
			c, buf, err := http.NewResponseController(w).Hijack()
			if err != nil {
				return
			}
			defer c.Close()
			fmt.Fprint(c, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n")
			_, _ = io.Copy(c, buf)
		}))
		s := newSuite(t, engine, config.Config{Bash: config.Bash{PrivateHosts: []string{host}}})
		res := run(t, s, testkit.Python()+` - `+host+` <<'E'
import os, socket, sys
host = sys.argv[1]
proxy = os.environ["http_proxy"].split("//")[1].split(":")
def connect():
    return socket.create_connection((proxy[0], int(proxy[1])))
def read(c, end):
    text = b""
    while not text.endswith(end):
        more = c.recv(4096)
        if not more: break
        text += more
    return text
for target, first in [("http://" + host, b""), ("", f"CONNECT {host} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())]:
    c = connect()
    if first:
        c.sendall(first)
        print(read(c, b"\r\n\r\n").split(b"\r\n")[0].decode())
    c.sendall(f"GET {target}/ HTTP/1.1\r\nHost: {host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n".encode())
    print(read(c, b"\r\n\r\n").split(b"\r\n")[0].decode())
    c.sendall(b"\x81\x04ping")
    print(read(c, b"ping")[2:].decode())
    c.close()
all = [connect() for _ in range(200)]
for c in all:
    c.sendall(f"GET http://{host}/ HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
print(sum(read(c, b"hello from " + host.encode() + b"\n").startswith(b"HTTP/1.1 200") for c in all), "of 200")
E`)
		require.Equal(t, "HTTP/1.1 101 Switching Protocols\nping\nHTTP/1.1 200 Connection established\nHTTP/1.1 101 Switching Protocols\nping\n200 of 200\n", res.Text)
	})
}
