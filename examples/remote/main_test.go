package main

import (
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/examples/remote/carrier"
)

// The program is built from source, and calls tools one after the other over one connection.
func TestRun(t *testing.T) {
	for _, name := range []string{"GOCACHE", "GOPATH"} { // which are in the home directory
		dir, err := exec.Command("go", "env", name).Output()
		if err != nil {
			t.Fatal(err)
		}
		t.Setenv(name, strings.TrimSpace(string(dir)))
	}
	for _, name := range []string{"XDG_CACHE_HOME", "LocalAppData", "HOME"} { // where build leaves the program
		t.Setenv(name, t.TempDir())
	}
	server, err := build("../spillway", runtime.GOOS, runtime.GOARCH)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	t.Chdir(t.TempDir())
	on := server + " mcp -workspace " + filepath.ToSlash(dir)
	tests := []struct {
		call      []string
		in, out   string
		succeeded bool
	}{
		{[]string{"ls"}, "", "(empty directory)\n", true},
		{nil, "write {\"path\": \"a.txt\", \"content\": \"one\\n\"}\n\nread {\"path\": \"a.txt\"}\n", "Created a.txt (1 line, 4B).\none\n", true},
		{[]string{"read", `{"path":`, `"b.txt"}`}, "", "not_found: b.txt does not exist", false},
		{nil, "read {\"path\": \"b.txt\"}\nls\n", "a.txt\n", false},
		{[]string{"no-such-tool"}, "", "invalid_input: there is no tool no-such-tool", false},
	}
	for _, test := range tests {
		var out strings.Builder
		succeeded, err := run(t.Context(), on, carrier.Options{}, test.call, strings.NewReader(test.in), &out)
		if err != nil || succeeded != test.succeeded || !strings.Contains(out.String(), test.out) {
			t.Errorf("%q %q: %v, %v, %q; want %q", test.call, test.in, succeeded, err, out.String(), test.out)
		}
	}
	if ok, err := run(t.Context(), "ssh:///", carrier.Options{}, nil, strings.NewReader(""), nil); ok || err == nil {
		t.Error("a place without a name is taken")
	}
	if _, err := build("no/such/dir", runtime.GOOS, runtime.GOARCH); err == nil {
		t.Error("a program is built of nothing")
	}
}
