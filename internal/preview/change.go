// Package preview says to a person what a call would do.
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

// Changes returns a unified diff of what would be done to files. git apply and patch -p1 accept it unless a line in it
// says otherwise. name returns how the absolute path of a file is shown.
func Changes(changes []change.Rehearsed, name func(abs string) string, limits Limits) string {
	w := &page{Limits: limits}
	for w.files(changes, name); w.full && !w.cut; w.files(changes, name) {
		w = &page{Limits: limits, cut: true}
	}
	return w.done()
}

// files adds files one after the other: those that fit, hunk by hunk.
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

// file is a file that would be changed.
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
	say("diff --git %s %s", whole(from), whole(to)) // without which git takes no renaming, and no empty file
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

// mode returns the mode of the file as git has it.
func (f file) mode() string {
	if f.Info != nil && f.Info.Mode()&0o111 != 0 {
		return "100755"
	}
	return "100644"
}

// encodings returns what the file is in, and what it would be in.
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

// sizes says what becomes of a file that is not text.
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

// named returns a name in the header of a diff. One outside of the workspace is absolute.
func named(prefix, name string) string {
	if filepath.IsAbs(name) {
		prefix = ""
	}
	return quote.Inline(prefix + name)
}

// whole puts a name with spaces in quotes, as patch needs it where nothing else tells where it ends.
func whole(name string) string {
	if strings.Contains(name, " ") && !strings.HasPrefix(name, `"`) {
		return quote.Quoted(name)
	}
	return name
}

// ended ends a name with spaces as git does, so that it is known where it ends.
func ended(name string) string {
	if strings.Contains(name, " ") && !strings.HasPrefix(name, `"`) {
		return name + "\t"
	}
	return name
}

// rawEnds reports whether all lines that are shown end in a carriage return. It is no news then, and stays as it is.
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
