package redaction_test

import (
	"context"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/internal/suitetest"
	"github.com/stretchr/testify/require"
)

// keyBlock looks like a private key. Its lines are random letters.
var keyBlock = "-----BEGIN RSA PRIVATE KEY-----\n" + strings.Repeat("MIIEowIBAAKCAQEAu1SU1LfVLPHCozMxH2Mo4lgOEePzNm0tRgeLezV6ffAt0gun\n", 12) +
	"-----END RSA PRIVATE KEY-----\n"

// redacting returns a suite that withholds knownValue from commands. seen collects all that a host is told.
func redacting(t *testing.T, mode config.Redact, files map[string]string) (s *tools.Suite, seen *strings.Builder) {
	seen = &strings.Builder{}
	var mu sync.Mutex
	s = newSuite(t, config.Config{Redact: mode, Tools: config.ToolNames(), Observe: func(_ context.Context, e config.Event) {
		mu.Lock()
		defer mu.Unlock()
		data, err := json.Marshal(e)
		fmt.Fprintln(seen, string(data), err, e.Text)
	}}, files)
	return s, seen
}

// spilled returns what is in the files of the spill directory.
func allSpilled(t *testing.T, s *tools.Suite) string {
	var all strings.Builder
	err := filepath.WalkDir(filepath.Join(s.Workspace(), ".clarvis"), func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		all.Write(data)
		return err
	})
	require.NoError(t, err)
	return all.String()
}

// TestRedactKnown has commands print a value that they do not have, in every way that a text may come to them.
func TestRedactKnown(t *testing.T) {
	t.Parallel()
	s, seen := redacting(t, config.RedactKnown, nil)
	half := len(knownValue) / 2
	for _, command := range []string{
		"echo " + knownValue,
		"echo a; echo " + knownValue + "; exit 3",
		fmt.Sprintf("printf %s; sleep 0.1; printf '%s\\n'", knownValue[:half], knownValue[half:]),
		"seq 100000; echo " + knownValue + "; seq 100000",
		"yes ok | head -n 50000; echo error: " + knownValue + " is wrong; yes ok | head -n 50000",
		"echo " + base64.StdEncoding.EncodeToString([]byte("user:"+knownValue)),
		"echo " + knownValue + " >&2; echo 1",
		"printf '\\033[31m" + knownValue[:half] + "\\033[0m" + knownValue[half:] + "\\n'",
		"echo " + knownValue + " && no-such-command-" + knownValue,
	} {
		res := call(t, s, "bash", tools.BashParams{Command: command})
		require.Contains(t, res.Text, "[redacted", command)
		require.Contains(t, res.Text, "redacted (known secret)", command)
		nothingIn(t, whole(t, res), knownValue)
		require.NotContains(t, res.Text, base64.StdEncoding.EncodeToString([]byte(knownValue))[4:16])
		require.Positive(t, res.Shown().Redacted, command)
	}
	nothingIn(t, seen.String(), knownValue)
	nothingIn(t, allSpilled(t, s), knownValue)
}

// TestRedactJobs has a job print a value in two pieces, and be waited for, asked and listed.
func TestRedactJobs(t *testing.T) {
	t.Parallel()
	need.Shell(t)
	s, seen := redacting(t, config.RedactKnown, nil)
	if !suiteHasJobs(s) {
		t.Skip("no jobs here")
	}
	half := len(knownValue) / 2
	command := fmt.Sprintf("printf 'first %s'; sleep 0.3; echo %s; printf 'Name? '; read x; echo got $x", knownValue[:half], knownValue[half:])
	var updates []tools.Update
	ctx := tools.WithProgress(t.Context(), func(u tools.Update) { updates = append(updates, u) })
	res, err := s.Bash(ctx, tools.BashParams{Command: command, Background: true, ReadyWhen: "Name"})
	require.NoError(t, err)
	require.Contains(t, res.Text, "first [redacted")
	require.Contains(t, res.Text, "1 secret was redacted (known secret)")
	nothingIn(t, res.Text, knownValue)
	for _, u := range updates {
		nothingIn(t, u.Tail, knownValue)
	}
	list := call(t, s, "job", tools.JobParams{})
	nothingIn(t, whole(t, list), knownValue)
	end := call(t, s, "job", tools.JobParams{ID: res.Job, Input: knownValue + "\n"})
	require.Contains(t, end.Text, "got [redacted")
	require.Contains(t, end.Text, "1 secret was redacted")
	nothingIn(t, whole(t, end)+seen.String()+allSpilled(t, s), knownValue)
}

func suiteHasJobs(s *tools.Suite) bool {
	for _, tool := range s.Tools() {
		if tool.Name() == "job" {
			return true
		}
	}
	return false
}

// utf16LE returns a text in UTF-16 with a byte order mark.
func utf16LE(text string) string {
	var b strings.Builder
	for _, u := range utf16.Encode([]rune("\ufeff" + text)) {
		b.WriteByte(byte(u))
		b.WriteByte(byte(u >> 8))
	}
	return b.String()
}

// TestRedactedPages reads files in pages of each size: lines and their numbers are those of the file, and no page has a
// part of a secret, wherever it begins.
func TestRedactedPages(t *testing.T) {
	t.Parallel()
	lines := []string{"# settings", "TOKEN=" + tokenValue, "", "USER=me"}
	lines = append(lines, strings.Split(strings.TrimSuffix(keyBlock, "\n"), "\n")...)
	lines = append(lines, "HOST="+knownValue+".example", "END=1")
	text := strings.Join(lines, "\n") + "\n"
	long := strings.Repeat("x ", 40_000) + tokenValue + strings.Repeat(" y", 40_000) + "\n"
	s, _ := redacting(t, config.RedactSecrets, map[string]string{
		".env": text, "wide.env": utf16LE(text), "dos.env": strings.ReplaceAll(text, "\n", "\r\n"), "long.js": long,
	})
	for _, name := range []string{".env", "wide.env", "dos.env"} {
		for limit := 1; limit <= len(lines); limit++ {
			var all []string
			for offset := 1; offset <= len(lines); offset += limit {
				res := suitetest.Do(t, s.Read, tools.ReadParams{Path: name, Offset: offset, Limit: limit})
				page := strings.Split(strings.TrimSuffix(res.Page, "\n"), "\n")
				all = append(all, page...)
				hidden := false
				for i, line := range page {
					hidden = hidden || line != strings.TrimSuffix(lines[offset-1+i], "\r")
					if len(line) > 0 && strings.TrimSpace(line) == lines[offset-1+i] {
						continue
					}
					require.Len(t, line, len(lines[offset-1+i]), "%s, line %d", name, offset+i)
				}
				require.Equal(t, hidden, res.Redacted > 0, "%s, %d lines from %d:\n%s", name, limit, offset, res.Page)
				for _, r := range res.Redactions {
					require.True(t, r.Line < offset+limit, "%s from %d: %+v", name, offset, r)
				}
				nothingIn(t, res.Text, knownValue, tokenValue, lines[5], lines[6])
			}
			require.Len(t, all, len(lines))
			require.Equal(t, lines[len(lines)-1], all[len(lines)-1])
		}
		res := call(t, s, "read", tools.ReadParams{Path: name})
		require.Contains(t, res.Text, "3 secrets were redacted (")
		require.Contains(t, res.Text, "TOKEN=[redacted: GitHub token]")
		require.Contains(t, res.Text, "[redacted: private key]")
		require.Equal(t, []int{2, 5, 19}, redactedLines(res.Shown().Redactions))
		nothingIn(t, whole(t, res), knownValue, tokenValue)
	}
	// A long line in pieces.
	for column := 1; column < 160_000; {
		res := suitetest.Do(t, s.Read, tools.ReadParams{Path: "long.js", Column: column})
		nothingIn(t, res.Text, tokenValue)
		if column = res.NextColumn; column == 0 {
			break
		}
	}
	res := suitetest.Do(t, s.Read, tools.ReadParams{Path: "long.js", Column: 80_001 + 10})
	require.NotContains(t, res.Text, tokenValue[10:])
}

func redactedLines(redactions []tools.Redaction) (lines []int) {
	for _, r := range redactions {
		lines = append(lines, r.Line)
	}
	return lines
}

// TestRedactedSearch searches for parts of secrets, which is no way to learn them.
func TestRedactedSearch(t *testing.T) {
	t.Parallel()
	s, _ := redacting(t, config.RedactSecrets, map[string]string{
		"a/.env": "A=1\nTOKEN=" + tokenValue + "\nB=2\n", "key.pem": keyBlock, "b.txt": "nothing\n",
	})
	for _, mode := range []string{"content", "files_with_matches", "count"} {
		for _, pattern := range []string{tokenValue, tokenValue[:12], "R4nd0m", "AKCAQEAu1SU", "^MIIE"} {
			for _, multiline := range []bool{false, true} {
				res := call(t, s, "grep", tools.GrepParams{Pattern: pattern, OutputMode: mode, Multiline: multiline})
				require.Contains(t, res.Text, notice.NoMatches, pattern)
				require.Contains(t, res.Text, "Patterns do not match inside redacted secrets")
				nothing := call(t, s, "grep", tools.GrepParams{Pattern: "qqqq" + pattern, OutputMode: mode, Multiline: multiline})
				require.Equal(t, nothing.Text, strings.ReplaceAll(res.Text, pattern, "qqqq"+pattern), "the text tells a match")
			}
		}
	}
	res := call(t, s, "grep", tools.GrepParams{Pattern: "TOKEN|BEGIN|END|B=", Context: 1})
	require.Contains(t, res.Text, "a/.env:2: TOKEN=[redacted: GitHub token]")
	require.Contains(t, res.Text, "1 secret was redacted (GitHub token)")
	require.Equal(t, []tools.Redaction{{Kind: "GitHub token", Path: "a/.env", Line: 2}}, res.Shown().Redactions)
	nothingIn(t, whole(t, res), tokenValue)
}

// TestRedactedChanges edits around secrets, and at them.
func TestRedactedChanges(t *testing.T) {
	t.Parallel()
	content := "A=1\nTOKEN=" + tokenValue + "\nB=2\n\n" + keyBlock + "C=3\n"
	s, seen := redacting(t, config.RedactSecrets, map[string]string{".env": content})
	edit := func(old, with string) tools.Result {
		return call(t, s, "edit", tools.EditParams{Path: ".env", OldString: old, NewString: with})
	}
	refused := func(res tools.Result, text string) {
		t.Helper()
		require.Equal(t, tools.CodeInvalidInput, res.Code, res.Text)
		require.Contains(t, res.Text, text)
		require.Contains(t, res.Text, "ask the user")
		require.Equal(t, content, contentOf(t, s, ".env"))
		nothingIn(t, whole(t, res), tokenValue)
	}
	shown := call(t, s, "read", tools.ReadParams{Path: ".env"})
	line := strings.Split(shown.Text, "\n")[1]
	refused(edit(line, "TOKEN=x"), "old_string holds [redacted: GitHub token]")
	refused(edit("A=1", line), "new_string holds [redacted: GitHub token]")
	refused(call(t, s, "write", tools.WriteParams{Path: ".env", Content: "A=1\n" + line}), "content holds [redacted")
	refused(call(t, s, "write", tools.WriteParams{Path: ".env", Content: "A=1\n"}), "2 secrets that you were not shown (")
	patch := "*** Begin Patch\n*** Update File: .env\n@@\n A=1\n-%s\n+TOKEN=1\n B=2\n*** End Patch\n"
	refused(call(t, s, "apply_patch", map[string]any{"patch": fmt.Sprintf(patch, line)}), "[redacted: GitHub token]")
	// What cannot be known cannot be found either.
	for _, old := range []string{tokenValue, tokenValue[:10], "TOKEN=ghp_"} {
		res := edit(old, "x")
		require.Equal(t, tools.CodeNotFound, res.Code, res.Text)
		nothingIn(t, res.Text, "LookingOnly", tokenValue[12:])
	}
	// The last line of the key is shown as spaces, and so is what white space alone may differ from.
	refused(edit("  \nC=3\n", "C=3\n"), "has a redacted secret in line 5")
	refused(edit("\n\nC=3\n", "C=3\n"), "has a redacted secret in line 5")

	res := edit("B=2\n", "B=22\n")
	require.False(t, res.IsError, res.Text)
	content = strings.Replace(content, "B=2\n", "B=22\n", 1)
	require.Equal(t, content, contentOf(t, s, ".env"))
	require.Contains(t, res.Text, " TOKEN=[redacted: GitHub token]")
	require.Contains(t, res.Text, "secrets were redacted (")
	nothingIn(t, whole(t, res), tokenValue, strings.Split(keyBlock, "\n")[1])

	around := "*** Begin Patch\n*** Update File: .env\n@@\n A=1\n " + line + "\n-B=22\n+B=3\n*** End Patch\n"
	res = call(t, s, "apply_patch", map[string]any{"patch": around})
	require.False(t, res.IsError, res.Text)
	content = strings.Replace(content, "B=22\n", "B=3\n", 1)
	require.Equal(t, content, contentOf(t, s, ".env"))
	nothingIn(t, whole(t, res)+seen.String(), tokenValue)

	// A new file may hold one that the model was given elsewhere: it is written as it is, and not shown.
	res = call(t, s, "write", tools.WriteParams{Path: "new.env", Content: "X=" + tokenValue + "\n"})
	require.False(t, res.IsError, res.Text)
	require.Equal(t, "X="+tokenValue+"\n", contentOf(t, s, "new.env"))
	nothingIn(t, whole(t, res)+seen.String(), tokenValue)
}

// TestRedactedNames has secrets where no text of a file is shown: in names, messages, arguments and previews.
func TestRedactedNames(t *testing.T) {
	t.Parallel()
	s, seen := redacting(t, config.RedactSecrets, map[string]string{"key-" + tokenValue + "/a.txt": "a\n"})
	for tool, args := range map[string]any{
		"find": tools.FindParams{Pattern: "*.txt"}, "ls": tools.LsParams{}, "grep": tools.GrepParams{Pattern: "^a"},
		"read": tools.ReadParams{Path: "key-" + tokenValue + "/b.txt"}, "write": map[string]any{"path": tokenValue, "contents": 1},
		"no-such-tool": map[string]any{"x": tokenValue},
	} {
		res := call(t, s, tool, args)
		nothingIn(t, whole(t, res), tokenValue)
	}
	_, err := s.Read(t.Context(), tools.ReadParams{Path: "key-" + tokenValue + "/b.txt"})
	nothingIn(t, err.Error(), tokenValue)
	nothingIn(t, seen.String(), tokenValue)
	require.Contains(t, seen.String(), "[redacted: GitHub token]")
}

// TestRedactedTools has tools of the program return secrets.
func TestRedactedTools(t *testing.T) {
	t.Parallel()
	s, seen := redacting(t, config.RedactSecrets, nil)
	tool := tools.Func("deploy", "Deploys.", func(ctx context.Context, args struct {
		Fail bool `json:"fail,omitempty"`
	}) (string, error) {
		if report := tools.Progress(ctx); report != nil {
			report(tools.Update{Tail: "using " + knownValue})
		}
		if args.Fail {
			return "", errors.New("refused " + knownValue)
		}
		return "token " + tokenValue + "\n" + strings.Repeat("line of output\n", 5000) + knownValue, nil
	})
	require.NoError(t, s.Add(tool, leaking{}))
	var tails []string
	ctx := tools.WithProgress(t.Context(), func(u tools.Update) { tails = append(tails, u.Tail) })
	res, err := s.Call(ctx, "deploy", nil)
	require.NoError(t, err)
	require.Contains(t, res.Text, "token [redacted: GitHub token]")
	require.Contains(t, res.Text, "2 secrets were redacted (")
	require.Equal(t, 2, res.Shown().Redacted)
	nothingIn(t, whole(t, res)+allSpilled(t, s), tokenValue, knownValue)
	require.Len(t, tails, 1)
	nothingIn(t, tails[0], knownValue)
	res = call(t, s, "deploy", map[string]any{"fail": true})
	require.True(t, res.IsError)
	nothingIn(t, whole(t, res), knownValue)
	res = call(t, s, "leak", nil)
	nothingIn(t, whole(t, res)+seen.String(), tokenValue)
}

// leaking is a tool whose details hold a secret.
type leaking struct{ tools.Tool }

func (leaking) Name() string            { return "leak" }
func (leaking) Description() string     { return "Leaks." }
func (leaking) Schema() json.RawMessage { return json.RawMessage(`{"type":"object"}`) }
func (leaking) Call(context.Context, json.RawMessage) (tools.Result, error) {
	return tools.Result{Text: "ok", Details: map[string]any{"deep": []any{map[string]string{"t": tokenValue}}}}, nil
}

// TestRedactedPreviews shows the person who is asked no secret either: the preview may be sent on.
func TestRedactedPreviews(t *testing.T) {
	t.Parallel()
	var previews []string
	s := newSuite(t, config.Config{Redact: config.RedactSecrets, Ask: func(ctx context.Context, c config.Call) (config.Answer, error) {
		preview, err := c.Preview(ctx)
		previews = append(previews, preview)
		return config.Answer{Decision: config.DecisionOnce}, err
	}}, map[string]string{"a.txt": "1\n" + keyBlock + "2\n", "b.txt": "T=" + tokenValue + "\nx\n"})
	for _, args := range []tools.EditParams{{Path: "a.txt", OldString: "2\n", NewString: "3\n"}, {Path: "b.txt", OldString: "x\n", NewString: "y\n"}} {
		res := call(t, s, "edit", args)
		require.False(t, res.IsError, res.Text)
	}
	call(t, s, "bash", tools.BashParams{Command: "echo " + knownValue})
	require.Len(t, previews, 3)
	nothingIn(t, strings.Join(previews, "\n"), tokenValue, knownValue, strings.Split(keyBlock, "\n")[1])
}

// TestRedactValues takes values that the program names, anew in each call.
func TestRedactValues(t *testing.T) {
	t.Parallel()
	values := []string{"first-Value-1234"}
	s := newSuite(t, config.Config{Redact: config.RedactKnown, RedactValues: func() []string { return values }},
		map[string]string{"a.txt": "first-Value-1234 second-Value-5678\n"})
	res := call(t, s, "read", tools.ReadParams{Path: "a.txt"})
	require.NotContains(t, res.Text, "first-Value-1234")
	require.Contains(t, res.Text, "second-Value-5678")
	values = []string{"second-Value-5678"}
	res = call(t, s, "read", tools.ReadParams{Path: "a.txt"})
	require.Contains(t, res.Text, "first-Value-1234")
	require.NotContains(t, res.Text, "second-Value-5678")
}

// TestRedactedShelf shelves a result that did not come from the suite.
func TestRedactedShelf(t *testing.T) {
	t.Parallel()
	s, _ := redacting(t, config.RedactKnown, nil)
	line := suitetest.Do(t, s.Shelve, tools.Result{Text: strings.Repeat("line\n", 100) + knownValue, Tool: "other"})
	require.Contains(t, line, "Full result: ")
	nothingIn(t, allSpilled(t, s), knownValue)
}

// TestRedactedInAnotherForm meets a secret first as it is, and then in other forms, which only who knows it recognises.
func TestRedactedInAnotherForm(t *testing.T) {
	t.Parallel()
	s, _ := redacting(t, config.RedactSecrets, map[string]string{".env": "TOKEN=" + tokenValue + "\n"})
	hidden := base64.RawStdEncoding.EncodeToString([]byte(tokenValue))
	first := call(t, s, "read", tools.ReadParams{Path: ".env"})
	for _, form := range []string{hidden, hex.EncodeToString([]byte(tokenValue))} {
		res := call(t, s, "bash", tools.BashParams{Command: "echo " + form})
		require.Contains(t, res.Text, "[redacted: GitHub token]", form)
		require.NotContains(t, res.Text, form[4:len(form)-4])
	}
	require.Equal(t, first.Text, call(t, s, "read", tools.ReadParams{Path: ".env"}).Text)
}

// TestRedactOff changes nothing.
func TestRedactOff(t *testing.T) {
	t.Parallel()
	text := "TOKEN=" + tokenValue + "\n" + keyBlock
	s, _ := redacting(t, config.RedactOff, map[string]string{".env": text})
	require.Equal(t, text, call(t, s, "read", tools.ReadParams{Path: ".env"}).Text)
	require.Equal(t, knownValue+"\n", call(t, s, "bash", tools.BashParams{Command: "echo " + knownValue}).Text)
	res := call(t, s, "grep", tools.GrepParams{Pattern: "no such text"})
	require.Equal(t, notice.NoMatches, res.Text)
	res = call(t, s, "write", tools.WriteParams{Path: "doc.md", Content: "[redacted: GitHub token]\n"})
	require.False(t, res.IsError, res.Text)
}

// TestRedactedPrompt is not held back: a job that asks is seen to ask.
func TestRedactedPrompt(t *testing.T) {
	t.Parallel()
	need.Shell(t)
	s, _ := redacting(t, config.RedactSecrets, nil)
	if !suiteHasJobs(s) {
		t.Skip("no jobs here")
	}
	for _, prompt := range []string{"Password: ", "Continue? [y/N] ", "token> "} {
		res := suitetest.Do(t, s.Bash, tools.BashParams{
			Command: "printf '" + prompt + "'; sleep 60", Background: true, ReadyWhen: prompt[:6]})
		require.Contains(t, res.Text, strings.TrimSpace(prompt))
		s.Job(t.Context(), tools.JobParams{ID: res.Job, Signal: "kill", WaitMs: int(time.Second.Milliseconds())})
	}
}
