package carrier

import (
	"slices"
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	tests := []struct {
		on, program string
		argv        []string // the script is {}
		dir         string
	}{
		{"ssh://host/src", "", []string{"ssh", "-a", "-x", "-T", "-o", "ClearAllForwardings=yes", "--", "host", "exec sh -c '{}'"}, "/src"},
		{"ssh://me@host:2222/~/src/a%20b", "ssh -J gate", []string{"ssh", "-J", "gate", "-a", "-x", "-T", "-o", "ClearAllForwardings=yes", "-l", "me", "-p", "2222", "--", "host", "exec sh -c '{}'"}, "src/a b"},
		{"ssh://host", "", []string{"ssh", "-a", "-x", "-T", "-o", "ClearAllForwardings=yes", "--", "host", "exec sh -c '{}'"}, "."},
		{"ssh://host/~", "", []string{"ssh", "-a", "-x", "-T", "-o", "ClearAllForwardings=yes", "--", "host", "exec sh -c '{}'"}, "."},
		{"ssh://host/~other/x", "", []string{"ssh", "-a", "-x", "-T", "-o", "ClearAllForwardings=yes", "--", "host", "exec sh -c '{}'"}, "/~other/x"},
		{"docker://web/app", "", []string{"docker", "exec", "-i", "web", "sh", "-c", "{}"}, "/app"},
		{"podman://web", "podman --remote", []string{"podman", "--remote", "exec", "-i", "web", "sh", "-c", "{}"}, "."},
		{"runc://web/app", "runc --root /r", []string{"runc", "--root", "/r", "exec", "web", "sh", "-c", "{}"}, "/app"},
		{"kubectl://team/web/app", "", []string{"kubectl", "exec", "-i", "--namespace", "team", "web", "--", "sh", "-c", "{}"}, "/app"},
		{"kubectl://team/web?container=main", "", []string{"kubectl", "exec", "-i", "--namespace", "team", "web", "--container=main", "--", "sh", "-c", "{}"}, "."},
		{"docker  exec -i web spillway mcp", "", []string{"docker", "exec", "-i", "web", "spillway", "mcp"}, ""},
		{"fetch -from http://host/", "", []string{"fetch", "-from", "http://host/"}, ""},
	}
	for _, test := range tests {
		at, err := parse(test.on, strings.Fields(test.program))
		for i, arg := range at.argv {
			at.argv[i] = strings.ReplaceAll(arg, script, "{}")
		}
		if err != nil || !slices.Equal(at.argv, test.argv) || at.dir != test.dir || at.bootstraps != (test.dir != "") {
			t.Errorf("%s: %q in %q, %v", test.on, at.argv, at.dir, err)
		}
	}
}

// Nothing that a place names becomes an option of a carrier, and no password is taken.
func TestParseRefuses(t *testing.T) {
	for on, why := range map[string]string{
		"": "nowhere", "  ": "nowhere", "ssh:///src": "a name is missing", "ssh://-oProxyCommand=x/src": "a name is missing",
		"ssh://me:secret@host/": "no password", "docker://-v/app": "a name is missing", "kubectl://team": "the name of a pod",
		"kubectl://team/-x/app": "the name of a pod", "telnet://host/": "only ssh", "ssh://host/a%0Ab": "line breaks", "ssh://ho st/": "invalid character",
	} {
		_, err := parse(on, nil)
		if err == nil || !strings.Contains(err.Error(), why) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: %v; want %q", on, err, why)
		}
	}
}

// The script is passed on by any login shell: one line, in single quotes.
func TestScriptIsPlain(t *testing.T) {
	if i := strings.IndexAny(script, "'\\!\n\r"); i >= 0 {
		t.Errorf("the script has %q", script[i])
	}
}
