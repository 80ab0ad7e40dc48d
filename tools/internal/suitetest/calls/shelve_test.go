package calls_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/internal/size"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/spillway-go/spillway/spill"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/internal/suitetest"
	"github.com/spillway-go/spillway/truncation"
	"github.com/stretchr/testify/require"
)

// shelve shelves a result, twice, and returns the line and the files it names.
func shelve(t testing.TB, s *tools.Suite, res tools.Result) (line string, files []string) {
	t.Helper()
	line, err := s.Shelve(t.Context(), res)
	require.NoError(t, err)
	again, err := s.Shelve(t.Context(), res)
	require.NoError(t, err)
	require.Equal(t, line, again)
	require.NotContains(t, line, "\n")
	_, named, found := strings.Cut(line, "Full result: ")
	require.True(t, found, line)
	return line, strings.Split(strings.TrimSuffix(named, "]"), ", stderr: ")
}

const pixel = "\x89PNG\r\n\x1a\n"

// legible is what can be read of the beginning of a file.
var legible = regexp.MustCompile(`^[%A-Za-z0-9.-]*`)

// What is said of a result tells how the call went. From the line, read leads to the text.
func TestShelve(t *testing.T) {
	t.Parallel()
	s := newSuite(t, config.Config{}, map[string]string{"a.txt": countedLines(412), "big.txt": countedLines(5000)})
	prints := func(text string) tools.Tool {
		return fake{"ask", func(json.RawMessage) (tools.Result, error) { return tools.Result{Text: text}, nil }}
	}
	fails := fake{"fail", func(json.RawMessage) (tools.Result, error) {
		return tools.Result{Text: "it went wrong\n" + countedLines(50), IsError: true, Images: []tools.Image{{MIMEType: "image/png", Data: []byte(pixel)}}}, nil
	}}
	require.NoError(t, s.Add(prints(countedLines(100)), fails))
	const file = `Full result: \.clarvis/result-[b-z2-9]{8}\.txt\]$`
	for _, c := range []struct {
		tool, want string
		args       map[string]any
	}{
		{"read", `^\[read: 412 lines, SIZE\. `, map[string]any{"path": "a.txt"}},
		{"read", `^\[read: 2002 lines, SIZE\. `, map[string]any{"path": "big.txt"}},
		{"grep", `^\[grep: 102 lines, SIZE\. `, map[string]any{"pattern": "line"}},
		{"edit", `^\[edit: \d+ lines, SIZE\. `, map[string]any{"path": "a.txt", "old_string": "line 1\nline 2\nline 3\nline 4\n", "new_string": "one\n"}},
		{"edit", `^\[edit: \d+ lines, SIZE, error not_found\. `, map[string]any{"path": "a.txt", "old_string": "line 77\nline 78\nline 79\nline 81\n", "new_string": "one\n"}},
		{"bash", `^\[bash: 412 lines, SIZE, exit code 1\. `, map[string]any{"command": "seq 410; exit 1"}},
		{"bash", `^\[bash: 410 lines, SIZE\. `, map[string]any{"command": "seq 410"}},
		{"bash", `^\[bash: \d+ lines?, SIZE, error timeout\. `, map[string]any{"command": "seq 100; sleep 300", "timeout_ms": 300}},
		{"ask", `^\[ask: 100 lines, SIZE\. `, nil},
		{"fail", `^\[fail: 51 lines, SIZE, error io_error, 1 image not kept \(PNG 8B\)\. `, nil},
	} {
		res := call(t, s, c.tool, c.args)
		line, files := shelve(t, s, res)
		bytes := regexp.QuoteMeta(size.Format(int64(len(res.Text))))
		require.Regexp(t, strings.Replace(c.want, "SIZE", bytes, 1)+file, line)
		require.Equal(t, c.tool, res.Tool)
		require.Len(t, files, 1)
		held, err := os.ReadFile(filepath.Join(s.Workspace(), files[0]))
		require.NoError(t, err)
		require.Equal(t, res.Text, string(held), c.want)
		page, err := s.Read(t.Context(), tools.ReadParams{Path: files[0]})
		require.NoError(t, err)
		require.True(t, strings.HasPrefix(res.Text, page.Page) && page.Page != "", c.want)
	}
}

// What is in a file already is named by that.
func TestShelveSpilled(t *testing.T) {
	t.Parallel()
	need.Shell(t)
	s := newSuite(t, config.Config{MaxLines: 100}, nil)
	require.NoError(t, s.Add(fake{"ask", func(json.RawMessage) (tools.Result, error) { return tools.Result{Text: countedLines(3000)}, nil }}))
	for _, c := range []struct {
		tool, want string
		args       tools.BashParams
	}{
		{"bash", `^\[bash: 5000 lines, 23\.3KB\. Full result: \.clarvis/bash-\w{8}\.log\]$`, tools.BashParams{Command: "seq 5000"}},
		{"bash", `^\[bash: 5000 lines, 23\.3KB, exit code 3\. Full result: \.clarvis/bash-\w{8}\.log\]$`, tools.BashParams{Command: "seq 5000; exit 3"}},
		{"bash", `^\[bash: 5000 lines, 23\.3KB, signal SIGTERM\. Full result: \.clarvis/bash-\w{8}\.log\]$`, tools.BashParams{Command: "seq 5000; kill $$"}},
		{"bash", `^\[bash: \d+ lines, [\d.]+KB, error timeout\. Full result: \.clarvis/bash-\w{8}\.log\]$`, tools.BashParams{Command: "seq 5000; sleep 300", TimeoutMs: 1}},
		{"bash", `^\[bash: 5000 lines, 23\.3KB\. Still running in the background: pid \d+[^.]*\. Full result: \.clarvis/bash-\w{8}\.log\]$`, tools.BashParams{Command: "sleep 300 & seq 5000"}},
		{"bash", `^\[bash: 5000 lines, 23\.3KB\. Full result: \.clarvis/bash-\w{8}\.log\]$`, tools.BashParams{Command: "seq 5000", Show: "both"}},
		{"bash", `^\[bash: 5001 lines, 23\.3KB, job 1 running\. Line 5001 matches\. Full result: \.clarvis/job-\w{8}\.log\]$`,
			tools.BashParams{Command: "seq 5000; echo ready; read line; seq 200; exit 3", Background: true, ReadyWhen: "ready"}},
		{"job", `^\[job: 5201 lines, 24\.0KB, job 1 ` + suitetest.Exited(3) + `\. Full result: \.clarvis/job-\w{8}\.log\]$`, tools.BashParams{}},
		{"ask", `^\[ask: 3000 lines, 28\.2KB\. Full result: \.clarvis/tool-\w{8}\.log\]$`, tools.BashParams{}},
	} {
		if strings.Contains(c.want, "pid") && !testkit.HasProc() { // what is left running is not known then
			continue
		}
		var args any = c.args
		if c.tool == "job" {
			args = tools.JobParams{ID: 1, Input: "go\n", WaitMs: 60_000, Until: "never"}
			c.want = strings.Replace(c.want, "Full", `No line matched the pattern in until before the end\. Full`, 1)
		}
		var res tools.Result
		if c.args.TimeoutMs > 0 {
			suitetest.InTime(t, func(timeoutMs int) bool {
				c.args.TimeoutMs = timeoutMs
				res = call(t, s, c.tool, c.args)
				return strings.Contains(res.Text, "\n5000\n")
			})
		} else {
			res = call(t, s, c.tool, args)
		}
		line, files := shelve(t, s, res)
		require.Regexp(t, c.want, line)
		require.FileExists(t, filepath.Join(s.Workspace(), files[0]))
	}
	require.Empty(t, glob(t, s, "result-*"))
}

func glob(t testing.TB, s *tools.Suite, pattern string) []string {
	found, err := filepath.Glob(filepath.Join(s.Workspace(), ".clarvis", pattern))
	require.NoError(t, err)
	return found
}

// A file that holds only one of two streams is not all of the result; two files are.
func TestShelveStreams(t *testing.T) {
	t.Parallel()
	need.Shell(t)
	s := newSuite(t, config.Config{Bash: config.Bash{SplitStreams: true, MaxLines: 100}}, nil)
	for command, want := range map[string]string{
		"seq 5000; seq 6000 >&2":            `^\[bash: 11000 lines, 51\.5KB\. Full result: \.clarvis/bash-\w+\.log, stderr: \.clarvis/stderr-\w+\.log\]$`,
		"seq 5000":                          `^\[bash: 5000 lines, 23\.3KB\. Full result: \.clarvis/bash-\w+\.log\]$`,
		"seq 5000 >&2":                      `^\[bash: 5000 lines, 23\.3KB\. Full result: \.clarvis/stderr-\w+\.log\]$`,
		"seq 5000; echo failed >&2; exit 1": `^\[bash: \d+ lines, \d+B, exit code 1\. Full result: \.clarvis/result-\w+\.txt\]$`,
		"echo done; seq 5000 >&2":           `^\[bash: \d+ lines, \d+B\. Full result: \.clarvis/result-\w+\.txt\]$`,
	} {
		line, files := shelve(t, s, call(t, s, "bash", tools.BashParams{Command: command}))
		require.Regexp(t, want, line)
		for _, file := range files {
			require.FileExists(t, filepath.Join(s.Workspace(), file))
		}
	}
}

// A file that is not there any more, or never was, or of another directory, is not named.
func TestShelveWithoutSpill(t *testing.T) {
	need.Shell(t)
	ask := fake{"ask", func(json.RawMessage) (tools.Result, error) { return tools.Result{Text: countedLines(3000)}, nil }}
	s := newSuite(t, config.Config{MaxLines: 100}, nil)
	res := call(t, s, "bash", tools.BashParams{Command: "seq 5000; exit 1"})
	for _, spilled := range glob(t, s, "bash-*") {
		require.NoError(t, os.Remove(spilled))
	}
	line, files := shelve(t, s, res)
	require.Regexp(t, `^\[bash: 104 lines, \d+B, exit code 1\. Full result: \.clarvis/result-\w+\.txt\]$`, line)
	held, err := os.ReadFile(filepath.Join(s.Workspace(), files[0]))
	require.NoError(t, err)
	require.Equal(t, res.Text, string(held))

	t.Chdir(t.TempDir())
	res, err = tools.Truncate(ask, truncation.Policy{Strategy: truncation.HeadChars, Limits: truncation.Limits{Chars: 1000}}).Call(t.Context(), nil)
	require.NoError(t, err)
	line, _ = shelve(t, s, res)
	require.Regexp(t, `^\[\d+ lines, \d+B\. Full result: \.clarvis/result-\w+\.txt\]$`, line, "of no suite, so the tool is not known")
}

// A text that is no longer than the line stays as it is, and needs no file.
func TestShelveShort(t *testing.T) {
	t.Parallel()
	s := newSuite(t, config.Config{}, nil)
	for _, text := range []string{"", "(no output)", "not_found: a.txt does not exist. Use ls", "a\nb\n"} {
		line, err := s.Shelve(t.Context(), tools.Result{Text: text, Tool: "read"})
		require.NoError(t, err)
		require.Equal(t, text, line)
	}
	require.NoDirExists(t, filepath.Join(s.Workspace(), ".clarvis"))

	for n := range 200 { // nothing gets longer, and what was shelved does not change
		text := strings.Repeat("x", n)
		line, err := s.Shelve(t.Context(), tools.Result{Text: text, Tool: "read"})
		require.NoError(t, err)
		require.LessOrEqual(t, len(line), n)
		again, err := s.Shelve(t.Context(), tools.Result{Text: line, Tool: "read"})
		require.NoError(t, err)
		require.Equal(t, line, again)
	}

	line, err := s.Shelve(t.Context(), tools.Result{Tool: "read", Text: "Read image: PNG, 640x480, 34KB", Images: []tools.Image{{MIMEType: "image/png", Data: make([]byte, 34<<10)}}})
	require.NoError(t, err)
	require.Equal(t, "Read image: PNG, 640x480, 34KB\n\n[1 image not kept (PNG 34KB)]", line)
	var many []tools.Image
	for range 7 {
		many = append(many, tools.Image{MIMEType: "image/webp", Data: make([]byte, 100)})
	}
	line, err = s.Shelve(t.Context(), tools.Result{Tool: "a\nb", Text: countedLines(100), Images: many})
	require.NoError(t, err)
	require.Contains(t, line, `["a\nb": 100 lines, 792B, 7 images not kept (WebP 100B, WebP 100B, WebP 100B, WebP 100B, WebP 100B, and 2 more). Full result: `)
}

// A line that stands for a result stays, also where it is long, however it is worded: it is short and names files that are
// there. A text that only looks like one does not stay.
func TestShelveALine(t *testing.T) {
	t.Parallel()
	s := newSuite(t, config.Config{}, nil)
	line, files := shelve(t, s, tools.Result{Tool: strings.Repeat("tool", 30), Text: countedLines(100)})
	again, err := s.Shelve(t.Context(), tools.Result{Text: line})
	require.NoError(t, err)
	require.Equal(t, line, again)
	for _, text := range []string{line[1:], line[:len(line)-1], "(" + files[0] + ", " + files[0] + ".) " + strings.Repeat("x", 100)} {
		again, err := s.Shelve(t.Context(), tools.Result{Text: text})
		require.NoError(t, err)
		require.Equal(t, text, again)
	}
	for _, text := range []string{
		"[" + strings.Repeat("x", 4000) + ". Full result: " + files[0] + "]",
		strings.Replace(line, files[0], ".clarvis/result-22222222.txt", 1),
		strings.Replace(line, "Full result", "\nFull result", 1),
		line + files[0] + "x",
	} {
		again, err := s.Shelve(t.Context(), tools.Result{Text: text})
		require.NoError(t, err)
		require.Regexp(t, `^\[\d lines?, [\d.]+K?B\. Full result: `, again, text)
	}
}

// Whatever a text holds, read and grep take its file for text.
func TestShelvedIsText(t *testing.T) {
	t.Parallel()
	s := newSuite(t, config.Config{}, nil)
	for _, begin := range []string{"", "\x00", "%PDF-1.7\n", "GIF89a\n", "\xff\xfe", "\xfe\xff", "\xef\xbb\xbf", "\x1f\x8b\x08", "MZ\x00", "PK\x03\x04",
		strings.Repeat("x", 257) + "ustar", "caf\xe9\n"} {
		_, files := shelve(t, s, tools.Result{Text: begin + countedLines(50) + "the needle\x00\n"})
		found := call(t, s, "grep", tools.GrepParams{Pattern: "needle", Path: files[0]})
		require.Contains(t, found.Text, "the needle", "%q: %s", begin, found.Text)
		page := call(t, s, "read", tools.ReadParams{Path: files[0]})
		require.False(t, page.IsError, page.Text)
		require.Contains(t, page.Text, "\nline 50\n", "%q", begin)
		require.Contains(t, strings.SplitN(page.Text, "\n", 2)[0], legible.FindString(begin))
	}
}

// An error says what to do, and nothing is lost: the caller still has the result.
func TestShelveFails(t *testing.T) {
	t.Parallel()
	res := tools.Result{Tool: "read", Text: countedLines(1000)}
	fails := func(s *tools.Suite, ctx context.Context, code tools.Code, want string) {
		t.Helper()
		line, err := s.Shelve(ctx, res)
		require.Empty(t, line)
		require.Equal(t, code, tools.CodeOf(err), err)
		require.Regexp(t, want, err.Error())
	}
	s := newSuite(t, config.Config{}, map[string]string{".clarvis": ""})
	fails(s, t.Context(), tools.CodeIOError, `^io_error: the result was not shelved in \.clarvis: \.clarvis is not a directory, or is a link to one\. Keep it as it is$`)

	ended, cancel := context.WithCancel(t.Context())
	cancel()
	fails(s, ended, tools.CodeAborted, "^aborted: the result was not shelved, because the context ended. Keep it as it is$")

	s = newSuite(t, config.Config{Tools: []string{"find"}}, nil)
	fails(s, t.Context(), tools.CodeDenied, "^denied: the suite has no read, grep or bash of its own .* Keep the result as it is, or add read to Tools$")
	require.NoError(t, s.Add(described{"read", "of another machine", anySchema}))
	fails(s, t.Context(), tools.CodeDenied, "no read, grep or bash of its own")
	line, err := s.Shelve(t.Context(), tools.Result{Text: "short"})
	require.NoError(t, err)
	require.Equal(t, "short", line)

	s = newSuite(t, config.Config{}, nil)
	require.NoError(t, s.Close())
	fails(s, t.Context(), tools.CodeDenied, "^denied: the suite is closed")
}

// On a full disk nothing is left of what was begun, and the error says what to do.
// It is alone: what another test starts may keep the mount in use.
func TestShelveOnFullDisk(t *testing.T) {
	disk := testkit.SmallDisk(t, "64k")
	s := newSuite(t, config.Config{Spill: config.Spill{Dir: disk}}, nil)
	defer s.Close()
	var err error
	n := 0
	for err == nil {
		_, err = s.Shelve(t.Context(), tools.Result{Text: countedLines(3000 + n)})
		n++
	}
	require.ErrorContains(t, err, "io_error: the result was not shelved, because the disk of "+disk+" is full. Keep it as it is")
	files, err := filepath.Glob(filepath.Join(disk, "result-*"))
	require.NoError(t, err)
	require.Len(t, files, n-1)
	require.NotEmpty(t, files)
}

// What was shelved long ago goes with a sweep; one that is named once more, spilled or shelved, counts as new.
// It is alone: a process that another test starts may hold the lock of a sweep for a moment, which is then left out.
func TestShelvedIsSwept(t *testing.T) {
	need.Shell(t)
	s := newSuite(t, config.Config{MaxLines: 100}, nil)
	dir := filepath.Join(s.Workspace(), ".clarvis")
	results := []tools.Result{{Text: countedLines(100)}, {Text: countedLines(101)}, call(t, s, "bash", tools.BashParams{Command: "seq 5000"}), call(t, s, "bash", tools.BashParams{Command: "seq 5001"})}
	var files []string
	long := time.Now().Add(-48 * time.Hour)
	for _, res := range results {
		_, named := shelve(t, s, res)
		files = append(files, filepath.Join(s.Workspace(), named[0]))
		require.NoError(t, os.Chtimes(files[len(files)-1], long, long))
	}
	shelve(t, s, results[0])
	shelve(t, s, results[2])
	_, err := spill.Sweep(t.Context(), dir, spill.Options{MaxAge: 24 * time.Hour})
	require.NoError(t, err)
	require.FileExists(t, files[0])
	require.NoFileExists(t, files[1])
	require.FileExists(t, files[2])
	require.NoFileExists(t, files[3])
}

// Files of a version before, with names of 26 characters, are read as they were.
func TestLongSpillNames(t *testing.T) {
	t.Parallel()
	const name = ".clarvis/bash-KBVLPYVRIJYYMZNBVYTQKLFVUH.log"
	s := newSuite(t, config.Config{MaxFileBytes: 2048}, map[string]string{name: countedLines(1000)})
	require.Contains(t, call(t, s, "read", tools.ReadParams{Path: name}).Text, "line 1000\n", "whatever their size")
	require.Regexp(t, regexp.QuoteMeta(name)+":77: line 77\n", call(t, s, "grep", tools.GrepParams{Pattern: "^line 77$", Path: name}).Text+"\n")
}

// BenchmarkShelve30KB compares with a program that writes the text to a file itself. The goal is 1 ms.
func BenchmarkShelve30KB(b *testing.B) {
	s := newSuite(b, config.Config{}, nil)
	text := strings.Repeat("a line of a result that is long\n", 960)
	dir := b.TempDir()
	var peer time.Duration
	b.SetBytes(int64(len(text)))
	for i := range b.N {
		text := fmt.Sprint(i, text)
		b.StopTimer()
		began := time.Now()
		path := filepath.Join(dir, fmt.Sprint(i))
		require.NoError(b, os.WriteFile(path+".part", []byte(text), 0o600))
		require.NoError(b, os.Rename(path+".part", path))
		peer += time.Since(began)
		b.StartTimer()
		if _, err := s.Shelve(b.Context(), tools.Result{Tool: "read", Text: text}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(b.Elapsed().Seconds()/peer.Seconds(), "x-os.WriteFile")
}
