package files_test

import (
	"context"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/exit"
	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/internal/proc"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/internal/suitetest"
	"github.com/spillway-go/spillway/truncation"
	"github.com/stretchr/testify/require"
)

// noise returns random bytes, as those of a compressed file.
func noise(n int) string {
	r := rand.New(rand.NewPCG(1, 2))
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return string(b)
}

const (
	latin1 = "L'\xe9t\xe9 dernier, les \xe9l\xe8ves ont d\xe9j\xe0 visit\xe9 le ch\xe2teau.\n"
	gifs   = "GIF89a is how a GIF begins\n"
)

// notTextFiles are printed by the tests below.
func notTextFiles() map[string]string {
	utf16 := "\xff\xfe"
	for _, r := range "wide 世界\r\n" {
		utf16 += string([]byte{byte(r), byte(r >> 8)})
	}
	return map[string]string{
		"app.bin": "\x7fELF\x02\x01\x01" + strings.Repeat("\x00\x03\xc8", 10_000), "latin1.txt": latin1, "utf16.txt": utf16,
		"names": "a b\x00c\x00", "log": strings.Repeat("a line of a log\n", 5000) + "one bad byte \xff\n", "gif.txt": gifs,
		"noise": noise(40_000), "behind.txt": strings.Repeat("text\n", 2000) + "x\x00yé\x00\nend\n",
	}
}

// outputFile is how a notice names the file.
var outputFile = regexp.MustCompile(`\.clarvis/(?:bash|job|tool|stderr)-\w+\.log`)

// A command that prints no text says so: anomalyco/opencode#48310, anthropics/claude-code#94055.
func TestBashNotText(t *testing.T) {
	t.Parallel()
	need.Shell(t)
	for i, option := range []config.Bash{
		{}, {KeepState: proc.KeepsState}, {SplitStreams: true}, {Strategy: truncation.Digest},
		{Strategy: truncation.HeadTailLines}, {Strategy: truncation.Middle},
	} {
		s := newSuite(t, config.Config{Bash: option}, notTextFiles())
		bash := func(command string, show string) tools.Result {
			res := call(t, s, "bash", tools.BashParams{Command: command, Show: show})
			require.NotContains(t, res.Text, "\x00")
			return res
		}
		shows := []string{"", "head", "both", "digest"}
		if testing.Short() {
			shows = shows[i%4:][:1]
		}
		for _, show := range shows {
			res := bash("cat app.bin", show)
			require.Regexp(t, `(?s)^\\x7fELF\\x02\\x01\\x01\\0\\x03\\xc8.{600,900}.{0,200}\n\n\[The output is not text, but an ELF executable \(29\.3KB\)\. `+
				`Its first 256 bytes are shown escaped\. `+suitetest.FullOutput(`\.clarvis/bash-\w+\.log`)+`\]$`, res.Text)
			kept := testkit.ReadFile(t, filepath.Join(s.Workspace(), outputFile.FindString(res.Text)))
			require.Equal(t, notTextFiles()["app.bin"], kept)
			details := res.Details.(tools.BashResult)
			require.Equal(t, &tools.NotText{Binary: true, Type: "application/x-executable"}, details.NotText)
			require.True(t, details.Shown.Truncated)
			require.Empty(t, details.Standout)
		}
		require.Contains(t, bash("cat noise; exit 3", "").Text, "but binary data (39.1KB). Its first 256 bytes")
		require.Contains(t, bash("cat noise; exit 3", "").Text, "\n\n"+exit.WithCode(3))
		require.Equal(t, gifs, bash("cat gif.txt", "").Text)
		require.Equal(t, "a b␀c␀\n\n[␀ stands for a NUL byte]", bash("cat names", "").Text)
		require.Equal(t, "red\n", bash(`printf '\033[31mred\033[0m\n'`, "").Text)
		require.Equal(t, "wide 世界\n\n[The output is shown decoded from utf-16le]", bash("cat utf16.txt", "").Text)

		log := bash("cat log", "")
		require.Contains(t, log.Text, "a line of a log\n")
		if option.Strategy != truncation.Digest {
			require.Contains(t, log.Text, "one bad byte �\n")
			require.Contains(t, log.Text, "Not all of this is valid utf-8: � marks invalid bytes")
		}

		res := bash("cat latin1.txt", "")
		require.Regexp(t, `(?s)^L'�t� .*\n\n\[Not all of this is valid utf-8: � marks invalid bytes\. It looks like windows-1252\. `+
			`Use read with path=\.clarvis/bash-\w+\.log encoding=windows-1252 to see it\]$`, res.Text)
		require.False(t, res.Details.(tools.BashResult).Truncated)
		again := call(t, s, "read", tools.ReadParams{Path: outputFile.FindString(res.Text), Encoding: "windows-1252"})
		require.Equal(t, "L'été dernier, les élèves ont déjà visité le château.\n", again.Text)
	}
}

// Where read cannot show the file, a command that works is named instead.
func TestBashNotTextWithoutRead(t *testing.T) {
	t.Parallel()
	need.Shell(t)
	s := newSuite(t, config.Config{Tools: []string{"bash"}}, notTextFiles())
	res := call(t, s, "bash", tools.BashParams{Command: "cat latin1.txt"})
	require.Contains(t, res.Text, "It looks like windows-1252. End the command with | iconv -f windows-1252 -t utf-8 to see it]")
	res = call(t, s, "bash", tools.BashParams{Command: "cat latin1.txt | iconv -f windows-1252 -t utf-8"})
	require.Equal(t, "L'été dernier, les élèves ont déjà visité le château.\n", res.Text)

	s = newSuite(t, config.Config{}, notTextFiles())
	res = call(t, s, "bash", tools.BashParams{Command: `cat latin1.txt | tr '\n' '\0'`})
	require.Contains(t, res.Text, "␀ stands for a NUL byte. Not all of this is valid utf-8")
	require.Contains(t, res.Text, "End the command with | iconv -f windows-1252 -t utf-8 to see it]") // read takes the file for a binary one
}

func TestBashNotTextStreams(t *testing.T) {
	t.Parallel()
	need.Shell(t)
	s := newSuite(t, config.Config{Bash: config.Bash{SplitStreams: true}}, notTextFiles())
	res := call(t, s, "bash", tools.BashParams{Command: "cat latin1.txt; cat app.bin >&2"})
	require.Regexp(t, `(?s)^L'�t� .*\[Not all of this is valid utf-8.*\n\nstderr:\n\\x7fELF.*\[The output is not text, but an ELF executable .* `+
		suitetest.FullOutput(`\.clarvis/stderr-\w+\.log`)+`\]$`, res.Text)
	require.Equal(t, &tools.NotText{Encoding: "windows-1252", Invalid: 8}, res.Details.(tools.BashResult).NotText)
}

// The same is said of a job, part by part, and of the end of a command in updates.
func TestJobNotText(t *testing.T) {
	t.Parallel()
	need.Shell(t)
	s := newSuite(t, config.Config{}, notTextFiles())
	const command = "echo begun; read x; cat app.bin; echo; echo end; read x; cat latin1.txt; read x; echo done"
	res := call(t, s, "bash", tools.BashParams{Command: command, Background: true, ReadyWhen: "begun"})
	require.Regexp(t, `^begun\n\n\[.*Job 1 is running`, res.Text)
	res = call(t, s, "job", tools.JobParams{ID: 1, Input: "\n", Until: "^end"})
	require.Regexp(t, `(?s)^\\x7fELF.*\[The output is not text, but an ELF executable \(29\.3KB\)\. .*`+suitetest.FullOutput(`\.clarvis/job-`), res.Text)
	res = call(t, s, "job", tools.JobParams{ID: 1, Input: "\n", Until: "dernier"})
	require.Contains(t, res.Text, "L'�t� dernier")
	require.Contains(t, res.Text, "It looks like windows-1252. End the command with | iconv")
	res = call(t, s, "job", tools.JobParams{ID: 1, Input: "\n", Until: "never"})
	require.Regexp(t, `^done\n\n\[`, res.Text)
	require.NotContains(t, res.Text, "valid utf-8")

	res = call(t, s, "bash", tools.BashParams{Command: "cat app.bin", Background: true, ReadyWhen: "never"})
	require.Regexp(t, `(?s)^\\x7fELF.*\[The output is not text, but an ELF executable \(29\.3KB\)\. .* `+suitetest.FullOutput(`\.clarvis/job-\w+\.log`)+`\. `, res.Text)
}

// No result has U+0000. A NUL byte of a text is shown as one character, so that columns stay what they are.
func TestNULIsShown(t *testing.T) {
	t.Parallel()
	s := newSuite(t, config.Config{Read: config.Read{PieceBytes: 1000}}, notTextFiles())
	page := call(t, s, "read", tools.ReadParams{Path: "behind.txt", Offset: 2001})
	require.Equal(t, "x␀yé␀\nend\n\n[␀ stands for a NUL byte]", page.Text)
	page = call(t, s, "read", tools.ReadParams{Path: "behind.txt", Offset: 2001, Limit: 1, Column: 4})
	require.Equal(t, "é␀\n\n[␀ stands for a NUL byte. 1 more line in file. "+suitetest.Next(2002)+"]", page.Text)
	require.NotContains(t, call(t, s, "read", tools.ReadParams{Path: "behind.txt", Limit: 1}).Text, "NUL")
	digest := call(t, s, "read", tools.ReadParams{Path: "behind.txt", Show: "digest"})
	require.NotContains(t, digest.Text, "\x00")
	require.Contains(t, digest.Text, "x␀yé␀\n")

	found := call(t, s, "grep", tools.GrepParams{Pattern: "é", Path: "behind.txt"})
	require.Equal(t, "behind.txt:2001: x␀yé␀\n\n[␀ stands for a NUL byte]", found.Text)
	require.Equal(t, 4, found.Details.(tools.GrepResult).Lines[0].Column)
	page = call(t, s, "read", tools.ReadParams{Path: "behind.txt", Offset: 2001, Limit: 1, Column: 4})
	require.Equal(t, 'é', []rune(page.Text)[0])
}

// Pages put together are the text, with a character for each NUL byte.
func TestNULPages(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("text\n", 2000) + strings.Repeat("a\x00é\x00", 2000) + "\n" + strings.Repeat("\x00\n", 1000) + "\x00"
	s := newSuite(t, config.Config{Read: config.Read{MaxBytes: 1100}}, map[string]string{"long.txt": long})
	var all strings.Builder
	for p := (tools.ReadParams{Path: "long.txt", Offset: 1}); p.Offset > 0; {
		if p.Offset == 2001 {
			p.Column = max(p.Column, 1)
		}
		res := suitetest.Do(t, s.Read, p)
		require.LessOrEqual(t, len(res.Page), 1101) // with the last newline
		all.WriteString(res.Page)
		p.Offset, p.Column = res.NextOffset, res.NextColumn
	}
	require.Equal(t, strings.ReplaceAll(long, "\x00", "␀"), all.String())
}

// A line with a NUL byte can be edited beside it, and with the byte itself; what stands for it is explained.
func TestEditNUL(t *testing.T) {
	t.Parallel()
	s := newSuite(t, config.Config{}, notTextFiles())
	res := call(t, s, "edit", tools.EditParams{Path: "behind.txt", OldString: "x␀yé␀", NewString: "z"})
	require.True(t, res.IsError)
	require.Contains(t, res.Text, `not_found: old_string is not in behind.txt, because it holds ␀, which stands for a NUL byte (\u0000 in JSON). `+
		`Without these it is at line 2001`)
	require.Contains(t, res.Text, "  2001  x␀yé␀")
	res = call(t, s, "edit", tools.EditParams{Path: "behind.txt", OldString: "yé", NewString: "ye"})
	require.False(t, res.IsError, res.Text)
	require.Contains(t, res.Text, "-x␀yé␀\n+x␀ye␀")
	require.NotContains(t, res.Text, "\x00")
	res = call(t, s, "edit", tools.EditParams{Path: "behind.txt", OldString: "x\x00ye\x00", NewString: "z"})
	require.False(t, res.IsError, res.Text)
}

// Added tools show NUL bytes, what is not UTF-8 and what is binary as bash does.
func TestAddedNotText(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ text, want string }{
		{"text", "^text$"},
		{"a\x00b", `^a␀b\n\n\[␀ stands for a NUL byte\]$`},
		{"caf\xe9", `^caf�\n\n\[Not all of this is valid utf-8: � marks invalid bytes\]$`},
		{noise(40_000), `^[ -~]{256,900}[ -~]{0,200}\n\n\[The output is not text, but binary data \(39\.1KB\)\. Its first 256 bytes are shown escaped\. ` +
			suitetest.FullOutput(`\.clarvis/tool-\w+\.log`) + `\]$`},
	} {
		s := newSuite(t, config.Config{}, nil)
		require.NoError(t, s.Add(tools.Func("other", "", func(context.Context, struct{}) (string, error) { return tt.text, nil })))
		res := call(t, s, "other", struct{}{})
		require.Regexp(t, tt.want, res.Text)
		if file := outputFile.FindString(res.Text); file != "" {
			require.Equal(t, tt.text, testkit.ReadFile(t, filepath.Join(s.Workspace(), file)))
			require.True(t, res.Shown().Truncated)
		}
	}
}

// A text that begins like another format is a text: read, grep and edit take it for one.
func TestTextLikeAFormat(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		gifs, "GIF87a", "%PDF-1.4 is the first line of a PDF\n", "%PDF-1.4\nis the first line of a PDF\n", "RIFFabcdWEBP\n", "RIFFabcdWEBPVP8 too\n",
		"BZh91AY&SY begins a block\n", "\x7fELF is the magic\n", "Rar!\n", strings.Repeat("x", 257) + "ustar\n", "BM\n", "MZ\n", "ID3\n", "OTTO\n",
	} {
		s := newSuite(t, config.Config{}, map[string]string{"a.txt": text})
		page := call(t, s, "read", tools.ReadParams{Path: "a.txt"})
		require.Equal(t, text, page.Text, "%q", text)
		require.Equal(t, 1, call(t, s, "grep", tools.GrepParams{Pattern: "^.", Path: ".", Limit: 1}).Details.(tools.GrepResult).Matches)
		edited := call(t, s, "edit", tools.EditParams{Path: "a.txt", OldString: text, NewString: "b"})
		require.False(t, edited.IsError, edited.Text)
	}
	s := newSuite(t, config.Config{}, map[string]string{"a.gif": "GIF89a\x03\x00\x02\x00\x80\x00\x00", "a.pdf": "%PDF-1.4\n1 0 obj\n", "a.webp": "RIFF\x24\x00\x00\x00WEBPVP8L"})
	for _, name := range []string{"a.gif", "a.pdf", "a.webp"} {
		require.True(t, call(t, s, "read", tools.ReadParams{Path: name}).IsError, name)
	}
}

// A view without read names a command.
func TestViewNotText(t *testing.T) {
	t.Parallel()
	need.Shell(t)
	s := newSuite(t, config.Config{}, notTextFiles())
	view, err := s.With(tools.View{Tools: []string{"bash"}})
	require.NoError(t, err)
	require.Contains(t, call(t, view, "bash", tools.BashParams{Command: "cat latin1.txt"}).Text, "End the command with | iconv -f windows-1252")
	require.Contains(t, call(t, s, "bash", tools.BashParams{Command: "cat latin1.txt"}).Text, "Use read with path=")
}

// What a change shows of a file has no NUL byte either.
func TestChangesWithNUL(t *testing.T) {
	t.Parallel()
	s := newSuite(t, config.Config{Tools: []string{"read", "write", "edit", "apply_patch"}}, notTextFiles())
	for _, step := range []struct {
		tool string
		args any
	}{
		{"write", tools.WriteParams{Path: "new.txt", Content: "a\x00b\n"}},
		{"write", tools.WriteParams{Path: "new.txt", Content: strings.Repeat("text\n", 3000) + "c\x00d\n"}},
		{"apply_patch", map[string]any{"patch": "*** Begin Patch\n*** Update File: behind.txt\n@@\n-x\x00yé\x00\n+x\x00z\n*** End Patch"}},
		{"apply_patch", map[string]any{"patch": "*** Begin Patch\n*** Update File: behind.txt\n@@\n-x\x00yy\n+x\n*** End Patch"}},
		{"edit", tools.EditParams{Path: "behind.txt", OldString: "x\x00zz", NewString: "x"}},
		{"edit", tools.EditParams{Path: "behind.txt", OldString: "x\x00", NewString: "y\x00"}},
	} {
		res := call(t, s, step.tool, step.args)
		require.NotContains(t, res.Text, "\x00", "%s %v", step.tool, step.args)
		require.NotEmpty(t, res.Text)
	}
	require.NotContains(t, call(t, s, "read", tools.ReadParams{Path: "new.txt", Offset: 3001}).Text, "\x00")
}

// A file of a few bytes that begins like a picture is one, cut off, and no text in an encoding of some language.
func TestReadOfFilesCutOff(t *testing.T) {
	t.Parallel()
	s := newSuite(t, config.Config{}, map[string]string{
		"a.jpg": "\xff\xd8\xff\xe0", "a.png": "\x89PNG\r\n", "a.xz": "\xfd7zXZ", "a.class": "\xca\xfe\xba\xbe", "a.rpm": "\xed\xab\xee\xdb",
	})
	for name, what := range map[string]string{
		"a.jpg": "a JPEG image", "a.png": "a PNG image", "a.xz": "xz compressed data", "a.class": "a Java class",
	} {
		res := call(t, s, "read", map[string]any{"path": name})
		require.Equal(t, tools.CodeIsBinary, res.Code, res.Text)
		require.Contains(t, res.Text, what)
	}
	require.NotContains(t, call(t, s, "read", map[string]any{"path": "a.rpm"}).Text, "Use encoding=")
}
