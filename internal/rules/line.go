package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spillway-go/spillway/internal/commandline"
	"github.com/spillway-go/spillway/internal/readonly"
)

// findings are what the rules say of the parts of a call.
type findings struct {
	decision Decision
	why      string
	more     int      // parts with the same decision
	session  []string // rules that would allow what is asked about
	settled  bool     // something is asked about that no rule can allow
}

// add notes what a rule, or something that is not known, decides.
func (f *findings) add(d Decision, why string) {
	f.settled = true
	f.note(d, why)
}

// offer notes what no rule allows, and the rule that would.
func (f *findings) offer(why string, rules ...string) {
	f.note(Asked, why)
	for _, rule := range rules {
		if !slices.Contains(f.session, rule) {
			f.session = append(f.session, rule)
		}
	}
	f.settled = f.settled || len(rules) == 0
}

func (f *findings) note(d Decision, why string) {
	switch {
	case d > f.decision:
		f.decision, f.why, f.more = d, why, 0
	case d == f.decision && why != f.why:
		f.more++
	}
}

// maxSession is how many rules an answer may add.
const maxSession = 5

func (f *findings) verdict() Verdict {
	v := Verdict{Decision: f.decision, Why: f.why}
	if f.more > 0 {
		v.Why += fmt.Sprintf(", and %d more", f.more)
	}
	if f.decision == Asked && !f.settled && len(f.session) <= maxSession &&
		!slices.ContainsFunc(f.session, func(rule string) bool { return Check(rule) != nil }) {
		v.Session = f.session
	}
	return v
}

// judging is what a command line is judged by.
type judging struct {
	*Set
	findings *findings
	place    func(dir, path string) (string, bool)
	call     *Call
	start    string // the name of the directory that the line starts in; "." is the workspace
	open     bool   // a rule allows any command
	paths    bool   // a rule denies or asks about paths by a pattern
	words    bool   // a rule denies or asks about commands by their words
	placed   int    // how many paths were looked up

	set map[string]bool // assignments that were judged as paths, with their directories
}

func (s *Set) judgeLine(c Call, line *commandline.Line, f *findings) {
	j := &judging{Set: s, findings: f, place: c.Place, call: &c, start: ".", set: map[string]bool{},
		open: slices.ContainsFunc(s.allow, rule.anyCommand)}
	closed := false
	for _, list := range s.strict() {
		for _, r := range list.rules {
			if r.anyCommand() {
				f.add(list.decision, r.says(list.decision, "the tool bash"))
			}
			for _, p := range c.Paths {
				if p.Writes && r.refuses(bash, p) {
					f.add(list.decision, r.says(list.decision, "a change of "+shown(p.Name)))
				}
			}
			j.words = j.words || r.words != nil
			j.paths = j.paths || r.glob != "" && r.access != listing
			closed = closed || (r.access == reading || r.access == changing) && r.glob == ""
		}
	}
	if j.open && !closed && !j.words && !j.paths && len(c.ReadOnly) == 0 {
		return
	}
	if c.Place != nil {
		if start, ok := c.Place("", "."); ok && start != "" {
			j.start = start
		}
	}
	if line.Unknown != "" {
		f.add(Asked, "rules cannot judge the command line: "+shown(line.Unknown))
	}
	for i := range line.Commands {
		j.command(&line.Commands[i])
	}
}

// anyCommand reports whether a rule is about every command.
func (r rule) anyCommand() bool {
	return r.tool == "*" || r.tool == bash && r.words == nil && !r.readonly
}

func (j *judging) command(c *commandline.Command) {
	f := j.findings
	if c.Carried {
		defer func(open bool) { j.open = open }(j.open)
		j.open = true
	}
	if c.Far {
		j.far(c)
		return
	}
	if c.Unknown != "" && (!j.open || j.words || j.paths) {
		f.add(Asked, shown(c.Unknown)+", which rules cannot judge")
	}
	if j.words {
		j.strictWords(c)
	}
	if j.paths && !c.ShellOnly && len(c.Words) > 0 {
		in := *c // git -C sub show a shows sub/a, or a
		if at := inPlace(c); c.Dirs != nil && len(at.Words) < len(c.Words) {
			in.Dirs = append(slices.Clip(c.Dirs), at.Dirs...)
		}
		j.strictPaths(&in)
	}
	if !j.open && c.Unknown == "" && len(c.Words) > 0 && !c.ShellOnly {
		if why := j.uncovered(c); why != "" {
			f.offer(why, exactRules(c)...)
		}
	}
	if j.paths || len(j.call.ReadOnly) > 0 {
		j.strictWrites(c)
	}
	for _, r := range slices.Concat(c.Redirects, j.nohup(c)) {
		j.redirect(c, r)
	}
}

// far judges a command whose paths are those of another machine.
func (j *judging) far(c *commandline.Command) {
	if !j.words {
		return
	}
	if c.Unknown != "" {
		j.findings.add(Asked, shown(c.Unknown)+", which rules cannot judge")
	}
	j.strictWords(c)
}

// strictWords judges a command by the rules that deny and ask about words.
func (j *judging) strictWords(c *commandline.Command) {
	forms, all := forms(c)
	if !all || setsAlias(c.Words) {
		j.findings.add(Asked, text(c)+" can run any command")
	}
	code := codes(forms)
	for _, list := range j.strict() {
		for _, r := range list.rules {
			if r.words == nil {
				continue
			}
			result := no
			for _, words := range forms {
				result = max(result, matchWords(r.words, words))
			}
			switch {
			case result == yes:
				j.findings.add(list.decision, r.says(list.decision, text(c)))
			case result == maybe:
				j.findings.add(Asked, fmt.Sprintf("%s could be what the rule %s is about", text(c), shown(r.text)))
			case r.mentioned(code):
				j.findings.add(Asked, fmt.Sprintf("%s could run what the rule %s is about", text(c), shown(r.text)))
			}
		}
	}
}

// forms returns what a rule that denies or asks is compared with: the words of a command, those with its assignments,
// with the name of its program without a directory, of git without its options, those of the wrappers around it, and what
// a carrier runs, unless all is false.
func forms(c *commandline.Command) (list [][]commandline.Word, all bool) {
	list = slices.Clone(c.Through)
	if len(c.Words) == 0 {
		return list, true
	}
	list = append(list, c.Words)
	if len(c.Assigned) > 0 {
		list = append(list, slices.Concat(c.Assigned, c.Words))
	}
	list, all = carried(list)
	for _, words := range list[:len(list):len(list)] {
		name := words[0].Text
		if i := strings.LastIndexAny(name, `/\`); i >= 0 && i+1 < len(name) && words[0].Known {
			name = name[i+1:]
			words = append([]commandline.Word{{Text: name, Known: true}}, words[1:]...)
			list = append(list, words)
		}
		if name == "git" && words[0].Known {
			if _, command := gitOptions(words); len(command) < len(words)-1 {
				list = append(list, append([]commandline.Word{words[0]}, command...))
			}
		}
	}
	return list, all
}

// carried adds what carriers may run of their words, which are all but if there are too many.
func carried(list [][]commandline.Word) (more [][]commandline.Word, all bool) {
	all = true
	for _, words := range list[:len(list):len(list)] {
		run, ok := commandline.Carried(words)
		list, all = append(list, run...), all && ok
	}
	return list, all
}

// uncovered returns why no rule allows a command; "" if one does.
func (j *judging) uncovered(c *commandline.Command) (why string) {
	words := c.Words
	if assigned := assigned(c); len(assigned) > 0 {
		words = slices.Concat(assigned, words)
	}
	why = "no rule allows " + text(c)
	elsewhere, options := j.elsewhere(c)
	for _, r := range j.allow {
		switch {
		case r.readonly:
			if j.reads(c, r.network) {
				return ""
			}
		case r.words == nil || matchWords(r.words, words) != yes:
		case elsewhere != "" && (len(options) == 0 || !r.hasAny(options)):
			why = fmt.Sprintf("%s: %s", text(c), elsewhere)
		case r.wild:
			if argument := readonly.Runs(c.Words); argument != "" && !r.hasAny([]string{argument}) {
				why = fmt.Sprintf("%s can run another program by %s, which the rule %s does not name",
					text(c), shown(argument), shown(r.text))
			} else if w, is := j.unmeant(r, c); is {
				why = fmt.Sprintf("%s can change %s by %s, which the rule %s does not name and no rule for edit allows",
					text(c), aFile(w.Path), shown(w.By), shown(r.text))
			} else {
				return ""
			}
		default:
			return ""
		}
	}
	return why
}

// hasAny reports whether the words of a rule have one of these texts.
func (r rule) hasAny(texts []string) bool {
	return slices.ContainsFunc(r.words, func(p pattern) bool {
		word, ok := p.literal()
		return ok && slices.Contains(texts, word)
	})
}

// assigned returns the assignments in front of a command that may change what it does.
func assigned(c *commandline.Command) (words []commandline.Word) {
	for _, w := range c.Assigned {
		if !commandline.Harmless(w) {
			words = append(words, w)
		}
	}
	return words
}

// text is a command for a sentence: as it is written, or its words if another one runs it.
func text(c *commandline.Command) string {
	if len(c.Through) == 0 {
		return shown(c.Text)
	}
	texts := make([]string, 0, len(c.Words))
	for _, w := range c.Words {
		texts = append(texts, w.Text)
	}
	return shown(strings.Join(texts, " "))
}
