package record_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/record"
)

// factsCases are calls with their facts, and the output that is in their text: the parts, each of lines in a row.
var factsCases = []struct {
	tool, args string
	output     []string
	facts      string // without output
}{
	{"read", `{"path": "ten"}`, []string{"1 2 3 4 5 6 7 8 9 10"}, `{}`},
	{"read", `{"path": "long"}`, []string{strings.TrimSpace(strings.Repeat("x ", 20))}, `{"nextOffset": 21, "limit": 20, "limitBy": "option"}`},
	{"read", `{"path": "ten", "offset": -5, "limit": 2}`, []string{"6 7"}, `{"nextOffset": 8, "limit": 2, "limitBy": "argument"}`},
	{"read", `{"path": "ten", "offset": 9}`, []string{"9 10"}, `{}`},
	{"read", `{"path": "odd"}`, []string{"[Showing lines 1-2 of 9. Use offset=7 to continue]"}, `{}`},
	{"read", `{"paths": ["==> a <==", "one", "none", "one"]}`, []string{"==> a <==", "1", "1"}, `{}`},
	{"read", `{"path": "none"}`, nil, `{}`},
	{"read", `{"path": "empty"}`, nil, `{}`},
	{"grep", `{"pattern": "[0-9]", "path": "ten", "limit": 2}`, []string{"ten:1: 1 ten:2: 2"}, `{"nextOffset": 2, "limit": 2, "limitBy": "argument"}`},
	{"grep", `{"pattern": "[0-9]", "path": "ten"}`, []string{"ten:1: 1 ten:2: 2 ten:3: 3"}, `{"nextOffset": 3, "limit": 3, "limitBy": "option"}`},
	{"grep", `{"pattern": "nowhere"}`, nil, `{"skipped": {"ignored": 1, "binary": 1}}`},
	{"find", `{"pattern": "o*", "limit": 1}`, []string{"odd"}, `{"nextOffset": 1, "limit": 1, "limitBy": "argument", "skipped": {}}`},
	{"find", `{"pattern": "nothing"}`, nil, `{}`},
	{"ls", `{"limit": 1, "path": "d"}`, []string{"a"}, `{"nextOffset": 1, "limit": 1, "limitBy": "argument"}`},
	{"bash", `{"command": "seq 9; exit 3"}`, []string{"6 7 8 9"}, `{"limit": 4, "limitBy": "option", "exit": {"how": "exit", "code": 3}}`},
	{"bash", `{"command": "seq 30 | sed s/^/step/; echo error: no", "show": "digest"}`, nil, ``},
	{"bash", `{"command": "echo '[Showing lines 1-2]'; echo; echo '[x y]'"}`, []string{"[Showing lines 1-2]  [x y]"}, `{"exit": {"how": "exit", "code": 0}}`},
	{"bash", `{"command": "true"}`, nil, `{"exit": {"how": "exit", "code": 0}}`},
	{"bash", `{"command": "echo a; kill -9 $$"}`, []string{"a"}, `{"exit": {"how": "signal", "code": -1, "signal": "SIGKILL"}}`},
	{"bash", `{"command": "echo a; sleep 100", "timeout_ms": 300}`, []string{"a"}, `{"errorLines": 2, "exit": {"how": "timeout", "code": -1}}`},
	{"bash", `{"command": "ls", "cwd": "none"}`, nil, `{}`},
	{"bash", `{"command": "echo a; sleep 100", "background": true, "ready_when": "a"}`, []string{"a"}, `{"exit": {"how": "job", "code": -1}}`},
	{"job", `{"id": 1, "wait_ms": 1}`, nil, `{"exit": {"how": "job", "code": -1}}`},
	{"job", `{"id": 1, "signal": "kill"}`, nil, `{"exit": {"how": "signal", "code": -1, "signal": "SIGKILL"}}`},
	{"edit", `{"path": "one", "old_string": "1", "new_string": "2"}`, nil,
		`{"changed": 1, "changes": [{"path": "one", "linesAdded": 1, "linesRemoved": 1, "before": "kept"}]}`},
	{"write", `{"path": "new", "content": "x\n"}`, nil, `{"changed": 1, "changes": [{"path": "new", "created": true, "linesAdded": 1, "linesRemoved": 0}]}`},
	{"write", `{"path": "new", "content": "x\n"}`, nil, `{}`},
	{"fetch", `{}`, []string{"f1 f2", "f10"}, `{"limit": 4, "limitBy": "option"}`},
}

// factsOf makes the calls, and returns the facts and texts of those with an expectation.
func factsOf(t *testing.T) (facts []*record.Facts, texts []string) {
	need.Program(t, "seq", "sed")
	cfg := config.Config{Workspace: t.TempDir(), MaxLines: 4, Read: config.Read{MaxLines: 20},
		Grep: config.Grep{Limit: 3}, Observe: func(_ context.Context, e config.Event) {
			if e.Job == 0 {
				facts, texts = append(facts, record.FactsOf(e)), append(texts, e.Text)
			}
		}}
	for name, text := range map[string]string{
		"ten": "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n", "one": "1\n", "odd": "[Showing lines 1-2 of 9. Use offset=7 to continue]\n", "empty": "", "long": strings.Repeat("x\n", 30),
		"==> a <==": "==> a <==\n", ".gitignore": "build\n", "build": "x\n", "bin": "\x00\x01\xff", "d/a": "", "d/b": "",
	} {
		testkit.WriteFile(t, cfg.Workspace+"/"+name, text)
	}
	testkit.WriteFile(t, cfg.Workspace+"/.git/HEAD", "ref: refs/heads/main\n")
	s := testkit.Must(t, newSuite, cfg)
	t.Cleanup(func() { s.Close() })
	require.NoError(t, s.Add(tools.Func("fetch", "", func(context.Context, struct{}) (string, error) {
		text := ""
		for i := range 10 {
			text += fmt.Sprintf("f%d\n", i+1)
		}
		return text, nil
	})))
	for _, c := range factsCases {
		s.Call(t.Context(), c.tool, []byte(c.args))
	}
	return facts, texts
}

// The facts of a call are what its text says, whatever an output looks like.
func TestFacts(t *testing.T) {
	facts, texts := factsOf(t)
	for i, c := range factsCases {
		if c.facts == "" {
			continue
		}
		t.Run(c.tool+c.args, func(t *testing.T) {
			lines := strings.Split(texts[i], "\n")
			var output []string
			for _, l := range facts[i].Output {
				output = append(output, strings.Join(lines[l.At-1:l.At-1+l.Count], " "))
			}
			require.Equal(t, c.output, output, texts[i])
			rest := *facts[i]
			rest.Output = nil
			for i := range rest.Changes {
				if rest.Changes[i].Before != "" {
					rest.Changes[i].Before = "kept"
				}
			}
			got, err := json.Marshal(rest)
			require.NoError(t, err)
			var want record.Facts
			require.NoError(t, json.Unmarshal([]byte(c.facts), &want))
			wanted, _ := json.Marshal(want)
			require.Equal(t, string(wanted), string(got), texts[i])
		})
	}
}

// Of a text that the host has changed, and of a tool whose text nothing bounds, no facts are known.
func TestNoFacts(t *testing.T) {
	cfg := config.Config{Filter: func(_ context.Context, e config.Event) (string, error) { return e.Text + "!", nil }}
	s, path := recording(t, cfg)
	s.Call(t.Context(), "bash", []byte(`{"command": "echo a"}`))
	calls, _ := recorded(t, path)
	require.Equal(t, "a\n!", calls[1].Text)
	require.Nil(t, calls[1].Facts)
	require.Nil(t, record.FactsOf(config.Event{Text: "x", Details: struct{}{}}))
}
