package docs_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spillway-go/spillway/internal/need"
)

// library are the packages that a program imports.
var library = []string{"config", "spill", "tools", "tools/record", "truncation"}

// linked are the modules that the library needs, and no more: the program's stay in examples.
var linked = []string{
	"github.com/bmatcuk/doublestar/v4", "github.com/creack/pty", "github.com/google/jsonschema-go",
	"golang.org/x/image", "golang.org/x/net", "golang.org/x/sys", "golang.org/x/text", "mvdan.cc/sh/v3",
}

// tested are the modules that `go mod tidy` downloads beside these, in a program that imports the library: the tests of
// the library, and the tests of what it imports, need them.
var tested = []string{
	"github.com/google/go-cmp", "github.com/rogpeppe/go-internal", "github.com/sabhiram/go-gitignore", "github.com/stretchr/testify",
	"go.yaml.in/yaml/v3", "golang.org/x/tools",
}

// The library imports what docs/design.md says, on every system: no SDK, and nothing of the program.
func TestImports(t *testing.T) {
	need.Build(t)
	for _, system := range []string{"linux", "darwin", "windows"} {
		args := []string{"list", "-deps", "-f", "{{with .Module}}{{.Path}} {{end}}{{.ImportPath}}"}
		for _, pkg := range library {
			args = append(args, "./"+pkg)
		}
		list := exec.Command("go", args...)
		list.Dir, list.Env = root, append(os.Environ(), "GOOS="+system, "GOARCH=amd64", "CGO_ENABLED=0", "GOWORK=off")
		out, err := list.Output()
		require.NoError(t, err)
		var modules []string
		for line := range strings.Lines(string(out)) {
			module, pkg, external := strings.Cut(strings.TrimSpace(line), " ")
			if external && module != modulePath {
				modules = append(modules, module)
			}
			require.False(t, strings.HasPrefix(pkg, modulePath+"/examples/"), "the library imports %s", pkg)
		}
		slices.Sort(modules)
		for _, module := range slices.Compact(modules) {
			require.Contains(t, linked, module, "for %s: it needs a row in docs/design.md", system)
		}
	}
}

// The recorder can be taken out by deleting its folder: tools does not need it.
func TestWithoutRecorder(t *testing.T) {
	need.Build(t)
	list := exec.Command("go", "list", "-deps", "-test", "./tools")
	list.Dir, list.Env = root, append(os.Environ(), "GOWORK=off")
	out, err := list.Output()
	require.NoError(t, err)
	require.NotContains(t, string(out), modulePath+"/tools/record")
}

// A program that imports the library downloads the modules of the library and of its tests, and none that only
// the program of this repository needs: the module graph is pruned.
func TestDownloads(t *testing.T) {
	need.Build(t)
	known, err := exec.Command("go", "env", "GOMODCACHE", "GOPROXY").Output()
	require.NoError(t, err)
	cache, proxy, _ := strings.Cut(strings.TrimSpace(string(known)), "\n")
	dir, empty := t.TempDir(), t.TempDir()
	const source = `package main

import (
	"fmt"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/tools"
)

func main() { fmt.Println(tools.New(config.Config{})) }
`
	require.NoError(t, os.WriteFile(filepath.Join(dir, "main.go"), []byte(source), 0o600))
	here, err := filepath.Abs(root)
	require.NoError(t, err)
	mod := fmt.Sprintf("module example.com/program\n\ngo 1.26.0\n\nrequire %[1]s v0.0.0\n\nreplace %[1]s => %[2]s\n", modulePath, here)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte(mod), 0o600))
	command := func(args ...string) {
		cmd := exec.Command("go", args...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOMODCACHE="+empty, "GOFLAGS=-modcacherw -trimpath", "GOWORK=off",
			"CGO_ENABLED=0", "GOSUMDB=off", "GOPROXY=file://"+filepath.ToSlash(cache)+"/cache/download,"+proxy)
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "go %v: %s", args, out)
	}
	command("mod", "tidy")
	command("build", "-o", filepath.Join(dir, "program"), ".")

	var downloaded []string
	for _, pattern := range []string{"*/*/@v", "*/*/*/@v", "*/*/*/*/@v"} { // as golang.org/x/sys
		found, err := filepath.Glob(filepath.Join(empty, "cache", "download", filepath.FromSlash(pattern), "*.zip"))
		require.NoError(t, err)
		for _, zip := range found {
			rel, err := filepath.Rel(filepath.Join(empty, "cache", "download"), filepath.Dir(filepath.Dir(zip)))
			require.NoError(t, err)
			downloaded = append(downloaded, filepath.ToSlash(rel))
		}
	}
	require.ElementsMatch(t, slices.Concat(linked, tested), downloaded)
	sums, err := os.ReadFile(filepath.Join(dir, "go.sum"))
	require.NoError(t, err)
	for line := range strings.Lines(string(sums)) {
		module, version, _ := strings.Cut(line, " ")
		if !strings.Contains(version, "/go.mod ") {
			require.Contains(t, downloaded, module)
		}
	}
	require.NotContains(t, string(sums), "modelcontextprotocol")
}
