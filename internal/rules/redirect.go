package rules

import (
	"slices"
	"strings"

	"github.com/spillway-go/spillway/internal/commandline"
)

func (j *judging) redirect(c *commandline.Command, r commandline.Redirect) {
	u := j.target(c.Dirs, r.Path)
	what := shown(r.Text)
	if r.Writes {
		j.protect(what, u, j.followed(c.Dirs, r.Path), false)
	}
	for _, list := range j.strict() {
		for _, rule := range list.rules {
			if !rule.redirects(r.Writes) {
				continue
			}
			result := yes
			if rule.glob != "" {
				result = u.is(rule)
			}
			switch result {
			case yes:
				j.findings.add(list.decision, rule.says(list.decision, what))
			case maybe:
				j.findings.add(Asked, what+" could be what the rule "+shown(rule.text)+" is about")
			}
		}
	}
	if j.open {
		return
	}
	if mayConnect(r.Path) {
		j.findings.add(Asked, what+" could be a connection to the network")
	}
	if !r.Writes {
		return
	}
	anywhere := slices.ContainsFunc(j.allow, func(rule rule) bool { return rule.access == changing && rule.glob == "" })
	switch {
	case anywhere:
	case u.any || c.Dirs == nil && !absolute(r.Path.Text):
		j.findings.add(Asked, what+" changes a file that is not known")
	default:
		j.unchanged(what, j.resolved(c.Dirs, r.Path.Text))
	}
}

// target returns what the path of a redirection may be.
func (j *judging) target(dirs []string, p commandline.Word) use {
	u := use{word: p.Text, any: true}
	if p.Known {
		var known bool
		u.names, known = j.names(dirs, p.Text)
		u.any = !known
		if dirs == nil && !absolute(p.Text) {
			u.globs = append(u.globs, anywhere(p.Text))
		}
	}
	return u
}

// mayConnect reports whether a path that is not known may be one for which bash opens a connection, both ways.
func mayConnect(path commandline.Word) bool {
	if path.Known || path.Glob { // of a known one, the command line itself says so
		return false
	}
	return slices.ContainsFunc([]string{"/dev/tcp/", "/dev/udp/"}, func(dir string) bool {
		return strings.HasPrefix(dir, path.Prefix) || strings.HasPrefix(path.Prefix, dir)
	})
}

// redirects reports whether a rule is about redirections, of this kind.
func (r rule) redirects(writes bool) bool {
	switch r.access {
	case changing:
		return writes
	case reading:
		return !r.exactTool() && !writes || r.glob != ""
	}
	return false
}

// resolved returns what a path that is known leads to.
func (j *judging) resolved(dirs []string, text string) (names []string) {
	if dirs == nil {
		dirs = []string{""}
	}
	for _, dir := range dirs {
		var name string
		if j.place != nil {
			name, _ = j.place(dir, text)
		} else {
			name, _ = j.written(dir, text)
		}
		names = append(names, name)
	}
	if strings.HasPrefix(text, "~") {
		names, _ = j.names(dirs, text)
	}
	return names
}

// unchanged asks about the names that no rule allows to change.
func (j *judging) unchanged(what string, names []string) {
	var missing []string
	for _, name := range names {
		if !j.allows(changing, name) {
			missing = append(missing, "edit("+escapeGlob(name)+")")
		}
	}
	if len(missing) > 0 {
		j.findings.offer("no rule allows "+what, missing...)
	}
}
