package redaction_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/spillway-go/spillway/tools"
	"github.com/stretchr/testify/require"
)

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

// lettersOf returns letters, and digits among them, or a word may be found in it.
func lettersOf(r *rand.Rand, n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = letters[r.IntN(len(letters))]
		if i%3 == 2 {
			b[i] = '0' + byte(r.IntN(10))
		}
	}
	return string(b)
}

// twinSecret is a secret of one workspace, and the one in its place in the other. before and behind stand around both.
type twinSecret struct{ before, a, b, behind string }

// twinKinds make secrets, two at a time.
var twinKinds = []func(r *rand.Rand) twinSecret{
	func(r *rand.Rand) twinSecret {
		return twinSecret{"TOKEN=", githubToken(lettersOf(r, 30)), githubToken(lettersOf(r, 30)), "\n"}
	},
	func(r *rand.Rand) twinSecret {
		return twinSecret{"password=", "aB3" + lettersOf(r, 21), "aB3" + lettersOf(r, 21), "\n"}
	},
	func(r *rand.Rand) twinSecret {
		return twinSecret{"DATABASE_URL=postgres://shop:", "aB3" + lettersOf(r, 14), "aB3" + lettersOf(r, 14), "@db/shop\n"}
	},
	func(r *rand.Rand) twinSecret {
		return twinSecret{"Authorization: Bearer ", "aB3" + lettersOf(r, 30), "aB3" + lettersOf(r, 30), "\n"}
	},
	func(r *rand.Rand) twinSecret {
		return twinSecret{"api_key: \"", "aB3" + lettersOf(r, 29), "aB3" + lettersOf(r, 29), "\" # of the shop\n"}
	},
	func(r *rand.Rand) twinSecret {
		var a, b []string
		for range 5 {
			a, b = append(a, lettersOf(r, 64)), append(b, lettersOf(r, 64))
		}
		const begin, end = "-----BEGIN RSA PRIVATE KEY-----\n", "\n-----END RSA PRIVATE KEY-----"
		return twinSecret{"", begin + strings.Join(a, "\n") + end, begin + strings.Join(b, "\n") + end, "\n"}
	},
}

// twins are two workspaces that differ in their secrets alone, and a model that is shown the answers of both.
type twins struct {
	*rand.Rand
	t       *testing.T
	a, b    *tools.Suite
	secrets []twinSecret
	names   []string
}

func newTwins(t *testing.T, seed uint64) *twins {
	w := &twins{Rand: rand.New(rand.NewPCG(seed, 7)), t: t}
	a, b := map[string]string{}, map[string]string{}
	for i := range 3 {
		var inA, inB strings.Builder
		for range 3 + w.IntN(3) {
			for range w.IntN(3) {
				line := []string{"plain = text\n", "\n", "  indented: 1\n", "# note\n", "x: \"y\"\n"}[w.IntN(5)]
				inA.WriteString(line)
				inB.WriteString(line)
			}
			s := twinKinds[w.IntN(len(twinKinds))](w.Rand)
			w.secrets = append(w.secrets, s)
			inA.WriteString(s.before + s.a + s.behind)
			inB.WriteString(s.before + s.b + s.behind)
		}
		inA.WriteString("end\n")
		inB.WriteString("end\n")
		name := fmt.Sprintf("f%d.env", i)
		a[name], b[name] = inA.String(), inB.String()
		w.names = append(w.names, name)
	}
	s := twinKinds[0](w.Rand)
	w.secrets = append(w.secrets, s)
	a["d/key-"+s.a+".txt"], b["d/key-"+s.b+".txt"] = "named\n", "named\n"
	cfg := config.Config{Redact: config.RedactSecrets, Tools: config.ToolNames(), Read: config.Read{Repeat: config.RepeatReceipt}}
	w.a, w.b = newSuite(t, cfg, a), newSuite(t, cfg, b)
	return w
}

// asInB returns a text of the first workspace with the secrets of the second.
func (w *twins) asInB(text string) string {
	for _, s := range w.secrets {
		text = strings.ReplaceAll(text, s.a, s.b)
	}
	return text
}

// call calls both, which must answer the same.
func (w *twins) call(tool string, args map[string]any) tools.Result {
	w.t.Helper()
	data, err := json.Marshal(args)
	require.NoError(w.t, err)
	var said [2]string
	var res tools.Result
	for i, s := range []*tools.Suite{w.b, w.a} {
		res, err = s.Call(w.t.Context(), tool, data)
		require.NoError(w.t, err)
		details, err := json.Marshal(res.Details)
		require.NoError(w.t, err)
		said[i] = res.Text + "\n" + withoutCopies(string(details))
	}
	require.Equal(w.t, said[0], said[1], "%s %s tells one secret from another", tool, data)
	return res
}

// withoutCopies leaves out the random names of copies.
func withoutCopies(details string) string {
	var object map[string]any
	if json.Unmarshal([]byte(details), &object) != nil {
		return details
	}
	delete(object, "before")
	if files, ok := object["files"].([]any); ok {
		for _, f := range files {
			delete(f.(map[string]any), "before")
		}
	}
	data, _ := json.Marshal(object)
	return string(data)
}

// whole returns a secret of the first workspace: a guess that is right there, and wrong in the second. It is only looked
// for: where it is shown, it is masked in the first, as it is everywhere.
func (w *twins) whole() string {
	s := w.secrets[w.IntN(len(w.secrets))].a
	if strings.Contains(s, "\n") {
		s = strings.Split(s, "\n")[1+w.IntN(5)]
	}
	return s
}

// guess returns a part of one.
func (w *twins) guess() string {
	s := w.whole()
	if len(s) == 64 { // of a key, each piece is masked everywhere
		s = s[:15]
	}
	switch n := len(s); w.IntN(3) {
	case 0:
		return s[:1+w.IntN(n-1)]
	case 2:
		return s[1+w.IntN(n-1):]
	}
	from := w.IntN(len(s) - 4)
	return s[from : from+2+w.IntN(3)]
}

// shownOf returns what a model knows of a file.
func (w *twins) shownOf(name string) string {
	text := w.call("read", map[string]any{"path": name, "again": true}).Text
	return text[:max(strings.LastIndex(text, "\n\n["), 0)+1]
}

// old returns a text to replace: of what is shown, up to a secret or behind one, or a guess with what stands around it.
func (w *twins) old(name string) string {
	shown := w.shownOf(name)
	if w.IntN(4) == 0 {
		s := w.secrets[w.IntN(len(w.secrets))]
		return s.before[w.IntN(len(s.before)+1):] + []string{w.guess(), w.whole()}[w.IntN(2)]
	}
	if at := strings.Index(shown, "[redacted"); at >= 0 && w.IntN(2) == 0 {
		return shown[max(0, at-1-w.IntN(20)):at]
	}
	from := w.IntN(len(shown))
	return shown[from:min(len(shown), from+1+w.IntN(30))]
}

// with returns a text to put there.
func (w *twins) with() string {
	s := w.secrets[w.IntN(len(w.secrets))]
	if strings.Contains(s.a, "\n") {
		return "k"
	}
	return []string{
		"", "note=", "x ", "\n", "password=", s.before, "# ", "\"", "ÿþ", "-----BEGIN PUBLIC KEY-----\n", s.before + s.a + s.behind,
		"\u001b$B", "a.", "{", "'", "https://", s.before + "\n",
	}[w.IntN(17)]
}

// step makes one call of a model that tries to learn secrets.
func (w *twins) step() {
	name, guess := w.names[w.IntN(len(w.names))], w.guess()
	switch w.IntN(11) {
	case 0, 1, 2:
		args := map[string]any{"path": name, "old_string": w.old(name), "new_string": w.with(), "replace_all": w.IntN(3) == 0}
		if w.IntN(6) == 0 {
			args["encoding"] = []string{"windows-1252", "utf-16le", "iso-2022-jp", "shift_jis"}[w.IntN(4)]
		}
		w.call("edit", args)
	case 3:
		data, err := os.ReadFile(filepath.Join(w.a.Workspace(), name))
		require.NoError(w.t, err)
		w.call("write", map[string]any{"path": name, "content": []string{string(data), w.asInB(string(data)), "x\n"}[w.IntN(3)]})
	case 4:
		lines := strings.Split(w.shownOf(name), "\n")
		at := w.IntN(len(lines))
		patch := "*** Begin Patch\n*** Update File: " + name + "\n@@\n"
		for i := max(0, at-1); i < min(len(lines)-1, at+2); i++ {
			patch += []string{" ", " ", "-"}[w.IntN(3)] + lines[i] + "\n"
		}
		w.call("apply_patch", map[string]any{"patch": patch + "+" + w.with() + "\n*** End Patch\n"})
	case 5, 6:
		if w.IntN(4) == 0 {
			guess = w.whole()
		}
		pattern := []string{guess, "(" + guess + "|redacted)", "=." + guess[1:], guess + "| \\[", "^.*" + guess + ".*$|token\\]", "[^a-z]" + guess}[w.IntN(6)]
		mode := []string{"content", "files_with_matches", "count"}[w.IntN(3)]
		path := []string{".", name}[w.IntN(2)]
		w.call("grep", map[string]any{"path": path, "pattern": pattern, "output_mode": mode, "ignore_case": w.IntN(2) == 0, "multiline": w.IntN(4) == 0})
	case 7:
		pattern := []string{"*" + guess + "*", "d/*{" + guess + ",redacted}*", "**/key-" + guess + "*", strings.ToLower("*" + guess + "*"), "key-" + guess}[w.IntN(5)]
		w.call("find", map[string]any{"pattern": pattern, "sort": []string{"path", "mtime"}[w.IntN(2)]})
	case 8:
		glob := []string{"*" + guess + "*", "!*" + guess + "*", "d/key-" + guess + "*", "*{redacted," + guess + "}*"}[w.IntN(4)]
		w.call("grep", map[string]any{"pattern": "named|plain", "glob": glob})
	case 9:
		w.call("read", map[string]any{"path": "d/key-" + guess + ".txt"})
		w.call("ls", map[string]any{"path": "d"})
	case 10:
		args := map[string]any{"path": name, "again": w.IntN(2) == 0, "show": []string{"page", "digest"}[w.IntN(2)]}
		if w.IntN(3) == 0 {
			args["encoding"] = []string{"windows-1252", "utf-16le", "iso-2022-jp", "shift_jis", "utf-16be"}[w.IntN(5)]
		}
		w.call("read", args)
	}
}

// TestTwins has a model try to learn secrets by files, edits and searches, in two workspaces that differ in these alone:
// every answer is the same in both, byte for byte, and so is what somebody is shown who comes later.
func TestTwins(t *testing.T) {
	t.Parallel()
	seeds := testkit.Some(150)
	if testing.Short() {
		seeds = 6
	}
	for seed := range seeds {
		w := newTwins(t, uint64(seed))
		for range 25 {
			w.step()
		}
		later := *w
		cfg := config.Config{Redact: config.RedactSecrets, Tools: config.ToolNames()}
		cfg.Workspace = w.a.Workspace()
		later.a = newSuite(t, cfg, nil)
		cfg.Workspace = w.b.Workspace()
		later.b = newSuite(t, cfg, nil)
		for _, name := range w.names {
			later.call("read", map[string]any{"path": name})
			a := testkit.ReadFile(t, filepath.Join(w.a.Workspace(), name))
			b := testkit.ReadFile(t, filepath.Join(w.b.Workspace(), name))

			require.Equal(t, len(a), len(b))
		}
		w.a.Close()
		w.b.Close()
	}
}
