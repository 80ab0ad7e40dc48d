package notice

import (
	"errors"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/spillway-go/spillway/internal/diff"
	"github.com/spillway-go/spillway/internal/edit"
	"github.com/spillway-go/spillway/internal/textfile"
	"github.com/stretchr/testify/require"
)

// done is the wording of what was done, for TestNotices.
var done = func() []struct{ when, line string } {
	text := func(encoding, endings string) textfile.Info {
		return textfile.Info{Encoding: encoding, LineEndings: endings}
	}
	utf8, legacy := text(textfile.UTF8, "lf"), text("windows-1252", "lf")
	picture := textfile.Info{Binary: true, Name: "a PNG image"}
	broken := errors.New("line 1: unexpected end of JSON input")
	write := Written{Name: "x", Lines: 3, Bytes: 20, Added: 3, Removed: 1, Was: utf8, Now: utf8}
	with := func(change func(w *Written)) string { w := write; change(&w); return w.Line() }
	edited := Edited{Name: "x", Places: 1, Added: 2, Removed: 1}
	patched := Patched{Name: "a", Added: 1}
	return []struct{ when, line string }{
		{"grep: no match", NoMatches},
		{"grep: a file lacks a match of `also`", Lacking(1)},
		{"grep: files lack matches of `also`", Lacking(12)},
		{"find: no result", NoFiles},
		{"ls: no entry", EmptyDirectory},
		{"any tool: a text of the host's that is too long", AlteredCut},
		{"any tool: nothing", Visible("", 0)},
		{"any tool: an image alone", Visible("", 1)},
		{"write: a new file", with(func(w *Written) { w.Created, w.Was = true, textfile.Info{} })},
		{"write: a new file, with `encoding`", with(func(w *Written) { w.Created, w.Asked, w.Now = true, true, legacy })},
		{"write: a new notebook that is none", with(func(w *Written) { w.Created, w.NotOfForm = true, NotOfForm("valid JSON", "a notebook", broken) })},
		{"write: the same again", with(func(w *Written) { w.Same = true })},
		{"write: a file", write.Line()},
		{"write: a file that was a picture", with(func(w *Written) { w.Was = picture })},
		{"write: a file that was binary", with(func(w *Written) { w.Was = textfile.Info{Binary: true} })},
		{"write: a file that is binary now", with(func(w *Written) { w.Now = picture })},
		{"write: a file in its own encoding", with(func(w *Written) {
			w.Was, w.Now, w.Format = legacy, legacy, Format{Encoding: "windows-1252", LineEndings: "lf"}
		})},
		{"write: a file in another encoding", with(func(w *Written) { w.Now = legacy })},
		{"write: a file that is UTF-8 now", with(func(w *Written) { w.Was = legacy })},
		{"write: a file that was not UTF-8", with(func(w *Written) { w.Invalid = true })},
		{"write: a file that looked like windows-1252", with(func(w *Written) { w.Invalid, w.Likely = true, "windows-1252" })},
		{"write: the same, with `encoding`", with(func(w *Written) { w.Invalid, w.Likely, w.Asked = true, "windows-1252", true })},
		{"write: other line endings", with(func(w *Written) { w.Was = text(textfile.UTF8, "crlf") })},
		{"write: the first line endings", with(func(w *Written) { w.Was = text(textfile.UTF8, "") })},
		{"edit: one place", edited.Line()},
		{"edit: another encoding", Edited{Name: "x", Format: Format{Encoding: "utf-16le", LineEndings: "crlf"}, Places: 1, Added: 2, Removed: 1}.Line()},
		{"edit: other line endings", Edited{Name: "x", Format: Format{Encoding: "utf-8", LineEndings: "crlf"}, Places: 1, Added: 2}.Line()},
		{"edit: several, after another change", Edited{Name: "x", Places: 3, Added: 1, Stale: true,
			Since: At([]diff.Change{{New: 4, Added: 1}, {New: 12, Added: 3}})}.Line()},
		{"edit: after changes in many places", Edited{Name: "x", Places: 1, Added: 1, Stale: true,
			Since: At([]diff.Change{{New: 4, Added: 1}, {New: 12, Added: 3}, {New: 20, Removed: 2}, {New: 30, Added: 1}})}.Line()},
		{"edit: after another change, which is not known", Edited{Name: "x", Places: 1, Added: 1, Stale: true}.Line()},
		{"edit: an encoding alone", Edited{Name: "x", Places: 1}.Line()},
		{"edit: a cell", Edited{Name: "x", Places: 1, Removed: 2, Cells: []int{2}}.Line()},
		{"edit: several cells", Edited{Name: "x", Places: 4, Removed: 1, Cells: []int{2, 3, 7}, Beside: 2}.Line()},
		{"edit: many cells", Edited{Name: "x", Places: 6, Added: 6, Cells: []int{1, 2, 3, 4, 5, 6}, Beside: 1}.Line()},
		{"edit: a cell that had run", Edited{Name: "x", Places: 1, Added: 1, Removed: 1, Cells: []int{2}, Cleared: 1}.Line()},
		{"edit: a new cell", Edited{Name: "x", Added: 3, Whole: WholeCell{Done: "inserted", Cell: 3, First: 4, Last: 10, Up: 1}}.Line()},
		{"edit: the last cell but one goes", Edited{Name: "x", Removed: 3, Whole: WholeCell{Done: "deleted", Cell: 3, First: 3, Last: 3, Up: -1}}.Line()},
		{"edit: a cell behind others", Edited{Name: "x", Added: 3, Removed: 3, Whole: WholeCell{Done: "moved", Cell: 3, To: 6, First: 3, Last: 5, Up: -1}}.Line()},
		{"edit: a notebook as JSON", Edited{Name: "x", Places: 1, Added: 1, AsJSON: true}.Line()},
		{"edit: texts that differ from the file", Edited{Name: "x", Places: 3, Added: 1,
			Differed: DifferedIn([]edit.Map{edit.LineEndings, edit.Indentation, edit.Exact, edit.Indentation}, func(texts []int) string {
				return "old_string of " + Count(len(texts), "edit")
			}),
			Left: []string{OtherEndings("old_string", 1, 7, true, "both texts"), OtherEndings("old_string", 2, 9, false, "both texts")},
		}.Line()},
		{"apply_patch: a new file", Patched{Name: "a", Created: true, Added: 1}.Line()},
		{"apply_patch: a file is gone", Patched{Name: "a", Deleted: true, Removed: 2}.Line()},
		{"apply_patch: a file was moved", Patched{Name: "a", To: "b"}.Line()},
		{"apply_patch: a file was moved and changed", Patched{Name: "a", To: "b", Added: 1}.Line()},
		{"apply_patch: nothing was done", Patched{Name: "a", Same: true}.Line()},
		{"apply_patch: a file was changed", patched.Line()},
		{"apply_patch: another encoding", Patched{Name: "a", To: "b", Added: 1, Format: Format{Encoding: "utf-8-bom", LineEndings: "lf"}}.Line()},
		{"apply_patch: a file, after another change", Patched{Name: "a", Added: 1, Removed: 3, Stale: true, NotOfForm: NotOfForm("valid JSON", "a notebook", broken)}.Line()},
	}
}()

// However many jobs there are, the sentence is short.
func TestJobsEndedIsBounded(t *testing.T) {
	state := JobState{Code: -1, Signal: "SIGKILL", Sender: "the limit of 1024.0MB for the output of all jobs"}.String()
	jobs := slices.Repeat([]Ended{{1_000_000, state, 1000 * time.Hour}}, 64)
	require.Less(t, len(JobsEnded(jobs)), Allowance*3/4)
	require.Contains(t, JobsEnded(jobs), " and 59 more")
}

// testShells are the shells that a suite may run commands with.
var testShells = [][]string{{"bash", "-c"}, {"sh", "-c"}, {"dash", "-c"}, {"busybox", "sh", "-c"}, {"bash", "--posix", "-c"}}

// FuzzShellPath checks that a path which a notice puts into a command is one argument in
// every shell there is, the path itself, and that the notice stays on one line.
func FuzzShellPath(f *testing.F) {
	all := make([]byte, 0, 255)
	for c := 1; c < 256; c++ {
		all = append(all, byte(c))
	}
	for _, path := range []string{
		"a", "-a", "", "it's", "a b", "a\nb", "a\n", "\n", "\n\n", "a\n\n\n", "%s%d", "\n%s\\n", `\`, "\x01'", "\n`id`$(id)$HOME!*?[a]~",
		"\xff", "\xff'1", "\n\x81\x82\x88", "a\u202eb", "\n\"", "\n-", "-\n", string(all), "\n" + string(all) + "\n",
	} {
		f.Add(path)
	}
	f.Fuzz(func(t *testing.T, path string) {
		if strings.IndexByte(path, 0) >= 0 || len(path) > 4096 {
			t.Skip()
		}
		word := shellPath(path)
		require.True(t, utf8.ValidString(word), "%q is not printable", word)
		require.Less(t, strings.IndexFunc(word, func(r rune) bool { return !unicode.IsPrint(r) }), 0, "%q is not printable", word)
		want := path
		if strings.HasPrefix(path, "-") {
			want = "./" + path
		}
		for _, shell := range testShells {
			if _, err := exec.LookPath(shell[0]); err != nil {
				continue
			}
			cmd := exec.Command(shell[0], append(shell[1:len(shell):len(shell)], `show() { printf '%s,%s.' $# "$1"; }; show `+word)...)
			cmd.Env = []string{"IFS=x", "PATH=/usr/bin:/bin", "LC_ALL=C.UTF-8"}
			out, err := cmd.Output()
			if err != nil || string(out) != "1,"+want+"." {
				t.Errorf("%v: %s gives %q, not %q: %v", shell, word, out, want, err)
			}
		}
	})
}
