package rules_test

import (
	"bufio"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spillway-go/spillway/internal/commandline"
	"github.com/spillway-go/spillway/internal/rules"
)

// The tests' workspace and home directory. Nothing looks at them.
const (
	workspace = "/srv/repo"
	home      = "/home/user"
)

// TestCases judges the commands of testdata/*.txt. A line "rules: allow A; deny B" sets the rules for the lines that
// follow, "roots: A B" what is read-only for them, and "terminal: yes" that they run on one. "allow: C", "ask: C" and "deny: C" say what becomes of the command C, which is a Go string if it begins with
// a double quote. "# text" is a comment.
func TestCases(t *testing.T) {
	t.Setenv("HOME", home)
	files, err := filepath.Glob("testdata/*.txt")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) { runCases(t, file) })
	}
}

func runCases(t *testing.T, file string) {
	f, err := os.Open(file)
	require.NoError(t, err)
	defer f.Close()
	set, like := rules.New(nil, nil, nil), rules.Call{}
	lines := bufio.NewScanner(f)
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		at := fmt.Sprintf("%s:%d: %s", file, n, line)
		key, rest, ok := strings.Cut(line, ":")
		require.True(t, ok, at)
		rest = strings.TrimSpace(rest)
		if key == "rules" {
			set = parseRules(t, at, rest)
			continue
		}
		if key == "roots" {
			like.ReadOnly = strings.Fields(rest)
			continue
		}
		if key == "terminal" {
			like.Terminal = rest == "yes"
			continue
		}
		if strings.HasPrefix(rest, `"`) {
			rest, err = strconv.Unquote(rest)
			require.NoError(t, err, at)
		}
		call := bash(rest)
		call.ReadOnly, call.Terminal = like.ReadOnly, like.Terminal
		checkCase(t, at, set, key, call)
	}
	require.NoError(t, lines.Err())
}

// parseRules reads "allow bash(git log *); deny edit(secrets/**)".
func parseRules(t *testing.T, at, text string) *rules.Set {
	lists := map[string][]string{}
	for rule := range strings.SplitSeq(text, "; ") {
		if rule = strings.TrimSpace(rule); rule == "" {
			continue
		}
		list, rule, _ := strings.Cut(rule, " ")
		require.Contains(t, []string{"allow", "ask", "deny"}, list, at)
		if list == "allow" {
			require.NoError(t, rules.Check(rule), at)
		} else {
			require.NoError(t, rules.CheckStrict(rule), at)
		}
		lists[list] = append(lists[list], rule)
	}
	return rules.New(lists["allow"], lists["ask"], lists["deny"])
}

func checkCase(t *testing.T, at string, set *rules.Set, want string, call rules.Call) {
	got := set.Judge(call)
	if decisions[got.Decision] != want {
		t.Errorf("%s\n\tis judged as %s: %s", at, decisions[got.Decision], got.Why)
		return
	}
	if got.Decision == rules.Allowed {
		return
	}
	if got.Why == "" || len(got.Why) > 1000 || strings.ContainsAny(got.Why, "\n\x00\x1b") {
		t.Errorf("%s\n\tthe reason is not one line: %q", at, got.Why)
	}
	if len(got.Session) == 0 {
		return
	}
	for _, rule := range got.Session {
		require.NoError(t, rules.Check(rule), at)
	}
	if again := set.And(got.Session...).Judge(call); again.Decision != rules.Allowed {
		t.Errorf("%s\n\tthe rules %q do not allow it: %s", at, got.Session, again.Why)
	}
}

var decisions = map[rules.Decision]string{rules.Allowed: "allow", rules.Asked: "ask", rules.Denied: "deny"}

// bash is a call of the tool bash.
func bash(command string) rules.Call {
	line := commandline.Parse(command)
	return rules.Call{Tool: "bash", Line: &line, Place: place}
}

// place maps paths as the suite does, if there are no links.
func place(dir, name string) (string, bool) {
	full := absolute(absolute(workspace, dir), name)
	if rel, ok := strings.CutPrefix(full+"/", workspace+"/"); ok {
		return path.Clean(rel), true
	}
	return full, !strings.HasPrefix(full, "~")
}

func absolute(dir, name string) string {
	switch {
	case name == "~" || strings.HasPrefix(name, "~/"):
		return path.Join(home, name[1:])
	case strings.HasPrefix(name, "~"):
		return name
	case path.IsAbs(name):
		return path.Clean(name)
	}
	return path.Join(dir, name)
}
