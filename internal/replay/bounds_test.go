package replay

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

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

func TestParts(t *testing.T) {
	for _, test := range []struct {
		line                record.Line
		before, body, after string
	}{
		{record.Line{Text: "a\n\nb"}, "", "a\n\nb", ""},
		{record.Line{Text: "a\n\nCommand exited with code 2"}, "", "a", "Command exited with code 2"},
		{record.Line{Text: "a\n\nCommand exited with code 2\n\nb"}, "", "a\n\nCommand exited with code 2\n\nb", ""},
		{record.Line{Text: "a\nCommand exited with code 2"}, "", "a\nCommand exited with code 2", ""},
		{record.Line{Text: "timeout: x\n\na\n\nCommand was ended by signal SIGKILL", Code: "timeout"},
			"timeout: x\n\n", "a", "Command was ended by signal SIGKILL"},
		{record.Line{Text: "denied: no", Code: "denied"}, "denied: no", "", ""},
	} {
		before, body, after := parts(&test.line)
		require.Equal(t, []string{test.before, test.body, test.after}, []string{before, body, after}, test.line.Text)
	}
}

func TestOutputOf(t *testing.T) {
	for _, test := range []struct {
		body, said, output, nothing string
		ok                          bool
	}{
		{"a\n", "", "a\n", "", true},
		{"a\n\n[x]", "x", "a", "", true},
		{"a\n\n[x]", "", "a\n\n[x]", "", true},
		{"a\n\n[y. x]", "x", "", "", false},
		{"(no output)\n\n[x]", "x", "", "(no output)", true},
		{"(no new output)", "", "", "(no new output)", true},
	} {
		output, nothing, ok := outputOf(test.body, test.said)
		require.Equal(t, test.ok, ok)
		require.Equal(t, []string{test.output, test.nothing}, []string{output, nothing}, test.body)
	}
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
