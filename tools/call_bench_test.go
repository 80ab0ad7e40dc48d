package tools_test

import (
	"context"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/all"
	"github.com/stretchr/testify/require"
)

// BenchmarkCall makes a call that does next to nothing, and so shows what every call costs.
func BenchmarkCall(b *testing.B) {
	text := ""
	noop := tools.Func("noop", "", func(context.Context, struct{}) (string, error) { return text, nil })
	long := strings.Repeat("a line of a text that is as long as one may be\n", 30<<10/47)
	for _, bench := range []struct {
		name string
		cfg  config.Config
		id   string
		text string
	}{
		{name: "own id"},
		{name: "given id", id: "toolu_01"},
		{name: "30KB", text: long},
		{name: "observed", cfg: config.Config{Observe: func(context.Context, config.Event) {}}},
	} {
		b.Run(bench.name, func(b *testing.B) {
			text, bench.cfg.Workspace = bench.text, b.TempDir()
			s, err := tools.New(bench.cfg, all.Parts()...)
			need.Built(b, err)
			require.NoError(b, err)
			defer s.Close()
			require.NoError(b, s.Add(noop))
			ctx := b.Context()
			if bench.id != "" {
				ctx = tools.WithCallID(ctx, bench.id)
			}
			b.ReportAllocs()
			for b.Loop() {
				if _, err := s.Call(ctx, "noop", nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

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
			need.Built(b, err)
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
