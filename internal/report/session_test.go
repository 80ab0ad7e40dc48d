package report

import (
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

// What a report finds in the record of calls that tools answered, whatever words these have for it: [notice] runs this
// test with others.
func TestOfTools(t *testing.T) {
	need.Shell(t)
	need.Program(t, "seq")
	dir := t.TempDir()
	testkit.WriteFile(t, filepath.Join(dir, "long"), strings.Repeat("a line\n", 30))
	testkit.WriteFile(t, filepath.Join(dir, "other"), strings.Repeat("another\n", 30))
	testkit.WriteFile(t, filepath.Join(dir, "bin"), "\x00\x01\xff")
	file := filepath.Join(t.TempDir(), "session.jsonl")
	cfg := config.Config{Workspace: dir, Read: config.Read{MaxLines: 20}, Grep: config.Grep{Limit: 3}, Bash: config.Bash{MaxLines: 5}}
	rec, err := record.Open(file, cfg)
	require.NoError(t, err)
	cfg.Observe = rec.Observe
	s := testkit.Must(t, func(cfg config.Config) (*tools.Suite, error) { return tools.New(cfg) }, cfg)
	for _, c := range [][2]string{
		{"read", `{"path": "long"}`}, {"read", `{"path": "long", "offset": 21}`}, {"read", `{"path": "long", "offset": -8}`},
		{"read", `{"path": "other"}`}, {"read", `{"paths": ["none", "other"]}`},
		{"grep", `{"pattern": "line", "path": "long"}`}, {"grep", `{"pattern": "line", "path": "long", "offset": 3}`},
		{"grep", `{"pattern": "another", "path": "other"}`}, {"grep", `{"pattern": "another", "path": "other", "limit": 50}`},
		{"grep", `{"pattern": "nowhere"}`}, {"ls", `{"limit": 1}`},
		{"bash", `{"command": "seq 50"}`}, {"bash", `{"command": "sleep 0"}`},
		{"bash", `{"command": "echo up; sleep 100", "background": true, "ready_when": "up"}`},
		{"job", `{"id": 1, "wait_ms": 1}`}, {"job", `{}`}, {"job", `{"id": 1, "signal": "kill"}`},
	} {
		s.Call(t.Context(), c[0], []byte(c[1]))
	}
	require.NoError(t, s.Close())
	require.NoError(t, rec.Close())
	r := reported(t, "session.jsonl", record.Read(file))
	require.Equal(t, []string{
		"1 fetched next page 2", "3 seen long 2", "4 missed read", "5 seen other 4", "6 fetched next page 7", "7 missed grep",
		"8 fetched higher limit 9", "10 skipped binary", "11 missed ls", "12 missed bash", "13 poll a command that sleeps", "15 poll job",
	}, marks(r))
	require.Zero(t, r.Sums.Unknown)
}
