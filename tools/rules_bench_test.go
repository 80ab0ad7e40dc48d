package tools_test

import (
	"testing"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/all"
	"github.com/stretchr/testify/require"
)

// BenchmarkRules makes calls that rules refuse, and so shows what judging costs, with a look at the paths that the words
// of the command may be.
func BenchmarkRules(b *testing.B) {
	allow := []string{"bash(git status *)", "bash(git log *)", "bash(git diff *)", "bash(go test *)", "bash(tail *)"}
	for _, bench := range []struct {
		name string
		deny []string
	}{
		{"words", []string{"bash(git push *)"}},
		{"paths", []string{"bash(git push *)", "read(**/.env)", "read(~/.ssh/**)", "edit(.github/**)"}},
	} {
		b.Run(bench.name, func(b *testing.B) {
			s, err := tools.New(config.Config{Workspace: b.TempDir(), Rules: config.Rules{Allow: allow, Deny: bench.deny}}, all.Parts()...)
			require.NoError(b, err)
			defer s.Close()
			b.ReportAllocs()
			for b.Loop() {
				res, err := s.Call(b.Context(), "bash", []byte(`{"command": "go test ./... 2>&1 | tail -20; git push"}`))
				if err != nil || !res.IsError {
					b.Fatal(res.Text, err)
				}
			}
		})
	}
}
