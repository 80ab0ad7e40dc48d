package rules

import (
	"path"
	"slices"
	"strings"

	"github.com/spillway-go/spillway/internal/commandline"
	"github.com/spillway-go/spillway/internal/readonly"
)

// unmeant returns a path that a command changes, although the rule that allows its words is not about that: an option
// that the rule does not name makes it write. A rule for edit may allow the change.
func (j *judging) unmeant(r rule, c *commandline.Command) (w readonly.Write, is bool) {
	for _, w := range readonly.Writes(c.Words) {
		if w.By != "" && !r.hasAny([]string{w.By}) && !j.mayChange(c.Dirs, w.Path) {
			return w, true
		}
	}
	return w, false
}

// mayChange reports whether rules allow to change a path, wherever it leads to.
func (j *judging) mayChange(dirs []string, p commandline.Word) bool {
	if slices.ContainsFunc(j.allow, func(r rule) bool { return r.access == changing && r.glob == "" }) {
		return true
	}
	if !p.Known || dirs == nil && !absolute(p.Text) {
		return false
	}
	return !slices.ContainsFunc(j.resolved(dirs, p.Text), func(name string) bool { return !j.allows(changing, name) })
}

// aFile names a path that is known, for a sentence.
func aFile(w commandline.Word) string {
	if w.Known {
		return shown(w.Text)
	}
	return "a file"
}

// strictWrites judges what a command is known to write, by the rules that deny and ask about paths and by what is
// read-only. Words that are not paths as they stand are among it: cp a/x b also writes b/x.
func (j *judging) strictWrites(c *commandline.Command) {
	list, _ := carried(slices.DeleteFunc(append(slices.Clone(c.Through), c.Words), commandline.Far))
	for _, words := range list {
		for _, w := range readonly.Writes(words) {
			if j.placed > maxPlaced {
				j.findings.add(Asked, text(c)+" has more paths than rules look up")
				return
			}
			u := j.target(c.Dirs, w.Path)
			if w.Path.Glob {
				u.any = false
				j.globUse(&u, c.Dirs, w.Path.Text)
			}
			// A program may change what a link leads to, or put another file in the place of the link.
			names := j.followed(c.Dirs, w.Path)
			for _, dir := range j.followed(c.Dirs, commandline.Word{Text: path.Dir(w.Path.Text), Known: w.Path.Known}) {
				names = append(names, path.Join(dir, path.Base(w.Path.Text)))
			}
			j.protect(text(c), u, names, w.Below)
			if w.Path.Known { // strictPaths judges another one as a word
				j.strictWrite(c, w, u, names)
			}
		}
	}
}

// strictWrite judges a write by the rules that deny and ask about paths. What an option makes a program do to a directory,
// such as -delete of find, need not be done to all that is in there.
func (j *judging) strictWrite(c *commandline.Command, w readonly.Write, u use, names []string) {
	for _, list := range j.strict() {
		for _, r := range list.rules {
			root := r.root()
			has := func(name string) bool { return root != "" && j.contains(name, root) }
			switch {
			case r.glob == "" || r.access != changing && r.access != reading || len(u.names) == 0:
			case u.is(r) == yes, w.Below && w.By == "" && slices.ContainsFunc(names, has):
				j.findings.add(list.decision, r.says(list.decision, text(c)))
			case w.Below && slices.ContainsFunc(names, has):
				j.findings.add(Asked, text(c)+" could change what the rule "+shown(r.text)+" is about")
			}
		}
	}
}

// contains reports whether a file is in a directory, or is it. A relative name is that of a file in the workspace.
func (j *judging) contains(dir, name string) bool {
	if isAbs(name) || !isAbs(dir) {
		return within(dir, name)
	}
	if j.place == nil || isAbs(j.start) {
		return false
	}
	up := "../"
	if j.start != "." {
		up += strings.Repeat("../", 1+strings.Count(j.start, "/"))
	}
	above, ok := j.place("", up)
	return ok && within(dir, above)
}

// root returns the directory, or the file, that all names are in that the pattern of a rule matches; "" if that is not
// known.
func (r rule) root() string {
	n := slices.IndexFunc(r.elements, func(e string) bool { return strings.ContainsAny(e, `*?[]{}\`) })
	if n < 0 {
		n = len(r.elements)
	}
	return strings.Join(r.elements[:n], "/")
}

// followed returns what a path leads to; nothing if that is not known.
func (j *judging) followed(dirs []string, p commandline.Word) []string {
	if !p.Known {
		return nil
	}
	j.placed += max(1, len(dirs))
	return slices.DeleteFunc(j.resolved(dirs, p.Text), func(name string) bool { return name == "" })
}

// protect refuses a change of what is read-only, which one of the names may be, and asks about one that may become one.
// With below, a directory is changed with all that is in it.
func (j *judging) protect(what string, u use, names []string, below bool) {
	const because = ", which the option ReadOnlyRoots makes read-only"
	changed := func(root string) bool {
		return slices.ContainsFunc(names, func(name string) bool { return j.lies(name, root, below) })
	}
	if i := slices.IndexFunc(j.call.ReadOnly, changed); i >= 0 {
		j.findings.add(Denied, what+" changes "+shown(j.call.ReadOnly[i])+because)
		return
	}
	possible := func(root string) bool {
		return u.any || slices.ContainsFunc(u.globs, func(glob []string) bool { return meetsRoot(glob, root, below) })
	}
	if i := slices.IndexFunc(j.call.ReadOnly, possible); i >= 0 {
		j.findings.add(Asked, what+" could change "+shown(j.call.ReadOnly[i])+because)
	}
}

// lies reports whether a path is in a root or, with below, has it in there.
func (j *judging) lies(name, root string, below bool) bool {
	if j.call.Protected != nil && j.call.Protected(name) == root {
		return true
	}
	return within(root, name) || below && within(name, root)
}

// within reports whether a name is that of a directory or of something in it.
func within(dir, name string) bool {
	return dir == "." && !isAbs(name) || name == dir || strings.HasPrefix(name, strings.TrimSuffix(dir, "/")+"/")
}

// meetsRoot is lies for a pattern.
func meetsRoot(glob []string, root string, below bool) bool {
	if meet(glob, append(elements(escapeGlob(root)), "**")) {
		return true
	}
	for dir := path.Dir(root); below && dir != "." && dir != "/"; dir = path.Dir(dir) {
		if meet(glob, elements(escapeGlob(dir))) {
			return true
		}
	}
	return false
}

// nohup returns what nohup makes of a standard output that is a terminal: it writes to nohup.out.
func (j *judging) nohup(c *commandline.Command) []commandline.Redirect {
	is := func(words []commandline.Word) bool { return words[0].Known && path.Base(words[0].Text) == "nohup" }
	if !j.call.Terminal || c.Stdout || !slices.ContainsFunc(c.Through, is) {
		return nil
	}
	out := commandline.Word{Text: "nohup.out", Known: true}
	return []commandline.Redirect{{Text: ">> nohup.out of nohup", Path: out, Writes: true}}
}
