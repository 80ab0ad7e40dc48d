package replay_test

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/internal/replay"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/all"
	"github.com/spillway-go/spillway/tools/record"
	"github.com/spillway-go/spillway/truncation"
)

// call is a tool with its arguments.
type call struct{ tool, args string }

// recorded makes calls in a workspace with a few files, and returns that and the record.
func recorded(t *testing.T, cfg config.Config, calls ...call) (dir, path string) {
	t.Helper()
	need.Shell(t)
	if cfg.Workspace == "" {
		cfg.Workspace = workspace(t)
	}
	path = filepath.Join(t.TempDir(), "record.jsonl")
	makeCalls(t, path, cfg, calls)
	return cfg.Workspace, path
}

func workspace(t *testing.T) string {
	dir := t.TempDir()
	var text strings.Builder
	for i := range 400 {
		fmt.Fprintf(&text, "line %d of a file, with a word\n", i+1)
	}
	testkit.WriteFile(t, filepath.Join(dir, "a.txt"), text.String())
	testkit.WriteFile(t, filepath.Join(dir, "b/c.txt"), text.String())
	return dir
}

// makeCalls makes calls, and records them at path unless that is "".
func makeCalls(t *testing.T, path string, cfg config.Config, calls []call) (texts []string) {
	t.Helper()
	if path != "" {
		rec, err := record.Open(path, cfg, all.Parts()...)
		require.NoError(t, err)
		defer rec.Close()
		cfg.Observe = rec.Observe
	}
	s := testkit.Must(t, newSuite, cfg)
	defer s.Close()
	require.NoError(t, s.Add(tools.Func("fetch", "", func(context.Context, struct{}) (string, error) { return "fetched", nil })))
	for _, c := range calls {
		res, err := s.Call(t.Context(), c.tool, []byte(c.args))
		require.NoError(t, err)
		texts = append(texts, res.Text)
	}
	require.NoError(t, s.Close())
	return texts
}

func run(t *testing.T, record string, changes ...string) *replay.Comparison {
	t.Helper()
	return runWith(t, replay.Options{}, record, changes...)
}

func runWith(t *testing.T, o replay.Options, record string, changes ...string) *replay.Comparison {
	t.Helper()
	all, err := replay.Run(t.Context(), record, [][]replay.Change{changed(changes)}, o)
	require.NoError(t, err)
	require.Len(t, all, 1)
	return all[0]
}

func changed(changes []string) (list []replay.Change) {
	for _, c := range changes {
		name, value, _ := strings.Cut(c, "=")
		list = append(list, replay.Change{Name: name, Value: value, Source: "-set"})
	}
	return list
}

// left is the reasons for calls that stay as they were, with their number.
func left(c *replay.Comparison) map[string]int {
	all := map[string]int{}
	for _, l := range c.Left {
		all[l.Why] = l.Calls
	}
	return all
}

// commands are calls whose output is the same whenever and wherever they are made.
var commands = []call{
	{"bash", `{"command": "seq 5000"}`},
	{"bash", `{"command": "seq 20000; echo 'FAIL: x'; seq 5000; exit 3"}`},
	{"bash", `{"command": "for i in $(seq 3000); do echo === RUN TestCase$i; [ $i != 77 ] || echo 'FAIL: y'; done", "show": "digest"}`},
	{"bash", `{"command": "seq 5000", "show": "both"}`},
	{"bash", `{"command": "seq 3000", "show": "head"}`},
	{"bash", `{"command": "seq 300; exit 2"}`},
	{"bash", `{"command": "printf 'no end'"}`},
	{"bash", `{"command": "printf 'a\\n\\n\\n'"}`},
	{"bash", `{"command": "printf 'x\\ry\\033[1mz\\n'"}`},
	{"bash", `{"command": "true"}`},
	{"bash", `{"command": "kill -9 $$"}`},
	{"bash", `{"command": "head -c 50000 /dev/zero | tr '\\0' x"}`},
	{"bash", `{"command": "seq 5000", "timeout_ms": 99999999}`},
	{"bash", `{"command": 5, "x": 1}`},
	{"bash", `{}`},
	{"bash", `{"command": "echo 'a [b]'", "timeout_ms": 99999999}`},
}

var looks = []call{
	{"read", `{"path": "a.txt"}`},
	{"read", `{"path": "a.txt", "offset": 100, "limit": 50}`},
	{"read", `{"path": "none"}`},
	{"read", `{"paths": ["a.txt", "b/c.txt"]}`},
	{"grep", `{"pattern": "word"}`},
	{"grep", `{"pattern": "line 1", "output_mode": "count"}`},
	{"find", `{"pattern": "*.txt"}`},
	{"ls", `{"path": "b"}`},
}

// A replay gives the texts that a suite gives which has the other options from the beginning.
func TestReplayIsWhatASuiteDoes(t *testing.T) {
	calls := slices.Concat(commands, looks)
	befores := []config.Config{
		{}, {MaxLines: 50, Bash: config.Bash{Policy: truncation.Policy{Limits: truncation.Limits{Chars: 3000}}}}, {Bash: config.Bash{Strategy: truncation.Digest}},
	}
	if testing.Short() {
		befores = befores[2:]
	}
	for _, before := range befores {
		before.Workspace = workspace(t)
		_, record := recorded(t, before, calls...)
		for _, changes := range [][]string{
			nil,
			{"MaxBytes=2KB"},
			{"Bash.MaxLines=7", "Grep.Limit=3", "Read.MaxLines=5"},
			{"Bash.Strategy=digest"},
			{"Bash.Strategy=middle_lines", "Bash.MaxBytes=4KB"},
			{"Bash.NoStandout=true", "MaxLines=11"},
			{"Bash.Strategy=head_tail_lines", `Bash.Policy={"first": 3, "threshold": 100}`},
			{`Bash.Policy={"marker": " ... {count} ... "}`},
			{"MaxBytes=1MB", "MaxLines=100000"},
		} {
			c := run(t, record, changes...)
			require.Empty(t, c.Left, changes)
			require.Equal(t, len(calls), c.Sum.Repeated)
			if changes == nil {
				require.Equal(t, c.Sum.Then, c.Sum.Now)
			}
			after := before
			var err error
			for _, change := range changed(changes) {
				after, err = after.Set(change.Name, change.Value, "")
				require.NoError(t, err)
			}
			size, got := map[string]int64{}, map[string]int64{}
			for i, text := range makeCalls(t, "", after, calls) {
				size[calls[i].tool] += int64(len(text))
			}
			for _, row := range c.Tools {
				got[row.Tool] = row.Now.Bytes
			}
			require.Equal(t, size, got, "%v before %v", changes, before)
		}
	}
}

// An older record has the parts of Bash.Policy as options of their own.
func TestOldPolicy(t *testing.T) {
	_, path := recorded(t, config.Config{Bash: config.Bash{
		Strategy: truncation.HeadTailLines, Policy: truncation.Policy{First: 3, Last: 4, Threshold: 5, Marker: "\n[\"{lines}\"]\n"},
	}}, call{"bash", `{"command": "seq 100"}`})
	rewrite := func(from, to string) {
		was := testkit.ReadFile(t, path)
		is := strings.Replace(was, from, to, 1)
		require.NotEqual(t, was, is)
		testkit.WriteFile(t, path, is)
	}
	rewrite(`"Bash.Policy":"{\"first\":3,\"last\":4,\"threshold\":5,\"marker\":\"\\n[\\\"{lines}\\\"]\\n\"}"`,
		`"Bash.FirstLines":"3","Bash.LastLines":"4","Bash.Threshold":"5","Bash.MaxChars":"0","Bash.Marker":"\"\\n[\\\"{lines}\\\"]\\n\""`)
	c := run(t, path)
	require.Equal(t, 1, c.Sum.Repeated)
	require.Equal(t, c.Sum.Then, c.Sum.Now)
	rewrite(`"Bash.FirstLines":"3"`, `"Bash.FirstLines":"x"`)
	require.Zero(t, run(t, path).Sum.Repeated, "what cannot be read is not guessed")
}

// What is counted, then and now.
func TestComparison(t *testing.T) {
	_, record := recorded(t, config.Config{},
		call{"bash", `{"command": "seq 9; echo 'FAIL: one'; seq 9000"}`},
		call{"bash", `{"command": "for i in $(seq 1000); do echo row; done"}`},
		call{"read", `{"path": "a.txt", "limit": 100}`},
		call{"read", `{"path": "a.txt", "offset": 101, "limit": 100}`},
		call{"fetch", `{}`}, call{"edit", `{"path": "a.txt", "old_string": "x"}`},
	)
	c := run(t, record, "Bash.MaxLines=10")
	require.Equal(t, []int{6, 4}, []int{c.Sum.Calls, c.Sum.Repeated})
	rows := map[string]replay.Row{}
	for _, row := range c.Tools {
		rows[row.Tool] = row
	}
	bash := rows["bash"]
	require.Equal(t, []int{1, 2}, []int{bash.Then.Cut, bash.Now.Cut})
	require.Equal(t, []int{1, 1}, []int{bash.Then.Standout, bash.Now.Standout})
	require.Less(t, bash.Now.Tokens, bash.Then.Tokens/10)
	require.Equal(t, rows["read"].Then, rows["read"].Now)
	require.Equal(t, []int{2, 1}, []int{rows["read"].Then.Cut, rows["read"].Then.Fetched}, "the second page was asked for, a third was not")
	require.Equal(t, map[string]int{"change files": 1, "tools that a program added, or that there are not": 1}, left(c))
}

// What depends on what was shown before is repeated as well, if all of it is.
func TestReceipts(t *testing.T) {
	reads := []call{{"read", `{"path": "a.txt"}`}, {"read", `{"path": "a.txt"}`}, {"read", `{"path": "a.txt", "again": true}`}}
	_, record := recorded(t, config.Config{Read: config.Read{Repeat: config.RepeatReceipt}}, reads...)
	c := run(t, record, "Read.Repeat=full")
	require.Equal(t, 3, c.Sum.Repeated)
	require.Greater(t, c.Sum.Now.Bytes, c.Sum.Then.Bytes)
	require.Equal(t, 3*(c.Sum.Now.Bytes/3), c.Sum.Now.Bytes)
}

// Calls that cannot be repeated stay as they were, and it is said why.
func TestLeft(t *testing.T) {
	calls := []call{
		{"read", `{"path": "a.txt"}`}, {"bash", `{"command": "seq 5000"}`},
		{"bash", `{"command": "seq 3000; sleep 100", "background": true, "ready_when": "^2999"}`},
		{"job", `{"id": 1, "signal": "kill"}`}, {"job", `{}`},
	}
	dir, record := recorded(t, config.Config{}, calls...)
	require.Equal(t, map[string]int{"a part of a job's output": 1}, left(run(t, record)))

	testkit.WriteFile(t, filepath.Join(dir, "a.txt"), "changed\n")
	spills := testkit.Must(t, filepath.Glob, filepath.Join(dir, ".clarvis", "bash-*.log"))
	require.Len(t, spills, 1)
	c := run(t, record, "MaxLines=5")
	require.Equal(t, map[string]int{
		"another text today: the workspace has changed, or what is not repeated decided about it": 1,
		"a part of a job's output": 1,
	}, left(c))
	require.Equal(t, []string{"call-1"}, c.Left[1].IDs)
	require.Equal(t, 3, c.Sum.Repeated)

	text, err := os.ReadFile(spills[0])
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(spills[0], append(text, '!'), 0o600))
	require.Equal(t, 1, left(run(t, record))["the file with the full output does not give the recorded text"])
	require.NoError(t, os.Remove(spills[0]))
	c = run(t, record, "Bash.MaxLines=5")
	require.Equal(t, 1, left(c)["no file with the full output"])
	for _, row := range c.Tools {
		if row.Tool == "bash" {
			require.Equal(t, []int{2, 0}, []int{row.Calls, row.Repeated})
		}
	}
	require.NoError(t, os.RemoveAll(dir))
	for why := range left(run(t, record)) {
		require.Contains(t, why, "its suite cannot be built again: ")
	}

	_, record = recorded(t, config.Config{Bash: config.Bash{SplitStreams: true}}, call{"bash", `{"command": "seq 5; seq 5 >&2"}`})
	require.Equal(t, map[string]int{"stdout and stderr shown apart": 1}, left(run(t, record)))
}

// snapshot is all there is in a directory: names, modes, times and content.
func snapshot(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	require.NoError(t, filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		require.NoError(t, err)
		info, err := entry.Info()
		require.NoError(t, err)
		all[path] = fmt.Sprint(info.Mode(), info.ModTime().UnixNano(), info.Size())
		if info.Mode().IsRegular() {
			text := testkit.ReadFile(t, path)
			all[path] += text
		}
		return nil
	}))
	return all
}

// A replay runs no command, removes no old file, and writes nothing, also where an output is cut that was not.
func TestNothingChanges(t *testing.T) {
	outside := filepath.Join(t.TempDir(), "ran")
	dir, record := recorded(t, config.Config{},
		call{"bash", `{"command": "touch ran; touch ` + filepath.ToSlash(outside) + `; seq 1000"}`},
		call{"bash", `{"command": "seq 5000"}`}, call{"bash", `{"command": "head -c 1000000 /dev/zero | tr '\\0' 'x'"}`},
		call{"write", `{"path": "new.txt", "content": "x"}`}, call{"edit", `{"path": "a.txt", "old_string": "line 7 of", "new_string": "y"}`},
		call{"bash", `{"command": "echo a; sleep 100", "background": true, "ready_when": "a"}`},
		call{"job", `{"id": 1, "signal": "kill"}`}, call{"grep", `{"pattern": "word"}`},
	)
	for _, made := range []string{filepath.Join(dir, "ran"), outside, filepath.Join(dir, "new.txt")} {
		require.NoError(t, os.Remove(made))
	}
	old := time.Now().Add(-1000 * time.Hour)
	testkit.WriteFile(t, filepath.Join(dir, ".clarvis", "bash-k3x9q2mf.log.part"), "unfinished")
	spills := testkit.Must(t, os.ReadDir, filepath.Join(dir, ".clarvis"))
	for _, f := range spills {
		require.NoError(t, os.Chtimes(filepath.Join(dir, ".clarvis", f.Name()), old, old))
	}
	before := snapshot(t, dir)
	recordBefore := snapshot(t, filepath.Dir(record))
	t.Setenv("SPILLWAY_RECORD", record)
	c := run(t, record, "MaxBytes=1KB", "Bash.Strategy=middle")
	require.Greater(t, c.Sum.Now.Cut, c.Sum.Then.Cut)
	require.Equal(t, 6, c.Sum.Repeated, "%v", left(c))
	require.Equal(t, before, snapshot(t, dir))
	require.Equal(t, recordBefore, snapshot(t, filepath.Dir(record)))
	require.NoFileExists(t, outside)
}

func TestCheck(t *testing.T) {
	for change, want := range map[string]string{
		"Bash.MaxBytes=8KB": "", "grep.limit=5": "", "read.max_lines=3": "", "Bash.Strategy=digest": "", "MaxLines=1": "",
		"Grep.Limits=5":          `config: -set: there is no option "Grep.Limits". Did you mean Grep.Limit?`,
		"Grep.Limit=x":           `config: -set: Grep.Limit is "x", but must be a whole number`,
		"Bash.MaxBytes=5":        "config: -set: Bash.MaxBytes is 5, but must be at least 1KB (1024 bytes)",
		"Bash.MaxBytes=17MB":     "a limit allows results of more than 16MB, the most that a replay holds",
		"Bash.Timeout=5s":        "-set: a replay cannot change Bash.Timeout, which does not decide how a recorded output is cut. ",
		"Workspace=/":            "-set: a replay cannot change Workspace",
		"Bash.SplitStreams=true": "-set: a replay cannot change Bash.SplitStreams",
	} {
		err := replay.Check(changed([]string{change}))
		if want == "" {
			require.NoError(t, err, change)
			continue
		}
		require.ErrorContains(t, err, want, change)
	}
}

func TestText(t *testing.T) {
	dir, record := recorded(t, config.Config{},
		call{"bash", `{"command": "seq 5000"}`}, call{"grep", `{"pattern": "word"}`}, call{"write", `{"path": "x", "content": ""}`})
	rename(t, dir, record)
	var out bytes.Buffer
	require.NoError(t, run(t, record, "Bash.MaxLines=10").WriteText(&out))
	require.Equal(t, `3 calls, 2 repeated or cut again with Bash.MaxLines=10

   tool  calls  repeated   bytes    now  tokens    now  cut  now  fetched  now  stand out  now
   bash      1         1   9.8KB   125B   6,032     62    1    1        0    0          0    0
   grep      1         1   4.1KB  4.1KB   1,729  1,729    1    1        0    0          0    0
  write      1         0     24B    24B      10     10    0    0        0    0          0    0
    all      3         2  14.0KB  4.3KB   7,771  1,801    2    2        0    0          0    0

1 call as recorded:
  1  change files (write 1)
`, out.String())

	all, err := replay.Run(t.Context(), record, [][]replay.Change{
		changed([]string{"Grep.Limit=7", "Bash.MaxLines=10"}), changed([]string{"Grep.Limit=7", "Bash.MaxLines=1000"}),
	}, replay.Options{})
	require.NoError(t, err)
	out.Reset()
	require.NoError(t, replay.WriteSweep(&out, all, "Bash.MaxLines"))
	require.Equal(t, `3 calls, 2 repeated or cut again with Grep.Limit=7

  Bash.MaxLines   bytes  tokens  cut  fetched  stand out
       recorded  14.0KB   7,771    2        0          0  ########################################
             10    540B     220    2        0          0  ##
           1000   5.4KB   3,190    2        0          0  #################

1 call as recorded:
  1  change files (write 1)
`, out.String())
}

// rename gives the only full output of a record a name that is not random, as tokens depend on it.
func rename(t *testing.T, dir, record string) {
	t.Helper()
	found := testkit.Must(t, filepath.Glob, filepath.Join(dir, ".clarvis", "bash-*.log"))
	require.Len(t, found, 1)
	const name = "bash-k3x9q2mf.log"
	require.NoError(t, os.Rename(found[0], filepath.Join(dir, ".clarvis", name)))
	text, err := os.ReadFile(record)
	require.NoError(t, err)
	text = bytes.ReplaceAll(text, []byte(filepath.Base(found[0])), []byte(name))
	require.NoError(t, os.WriteFile(record, text, 0o600))
}

// Sessions that write to one record have a suite each.
func TestSessions(t *testing.T) {
	dir := workspace(t)
	record := filepath.Join(t.TempDir(), "r")
	for _, lines := range []int{5, 50} {
		makeCalls(t, record, config.Config{Workspace: dir, MaxLines: lines}, looks)
	}
	c := run(t, record, "MaxLines=7")
	require.Empty(t, c.Left)
	require.Equal(t, 2*len(looks), c.Sum.Repeated)
	require.Zero(t, c.Sum.Now.Bytes%2, "both are as one suite with these lines")
	require.Equal(t, []string{"find", "grep", "ls", "read"}, slices.Sorted(maps.Keys(func() map[string]bool {
		names := map[string]bool{}
		for _, row := range c.Tools {
			names[row.Tool] = true
		}
		return names
	}())))
}

// A session whose secrets were hidden is replayed as any other, and they stay hidden.
func TestRedacted(t *testing.T) {
	need.Part(t, "tools/redaction")
	dir := workspace(t)
	const secret = "https://user:pa55w0rd-xyz@example.com/"
	testkit.WriteFile(t, filepath.Join(dir, "secret.txt"), strings.Repeat("url: "+secret+"\n", 50))
	calls := []call{
		{"bash", `{"command": "echo ` + secret + `; seq 5000; echo ` + secret + `"}`},
		{"bash", `{"command": "cat secret.txt; exit 2"}`}, {"read", `{"path": "secret.txt"}`}, {"grep", `{"pattern": "url"}`},
	}
	_, record := recorded(t, config.Config{Workspace: dir, Redact: config.RedactSecrets}, calls...)
	require.NotContains(t, testkit.ReadFile(t, record), "pa55w0rd")
	c := run(t, record, "MaxLines=10")
	require.Empty(t, c.Left)
	require.Equal(t, 4, c.Sum.Repeated)
	require.Less(t, c.Sum.Now.Bytes, c.Sum.Then.Bytes)
}

// newSuite returns a suite with all parts.
func newSuite(cfg config.Config) (*tools.Suite, error) { return tools.New(cfg, all.Parts()...) }
