package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What the image starts is what the Dockerfile says.
func TestDockerfile(t *testing.T) {
	text := string(read(t, "../Dockerfile"))
	got, err := readDockerfile(text)
	require.NoError(t, err)
	require.Equal(t, serverName, got.Labels["io.modelcontextprotocol.server.name"], "the label with the name for the registry: %v", got.Labels)
	require.Equal(t, fmt.Sprintf("%d:%[1]d", nobody), got.User, "the user is %s, but /workspace belongs to %d", got.User, nobody)
	got.Labels, got.Env = nil, got.Env[1:]
	want := started{
		User: "65532:65532", Env: []string{"SPILLWAY_TOOLS=read,grep,find,ls,write,edit"},
		Entrypoint: []string{"/spillway"}, Cmd: []string{"mcp"}, WorkingDir: "/workspace",
	}
	require.Equal(t, want, got)
	for line, why := range map[string]string{
		"RUN true": "RUN is not known", "CMD mcp": "invalid character", "ENV A=b": "invalid syntax",
	} {
		if _, err := readDockerfile(text + line + "\n"); err == nil || !strings.Contains(err.Error(), why) || !strings.Contains(err.Error(), line) {
			t.Errorf("%s: %v", line, err)
		}
	}
}

// The image, followed from its index to its layer, starts in a container: as the user of the Dockerfile, with nothing
// else around, the program serves MCP and changes files in /workspace.
func TestImage(t *testing.T) {
	dir := released(t)
	layout := t.TempDir()
	unpackTar(t, read(t, filepath.Join(dir, "spillway_v1.2.3_image.tar")), layout)
	var top, index, manifest list
	var config struct {
		OS, Architecture string
		Config           started
	}
	decode := func(d descriptor, into any) {
		t.Helper()
		data := read(t, blob(layout, d))
		if err := json.Unmarshal(data, into); err != nil || len(data) != d.Size {
			t.Fatalf("%s: %v, %d bytes", d.Digest, err, len(data))
		}
	}
	require.NoError(t, json.Unmarshal(read(t, filepath.Join(layout, "index.json")), &top))
	decode(top.Manifests[0], &index)
	decode(index.Manifests[0], &manifest)
	decode(*manifest.Config, &config)
	if got := *index.Manifests[0].Platform; got != (platform{runtime.GOARCH, "linux"}) || config.OS != "linux" || config.Architecture != runtime.GOARCH {
		t.Errorf("%+v, %+v", got, config)
	}
	bundle := t.TempDir()
	root := filepath.Join(bundle, "rootfs")
	unpackTar(t, uncompressed(t, read(t, blob(layout, manifest.Layers[0]))), root)
	if out := run(t, bundle, config.Config, "", "version"); !strings.HasPrefix(out, "spillway v1.2.3,") {
		t.Errorf("%q", out)
	}
	const calls = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"write","arguments":{"path":"made","content":"in a container"}}}
`
	require.Contains(t, run(t, bundle, config.Config, calls, config.Config.Cmd...), "Created made")
	require.Equal(t, "in a container", string(read(t, filepath.Join(root, "workspace/made"))))
}

func blob(layout string, d descriptor) string {
	return filepath.Join(layout, "blobs", strings.Replace(d.Digest, ":", "/", 1))
}

// run runs a command of an image in a container, and returns what it printed.
func run(t *testing.T, bundle string, config started, stdin string, command ...string) string {
	t.Helper()
	lacking := func(why any) {
		if os.Getenv("REMOTE_TESTS") == "required" {
			t.Fatal("no container can be started: ", why)
		}
		t.Skip("no container can be started: ", why)
	}
	if os.Getuid() != 0 {
		lacking("only root starts one")
	}
	os.Remove(filepath.Join(bundle, "config.json"))
	if out, err := exec.Command("runc", "spec", "--bundle", bundle).CombinedOutput(); err != nil {
		lacking(fmt.Sprintf("%v\n%s", err, out))
	}
	var spec map[string]any
	require.NoError(t, json.Unmarshal(read(t, filepath.Join(bundle, "config.json")), &spec))
	process := spec["process"].(map[string]any)
	process["terminal"], process["cwd"], process["env"] = false, config.WorkingDir, config.Env
	process["args"] = append(append([]string{}, config.Entrypoint...), command...)
	process["user"] = map[string]any{"uid": nobody, "gid": nobody}
	spec["root"] = map[string]any{"path": "rootfs", "readonly": false}
	text, err := json.Marshal(spec)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(bundle, "config.json"), text, 0o600))
	name := fmt.Sprintf("spillway-image-%d", os.Getpid())
	cmd := exec.Command("runc", "--root", filepath.Join(bundle, "state"), "run", "--bundle", bundle, name)
	cmd.Stdin = strings.NewReader(stdin)
	out, err := cmd.CombinedOutput()
	if err != nil && strings.Contains(string(out), "runc run failed") {
		lacking(string(out))
	}
	require.NoError(t, err, "%v\n%s", err, out)
	return string(out)
}

// What docker would copy from the first stage is what the layer of a release holds.
func TestUnpacked(t *testing.T) {
	released(t)
	if os.Getuid() != 0 {
		t.Skip("gives a directory to another user")
	}
	root := t.TempDir()
	require.NoError(t, unpacked("v1.2.3", root, []string{"linux/" + runtime.GOARCH}, new(strings.Builder)))
	for name, mode := range map[string]os.FileMode{
		"spillway": 0o755, "tmp": os.ModeDir | os.ModeSticky | 0o777, "workspace": os.ModeDir | 0o755,
		"licenses/LICENSES.txt": 0o644, "licenses/sbom.cdx.json": 0o644,
	} {
		info, err := os.Stat(filepath.Join(root, name))
		if err != nil || info.Mode() != mode {
			t.Errorf("%s: %v, %v", name, info, err)
		}
	}
	for _, platforms := range [][]string{{"linux/amd64", "linux/arm64"}, {"darwin/arm64"}} {
		assert.ErrorContains(t, unpacked("v1.2.3", root, platforms, nil), "an image is for one platform", "%q", platforms)
	}
}
