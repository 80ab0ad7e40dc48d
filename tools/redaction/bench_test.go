package redaction_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/redaction"
)

// BenchmarkRedact searches a log, and has a command print it: with many matches, and with many secrets in it.
func BenchmarkRedact(b *testing.B) {
	line := func(i int) string {
		return fmt.Sprintf("2026-11-23T10:%02d:%02d INFO request id=%016x GET /v1/items/%d 200 %dms\n", i/60%60, i%60, i*7919, i, i%900)
	}
	logs := map[string]func(i int) string{
		"plain": line,
		"secrets": func(i int) string {
			if i%50 == 0 {
				return fmt.Sprintf("token=ghp_16C7e42F292c6912E7710c838347%08d\n", i)
			}
			return line(i)
		},
	}
	for name, line := range logs {
		var text strings.Builder
		for i := range 100_000 {
			text.WriteString(line(i))
		}
		dir := b.TempDir()
		require.NoError(b, os.WriteFile(filepath.Join(dir, "app.log"), []byte(text.String()), 0o600))
		for _, mode := range []config.Redact{config.RedactOff, config.RedactSecrets} {
			s, err := tools.New(config.Config{Workspace: dir, Redact: mode, Grep: config.Grep{Limit: 100_000}}, redaction.Part())
			require.NoError(b, err)
			for _, call := range []struct{ name, tool, args string }{
				{"grep none", "grep", `{"pattern": "no such line"}`},
				{"grep many", "grep", `{"pattern": "INFO", "output_mode": "count"}`},
				{"grep lines", "grep", `{"pattern": "200 [0-9]+ms"}`},
				{"bash", "bash", `{"command": "cat app.log"}`},
			} {
				b.Run(fmt.Sprintf("%s/%s/%s", name, mode, call.name), func(b *testing.B) {
					b.SetBytes(int64(text.Len()))
					for b.Loop() {
						res, err := s.Call(b.Context(), call.tool, []byte(call.args))
						require.NoError(b, err)
						require.False(b, res.IsError, res.Text)
					}
				})
			}
			require.NoError(b, s.Close())
		}
	}
}
