package main

import (
	"archive/zip"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/stretchr/testify/require"
)

// The packages with the schemas that others publish.
const (
	bundleSchemas    = "@anthropic-ai/mcpb@2.1.2"
	inventorySchemas = "@cyclonedx/cyclonedx-library@10.3.0"
	registrySchemas  = "github.com/modelcontextprotocol/registry@v1.8.9"
)

// What a release says of itself fits the schemas of those who read it, and would not with a mistake in it.
func TestSchemas(t *testing.T) {
	dir := released(t)
	name := "spillway_v1.2.3_linux_" + runtime.GOARCH
	bundle, err := zip.OpenReader(filepath.Join(dir, name+".mcpb"))
	require.NoError(t, err)
	defer bundle.Close()
	unpacked := t.TempDir()
	unpackTar(t, uncompressed(t, read(t, filepath.Join(dir, name+".tar.gz"))), unpacked)
	inventory := npm(t, inventorySchemas)
	inside := filepath.Join("package", "res", "schema")
	tests := []struct {
		name, schema   string
		text           []byte
		right, mistake string
	}{
		{"the manifest of a bundle", filepath.Join(npm(t, bundleSchemas), "package/schemas/mcpb-manifest-v0.3.schema.json"),
			entry(t, bundle, "manifest.json"), `"binary"`, `"go"`},
		{"the inventory", filepath.Join(inventory, inside, "bom-1.6.SNAPSHOT.schema.json"),
			read(t, filepath.Join(unpacked, name, "sbom.cdx.json")), `"library"`, `"libary"`},
		{"the server for the registry", filepath.Join(module(t, registrySchemas), "internal/validators/schemas/2025-12-11.json"),
			read(t, filepath.Join(dir, "server.json")), `"stdio"`, `"pipe"`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			require.NoError(t, fits(t, test.schema, test.text))
			wrong := strings.Replace(string(test.text), test.right, test.mistake, 1)
			require.NotEqual(t, string(test.text), wrong, "the schema lets %s for %s pass", test.mistake, test.right)
			require.NotNil(t, fits(t, test.schema, []byte(wrong)), "the schema lets %s for %s pass", test.mistake, test.right)
		})
	}
}

// fits checks JSON against the schema in a file. Schemas that this refers to lie beside it.
func fits(t *testing.T, path string, text []byte) error {
	t.Helper()
	load := func(path string) (*jsonschema.Schema, error) {
		var s jsonschema.Schema
		return &s, json.Unmarshal(read(t, path), &s)
	}
	s, err := load(path)
	require.NoError(t, err)
	resolved, err := s.Resolve(&jsonschema.ResolveOptions{Loader: func(uri *url.URL) (*jsonschema.Schema, error) {
		return load(filepath.Join(filepath.Dir(path), filepath.Base(uri.Path)))
	}})
	require.NoError(t, err)
	var value any
	if err := json.Unmarshal(text, &value); err != nil {
		return err
	}
	return resolved.Validate(value)
}

// npm returns the directory with the content of a package.
func npm(t *testing.T, pkg string) string {
	t.Helper()
	dir := t.TempDir()
	cmd := exec.Command("npm", "pack", "--silent", "--ignore-scripts", pkg)
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		missing(t, pkg, err)
	}
	unpackTar(t, uncompressed(t, read(t, filepath.Join(dir, strings.TrimSpace(string(out))))), dir)
	return dir
}

// module returns the directory of a module.
func module(t *testing.T, version string) string {
	t.Helper()
	cmd := exec.Command("go", "mod", "download", "-json", version)
	cmd.Dir = t.TempDir() // in no module: it enters none
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=")
	out, err := cmd.Output()
	var is struct{ Dir, Error string }
	if err == nil {
		err = json.Unmarshal(out, &is)
	}
	if err != nil {
		missing(t, version, err)
	}
	return is.Dir
}

func missing(t *testing.T, what string, err error) {
	t.Helper()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		err = fmt.Errorf("%w: %s", err, exit.Stderr)
	}
	require.Empty(t, os.Getenv("NODE_TESTS"), "%s: %v", what, err)
	t.Skipf("%s: %v", what, err)
}

func entry(t *testing.T, archive *zip.ReadCloser, name string) []byte {
	t.Helper()
	f, err := archive.Open(name)
	require.NoError(t, err)
	defer f.Close()
	var text json.RawMessage
	require.NoError(t, json.NewDecoder(f).Decode(&text))
	return text
}
