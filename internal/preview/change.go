// Package preview shows a person what a call would do.
package preview

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spillway-go/spillway/internal/change"
	"github.com/spillway-go/spillway/internal/diff"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/internal/size"
	"github.com/spillway-go/spillway/internal/textfile"
)

// Changes returns a unified diff of the changes to files. git apply and patch -p1 accept it unless a line in it says
// otherwise. name returns the shown form of the absolute path of a file.
func Changes(changes []change.Rehearsed, name func(abs string) string, limits Limits) string {
	w := &page{Limits: limits}
	for w.files(changes, name); w.full && !w.cut; w.files(changes, name) {
		w = &page{Limits: limits, cut: true}
	}
	return w.done()
}

// files adds files one after the other, hunk by hunk as they fit.
func (w *page) files(changes []change.Rehearsed, name func(abs string) string) {
	for _, c := range changes {
		f := file{Rehearsed: c, path: name(c.Abs)}
		if f.to = f.path; c.To != nil {
			f.to = name(c.To.Abs)
		}
		head := f.head()
		if f.shows() {
			raw := rawEnds(c.Diff)
			for h := range c.Diff.Hunks() {
				w.block(func(put func(string)) {
					for _, line := range head {
						put(line)
					}
					h.Print(func(sign string, line []byte) { put(sign + w.line(string(line), raw)) })
				})
				head = nil
			}
		}
		if len(head) > 0 {
			w.block(func(put func(string)) {
				for _, line := range head {
					put(line)
				}
			})
		}
	}
}

type file struct {
	change.Rehearsed
	path, to string
}

func (f file) shows() bool {
	return f.Changed && !f.Binary && !f.Diff.Large && len(f.Diff.Changes) > 0
}

// head returns the lines above the hunks: what they do not say, and the names.
func (f file) head() (lines []string) {
	name := quote.Name(f.path)
	say := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
	if f.Name != f.path && !filepath.IsAbs(f.path) && f.IsLink() {
		say("%s leads to %s", quote.Name(f.Name), name)
	}
	if !f.Changed {
		say("%s stays as it is", name)
		return lines
	}
	if f.WasStale {
		say("%s has changed since the model was last shown it", name)
	}
	was, now := f.encodings()
	switch {
	case f.Binary:
		say("%s is not text: %s", name, f.sizes())
	case f.Diff.Large:
		say("%s: %s", name, notice.ChangesNotShown(diff.MaxLines, false))
	case was != now:
		say("%s is in %s and would be in %s; the diff is in UTF-8 and cannot be applied", name, was, now)
	case was != textfile.UTF8:
		say("%s is in %s; the diff is in UTF-8 and cannot be applied", name, was)
	}
	from, to := named("a/", f.path), named("b/", f.to)
	say("diff --git %s %s", whole(from), whole(to)) // git needs it for renamed and for empty files
	switch {
	case f.Created:
		from = "/dev/null"
		say("new file mode 100644")
	case f.Remove:
		to = "/dev/null"
		say("deleted file mode %s", f.mode())
	case f.path != f.to:
		say("rename from %s", quote.Inline(f.path))
		say("rename to %s", quote.Inline(f.to))
	}
	if !f.shows() {
		return lines
	}
	return append(lines, "--- "+ended(from), "+++ "+ended(to))
}

// mode returns the mode of the file in git's form.
func (f file) mode() string {
	if f.Info != nil && f.Info.Mode()&0o111 != 0 {
		return "100755"
	}
	return "100644"
}

// encodings returns the old and the new encoding.
func (f file) encodings() (was, now string) {
	was, now = f.Kind.Encoding, f.NewKind().Encoding
	switch {
	case f.Created || was == "":
		was = now
	case f.Remove || now == "":
		now = was
	}
	if was == "" {
		return textfile.UTF8, textfile.UTF8
	}
	return was, now
}

func (f file) sizes() string {
	was, now := size.Format(int64(len(f.File.Content))), size.Format(int64(len(f.Content)))
	switch {
	case f.Created:
		return "created with " + now
	case f.Remove:
		return "removed with its " + was
	case f.path != f.to && string(f.File.Content) == string(f.Content):
		return "moved as it is, " + was
	}
	return was + " now, and " + now + " then"
}

// named returns a name for the header of a diff. It is absolute outside of the workspace.
func named(prefix, name string) string {
	if filepath.IsAbs(name) {
		prefix = ""
	}
	return quote.Inline(prefix + name)
}

// whole puts a name with spaces in quotes, which patch needs if nothing else shows where it ends.
func whole(name string) string {
	if strings.Contains(name, " ") && !strings.HasPrefix(name, `"`) {
		return quote.Quoted(name)
	}
	return name
}

// ended ends a name with spaces like git, to show where it ends.
func ended(name string) string {
	if strings.Contains(name, " ") && !strings.HasPrefix(name, `"`) {
		return name + "\t"
	}
	return name
}

// rawEnds reports whether all shown lines end in a carriage return. It is then kept as it is, because it is not news.
func rawEnds(d *diff.Diff) bool {
	with, without := false, false
	d.Print(func(sign string, line []byte) {
		text, ok := strings.CutSuffix(string(line), "\n")
		if ok && sign != "@@" && sign != `\` {
			cr := strings.HasSuffix(text, "\r")
			with, without = with || cr, without || !cr
		}
	})
	return with && !without
}
