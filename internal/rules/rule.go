package rules

import (
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/spillway-go/spillway/internal/quote"
)

const (
	bash     = "bash"
	maxRule  = 4096 // bytes of a rule
	maxShown = 120  // characters of a command, path or rule in a sentence
)

// access is what a rule is about.
type access int

const (
	other access = iota // a tool, whatever its arguments
	reading
	changing
	listing
	running
)

// accessOf returns what a tool does with the paths in a call.
func accessOf(tool string) access {
	switch tool {
	case "read", "grep":
		return reading
	case "edit", "write", "apply_patch":
		return changing
	case "find", "ls":
		return listing
	case bash:
		return running
	}
	return other
}

// rule is a rule that is understood.
type rule struct {
	text     string
	tool     string // "*" is every tool
	access   access
	glob     string    // of a path; "" is any
	elements []string  // of glob
	words    []pattern // of a command; none is any
	wild     bool      // words has a *
	readonly bool      // bash(readonly), or bash(readonly network)
	network  bool      // the latter
	bare     bool      // it has no pattern, and glob is everything
}

// everything is the glob of all paths.
const everything = "**"

// Check returns the error for a rule that cannot be understood: what it must be.
func Check(text string) error {
	_, err := parse(text)
	return err
}

// CheckStrict is Check for a rule that denies or asks, which bash(readonly) cannot.
func CheckStrict(text string) error {
	r, err := parse(text)
	if err == nil && r.readonly {
		return errors.New("another rule: bash(readonly) and bash(readonly network) can only allow")
	}
	return err
}

func parse(text string) (rule, error) {
	r := rule{text: strings.TrimSpace(text)}
	if len(text) > maxRule {
		return r, fmt.Errorf("a rule of at most %d bytes", maxRule)
	}
	if strings.ContainsFunc(r.text, func(c rune) bool { return c < ' ' || c == 0x7f || c == '\ufffd' }) {
		return r, errors.New("a rule on one line, without control characters, in UTF-8")
	}
	tool, rest, has := strings.Cut(r.text, "(")
	r.tool, r.access = tool, accessOf(tool)
	if tool != "*" && (tool == "" || strings.ContainsAny(tool, "*?[]{}()<>|&;,'\"\\/ ")) {
		return r, errors.New("a tool, such as edit, or tool(pattern), such as edit(src/**)")
	}
	if lower := strings.ToLower(tool); r.access == other && accessOf(lower) != other {
		return r, fmt.Errorf("the name of a tool: %s", lower)
	}
	if !has {
		return r, nil
	}
	body, closed := strings.CutSuffix(rest, ")")
	body = strings.TrimSpace(body)
	switch {
	case !closed:
		return r, fmt.Errorf("tool(pattern) with a closing parenthesis at its end: %s", quote.Short(r.text, maxShown)+")")
	case tool == "job":
		return r, errors.New("job alone, without a pattern")
	case r.access == other:
		return r, errors.New("a pattern for bash, read, grep, edit, write, apply_patch, find or ls; " +
			"other tools have their name alone")
	case body == "":
		return r, fmt.Errorf("%s alone, or with a pattern in the parentheses", tool)
	case r.access == running:
		return r, r.setWords(body)
	}
	return r, r.setGlob(body)
}

// setWords reads the pattern of a bash rule.
func (r *rule) setWords(body string) error {
	set, is := strings.CutPrefix(body, "readonly ")
	switch set = strings.TrimSpace(set); {
	case body == "readonly", is && set == "network":
		r.readonly, r.network = true, is
		return nil
	case is && strings.HasPrefix(set, "net"):
		return errors.New("bash(readonly) for commands that change nothing, or bash(readonly network) for those that read " +
			"from the network, such as git ls-remote and gh pr view; each allows only its own")
	}
	words, err := patterns(body)
	if err != nil {
		return err
	}
	last := words[len(words)-1]
	if n := len(last); n > 1 && last[n-1].star && strings.HasSuffix(last[n-2].text, ":") && !last[n-2].star {
		return errors.New("words, the last of which can be * for any others: bash(git log *), not bash(git log:*)")
	}
	if len(words) == 1 && last.any() {
		return nil // bash(*) is bash
	}
	r.words = words
	r.wild = slices.ContainsFunc(words, func(p pattern) bool { return len(p) > 0 && (len(p) > 1 || p[0].star) })
	return nil
}

// setGlob reads the pattern of a rule about paths.
func (r *rule) setGlob(body string) error {
	if !doublestar.ValidatePattern(body) {
		return errors.New("a glob, such as src/**, *.go or {a,b}/*.txt")
	}
	if rest, ok := strings.CutPrefix(body, "~/"); ok || body == "~" {
		home, err := os.UserHomeDir()
		if err != nil {
			return errors.New("a path without ~, as the home directory is not known")
		}
		body = path.Join(escapeGlob(filepath.ToSlash(home)), rest)
	}
	for strings.HasPrefix(body, "./") {
		body = strings.TrimLeft(body[2:], "/")
	}
	if body != "/" {
		body = strings.TrimSuffix(body, "/")
	}
	if body == "" {
		body = "."
	}
	if slices.Contains(strings.Split(body, "/"), "..") {
		return errors.New("a glob without .., relative to the workspace or absolute")
	}
	r.glob = body
	r.elements = elements(body)
	return nil
}

// exactTool reports whether a rule without a pattern is about this tool alone, and not about a kind of access.
func (r rule) exactTool() bool {
	switch r.tool {
	case "read", "edit", "write", "apply_patch":
		return false
	}
	return true
}

// names reports whether a rule without a pattern is about a call of a tool other than bash.
func (r rule) names(c Call) bool {
	switch {
	case r.glob != "" && !r.bare || r.words != nil || r.readonly:
		return false
	case r.tool == "*" || r.tool == c.Tool:
		return true
	case r.exactTool() || accessOf(c.Tool) == other:
		return false
	}
	return r.access == accessOf(c.Tool)
}

// refuses reports whether a rule with a pattern that denies or asks is about a path of a call. A change shows what
// was there, so that it is a reading as well.
func (r rule) refuses(tool string, p Path) bool {
	if r.glob == "" {
		return false
	}
	switch a := accessOf(tool); {
	case p.Writes:
		return (r.access == changing || r.access == reading) && r.meets(p)
	case a == listing:
		return r.access == listing && r.meets(p)
	case a == reading, a == changing:
		return r.access == reading && r.meets(p)
	}
	return false
}

// meets reports whether the pattern of a rule that denies or asks matches a path, where links lead or as it is written.
func (r rule) meets(p Path) bool {
	return r.matches(p.Name, true) || p.Written != "" && r.matches(p.Written, true) ||
		p.Shown != "" && r.matches(p.Shown, true)
}

// folds reports whether file names are the same in upper and lower case, as they usually are on these systems.
const folds = runtime.GOOS == "windows" || runtime.GOOS == "darwin"

// matches reports whether a path matches the pattern. A relative one is about the workspace; one that denies or
// asks and begins with ** is about any directory.
func (r rule) matches(name string, strict bool) bool {
	glob := r.glob
	if strict && glob == everything {
		return true
	}
	if isAbs(name) && !isAbs(glob) && (!strict || !strings.HasPrefix(glob, "**/")) {
		return false
	}
	if strict && folds {
		glob, name = strings.ToLower(glob), strings.ToLower(name)
	}
	ok, err := doublestar.Match(glob, name)
	return ok && err == nil
}

// isAbs reports whether a name or glob with slashes is absolute on any system.
func isAbs(name string) bool {
	return strings.HasPrefix(name, "/") || len(name) > 2 && name[1] == ':' && name[2] == '/'
}

// says is a sentence about a rule: "the rule deny bash(git push *) refuses git push -f".
func (r rule) says(d Decision, what string) string {
	if d == Denied {
		return fmt.Sprintf("the rule deny %s refuses %s", shown(r.text), what)
	}
	return fmt.Sprintf("the rule ask %s asks about %s", shown(r.text), what)
}

// shown returns a command, path or rule for a sentence.
func shown(text string) string {
	line, _ := quote.Line(text)
	return quote.Short(line, maxShown)
}

// escapeGlob returns the glob that matches a name alone.
func escapeGlob(name string) string {
	var b strings.Builder
	for i := range len(name) {
		if strings.IndexByte(`*?[]{}\`, name[i]) >= 0 {
			b.WriteByte('\\')
		}
		b.WriteByte(name[i])
	}
	return b.String()
}
