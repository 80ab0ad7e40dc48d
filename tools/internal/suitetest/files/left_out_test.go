package files_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/internal/suitetest"
	"github.com/spillway-go/spillway/truncation"
	"github.com/stretchr/testify/require"
)

// leavingOut is a workspace in which a search leaves out something of each kind.
func leavingOut() (config.Config, map[string]string) {
	return config.Config{MaxFileBytes: 1024}, map[string]string{
		".gitignore": "out/\n", "sub/.gitignore": "*.log\n", "a.go": "needle ä\n", "sub/b.go": "needle\n", "sub/c.log": "needle\n", "out/gen.go": "needle\n",
		"x.bin": "needle\x00", "big.txt": strings.Repeat("needle\n", 200), "latin.txt": "other \xe4\n",
	}
}

const (
	toldIgnored = "Skipped 2 ignored entries: out/, sub/c.log. Use ignored=true to search them"
	toldLarge   = "Skipped 1 file over 1KB: big.txt. Use path=big.txt to search it"
	toldBinary  = "Skipped 1 binary file: x.bin. Use bash with grep -a to search it"
	toldNotUTF8 = "1 file is not UTF-8, so this pattern may not match in it: latin.txt. Use encoding=windows-1252 to search it"
)

// said returns the notice of a search by a reader.
func said(t testing.TB, s *tools.Suite, reader, tool, args string) string {
	t.Helper()
	res, err := s.Call(tools.WithConversation(t.Context(), reader), tool, []byte(args))
	holds(t, res, err, 30<<10)
	require.False(t, res.IsError, res.Text)
	_, notices, _ := strings.Cut(res.Text, "\n\n[")
	return strings.TrimSuffix(notices, "]")
}

// What a search left out is told once for the same set and path, where something was found.
func TestLeftOutIsToldOnce(t *testing.T) {
	t.Parallel()
	cfg, files := leavingOut()
	s := newSuite(t, cfg, files)
	all := strings.Join([]string{toldIgnored, toldLarge, toldNotUTF8, toldBinary}, ". ")
	for i, call := range []struct{ reader, tool, args, want string }{
		{"", "grep", `{"pattern":"needle ä"}`, all},
		{"", "grep", `{"pattern":"needle ä"}`, ""},
		{"", "grep", `{"pattern":"needle","output_mode":"files_with_matches"}`, ""},
		{"", "grep", `{"pattern":"needle","output_mode":"count"}`, ""},
		{"", "grep", `{"pattern":"needle","path":"."}`, ""},
		{"a", "grep", `{"pattern":"needle","output_mode":"count"}`, strings.Join([]string{toldIgnored, toldLarge, toldBinary}, ". ")},
		{"a", "grep", `{"pattern":"ä","output_mode":"files_with_matches"}`, toldNotUTF8},
		{"", "grep", `{"pattern":"needle","path":"sub"}`, "Skipped 1 ignored entry: sub/c.log. Use ignored=true to search it"},
		{"", "grep", `{"pattern":"needle","glob":"*.go"}`, "Skipped 1 ignored entry: out/. Use ignored=true to search it"},
		{"", "find", `{"pattern":"*.go"}`, ""}, // grep told of the same set
		{"", "find", `{"pattern":"*","path":"sub"}`, ""},
		{"b", "find", `{"pattern":"*.{go,log}"}`, toldIgnored},
		{"b", "grep", `{"pattern":"nowhere"}`, strings.Join([]string{toldIgnored, toldLarge, toldBinary}, ". ")},
		{"b", "grep", `{"pattern":"nowhere"}`, strings.Join([]string{toldIgnored, toldLarge, toldBinary}, ". ")},
		{"b", "grep", `{"pattern":"needle"}`, ""}, // as told where nothing was found
	} {
		require.Equal(t, call.want, said(t, s, call.reader, call.tool, call.args), "call %d: %v", i, call)
	}
	require.NoError(t, os.WriteFile(filepath.Join(s.Workspace(), "sub/d.log"), nil, 0o644))
	require.Equal(t, "Skipped 3 ignored entries: out/, sub/c.log, sub/d.log. Use ignored=true to search them", said(t, s, "", "grep", `{"pattern":"needle"}`))
	require.NoError(t, os.Remove(filepath.Join(s.Workspace(), "sub/d.log")))
	require.Empty(t, said(t, s, "", "grep", `{"pattern":"needle"}`))
	s.Forget("a")
	require.Empty(t, said(t, s, "", "grep", `{"pattern":"needle"}`))
	require.Contains(t, said(t, s, "a", "grep", `{"pattern":"needle"}`), toldIgnored)
	s.Forget()
	require.Equal(t, all, said(t, s, "", "grep", `{"pattern":"needle ä"}`))
	require.Contains(t, said(t, s, "a", "grep", `{"pattern":"needle"}`), toldIgnored)
}

// A list that goes on says so, and its last page tells what was left out, of which the walk may know already.
func TestLastPageTellsWhatIsLeftOut(t *testing.T) {
	t.Parallel()
	cfg, files := leavingOut()
	s := newSuite(t, cfg, files)
	for range 20 {
		require.Equal(t, suitetest.Limited(1, "match")+". "+suitetest.NextAlone(1)+". There are 2 matches in all: ./ 1, sub/ 1",
			said(t, s, "", "grep", `{"pattern":"needle","glob":"*.{go,log}","limit":1}`))
		require.Equal(t, suitetest.Limited(1, "result")+". "+suitetest.NextAlone(1),
			said(t, s, "", "find", `{"pattern":"*.{go,log}","limit":1}`))
	}
	require.Equal(t, toldIgnored, said(t, s, "", "grep", `{"pattern":"needle","glob":"*.{go,log}","limit":1,"offset":1}`))
	require.Equal(t, suitetest.Limited(1, "match")+". "+suitetest.NextAlone(1)+". There are 2 matches in all: ./ 1, sub/ 1. "+toldLarge,
		said(t, s, "", "grep", `{"pattern":"needle","limit":1}`), "large files are told at once")
	s.Forget()
	require.Equal(t, toldIgnored, said(t, s, "", "find", `{"pattern":"*.{go,log}","limit":1,"offset":1}`))
}

// A list that is full ends the search.
func TestFullListTellsLater(t *testing.T) {
	t.Parallel()
	files := map[string]string{".gitignore": "*.log\n", "0.log": "", "z.log": ""}
	for i := range 100 {
		files[fmt.Sprintf("a-file-with-a-name-of-some-length-%d", i)] = ""
	}
	s := newSuite(t, config.Config{MaxBytes: 1024}, files)
	require.NotContains(t, said(t, s, "", "find", `{"pattern":"*"}`), "ignored")
	require.Contains(t, said(t, s, "", "find", `{"pattern":"*","offset":95}`), "Skipped 2 ignored entries: 0.log, z.log")
}

// Of several calls at once one tells.
func TestOneOfSeveralCallsTells(t *testing.T) {
	t.Parallel()
	cfg, files := leavingOut()
	s := newSuite(t, cfg, files)
	for range 20 {
		s.Forget()
		var told atomic.Int64
		var calls sync.WaitGroup
		for range 4 {
			calls.Go(func() {
				res, err := s.Call(context.Background(), "find", []byte(`{"pattern":"*"}`))
				if err == nil && strings.Contains(res.Text, toldIgnored) {
					told.Add(1)
				}
			})
		}
		calls.Wait()
		require.EqualValues(t, 1, told.Load())
	}
}

// What a host has cut off was not told.
func TestWhatIsCutOffWasNotTold(t *testing.T) {
	t.Parallel()
	cfg, files := leavingOut()
	s := newSuite(t, cfg, files)
	grep := s.Tools()[2]
	require.Equal(t, "grep", grep.Name())
	short := truncation.Policy{Strategy: truncation.Head, Limits: truncation.Limits{Lines: 1}}
	args := []byte(`{"pattern":"needle"}`)
	for range 2 {
		res, err := tools.Truncate(grep, short).Call(t.Context(), args)
		require.NoError(t, err)
		require.NotContains(t, res.Text, "ignored")
		res, err = tools.Truncate(tools.Truncate(grep, truncation.Policy{Strategy: truncation.Head}), short).Call(t.Context(), args)
		require.NoError(t, err)
		require.NotContains(t, res.Text, "ignored")
	}
	res, err := tools.Truncate(grep, truncation.Policy{Strategy: truncation.Head}).Call(t.Context(), args)
	require.NoError(t, err)
	require.Contains(t, res.Text, toldIgnored)
	require.Empty(t, said(t, s, "", "grep", string(args)))
}

// With ignored, the results that git ignores are named, by the entries at which a search would turn back.
func TestIgnoredHits(t *testing.T) {
	t.Parallel()
	cfg, files := leavingOut()
	files["out/sub/deep.go"], files["out/[odd].go"] = "needle\n", "needle\n"
	s := newSuite(t, cfg, files)
	grep := func(p tools.GrepParams) (paths []string, res tools.GrepResult) {
		p.Pattern, p.Ignored = "needle", true
		res, err := s.Grep(t.Context(), p)
		require.NoError(t, err)
		for _, l := range res.Lines {
			if l.Ignored {
				paths = append(paths, l.Path)
			}
		}
		return paths, res
	}
	all := []string{"out/[odd].go", "out/gen.go", "out/sub/deep.go", "sub/c.log"}
	for _, mode := range []string{"content", "files_with_matches", "count"} {
		paths, res := grep(tools.GrepParams{OutputMode: mode, Glob: "*.{go,log}"})
		require.Equal(t, all, paths)
		require.Equal(t, 4, res.IgnoredHits)
		require.True(t, strings.HasSuffix(res.Text, "\n\n[Ignored by git: out/[odd].go, out/gen.go, out/sub/deep.go, sub/c.log]"), res.Text)
	}
	paths, res := grep(tools.GrepParams{Path: "sub"})
	require.Equal(t, []string{"sub/c.log"}, paths)
	require.Contains(t, res.Text, "[Ignored by git: sub/c.log]")
	_, res = grep(tools.GrepParams{Glob: "*.go", Limit: 1})
	require.NotContains(t, res.Text, "Ignored by git", "the first page shows none")
	paths, res = grep(tools.GrepParams{Path: "out/gen.go"})
	require.Empty(t, paths, "it was named, and would be searched anyway")
	require.NotContains(t, res.Text, "Ignored by git")

	found, err := s.Find(t.Context(), tools.FindParams{Pattern: "*.{go,log}", Ignored: true, Sort: "mtime"})
	require.NoError(t, err)
	paths = nil
	for _, e := range found.Entries {
		if e.Ignored {
			paths = append(paths, e.Path)
		}
	}
	require.ElementsMatch(t, all, paths)
	require.Equal(t, 4, found.IgnoredHits)
	require.Regexp(t, `\[Ignored by git: (\S+, ){3}\S+\]$`, found.Text)
	for _, path := range all {
		require.Contains(t, found.Text[strings.Index(found.Text, "[Ignored"):], path)
	}
}

// The names of many hits keep within the room for notices.
func TestIgnoredHitsAreBounded(t *testing.T) {
	t.Parallel()
	files := map[string]string{".gitignore": "*.log\n"}
	for i := range 500 {
		files[fmt.Sprintf("%s%d.log", strings.Repeat("x", i%200), i)] = "needle\n"
	}
	s := newSuite(t, config.Config{Grep: config.Grep{Limit: 1000}}, files)
	for _, args := range []string{`{"pattern":"needle","ignored":true,"limit":1000}`, `{"pattern":"needle","ignored":true,"output_mode":"count","limit":1000}`} {
		text := said(t, s, "", "grep", args)
		require.Less(t, len(text), notice.Allowance)
		require.Regexp(t, `Ignored by git: .* and \d+ more$`, text)
	}
	require.Regexp(t, `Ignored by git: .* and \d+ more$`, said(t, s, "", "find", `{"pattern":"*.log","ignored":true}`))
}

// What has no room beside other notices is told by a later call.
func TestLeftOutIsToldWhereThereIsRoom(t *testing.T) {
	t.Parallel()
	name := func(char string) string { return strings.Repeat(char, 75) }
	long := strings.Repeat("f", 230)
	files := map[string]string{
		".gitignore": name("i") + "*\n", long: "needle \xff" + strings.Repeat("x", 600) + "\n", "z": "other\n",
		name("i") + "1": "", name("i") + "2": "", name("i") + "3": "", name("l") + "1": strings.Repeat("x", 1<<11), name("l") + "2": strings.Repeat("x", 1<<11),
	}
	s := newSuite(t, config.Config{MaxFileBytes: 1024}, files)
	first := said(t, s, "", "grep", `{"pattern":"needle"}`)
	require.Less(t, len(first), notice.Allowance)
	require.Contains(t, first, "Skipped 3 ignored entries")
	require.NotContains(t, first, "Skipped 2 files over")
	require.Regexp(t, "^Skipped 2 files over 1KB: l+1, l+2. Use path=l+1 to search the first$", said(t, s, "", "grep", `{"pattern":"other"}`))
	require.Empty(t, said(t, s, "", "grep", `{"pattern":"other"}`))
}
