package replay

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/exit"
	"github.com/spillway-go/spillway/internal/proc"
	"github.com/spillway-go/spillway/internal/report"
	"github.com/spillway-go/spillway/internal/spill"
	"github.com/spillway-go/spillway/tools/record"
)

// All full outputs together are bounded, too.
func TestReread(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, ".clarvis", "bash-k3x9q2mf.log")
	require.NoError(t, os.Mkdir(filepath.Dir(path), 0o700))
	require.NoError(t, os.WriteFile(path, []byte("1\n2\n"), 0o600))
	s := &session{workspace: dir, spills: spill.NewDirBelow(dir, ".clarvis")}
	p := &pass{ctx: t.Context(), reread: maxReread - 4}
	c := cutter{session: s, line: &record.Line{Full: path}}
	require.Empty(t, p.cutFile(&c))
	require.Equal(t, "1\n2\n", c.text)
	require.Equal(t, whyReread, p.cutFile(&c))
}

// What stands before the output is told from it by the facts, and how the command ended is said from them, too.
func TestParts(t *testing.T) {
	ended := func(how string, code int, signal string) *record.Exit {
		return &record.Exit{How: how, Code: code, Signal: signal}
	}
	failed := lastOf(2, "")
	for _, test := range []struct {
		text                 string
		at, count, failure   int
		tool                 string
		exit                 *record.Exit
		before, output, last string
	}{
		{"a\n\nb", 1, 3, 0, "bash", ended(record.EndedExit, 0, ""), "", "a\n\nb", ""},
		{"a\n\nb", 1, 1, 0, "bash", ended(record.EndedExit, 2, ""), "", "a", failed},
		{"a\n\nb", 1, 1, 0, "job", ended(record.EndedExit, 2, ""), "", "a", ""},
		{"a\n\n" + failed, 1, 3, 0, "bash", ended(record.EndedExit, 0, ""), "", "a\n\n" + failed, ""},
		{"timeout: x\n\na\n\nb", 3, 1, 2, "bash", ended(record.EndedSignal, -1, "SIGKILL"), "timeout: x\n\n", "a", lastOf(-1, "SIGKILL")},
		{"timeout: x\n\n[digest]\na\n[gap]\nb", 4, 3, 2, "bash", ended(record.EndedTimeout, -1, ""), "timeout: x\n\n", "a\n[gap]\nb", ""},
		{"timeout: x\n\na", 3, 1, 2, "bash", ended(record.EndedTimeout, -1, "SIGKILL"), "timeout: x\n\n", "a", ""},
		{"denied: no", 0, 0, 0, "bash", ended(record.EndedJob, -1, ""), "", "", ""},
	} {
		line := record.Line{Tool: test.tool, Text: test.text, Facts: &record.Facts{ErrorLines: test.failure, Output: []config.Lines{{At: test.at, Count: test.count}}, Exit: test.exit}}
		before, output := report.Output(&line)
		require.Equal(t, []string{test.before, test.output, test.last}, []string{before, output, lastLine(&line)}, test.text)
	}
}

// lastOf is the last line of a command that ended like that.
func lastOf(code int, signal string) string {
	return exit.LastLine(proc.Outcome{ExitCode: code, Signal: signal})
}

// What an older record does not say is not guessed: its commands stay as they were.
func TestWithoutFacts(t *testing.T) {
	p, s := &pass{ctx: t.Context()}, &session{workspace: t.TempDir()}
	line := &record.Line{Tool: "bash", Text: "a\n\n" + lastOf(2, ""), ProducedBytes: 2}
	_, why := p.command(s, line)
	require.Equal(t, whyFacts, why)
	line.Facts = &record.Facts{Output: []config.Lines{{At: 1, Count: 1}}, Exit: &record.Exit{How: record.EndedExit, Code: 2}}
	again, why := p.command(s, line)
	require.Empty(t, why)
	require.Equal(t, line.Text, again.Text)
	line.Facts.Output[0].Count = 3
	_, why = p.command(s, line)
	require.Equal(t, whyText, why, "there is more than was printed")
}

// A record that is another one the second time it is read is not compared with the first.
func TestRecordChanges(t *testing.T) {
	path := filepath.Join(t.TempDir(), "r")
	require.NoError(t, os.WriteFile(path, []byte(`{"kind":"call","session":"b"}`+"\n"), 0o600))
	r := &replayer{path: path, verdicts: []verdict{{session: "a", why: whyTool}}}
	for range r.changed(t.Context(), nil) {
		t.Fatal("a call of another session")
	}
	require.ErrorContains(t, r.failed, "changed while it was read. Copy it, and replay the copy")
}
