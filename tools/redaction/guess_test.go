package redaction_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/tools"
	"github.com/stretchr/testify/require"
)

// TestEditsBesideASecret are refused where the secret would be seen after them, here or by somebody who comes later, and
// made where it stays masked as it is.
func TestEditsBesideASecret(t *testing.T) {
	t.Parallel()
	const password = "aB3xK9mQ2vL4tR7"
	long := "aB3xK9mQ2vL4tR7nP1sW3yZ6"
	content := "# env\npassword=" + password + "\nDATABASE_URL=postgres://shop:" + password + "@db/shop\nAuthorization: Bearer " + long + "\nTOKEN=" + tokenValue + "\n"
	for _, c := range []struct {
		old, with string
		encoding  string
		made      bool
	}{
		{"password=", "note=", "", false},
		{"postgres://shop:", "postgres-", "", false},
		{"://shop:", "://", "", false},
		{"@db/shop", " db/shop", "", false},
		{"Authorization: Bearer ", "see ", "", false},
		{"TOKEN=", "TOKENx", "", false},
		{"# env\n", "ÿþ# env\n", "windows-1252", false}, // read would take the file to be UTF-16
		{"# env\n", "# environment\n", "", true},
		{"DATABASE_URL", "DB_URL", "", true},
		{"@db/shop", "@db2/shop", "", true},
		{"TOKEN=", "GH_TOKEN=", "", true},
	} {
		s := newSuite(t, config.Config{Redact: config.RedactSecrets, Tools: config.ToolNames()}, map[string]string{".env": content})
		res := call(t, s, "edit", tools.EditParams{Path: ".env", OldString: c.old, NewString: c.with, Encoding: c.encoding})
		require.Equal(t, !c.made, res.IsError, "%q by %q: %s", c.old, c.with, res.Text)
		want := content
		if c.made {
			want = strings.Replace(content, c.old, c.with, 1)
		} else {
			require.Equal(t, tools.CodeInvalidInput, res.Code)
			require.Contains(t, res.Text, "would no longer be redacted. Nothing was changed")
		}
		require.Equal(t, want, contentOf(t, s, ".env"))
		later := newSuite(t, config.Config{Redact: config.RedactSecrets, Workspace: s.Workspace()}, nil)
		nothingIn(t, call(t, later, "read", tools.ReadParams{Path: ".env"}).Text, password, long, tokenValue)
	}
	s := newSuite(t, config.Config{Redact: config.RedactSecrets, Tools: config.ToolNames()}, map[string]string{
		"two.txt": "Authorization:\n Bearer " + long + "\npassword: \\\n  " + password + "\n" + "TOKEN=" + tokenValue + "\n",
	})
	before := contentOf(t, s, "two.txt")
	for _, patch := range []string{"-Authorization:\n+see\n", "- Bearer\n", "-password: \\\n+note: \\\n"} {
		res := call(t, s, "apply_patch", map[string]any{"patch": "*** Begin Patch\n*** Update File: two.txt\n@@\n" + patch + "*** End Patch\n"})
		if res.IsError {
			require.Equal(t, before, contentOf(t, s, "two.txt"))
		}
		before = contentOf(t, s, "two.txt")
		later := newSuite(t, config.Config{Redact: config.RedactSecrets, Workspace: s.Workspace()}, nil)
		nothingIn(t, call(t, later, "read", tools.ReadParams{Path: "two.txt"}).Text, long, tokenValue)
	}
	lines := strings.Split(keyBlock, "\n")
	putty := "PuTTY-User-Key-File-3: ssh-rsa\nPrivate-Lines: 2\n" + lines[1] + "\n" + lines[2] + "\nPrivate-MAC: 00\n"
	s = newSuite(t, config.Config{Redact: config.RedactSecrets, Tools: config.ToolNames()}, map[string]string{"key.ppk": putty})
	patch := "*** Begin Patch\n*** Update File: key.ppk\n@@\n-Private-Lines: 2\n+Lines:\n*** End Patch\n"
	res := call(t, s, "apply_patch", map[string]any{"patch": patch})
	require.Contains(t, res.Text, "line 2 of the patch: the secret in line 3 of key.ppk would no longer be redacted")
	require.Equal(t, putty, contentOf(t, s, "key.ppk"))
}

// TestASecretBeyondTheThousandth is left alone by edits as the first is, though findings are not all kept.
func TestASecretBeyondTheThousandth(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for i := range 1200 {
		fmt.Fprintf(&b, "password=aB3x%04dK9mQ2vL4tR7\n", i)
	}
	b.WriteString(keyBlock)
	s := newSuite(t, config.Config{Redact: config.RedactSecrets}, map[string]string{"many.env": b.String()})
	spaces := strings.Repeat(" ", 64)
	res := call(t, s, "edit", tools.EditParams{Path: "many.env", OldString: spaces + "\n" + spaces + "\n", NewString: "x\n", ReplaceAll: true})
	require.True(t, res.IsError, res.Text)
	require.Contains(t, res.Text, "has a redacted secret in line 1201")
	require.Equal(t, b.String(), contentOf(t, s, "many.env"))
}

// TestGuesses of a secret are answered as any other, in what once told a right one: the same content, a change next to
// it, a name, an ignore file, the order of a list, and a file that is named in a search.
func TestGuesses(t *testing.T) {
	t.Parallel()
	const right, wrong = "aB3xK9mQ2vL4tR7nP1sW3yZ6", "aB3xK9mQ2vL4tR7nP1sW3yZ7"
	file := func(value string) string { return "a: 1\npassword=" + value + "\nb: 2\n" }
	name := "key-" + tokenValue + ".txt"
	answers := func(guess string, calls ...func(s *tools.Suite, guess string) tools.Result) (all []string) {
		for _, c := range calls {
			s := newSuite(t, config.Config{Redact: config.RedactSecrets, Tools: config.ToolNames()}, map[string]string{
				".env": file(right), "d/" + name: "named\n",
			})
			res := c(s, guess)
			all = append(all, strings.ReplaceAll(res.Text, guess, "GUESS")+withoutCopies(strings.ReplaceAll(fmt.Sprint(whole(t, res)), guess, "GUESS")))
		}
		return all
	}
	written := func(s *tools.Suite, guess string) tools.Result {
		return call(t, s, "write", tools.WriteParams{Path: ".env", Content: file(guess)})
	}
	beside := func(s *tools.Suite, guess string) tools.Result {
		return call(t, s, "edit", tools.EditParams{Path: ".env", OldString: "a: 1\n", NewString: "a: 1\npassword=" + guess + "\n"})
	}
	moved := func(s *tools.Suite, guess string) tools.Result {
		return call(t, s, "edit", tools.EditParams{Path: ".env", Edits: []tools.Replacement{
			{OldString: "password=", NewString: "note="}, {OldString: "b: 2\n", NewString: "password=" + guess + "\n"},
		}})
	}
	searched := func(s *tools.Suite, guess string) tools.Result {
		return call(t, s, "grep", tools.GrepParams{Path: ".env", Pattern: guess[:12] + guess[23:] + "|" + guess + "|redacted"})
	}
	withoutCopy := func(all []string) []string {
		for i, text := range all {
			if at := strings.Index(text, `"before"`); at >= 0 {
				all[i] = text[:at]
			}
		}
		return all
	}
	calls := []func(*tools.Suite, string) tools.Result{written, beside, moved, searched}
	require.Equal(t, withoutCopy(answers(wrong, calls...)), withoutCopy(answers(right, calls...)))

	// Of names, any part: a pattern, an ignore file, a name that sorts beside it, a suggestion.
	part := tokenValue[:12]
	other := part[:11] + string(part[11]+1)
	named := func(s *tools.Suite, guess string) string {
		var all strings.Builder
		say := func(tool string, args map[string]any) { all.WriteString(call(t, s, tool, args).Text + "\n") }
		say("find", map[string]any{"pattern": "*" + guess + "*"})
		say("find", map[string]any{"pattern": "d/*{" + guess + ",redacted}*"})
		say("find", map[string]any{"pattern": "KEY-" + strings.ToUpper(guess) + "*"})
		say("grep", map[string]any{"pattern": "named", "glob": "*" + guess + "*"})
		say("grep", map[string]any{"pattern": "named", "glob": "!*" + guess + "*"})
		say("read", map[string]any{"path": "d/key-" + guess})
		require.NoError(t, os.WriteFile(filepath.Join(s.Workspace(), ".gitignore"), []byte("*"+guess+"*\n"), 0o644))
		say("find", map[string]any{"pattern": "*.txt"})
		say("grep", map[string]any{"pattern": "named"})
		require.NoError(t, os.Remove(filepath.Join(s.Workspace(), ".gitignore")))
		return strings.NewReplacer(guess, "GUESS", strings.ToUpper(guess), "GUESS").Replace(all.String())
	}
	sorted := func(s *tools.Suite, guess string) string {
		require.NoError(t, os.WriteFile(filepath.Join(s.Workspace(), "d", "key-"+guess), nil, 0o644))
		text := call(t, s, "ls", map[string]any{"path": "d"}).Text + call(t, s, "find", map[string]any{"pattern": "d/*"}).Text
		return strings.ReplaceAll(text, guess, "GUESS")
	}
	suite := func() *tools.Suite {
		return newSuite(t, config.Config{Redact: config.RedactSecrets}, map[string]string{"d/" + name: "named\n"})
	}
	require.Equal(t, named(suite(), other), named(suite(), part))
	require.Equal(t, sorted(suite(), "ghp_00"), sorted(suite(), "ghp_zz"), "the order of names tells where a secret belongs")
	for _, tool := range []string{"read", "write", "edit", "find", "ls", "grep"} {
		var said []string
		for _, guess := range []string{tokenValue, githubToken("AnotherLooking0nlyF0rTh1sTest0")} {
			args := map[string]any{"path": "d/key-" + guess + ".txt"}
			switch tool {
			case "write":
				args["content"] = "x"
			case "edit":
				args["old_string"], args["new_string"] = "named", "x"
			case "find", "grep":
				args["pattern"] = "named"
			}
			said = append(said, call(t, suite(), tool, args).Text)
		}
		require.Equal(t, said[0], said[1], tool)
		require.Contains(t, said[0], "the path has a secret in it (GitHub token)", tool)
	}
}

// TestRedactedInAnyEncoding takes files to be in encodings that they are not in: their bytes read as other characters
// then, from which the text can be made again.
func TestRedactedInAnyEncoding(t *testing.T) {
	t.Parallel()
	text := "A=1\nTOKEN=" + tokenValue + "\nB=2\n" + keyBlock + "C=3\n"
	wide := utf16LE(text)[len("\xff\xfe"):]
	swap := func(s string) string {
		b := []byte(s)
		for i := 0; i+1 < len(b); i += 2 {
			b[i], b[i+1] = b[i+1], b[i]
		}
		return string(b)
	}
	line := strings.Split(keyBlock, "\n")[1]
	for name, content := range map[string]string{"le.txt": wide, "be.txt": swap(wide), "bad.txt": text + "\xff x\n"} {
		for _, encoding := range []string{"utf-16le", "utf-16be"} {
			for offset := range 20 {
				s := newSuite(t, config.Config{Redact: config.RedactSecrets}, map[string]string{name: content})
				res := call(t, s, "read", tools.ReadParams{Path: name, Encoding: encoding, Offset: offset})
				bytes := utf16LE(res.Text) // what the model can make of the characters
				for _, form := range []string{tokenValue, line, utf16LE(tokenValue)[2:], swap(utf16LE(tokenValue)[2:]), utf16LE(line)[2:], swap(utf16LE(line)[2:])} {
					require.NotContains(t, res.Text, form)
					require.NotContains(t, bytes, form, "%s in %s from %d", name, encoding, offset)
					require.NotContains(t, swap(bytes), form)
				}
				if offset > 0 {
					continue
				}
				for _, pattern := range []string{tokenValue[8:20], string([]rune{rune(tokenValue[8]) << 8, rune(tokenValue[9]) << 8})} {
					res = call(t, s, "grep", tools.GrepParams{Path: name, Pattern: pattern, Encoding: encoding})
					require.Contains(t, res.Text, notice.NoMatches, "%s in %s", name, encoding)
				}
				fresh := newSuite(t, config.Config{Redact: config.RedactSecrets}, map[string]string{name: content}) // which knows none yet
				res = call(t, fresh, "grep", tools.GrepParams{Path: name, Pattern: ".", Encoding: encoding})
				nothingIn(t, res.Text, tokenValue)
				for _, form := range []string{tokenValue, line} {
					require.NotContains(t, swap(utf16LE(res.Text)[2:]), utf16LE(form)[2:], "%s in %s", name, encoding)
					require.NotContains(t, utf16LE(res.Text)[2:], utf16LE(form)[2:], "%s in %s", name, encoding)
				}
				res = call(t, s, "edit", tools.EditParams{Path: name, Encoding: encoding, Edits: []tools.Replacement{
					{OldString: string([]rune{rune(tokenValue[8]) << 8, rune(tokenValue[9]) << 8}), NewString: "x"},
				}})
				require.True(t, res.IsError, res.Text)
				nothingIn(t, res.Text, tokenValue)
				require.NotContains(t, swap(utf16LE(res.Text)), utf16LE(tokenValue)[2:], "%s in %s: %s", name, encoding, res.Text)
				require.Equal(t, content, contentOf(t, s, name))
			}
		}
	}
}

// A name with a secret in it is no correction of another: whether there is one would tell a guess that is written so
// that nothing is redacted in it.
func TestNamesWithSecretsAreNoCorrections(t *testing.T) {
	t.Parallel()
	wrong := tokenValue[:len(tokenValue)-1] + "x"
	require.NotEqual(t, tokenValue, wrong)
	for _, c := range []struct {
		tool string
		args func(path string) any
	}{
		{"read", func(path string) any { return tools.ReadParams{Path: path} }},
		{"ls", func(path string) any { return tools.LsParams{Path: path} }},
		{"find", func(path string) any { return tools.FindParams{Pattern: path} }},
		{"grep", func(path string) any { return tools.GrepParams{Pattern: "x", Path: path} }},
		{"edit", func(path string) any { return tools.EditParams{Path: path, OldString: "one", NewString: "two"} }},
		{"write", func(path string) any { return tools.WriteParams{Path: path, Content: "new\n"} }},
		{"apply_patch", func(path string) any {
			return map[string]any{"patch": "*** Begin Patch\n*** Update File: " + path + "\n@@\n-one\n+two\n*** End Patch\n"}
		}},
	} {
		answer := func(guess string) string {
			s := newSuite(t, config.Config{Redact: config.RedactSecrets, Tools: config.ToolNames()}, map[string]string{"key-" + tokenValue + ".txt": "one\n"})
			path := "key-" + guess[:9] + "\u200b" + guess[9:] + ".txt"
			res := call(t, s, c.tool, c.args(path))
			require.Contains(t, contents(t, s.Workspace()), "key-"+tokenValue+".txt")
			return strings.NewReplacer(guess, "GUESS", guess[:9], "GUESS", guess[9:], "").Replace(res.Text)
		}
		require.Equal(t, answer(wrong), answer(tokenValue), c.tool)
	}
}

// What stands behind a text in UTF-16 is decoded like the rest of it, and shows no secret in the characters that this
// makes.
func TestRedactedBehindUTF16(t *testing.T) {
	t.Parallel()
	need.Shell(t)
	env := "TOKEN=" + tokenValue + "\n"
	s := newSuite(t, config.Config{Redact: config.RedactSecrets}, map[string]string{"wide.txt": utf16LE("a\n"), ".env": env + strings.Repeat("\n", len(env)%2)})
	for _, res := range []tools.Result{
		call(t, s, "bash", tools.BashParams{Command: "cat wide.txt .env"}),
		call(t, s, "bash", tools.BashParams{Command: "cat wide.txt .env >both.txt"}),
		call(t, s, "read", tools.ReadParams{Path: "both.txt"}),
		call(t, s, "grep", tools.GrepParams{Path: "both.txt", Pattern: "."}),
	} {
		require.NotContains(t, utf16LE(res.Text), tokenValue)
		require.NotContains(t, utf16LE(res.Text), tokenValue[1:len(tokenValue)-1])
	}
}
