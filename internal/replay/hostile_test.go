package replay_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/replay"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/spillway-go/spillway/tools/record"
	"github.com/spillway-go/spillway/truncation"
)

// forged is a record that somebody wrote.
type forged struct {
	lines []record.Line
}

func forge(dir string, options map[string]string) *forged {
	return &forged{[]record.Line{{Kind: "session", Version: 1, Session: "s", Workspace: dir, Options: options}}}
}

func (f *forged) call(c record.Line) *forged {
	c.Kind, c.Session, c.ShownBytes = "call", "s", len(c.Text)
	c.ID = fmt.Sprint(len(f.lines))
	f.lines = append(f.lines, c)
	return f
}

func (f *forged) write(t *testing.T) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "record")
	var text []byte
	for _, line := range f.lines {
		one, err := json.Marshal(line)
		require.NoError(t, err)
		text = append(append(text, one...), '\n')
	}
	require.NoError(t, os.WriteFile(path, text, 0o600))
	return path
}

const secret = "secret\nsecret\n"

// full is a call whose full output is said to be in a file, and is secret.
func full(path, shown string) record.Line {
	return record.Line{
		Tool: "bash", Args: json.RawMessage(`{"command": "touch ran"}`), Truncated: true, Full: path, ProducedBytes: len(secret),
		Text:  notice.Append("secret", notice.TailLines(truncation.Result{Truncated: true, TotalLines: 2, OutputLines: 1}, notice.Saved{Path: shown})),
		Facts: &record.Facts{Output: []config.Lines{{At: 1, Count: 1}}, Exit: &record.Exit{How: record.EndedExit}},
	}
}

var oneLine = map[string]string{"MaxLines": "1", "Bash.NoStandout": "true"}

// A full output is opened only where the suite of the workspace keeps such files.
func TestOnlyFullOutputsAreOpened(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	own, elsewhere := filepath.Join(dir, ".clarvis"), filepath.Join(outside, "bash-k3x9q2mf.log")
	for _, path := range []string{elsewhere, filepath.Join(own, "bash-k3x9q2mf.log"), filepath.Join(own, "secret.txt"),
		filepath.Join(own, "sub", "bash-k3x9q2mf.log"), filepath.Join(dir, "bash-k3x9q2mf.log")} {
		testkit.WriteFile(t, path, secret)
	}
	require.NoError(t, os.Chmod(own, 0o700))
	need.Symlink(t, elsewhere, filepath.Join(own, "bash-k3x9q2mg.log"))
	need.Symlink(t, outside, filepath.Join(dir, "linked"))

	good := filepath.Join(own, "bash-k3x9q2mf.log")
	c := run(t, forge(dir, oneLine).call(full(good, ".clarvis/bash-k3x9q2mf.log")).write(t), "MaxLines=2")
	require.Empty(t, c.Left)
	require.Equal(t, []int64{int64(len(secret)), 0}, []int64{c.Sum.Now.Bytes, int64(c.Sum.Now.Cut)}, "what is there is opened")

	const why = "the full output is not a file of the workspace's directory for them (-files opens it)"
	for path, want := range map[string]string{
		elsewhere:                                      why,
		"/etc/passwd":                                  why,
		good + "/../../bash-k3x9q2mf.log":              why,
		filepath.Join(own, "secret.txt"):               why,
		filepath.Join(own, "sub", "bash-k3x9q2mf.log"): why,
		own:                                     why,
		"relative":                              why,
		filepath.Join(own, "bash-k3x9q2mg.log"): "its full output cannot be opened: ",
		filepath.Join(own, "bash-k3x9q2mh.log"): "no file with the full output",
	} {
		c := run(t, forge(dir, oneLine).call(full(path, path)).write(t), "MaxLines=2")
		require.Len(t, c.Left, 1, path)
		require.Contains(t, c.Left[0].Why, want, path)
		require.Equal(t, c.Sum.Then, c.Sum.Now, path)
	}
	for _, spills := range []string{outside, "linked", "../" + filepath.Base(outside)} {
		path := elsewhere
		if spills == "linked" {
			path = filepath.Join(dir, "linked", "bash-k3x9q2mf.log")
		}
		record := forge(dir, map[string]string{"MaxLines": "1", "Bash.NoStandout": "true", "Spill.Dir": spills}).call(full(path, path)).write(t)
		require.Len(t, run(t, record).Left, 1, "a directory that the record names: %s", spills)
	}
	record := forge(dir, oneLine).call(full(elsewhere, elsewhere)).write(t)
	require.Empty(t, runWith(t, replay.Options{Files: true}, record).Left)
	require.NoFileExists(t, filepath.Join(dir, "ran"))
}

// What calls may read is what a suite of that workspace may, whatever options the record claims.
func TestOnlyTheWorkspaceIsRead(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	testkit.WriteFile(t, filepath.Join(outside, "a.txt"), "secret\n")
	testkit.WriteFile(t, filepath.Join(dir, "a.txt"), "public\n")
	path, err := json.Marshal(filepath.Join(outside, "a.txt"))
	require.NoError(t, err)
	read := func(options map[string]string) string {
		return forge(dir, options).
			call(record.Line{Tool: "read", Args: json.RawMessage(`{"path": ` + string(path) + `}`), Text: "secret\n"}).
			call(record.Line{Tool: "read", Args: json.RawMessage(`{"path": "a.txt"}`), Text: "public\n"}).write(t)
	}
	for _, options := range []map[string]string{
		nil, {"AllowOutsideWorkspace": "true"}, {"AllowedRoots": outside}, {"WritableRoots": outside}, {"Spill.Dir": outside},
		{"Spill.Dir": "../" + filepath.Base(outside)},
	} {
		c := run(t, read(options))
		require.Equal(t, []int{2, 1}, []int{c.Sum.Calls, c.Sum.Repeated}, "%v: %v", options, left(c))
	}
	c := runWith(t, replay.Options{Files: true}, read(map[string]string{"AllowedRoots": outside}))
	require.Equal(t, 2, c.Sum.Repeated)
}

// Records that cannot be are named, not followed.
func TestHostileRecords(t *testing.T) {
	dir := t.TempDir()
	testkit.WriteFile(t, filepath.Join(dir, "a.txt"), "public\n")
	read := record.Line{Tool: "read", Args: json.RawMessage(`{"path": "a.txt"}`), Text: "public\n"}
	for name, test := range map[string]struct {
		record *forged
		why    string
	}{
		"options":     {forge(dir, map[string]string{"MaxLines": "many"}), `its suite cannot be built again: config: the record: MaxLines is "many"`},
		"floor":       {forge(dir, map[string]string{"MaxBytes": "1"}), "its suite cannot be built again: config: the record: MaxBytes is 1"},
		"limit":       {forge(dir, map[string]string{"Read.MaxBytes": "1GB"}), "its suite cannot be built again: a limit allows results of more than 16MB"},
		"workspace":   {forge("a", nil), "its suite cannot be built again: the record names no workspace"},
		"a file":      {forge(filepath.Join(dir, "a.txt"), nil), "its suite cannot be built again: "},
		"no session":  {&forged{}, "the options that were in force are not in the record"},
		"no read":     {forge(dir, map[string]string{"Tools": "grep"}), "another text today"},
		"other tools": {forge(dir, map[string]string{"Tools": "rm, write"}), "another text today"},
	} {
		c := run(t, test.record.call(read).write(t))
		require.Len(t, c.Left, 1, name)
		require.Contains(t, c.Left[0].Why, test.why, name)
	}
	long := read
	long.Text = "public"
	f := forge(dir, nil).call(long)
	f.lines[1].ShownBytes++
	require.Contains(t, run(t, f.write(t)).Left[0].Why, "recorded in part")

	f = forge(dir, nil)
	for range 150 {
		f.lines = append(f.lines, f.lines[0])
		f.lines[len(f.lines)-1].Session = fmt.Sprint(len(f.lines))
		f.call(read)
		f.lines[len(f.lines)-1].Session = f.lines[len(f.lines)-2].Session
	}
	c := run(t, f.write(t))
	require.Equal(t, 99, c.Sum.Repeated, "the first has no call")
	require.Equal(t, map[string]int{"sessions behind the first 100": 51}, left(c))

	many := forge(dir, nil)
	for i := range 200 {
		many.call(record.Line{Tool: fmt.Sprintf("t\x1b[31m%d", i), Text: strings.Repeat("x", 10)})
	}
	var out strings.Builder
	require.NoError(t, run(t, many.write(t)).WriteText(&out))
	require.NotContains(t, out.String(), "\x1b")
}

// Full outputs that are large are not read: neither one, nor many.
func TestLargeOutputs(t *testing.T) {
	dir := t.TempDir()
	own := filepath.Join(dir, ".clarvis")
	path := filepath.Join(own, "bash-k3x9q2mf.log")
	testkit.WriteFile(t, path, secret)
	require.NoError(t, os.Chmod(own, 0o700))
	require.NoError(t, os.Truncate(path, 256<<20+1))
	c := run(t, forge(dir, oneLine).call(full(path, path)).write(t))
	require.Equal(t, map[string]int{"the full output is larger than 256MB": 1}, left(c))
}

// A replay ends with its context.
func TestEnds(t *testing.T) {
	dir := t.TempDir()
	f := forge(dir, nil)
	for range 1000 {
		f.call(record.Line{Tool: "ls", Text: "x"})
	}
	record := f.write(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	began := time.Now()
	_, err := replay.Run(ctx, record, [][]replay.Change{nil}, replay.Options{})
	require.ErrorIs(t, err, context.Canceled)
	require.Less(t, time.Since(began), time.Minute)
}

func TestNoRecord(t *testing.T) {
	for _, path := range []string{filepath.Join(t.TempDir(), "none"), t.TempDir()} {
		_, err := replay.Run(t.Context(), path, [][]replay.Change{nil}, replay.Options{})
		require.ErrorContains(t, err, "record: the record cannot be read")
	}
}
