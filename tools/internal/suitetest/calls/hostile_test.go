package calls_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/internal/suitetest"
	"github.com/stretchr/testify/require"
)

// peak is about how many bytes f holds at most beyond what is held before.
func peak(t testing.TB, f func()) uint64 {
	defer debug.SetGCPercent(debug.SetGCPercent(10))
	runtime.GC()
	var before runtime.MemStats
	runtime.ReadMemStats(&before)
	var most atomic.Uint64
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		var now runtime.MemStats
		for {
			select {
			case <-done:
				return
			case <-time.After(2 * time.Millisecond):
				runtime.ReadMemStats(&now)
				most.Store(max(most.Load(), now.HeapAlloc))
			}
		}
	}()
	f()
	close(done)
	<-ended
	return max(most.Load(), before.HeapAlloc) - before.HeapAlloc
}

// grown is a file of a length that takes no room on the disk, behind a beginning.
func grown(t testing.TB, dir, name, text string, size int64) {
	path := filepath.Join(dir, name)
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	require.NoError(t, os.Truncate(path, size))
}

// Lines of hundreds of megabytes, with context and without, are not held.
func TestGrepHoldsNoLongLine(t *testing.T) {
	testkit.NotUnderRace(t)
	dir := t.TempDir()
	s := newSuite(t, config.Config{Workspace: dir}, nil)
	begin := "first\n" + strings.Repeat("a long line ", 1000)
	size := int64(200 << 20)
	if testing.Short() {
		size = 140 << 20 // more than may be held
	}
	grown(t, dir, "long", begin, size)
	f, err := os.OpenFile(filepath.Join(dir, "long"), os.O_APPEND|os.O_WRONLY, 0)
	require.NoError(t, err)
	_, err = f.WriteString("\nneedle\nlast\n")
	require.NoError(t, err)
	require.NoError(t, f.Close())
	var res tools.Result
	held := peak(t, func() {
		res = call(t, s, "grep", json.RawMessage(`{"pattern": "needle", "path": "long", "context": 2}`))
	})
	require.Less(t, held, uint64(128<<20))
	require.Equal(t, "long-1- first\nlong-2- "+begin[6:506]+"... [truncated]\nlong:3: needle\nlong-4- last\n\n"+
		"[Some lines truncated to 500 chars. Use read tool to see full lines. Read the first with path=long offset=2 column=1. Lines over 22MB were searched in pieces: "+
		"^ and $ also match at the ends of these, and a match over 64KB may be missed]", res.Text)
	held = peak(t, func() { res = call(t, s, "grep", json.RawMessage(`{"pattern": "needle|long", "path": "long"}`)) })
	require.Less(t, held, uint64(128<<20))
	require.Equal(t, 2.0, detailsOf(t, res)["matches"])
}

// Context for which there is no room is left out, and the text says so.
func TestGrepSaysThatContextIsLeftOut(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("abc ", 1000)
	s := newSuite(t, config.Config{Grep: config.Grep{MaxLineChars: 2000}}, map[string]string{"a": strings.Repeat(long+"\n", 1000) + "needle\n"})
	res := call(t, s, "grep", json.RawMessage(`{"pattern": "needle", "context": 900}`))
	require.Equal(t, "a:1001: needle\n\n[30KB limit reached (1 of 1 matches shown). Some context lines left out for lack of room. "+
		"Use a smaller context to see those next to a match]", res.Text)
	res = call(t, s, "grep", json.RawMessage(`{"pattern": "needle", "context": 1}`))
	require.NotContains(t, res.Text, "left out")
}

// Many matches with much context take no longer than they are many.
func TestGrepManyMatchesWithMuchContext(t *testing.T) {
	t.Parallel()
	matches := testkit.Some(1_000_000)
	s := newSuite(t, config.Config{}, map[string]string{"a": strings.Repeat("x\n\n\n", matches)})
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	res, err := s.Grep(ctx, tools.GrepParams{Pattern: "x", Context: 10_000, Offset: matches - 10})
	require.NoError(t, err)
	require.Equal(t, 10, res.Matches)
}

// What is kept of matches that are skipped does not grow with their number.
func TestGrepHoldsNoSkippedMatches(t *testing.T) {
	testkit.NotUnderRace(t)
	dir := t.TempDir()
	lines := 120_000 // of 60 MB, three times what may be held
	if testing.Short() {
		lines = 60_000
	}
	last := fmt.Sprintf(`"offset": %d`, lines-1)
	line := strings.Repeat("x", 500) + "\n"
	s := newSuite(t, config.Config{Workspace: dir, MaxFileBytes: 1 << 30}, map[string]string{"b/big": strings.Repeat(line, lines), "b/a": "x\nx\n"})
	for _, test := range []struct {
		path, args, want string
	}{
		{"b/big", last, fmt.Sprintf("b/big:%d: ", lines)},
		{"b", last + `, "limit": 2`, fmt.Sprintf("b/big:%d: ", lines-2)},
		{"b", last + `, "limit": 2, "context": 2`, fmt.Sprintf("b/big-%d- ", lines-4)},
		{"b/big", `"offset": 10, "limit": 1000000000`, "b/big:11: "},
		{"b/big", `"offset": 10, "limit": 9000000000000000000, "context": 10000`, "b/big-1- "},
		{"b", `"limit": 9000000000000000000`, "b/a:1: "},
	} {
		var res tools.Result
		held := peak(t, func() {
			res = call(t, s, "grep", json.RawMessage(`{"pattern": "x", "path": "`+test.path+`", `+test.args+`}`))
		})
		t.Logf("%s: %d KiB", test.args, held>>10)
		require.Less(t, held, uint64(20<<20), test.args)
		require.True(t, strings.HasPrefix(res.Text, test.want), "%s: %.100s", test.args, res.Text)
	}
}

// Patterns that are too much are refused, and say why.
func TestGrepRefusesLargePatterns(t *testing.T) {
	t.Parallel()
	s := newSuite(t, config.Config{}, map[string]string{"a": "a\n"})
	words := make([]string, 100_000)
	for i := range words {
		words[i] = "word" + strconv.Itoa(i)
	}
	for _, test := range []struct {
		params tools.GrepParams
		want   string
	}{
		{tools.GrepParams{Pattern: strings.Repeat("(", 2_000_000)}, "the pattern is too large: it has 2000000 bytes, over the limit of 32768. Search for what its words have in common"},
		{tools.GrepParams{Pattern: strings.Repeat("x", 8<<20), Literal: true}, "the pattern is too large: it has 8388608 bytes, over the limit of 32768. Search for one line"},
		{tools.GrepParams{Pattern: strings.Join(words, "|")}, "over the limit of 32768. Search for what its words have in common"},
		{tools.GrepParams{Pattern: strings.Repeat("((?:.?){100}){10}", 30)}, "instructions, over the limit of 40000. Use smaller repetitions"},
		{tools.GrepParams{Pattern: strings.Repeat("(?:", 950) + strings.Repeat(")*", 950), Multiline: true}, "nested groups, over the limit of 900"},
	} {
		_, err := s.Grep(t.Context(), test.params)
		require.Equal(t, tools.CodeInvalidInput, tools.CodeOf(err))
		require.ErrorContains(t, err, test.want)
	}
}

// A search that would take minutes ends with its context.
func TestGrepEndsWithItsContext(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	letters := make([]byte, 1<<20)
	for i := range letters {
		letters[i] = "ab"[r.IntN(2)]
	}
	s := newSuite(t, config.Config{}, map[string]string{"words": strings.Repeat("word and words ", 1<<19), "letters": strings.Repeat(string(letters), 8)})
	for _, test := range []tools.GrepParams{
		{Pattern: strings.Repeat("((?:.?){10}){100}", 17) + "[^a-z ]", Path: "words"},
		{Pattern: "a(?:a|b){900}(?:a|b){900}[^a-z]", Path: "letters"},
		{Pattern: `a((?s:.*)c)?`, Path: "letters", OutputMode: "count"},
	} {
		for _, multiline := range []bool{false, true} {
			test.Multiline = multiline
			if test.OutputMode != "" && !multiline {
				continue
			}
			ctx, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
			begin := time.Now()
			_, err := s.Grep(ctx, test)
			cancel()
			require.ErrorIs(t, err, context.DeadlineExceeded, "%.40s", test.Pattern)
			require.Equal(t, tools.CodeAborted, tools.CodeOf(err))
			require.Less(t, time.Since(begin), time.Minute)
		}
	}
}

// A match of several lines is one match, and all of its lines are shown.
func TestGrepCountsMatchesOfSeveralLines(t *testing.T) {
	t.Parallel()
	text := "begin\na\nend\n\nbegin\nb\nc\nend begin\nend\n"
	s := newSuite(t, config.Config{}, map[string]string{"f": text})
	const pattern = `"pattern": "begin(?s:.*?)end", "multiline": true`
	for args, want := range map[string]string{
		`"limit": 1`:                "f:1: begin\nf:2: a\nf:3: end\n\n[" + suitetest.Limited(1, "match") + ". " + suitetest.NextAlone(1) + "]",
		`"offset": 1, "limit": 1`:   "f:5: begin\nf:6: b\nf:7: c\nf:8: end begin\n\n[" + suitetest.LimitedAgain(1, "match") + ". " + suitetest.Next(2) + "]",
		`"offset": 2`:               "f:8: end begin\nf:9: end",
		`"output_mode": "count"`:    "f:3",
		`"offset": 2, "context": 1`: "f-7- c\nf:8: end begin\nf:9: end",
		`"offset": 3`:               "invalid_input: offset 3 is beyond the end: there are 3 matches",
		`"limit": 2, "context": 1`:  "f:1: begin\nf:2: a\nf:3: end\nf-4- \nf:5: begin\nf:6: b\nf:7: c\nf:8: end begin\n\n[" + suitetest.Limited(2, "match") + ". " + suitetest.NextAlone(2) + "]",
	} {
		require.Equal(t, want, call(t, s, "grep", json.RawMessage(`{`+pattern+`, `+args+`}`)).Text, args)
	}
	res, err := s.Grep(t.Context(), tools.GrepParams{Pattern: "begin(?s:.*?)end", Multiline: true})
	require.NoError(t, err)
	require.Equal(t, 3, res.Matches)
}

// Matches in a line that is shown do not use up the limit.
func TestGrepShowsALineOnce(t *testing.T) {
	t.Parallel()
	s := newSuite(t, config.Config{}, map[string]string{"f": "a a a\nb\na\n"})
	res, err := s.Grep(t.Context(), tools.GrepParams{Pattern: "a", Multiline: true, Limit: 1})
	require.NoError(t, err)
	require.Equal(t, 3, res.NextOffset)
	res, err = s.Grep(t.Context(), tools.GrepParams{Pattern: "a", Multiline: true, Limit: 1, Offset: 3})
	require.NoError(t, err)
	require.Equal(t, "f:3: a", res.Text)
}

// A page ends between two matches, or says what of a match it does not show.
func TestGrepPagesOfLongMatches(t *testing.T) {
	t.Parallel()
	match := "begin\n" + strings.Repeat("line\n", 5) + "end\n"
	s := newSuite(t, config.Config{MaxLines: 10}, map[string]string{"f": match + "\n" + match, "long": "\n\n" + strings.Repeat("begin\n", 1) + strings.Repeat("line\n", 30) + "end\n" + match})
	const args = `{"pattern": "begin(?s:.*?)end", "multiline": true, `
	res := call(t, s, "grep", json.RawMessage(args+`"path": "f"}`))
	require.Equal(t, 7, strings.Count(res.Text, "f:"), res.Text)
	require.Contains(t, res.Text, "(1 of 2 matches shown)")
	require.Contains(t, res.Text, suitetest.Next(1))
	res = call(t, s, "grep", json.RawMessage(args+`"path": "f", "offset": 1}`))
	require.Equal(t, 7, strings.Count(res.Text, "f:"), res.Text)
	require.True(t, strings.HasSuffix(res.Text, "f:15: end"))
	res = call(t, s, "grep", json.RawMessage(args+`"path": "long", "context": 2}`))
	require.Equal(t, 10, strings.Count(res.Text, "long:"), res.Text)
	require.Contains(t, res.Text, "Showing 10 of the 32 lines of the match. Use read tool with offset=13 to see the rest")
	require.Contains(t, res.Text, suitetest.Next(1))
	require.Contains(t, res.Text, "Some context lines left out")
	res = call(t, s, "grep", json.RawMessage(args+`"path": "long", "offset": 1}`))
	require.True(t, strings.HasPrefix(res.Text, "long:35: begin\n"), res.Text)
}

// The counts are those of ripgrep, which has the same syntax: lines, and with -U the
// matches themselves. (For a pattern that cannot match a newline, its -U --count still
// counts lines.)
func TestGrepCountsAsRipgrep(t *testing.T) {
	t.Parallel()
	rg, err := exec.LookPath("rg")
	if err != nil {
		t.Skip("ripgrep is not installed")
	}
	words := []string{"a", "b", "\n", "\n", "ab", "begin\n", "end\n", "x y"}
	files, names := map[string]string{}, []string{}
	for seed := range uint64(90) {
		r := rand.New(rand.NewPCG(seed, 9))
		var text strings.Builder
		for range r.IntN(60) {
			text.WriteString(words[r.IntN(len(words))])
		}
		name := fmt.Sprintf("f%02d", seed)
		files[name], names = text.String(), append(names, name)
	}
	s := newSuite(t, config.Config{}, files)
	for _, pattern := range []string{`a\n*b`, "a", `begin(?s:.*?)end`, `b$`, `(?s)a.*b`, `^x`} {
		for _, multiline := range []bool{true, false} {
			// All files at once: to start ripgrep takes longer than to search them.
			args := []string{"--count", "--with-filename", "--no-config", "--sort", "path"}
			if multiline {
				args = append(args, "-U", "--count-matches")
			} else if strings.Contains(pattern, `\n`) {
				continue
			}
			cmd := exec.Command(rg, append(append(args, pattern), names...)...)
			cmd.Dir = s.Workspace()
			out, _ := cmd.Output() // it fails where nothing matches
			want := strings.TrimSpace(string(out))
			if want == "" {
				want = notice.NoMatches
			}
			res, err := s.Grep(t.Context(), tools.GrepParams{Pattern: pattern, OutputMode: "count", Multiline: multiline})
			require.NoError(t, err)
			require.Equal(t, strings.Split(want, "\n"), strings.Split(res.Text, "\n"), "%q, multiline %t, in %q", pattern, multiline, files)
		}
	}
}

// A line of which not all is shown is truncated text.
func TestMetadataOfCutLines(t *testing.T) {
	t.Parallel()
	line := strings.Repeat("x", 100)
	s := newSuite(t, config.Config{Grep: config.Grep{MaxLineChars: 20}, Read: config.Read{MaxLineChars: 20}}, map[string]string{"a": line + "\n", "b": "x\n"})
	for tool, args := range map[string]string{"grep": `{"pattern": "x", "path": %q}`, "read": `{"path": %q}`} {
		cut := detailsOf(t, call(t, s, tool, json.RawMessage(fmt.Sprintf(args, "a"))))
		require.Equal(t, []any{true, -1.0, true}, []any{cut["truncated"], cut["charsRemoved"], cut["more"]}, tool)
		require.GreaterOrEqual(t, cut["originalLength"], 100.0, tool)
		whole := detailsOf(t, call(t, s, tool, json.RawMessage(fmt.Sprintf(args, "b"))))
		require.Equal(t, []any{false, 0.0, nil}, []any{whole["truncated"], whole["charsRemoved"], whole["more"]}, tool)
	}
	require.Equal(t, 0, s.Stats()["grep"].Truncated, "by its size")
}

// A file may call itself longer than there are bytes in the world.
func TestReadOfAHugeSparseFile(t *testing.T) {
	testkit.Raced(t)
	dir := t.TempDir()
	s := newSuite(t, config.Config{Workspace: dir}, nil)
	path := filepath.Join(dir, "huge")
	require.NoError(t, os.WriteFile(path, []byte(strings.Repeat("some text\n", 1000)), 0o644))
	size := int64(math.MaxInt64 - 4096)
	for ; size > 1<<36 && os.Truncate(path, size) != nil; size /= 2 {
	}
	limit := 200 * time.Millisecond
	if testing.Short() {
		limit = 50 * time.Millisecond
	}
	for _, p := range []tools.ReadParams{{Path: "huge", Offset: 5}, {Path: "huge", Offset: -5}, {Path: "huge", Offset: 1001, Column: math.MaxInt}, {Paths: []string{"huge"}, Offset: 1001}} {
		held := peak(t, func() {
			ctx, cancel := context.WithTimeout(t.Context(), limit)
			defer cancel()
			begin := time.Now()
			_, err := s.Read(ctx, p)
			if p.Offset > 0 { // the last lines may be found at once
				require.ErrorIs(t, err, context.DeadlineExceeded)
			}
			require.Less(t, time.Since(begin), time.Minute)
		})
		require.Less(t, held, uint64(64<<20), "%d bytes", size)
	}
}

// A file of over 2 GiB is read and searched, also where an int has 32 bits.
func TestFilesOver2GiB(t *testing.T) {
	testkit.NotUnderRace(t)
	ws := t.TempDir()
	name := filepath.Join(ws, "large")
	require.NoError(t, os.WriteFile(name, []byte("first\nsecond\n"+strings.Repeat("text\n", 2000)), 0o644))
	require.NoError(t, os.Truncate(name, 1<<31+1))
	s := newSuite(t, config.Config{Workspace: ws}, nil)
	if strconv.IntSize == 32 { // it counts the lines of all of it, in seconds, and elsewhere with the same type as any file's
		require.Equal(t, "second\n\n[", call(t, s, "read", map[string]any{"path": "large", "offset": 2, "limit": 1}).Text[:9])
	}
	require.Contains(t, call(t, s, "grep", map[string]any{"path": "large", "pattern": "second|text", "limit": 1}).Text, "large:2: second")
	require.Contains(t, call(t, s, "grep", map[string]any{"pattern": "second"}).Text, "[Skipped 1 file over")
}

// A line that is too long to be searched as a whole is searched in pieces, and the
// result says so.
func TestGrepSaysThatLinesAreSearchedInPieces(t *testing.T) {
	testkit.NotUnderRace(t)
	ws := t.TempDir()
	long := strings.Repeat("a", 25<<20)
	require.NoError(t, os.WriteFile(filepath.Join(ws, "long"), []byte(long+"needle\n"), 0o644))
	s := newSuite(t, config.Config{Workspace: ws}, nil)
	const said = "Lines over 22MB were searched in pieces"
	require.Contains(t, call(t, s, "grep", map[string]any{"path": "long", "pattern": "needle"}).Text, said)
	require.Contains(t, call(t, s, "grep", map[string]any{"path": "long", "pattern": "thread"}).Text, said)
	s = newSuite(t, config.Config{Workspace: ws, MaxFileBytes: 1 << 30}, nil)
	require.Contains(t, call(t, s, "grep", map[string]any{"pattern": "thread"}).Text, said)
}
