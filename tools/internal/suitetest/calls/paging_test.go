package calls_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/rand"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/internal/suitetest"
	"github.com/stretchr/testify/require"
)

var (
	nextPage   = regexp.MustCompile(`Use offset=(\d+) to continue$`)
	nextPiece  = regexp.MustCompile(`Use offset=(\d+) column=(\d+) to continue$`)
	tooLong    = regexp.MustCompile(`^Line (\d+) is \S+, exceeds \S+ limit\. Use (?:offset=\d+ )?column=1 to read it in pieces$`)
	notValid   = regexp.MustCompile(`^Not all of this is valid utf-8: � marks invalid bytes(|\. It looks like \S+\. Use encoding=\S+ to read it)`)
	format     = regexp.MustCompile(`(?:^|\. )The file (?:(?:is in|looks like) .*|has \S+ line endings(?:, which edit keeps)?)$`)
	total      = regexp.MustCompile(`\. The file has \d+ lines?$`)
	empties    = regexp.MustCompile(`^(\d+ empty lines?|Only .+: \d+ bytes?)$`)
	fullOutput = regexp.MustCompile(suitetest.FullOutput(`(\S+)`) + `$`)
	invalidOut = regexp.MustCompile(`(?:^|\. )Not all of this is valid utf-8: � marks invalid bytes(?:|` +
		`\. It looks like \S+\. Use read with path=(\S+) encoding=\S+ to see it)$`)
)

// mostPages is more than any of these files needs.
const mostPages = 5000

// pages reads a file from its start to its end and knows nothing but the texts:
// it goes where each notice says, and puts together what was before it.
func pages(t testing.TB, s *tools.Suite, path string, args map[string]any) string {
	t.Helper()
	var whole strings.Builder
	args["path"] = path
	for range mostPages {
		res := call(t, s, "read", args)
		require.False(t, res.IsError, "%v: %s", args, res.Text)
		body, said := noticeOf(res.Text)
		said = empties.ReplaceAllString(total.ReplaceAllString(format.ReplaceAllString(said, ""), ""), "")
		if invalid := notValid.FindString(said); invalid == said && len(body) < len(res.Text) {
			whole.WriteString(strings.TrimSuffix(body, "\n")) // it does not show whether the file ends in a newline
			if res.Details.(tools.ReadResult).FinalNewline {
				whole.WriteString("\n")
			}
			return whole.String()
		}
		set := func(offset, column string) {
			args["offset"], _ = strconv.Atoi(offset)
			delete(args, "column")
			if column != "" {
				args["column"], _ = strconv.Atoi(column)
			}
		}
		if said == "" {
			if res.Text != "(empty file)" {
				whole.WriteString(res.Text)
			}
			return whole.String()
		} else if m := nextPiece.FindStringSubmatch(said); m != nil {
			set(m[1], m[2])
			body = strings.TrimSuffix(body, "\n") // the line goes on
			require.NotEmpty(t, body)
		} else if m := tooLong.FindStringSubmatch(said); m != nil {
			set(m[1], "1")
			require.Empty(t, body)
		} else if m := nextPage.FindStringSubmatch(said); m != nil {
			before := args["offset"]
			set(m[1], "")
			require.NotEqual(t, before, args["offset"], "it leads back to the same page")
		} else {
			require.Fail(t, "no way to go on", "%q", said)
		}
		whole.WriteString(body)
	}
	require.Fail(t, "it does not end")
	return ""
}

func TestReadPagesAreTheFile(t *testing.T) {
	t.Parallel()
	for seed := range testkit.Some(100) {
		r := rand.New(rand.NewSource(int64(seed)))
		cfg := config.Config{ReadOnly: true, MaxLines: []int{1, 2, 3, 10, 100}[r.Intn(5)], MaxBytes: []int{1024, 1025, 1999, 3000}[r.Intn(4)]}
		text := randomText(r, 60, 4000)
		s := newSuite(t, cfg, map[string]string{"f": text})
		args := map[string]any{}
		if r.Intn(3) == 0 {
			args["limit"] = 1 + r.Intn(20)
		}
		got := pages(t, s, "f", args)
		require.Equal(t, normal(text), got, "seed %d, MaxLines %d, MaxBytes %d, %v", seed, cfg.MaxLines, cfg.MaxBytes, args)
		s.Close()
	}
}

// TestEmptyLinesAtTheEndOfAPage is the least file that a page's end can spoil.
func TestEmptyLinesAtTheEndOfAPage(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"a\n\nb\n", "\n\n\n", "\na\n\n\nb", "\n", "\n\na", "\r\n\r\na\r\n\r\n"} {
		for lines := 1; lines < 4; lines++ {
			for _, cfg := range []config.Config{{ReadOnly: true, MaxLines: lines}, {ReadOnly: true}} {
				s := newSuite(t, cfg, map[string]string{"f": text})
				args := map[string]any{}
				if cfg.MaxLines == 0 {
					args["limit"] = lines
				}
				require.Equal(t, normal(text), pages(t, s, "f", args), "%q by %d lines, %v", text, lines, args)
			}
		}
	}
}

// TestEmptyLinesAtTheEndOfOutput: the last lines of an output are shown, also if
// they are empty.
func TestEmptyLinesAtTheEndOfOutput(t *testing.T) {
	t.Parallel()
	need.Shell(t)
	for command, want := range map[string]string{
		`printf 'a\nb\n\n'`:     "b\n\n",
		`printf 'a\n\n\n'`:      "\n\n",
		`printf 'a\nb\nc\n'`:    "b\nc\n",
		`printf 'a\n\nc'`:       "\nc\n", // a page's last line is ended, for the notice
		`printf 'a\nb\n\n' >&2`: "b\n\n",
	} {
		s := newSuite(t, config.Config{MaxLines: 2}, nil)
		body, said := noticeOf(call(t, s, "bash", map[string]any{"command": command}).Text)
		require.Contains(t, said, "Showing lines 2-3 of 3.")
		require.Equal(t, want, body, command)
	}
}

func TestReadPagesOfOtherEncodings(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("ä漢😀 x\n", 300) + strings.Repeat("長", 2000) + "\nend"
	utf16 := func(big bool) string {
		var b bytes.Buffer
		put := func(u uint16) {
			if big {
				b.Write([]byte{byte(u >> 8), byte(u)})
			} else {
				b.Write([]byte{byte(u), byte(u >> 8)})
			}
		}
		put(0xfeff)
		for _, c := range text {
			if c > 0xffff {
				put(uint16(0xd800 + (c-0x10000)>>10))
				put(uint16(0xdc00 + (c-0x10000)&0x3ff))
				continue
			}
			put(uint16(c))
		}
		return b.String()
	}
	s := newSuite(t, config.Config{ReadOnly: true, MaxBytes: 1100}, map[string]string{"bom": "\xef\xbb\xbf" + text, "le": utf16(false), "be": utf16(true)})
	for _, name := range []string{"bom", "le", "be"} {
		require.Equal(t, text, pages(t, s, name, map[string]any{}), name)
	}
}

// TestReadFromTheEndIsTheRest: -N and the line that it stands for are the same.
func TestReadFromTheEndIsTheRest(t *testing.T) {
	t.Parallel()
	for seed := range testkit.Some(30) {
		r := rand.New(rand.NewSource(int64(seed)))
		text := randomText(r, 40, 100)
		lines := linesOf(normal(text))
		s := newSuite(t, config.Config{}, map[string]string{"f": text})
		for _, n := range []int{1, 2, len(lines), len(lines) + 1, math.MaxInt} {
			if len(lines) == 0 || n == 0 {
				continue
			}
			res := call(t, s, "read", map[string]any{"path": "f", "offset": -n})
			body, _ := noticeOf(res.Text) // of what is not UTF-8
			require.Equal(t, lines[max(len(lines)-n, 0):], linesOf(body), "seed %d, -%d", seed, n)
		}
		s.Close()
	}
}

// listed calls a tool page by page, by NextOffset in the details, and gives the
// lines of all of them.
func listed(t testing.TB, s *tools.Suite, tool string, args map[string]any) []string {
	t.Helper()
	var all []string
	for range mostPages {
		res := call(t, s, tool, args)
		require.False(t, res.IsError, "%v: %s", args, res.Text)
		body, said := noticeOf(res.Text)
		var details struct{ NextOffset int }
		require.NoError(t, json.Unmarshal([]byte(encode(t, res.Details)), &details))
		page := linesOf(body)
		all = append(all, page...)
		incomplete := details.NextOffset > 0
		require.Equal(t, incomplete, strings.Contains(said, fmt.Sprintf("offset=%d ", details.NextOffset)), "the notice %q", said)
		if !incomplete {
			return all
		}
		before, _ := args["offset"].(int)
		require.Greater(t, details.NextOffset, before, "it does not get on: %q", said)
		args["offset"] = details.NextOffset
	}
	require.Fail(t, "it does not end")
	return nil
}

func TestListPagesAreTheList(t *testing.T) {
	t.Parallel()
	need.Name(t, "new\nline\"*")
	for seed := range testkit.Some(8) { // each makes some thousand calls
		r := rand.New(rand.NewSource(int64(seed)))
		dir := t.TempDir()
		randomTree(t, r, dir)
		whole := newSuite(t, config.Config{Workspace: dir, MaxBytes: 10 << 20, MaxLines: 1 << 20, Grep: config.Grep{MaxLineChars: 20}}, nil)
		lines, limit := []int{1, 2, 5, 100}[r.Intn(4)], 1
		if testing.Short() {
			lines, limit = max(lines, 20), 10 // the fewer, the more calls
		}
		small := newSuite(t, config.Config{Workspace: dir, MaxBytes: 2048, MaxLines: lines, Grep: config.Grep{MaxLineChars: 20}}, nil)
		for _, test := range []struct {
			tool string
			args map[string]any
		}{
			{"find", map[string]any{"pattern": "**"}},
			{"find", map[string]any{"pattern": "*-d", "type": "dir"}},
			{"ls", map[string]any{}},
			{"grep", map[string]any{"pattern": "a|ä|漢|o"}},
			{"grep", map[string]any{"pattern": "a|ä|漢|o", "multiline": true}},
			{"grep", map[string]any{"pattern": ".", "output_mode": "count"}},
			{"grep", map[string]any{"pattern": "^$", "output_mode": "files_with_matches"}},
		} {
			test.args["limit"] = 1 << 20
			want := listed(t, whole, test.tool, test.args)
			test.args["limit"] = limit + r.Intn(20)
			require.Equal(t, want, listed(t, small, test.tool, test.args), "seed %d: %s %v", seed, test.tool, test.args)
		}
		whole.Close()
		small.Close()
	}
}

// TestGrepAlwaysGetsOn: a page holds at least one match, or there is an error
// that says why not. Paging would otherwise end before the list does, or never.
func TestGrepAlwaysGetsOn(t *testing.T) {
	t.Parallel()
	s := newSuite(t, config.Config{MaxBytes: 1024}, map[string]string{
		"wide": strings.Repeat(strings.Repeat("漢", 499)+"x\n", 3),
		"far":  strings.Repeat("a line of context\n", 200) + "needle\nneedle\n",
	})
	for _, args := range []map[string]any{{"pattern": "x", "path": "wide"}, {"pattern": "needle", "path": "far", "context": 100}} {
		res := call(t, s, "grep", args)
		details, ok := res.Details.(tools.GrepResult)
		require.True(t, ok || res.IsError)
		if ok {
			require.Positive(t, details.NextOffset, "it found %d: %q", details.Matches, res.Text[max(len(res.Text)-100, 0):])
		}
	}
}

// TestSpillHoldsEveryByte: the file that the notice names is what the command
// printed, and what was shown is the end of it.
func TestSpillHoldsEveryByte(t *testing.T) {
	t.Parallel()
	need.Shell(t)
	for seed := range testkit.Some(30) {
		r := rand.New(rand.NewSource(int64(seed)))
		cfg := config.Config{MaxLines: []int{1, 3, 20, 2000}[r.Intn(4)], MaxBytes: []int{1024, 1500, 5000}[r.Intn(3)]}
		cfg.Workspace = t.TempDir()
		if r.Intn(2) == 0 {
			cfg.Spill.Dir = []string{"spills", filepath.Join(t.TempDir(), "deep", "er")}[r.Intn(2)]
		}
		text := strings.ReplaceAll(randomText(r, 200, 4000), "\r", "")
		if r.Intn(5) == 0 {
			text = strings.Repeat(text, 20)
		}
		s := newSuite(t, cfg, map[string]string{"out": text})
		res := call(t, s, "bash", map[string]any{"command": "cat out"})
		body, said := noticeOf(res.Text)
		shown, named := normal(text), ""
		if m := invalidOut.FindStringSubmatch(said); m != nil {
			require.Contains(t, body, "\ufffd")
			said, named = strings.TrimSuffix(said, m[0]), m[1]
		}
		said = empties.ReplaceAllString(said, "")
		if said == "" {
			if text == "" {
				shown = "(no output)"
			}
			require.Equal(t, shown, body, "seed %d", seed)
			entries, _ := filepath.Glob(filepath.Join(cfg.Workspace, ".clarvis", "*.log"))
			if named == "" {
				require.Empty(t, entries, "a file although nothing was left out")
			}
			s.Close()
			continue
		}
		m := fullOutput.FindStringSubmatch(said)
		require.NotNil(t, m, said)
		path := m[1]
		if named != "" {
			require.Equal(t, path, named)
		}
		if !filepath.IsAbs(path) {
			path = filepath.Join(cfg.Workspace, path)
		}
		saved, err := os.ReadFile(path)
		require.NoError(t, err)
		require.True(t, string(saved) == text, "seed %d: the file is not what was printed", seed)
		body, shown = strings.TrimSuffix(body, "\n"), strings.TrimSuffix(shown, "\n")
		require.True(t, strings.HasSuffix(shown, body), "seed %d: %q is not the end of %q", seed, body, shown)
		var from, to, total int
		if n, _ := fmt.Sscanf(said, "Showing lines %d-%d of %d", &from, &to, &total); n == 3 {
			require.Equal(t, len(linesOf(normal(text))), total, "seed %d", seed)
			require.Equal(t, total, to)
			require.Equal(t, strings.Join(linesOf(normal(text))[from-1:], "\n"), body, "seed %d: %s", seed, said)
		}

		// The same file through read and grep, by the name in the notice.
		require.False(t, call(t, s, "grep", map[string]any{"pattern": ".", "path": m[1]}).IsError)
		require.Equal(t, res.Details.(tools.BashResult).FullOutputPath, m[1])
		s.Close()
		whole := newSuite(t, config.Config{Workspace: cfg.Workspace, Spill: cfg.Spill, ReadOnly: true, MaxFileBytes: 1024}, nil)
		require.Equal(t, normal(text), pages(t, whole, m[1], map[string]any{}), "seed %d", seed)
		whole.Close()
	}
}

// TestSpillBehindALink: a spill directory below a link is one as well.
func TestSpillBehindALink(t *testing.T) {
	t.Parallel()
	base := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(base, "real", "spill"), 0o700))
	need.Symlink(t, filepath.Join(base, "real"), filepath.Join(base, "link"))
	s := newSuite(t, config.Config{MaxBytes: 1024, MaxFileBytes: 1024, Spill: config.Spill{Dir: filepath.Join(base, "link", "spill")}}, nil)
	res := call(t, s, "bash", map[string]any{"command": "seq 5000"})
	path := res.Details.(tools.BashResult).FullOutputPath
	require.NotEmpty(t, path, res.Text)
	read := call(t, s, "read", map[string]any{"path": path})
	require.False(t, read.IsError, "files in the spill directory are never refused: %s", read.Text)
	grep := call(t, s, "grep", map[string]any{"pattern": "^4999$", "path": filepath.Dir(path)})
	require.Contains(t, grep.Text, ":4999: 4999")
}

// TestSuggestedCommandsWork pastes the commands of notices into bash.
func TestSuggestedCommandsWork(t *testing.T) {
	t.Parallel()
	need.Shell(t)
	long := strings.Repeat("x", 2000) + "\n"
	names := []string{"plain", "-n", "it's", "$(touch owned)", "a b", "new\nline", "\xff", "漢", "`id`", `back\slash`, "*", "#x", "~", "-d/-f", "!x", "a&b;c"}
	files := map[string]string{}
	for _, name := range names {
		files[name], files[filepath.Join("first", name)] = "short\n"+long, long
	}
	s := newSuite(t, config.Config{MaxBytes: 1024}, files)
	for _, name := range names {
		for _, path := range []string{name, filepath.Join("first", name)} {
			quoted := path
			if strings.HasSuffix(path, "\xff") {
				quoted = `"` + strings.TrimSuffix(path, "\xff") + `\377"`
			}
			args, orColumn := map[string]any{"path": quoted}, "column=1"
			if path == name {
				args["offset"], orColumn = 2, "offset=2 column=1"
			}
			res := call(t, s, "read", args)
			_, said := noticeOf(res.Text)
			_, command, ok := strings.Cut(said, "limit. Use bash")
			require.True(t, ok, "%q", res.Text)
			_, command, _ = strings.Cut(command, ": ")
			command, ok = strings.CutSuffix(command, ". Or "+orColumn+" to read it in pieces")
			require.True(t, ok, "%q", res.Text)
			out := call(t, s, "bash", map[string]any{"command": command})
			require.Equal(t, strings.Repeat("x", notice.PieceBytes(1024)), out.Text, command)
		}
	}
}

// The pages without their notices, put together, are the file.
func TestReadResultPage(t *testing.T) {
	t.Parallel()
	text := "\n\nfirst\n" + strings.Repeat("a line\n\n", 900) + "last"
	for _, text := range []string{text, text + "\n"} {
		s := newSuite(t, config.Config{MaxBytes: 1024}, map[string]string{"a": text})
		var all strings.Builder
		for offset := 1; offset > 0; {
			res, err := s.Read(t.Context(), tools.ReadParams{Path: "a", Offset: offset, Limit: 50})
			require.NoError(t, err)
			all.WriteString(res.Page)
			offset = res.NextOffset
		}
		require.Equal(t, text, all.String())
	}
}
