package record_test

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/tools/record"
	"github.com/stretchr/testify/require"
)

// BenchmarkObserve shows what a record adds to every call.
func BenchmarkObserve(b *testing.B) {
	for _, bench := range []struct{ name, text string }{
		{name: "empty"},
		{"30KB", strings.Repeat("a line of a text that is as long as one may be\n", 30<<10/47)},
	} {
		b.Run(bench.name, func(b *testing.B) {
			rec, err := record.Open(filepath.Join(b.TempDir(), "record.jsonl"), config.Config{Workspace: b.TempDir()})
			require.NoError(b, err)
			defer rec.Close()
			b.ReportAllocs()
			for b.Loop() {
				rec.Observe(context.Background(), config.Event{Tool: "noop", Text: bench.text})
			}
		})
	}
}
