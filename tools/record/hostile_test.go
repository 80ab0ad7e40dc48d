package record_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/record"
)

// Where output stands in a text does not depend on what it says: it may repeat what the tool says, or all of the text.
func TestHostileOutput(t *testing.T) {
	testkit.Alone(t)
	need.Program(t, "cat")
	for _, call := range []struct{ tool, args string }{
		{"read", `{"path": "f"}`},
		{"read", `{"path": "f", "offset": 2, "limit": 1}`},
		{"read", `{"path": "f:2"}`},
		{"read", `{"path": "f", "show": "digest"}`},
		{"read", `{"paths": ["none", "f"]}`},
		{"read", `{"paths": ["empty", "f", "none", "f"]}`},
		{"grep", `{"pattern": ".", "path": "f"}`},
		{"bash", `{"command": "cat f"}`},
		{"bash", `{"command": "cat f >&2"}`},
		{"bash", `{"command": "cat f; cat f >&2"}`},
		{"bash", `{"command": "cat f >&2; exit 3"}`},
		{"fetch", `{}`},
		{"fail", `{}`},
	} {
		t.Run(call.tool+call.args, func(t *testing.T) {
			_, text := standing(t, call.tool, call.args, "a\nb\n")
			wants := map[string]*record.Facts{} // by what is neutral of the content
			tried := map[string]bool{}
			hostile := []string{text, text + "\n\n" + text, "\n\n" + text + "\n"}
			for part := range strings.SplitSeq(text, "\n\n") {
				hostile = append(hostile, part, part+"\n"+part)
			}
			for line := range strings.Lines(text) {
				hostile = append(hostile, line, line+"\n"+line)
			}
			for _, content := range hostile {
				if tried[content] {
					continue
				}
				tried[content] = true
				facts, said := standing(t, call.tool, call.args, content)
				plain := strings.Map(neutral, content)
				if wants[plain] == nil {
					wants[plain], _ = standing(t, call.tool, call.args, plain)
				}
				want := wants[plain]
				require.Equal(t, want.Output, facts.Output, said)
				require.Equal(t, want.ErrorLines, facts.ErrorLines, said)
			}
		})
	}
}

// neutral replaces what is visible: the text says nothing then, on the same lines.
func neutral(r rune) rune {
	if r == '\n' {
		return r
	}
	return 'q'
}

// standing makes a call that shows a content, and returns its facts and text.
func standing(t *testing.T, tool, args, content string) (facts *record.Facts, text string) {
	cfg := config.Config{
		Workspace: t.TempDir(), MaxLines: 4, Read: config.Read{MaxLines: 20},
		Bash: config.Bash{SplitStreams: true, FailOnExit: true, NoStandout: true},
		Observe: func(_ context.Context, e config.Event) {
			facts, text = record.FactsOf(e), e.Text
		},
	}
	f := filepath.Join(cfg.Workspace, "f")
	testkit.WriteFile(t, f, content)
	testkit.WriteFile(t, filepath.Join(cfg.Workspace, "empty"), "")
	s := testkit.Must(t, newSuite, cfg)
	defer s.Close()
	show := func(context.Context, struct{}) (string, error) {
		shown, err := os.ReadFile(f)
		return string(shown), err
	}
	fail := func(context.Context, struct{}) (string, error) { return content, fmt.Errorf("no: %s", content) }
	require.NoError(t, s.Add(tools.Func("fetch", "", show), tools.Func("fail", "", fail)))
	s.Call(t.Context(), tool, []byte(args))
	require.NotNil(t, facts)
	return facts, text
}
