package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A release has what it promises, and is the same twice. It is built for Linux on this processor alone: of the others the
// compiler decides.
func TestRelease(t *testing.T) {
	dir := released(t)
	second := t.TempDir()
	require.NoError(t, release("v1.2.3", second, []string{"linux/" + runtime.GOARCH}, io.Discard))
	name := "spillway_v1.2.3_linux_" + runtime.GOARCH
	files := []string{name + ".tar.gz", name + ".mcpb", "spillway_v1.2.3_image.tar", "server.json"}
	var sums strings.Builder
	for _, file := range files {
		data := read(t, filepath.Join(dir, file))
		assert.True(t, bytes.Equal(data, read(t, filepath.Join(second, file))), "the second %s is another", file)
		fmt.Fprintf(&sums, "%x  %s\n", sha256.Sum256(data), file)
	}
	require.Equal(t, sums.String(), string(read(t, filepath.Join(dir, "SHA256SUMS"))))

	to := t.TempDir()
	unpackTar(t, uncompressed(t, read(t, filepath.Join(dir, files[0]))), to)
	for file, from := range map[string]string{"LICENSE": "LICENSE", "README.md": "examples/spillway/README.md"} {
		assert.True(t, bytes.Equal(read(t, filepath.Join(to, name, file)), read(t, from)), "%s is another", file)
	}
	binary := filepath.Join(to, name, "spillway")
	if here, err := os.Getwd(); err != nil || bytes.Contains(read(t, binary), []byte(here)) {
		t.Errorf("the program names the directory %s (%v)", here, err)
	}
	if runtime.GOOS != "linux" {
		return
	}
	out, err := exec.Command(binary, "version").Output()
	if err != nil || !strings.HasPrefix(string(out), "spillway v1.2.3,") || !strings.HasSuffix(string(out), "linux/"+runtime.GOARCH+"\n") {
		t.Errorf("the program says %q, %v", out, err)
	}
}

// released builds a release for the tests, once. The current directory becomes that of the repository.
func released(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("links the program")
	}
	if runtime.GOOS == "windows" {
		t.Skip("needs file modes")
	}
	t.Chdir("../../..")
	dir, err := once()
	require.NoError(t, err)
	return dir
}

var once = sync.OnceValues(func() (dir string, err error) {
	if dir, err = os.MkdirTemp("", "release"); err != nil {
		return "", err
	}
	return dir, release("v1.2.3", dir, []string{"linux/" + runtime.GOARCH}, io.Discard)
})

func TestMain(m *testing.M) {
	code := m.Run()
	if !testing.Short() {
		if dir, err := once(); err == nil {
			os.RemoveAll(dir)
		}
	}
	os.Exit(code)
}

// The archive for Windows does not depend on when and where it is made.
func TestZip(t *testing.T) {
	files := []file{{name: "v1/spillway.exe", mode: 0o755, data: []byte("MZ")}, {name: "v1/LICENSE", mode: 0o644, data: []byte("MIT")}}
	written := time.Date(2026, 11, 22, 13, 56, 54, 0, time.UTC)
	var first, second bytes.Buffer
	for _, w := range []*bytes.Buffer{&first, &second} {
		require.NoError(t, zipped(w, files, written))
	}
	require.True(t, bytes.Equal(first.Bytes(), second.Bytes()), "the second archive is another")
	archive, err := zip.NewReader(bytes.NewReader(first.Bytes()), int64(first.Len()))
	if err != nil || len(archive.File) != 2 {
		t.Fatal(archive, err)
	}
	for i, f := range archive.File {
		if f.Name != files[i].name || int64(f.Mode().Perm()) != files[i].mode || !f.Modified.Equal(written) {
			t.Errorf("%s, %v, %v", f.Name, f.Mode(), f.Modified)
		}
	}
}

// Who builds a release hears of what makes it another than that of a commit.
func TestDoubts(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("needs git")
	}
	need.Build(t)
	source := t.TempDir()
	for up := source; up != filepath.Dir(up); {
		up = filepath.Dir(up)
		if _, err := os.Lstat(filepath.Join(up, ".git")); err == nil {
			t.Skip("the temporary directory lies in a repository, ", up)
		}
	}
	for name, text := range map[string]string{
		"LICENSE":                      "Permission is hereby granted, free of charge, to any person obtaining a copy\n",
		"examples/spillway/Dockerfile": "FROM scratch\nLABEL a=\"b\"\n", "examples/spillway/README.md": "# spillway\n", "go.mod": "module example.com/spillway\n\ngo 1.26\n",
		"examples/spillway/main.go": "package main\n\nvar release string\n\nfunc main() { print(release) }\n",
	} {
		testkit.WriteFile(t, filepath.Join(source, filepath.FromSlash(name)), text)
	}
	t.Chdir(source)
	git := func(args ...string) { testkit.Git(t, source, args...) }
	tests := []struct {
		name    string
		prepare func()
		doubt   string
	}{
		{"no clone", func() {}, "does not name its commit"},
		{"a commit", func() { git("init", "-q"); git("add", "-A", ":/"); git("commit", "-q", "-m", "first") }, ""},
		{"changes", func() {
			require.NoError(t, os.WriteFile("more.go", []byte("package main\n"), 0o600))
		}, "changes that are not committed"},
	}
	for _, test := range tests {
		test.prepare()
		var doubts strings.Builder
		require.NoError(t, release("v1.2.3", t.TempDir(), []string{runtime.GOOS + "/" + runtime.GOARCH}, &doubts))
		if test.doubt == "" && doubts.Len() > 0 || !strings.Contains(doubts.String(), test.doubt) {
			t.Errorf("%s: %q", test.name, doubts.String())
		}
	}
}

func TestVersionRefused(t *testing.T) {
	for _, version := range []string{"", "1.2.3", "v1.2", "v1.2.3 -X main.x=y", "latest"} {
		assert.ErrorContains(t, release(version, t.TempDir(), nil, io.Discard), "as v0.1.0", "%q", version)
	}
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	return data
}

func unpackTar(t *testing.T, data []byte, to string) {
	t.Helper()
	archive := tar.NewReader(bytes.NewReader(data))
	for {
		header, err := archive.Next()
		if err == io.EOF {
			return
		}
		if err != nil || header.Uname != "" {
			t.Fatal(header, err)
		}
		path := filepath.Join(to, filepath.FromSlash(header.Name))
		if header.Typeflag == tar.TypeDir {
			require.NoError(t, os.MkdirAll(path, header.FileInfo().Mode()))
			if os.Getuid() == 0 {
				require.NoError(t, os.Chown(path, header.Uid, header.Gid))
			}
			continue
		}
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		content, err := io.ReadAll(archive)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(path, content, header.FileInfo().Mode()))
	}
}

func uncompressed(t *testing.T, data []byte) []byte {
	t.Helper()
	unpacked, err := gzip.NewReader(bytes.NewReader(data))
	require.NoError(t, err)
	if data, err = io.ReadAll(unpacked); err != nil {
		t.Fatal(err)
	}
	return data
}
