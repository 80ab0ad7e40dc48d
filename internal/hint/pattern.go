// Package hint suggests what to do about an argument that is invalid or finds nothing.
package hint

import (
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"strings"
	"sync"

	"github.com/spillway-go/spillway/internal/fault"
	"github.com/spillway-go/spillway/internal/match"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/internal/workspace"
)

type Pattern struct {
	Text string
	match.Options

	// Plain reports whether the search would find the pattern as plain text. Nil means that this is unknown.
	Plain func() bool
}

// plain reports whether the pattern was probably meant as plain text: that is found, but the pattern does not match
// it.
func (p Pattern) plain() bool {
	if p.Literal || p.Plain == nil || regexp.QuoteMeta(p.Text) == p.Text {
		return false
	}
	re, err := regexp.Compile(p.Text)
	return (err != nil || !re.MatchString(p.Text)) && p.Plain()
}

// Bad returns the error for a pattern that does not compile, in a search of path. has reports whether the reader has a
// tool.
func (p Pattern) Bad(path workspace.Path, has func(tool string) bool, err error) error {
	if size, ok := errors.AsType[*match.SizeError](err); ok {
		return fault.Errorf(fault.InvalidInput, "the pattern is too large: it has %d %s, over the limit of %d. %s", size.Size,
			size.What, size.Max, smaller(size, p.Literal))
	}
	if p.plain() {
		return fault.Errorf(fault.InvalidInput, "pattern %s is not valid: %s. Set literal=true, which finds it as plain text",
			quote.Value(p.Text), quote.Value(PatternFault(err)))
	}
	if lacks, meant := match.Perl(p.Text); len(lacks) > 0 {
		return fault.Errorf(fault.InvalidInput, "pattern %s is not valid: RE2 has no %s. %s",
			quote.Value(p.Text), strings.Join(lacks, " and no "), p.instead(path, has, meant))
	}
	advice := "Set literal=true to search for it as plain text"
	if bad, ok := errors.AsType[*syntax.Error](err); ok && bad.Code == syntax.ErrInvalidRepeatSize {
		advice = "Counts go up to 1000, and nested counts multiply; set literal=true to search for it as plain text"
	}
	if strings.HasPrefix(p.Text, "*") || strings.HasPrefix(p.Text, "?") {
		advice = "It looks like a glob: give it as glob, and the text to search for as pattern"
		if has("find") {
			advice += "; find lists the files themselves"
		}
	}
	return fault.Errorf(fault.InvalidInput, "pattern %s is not valid: %s. %s",
		quote.Value(p.Text), quote.Value(PatternFault(err)), advice)
}

// PatternFault says what is wrong with a pattern, and where.
func PatternFault(err error) string {
	if bad, ok := errors.AsType[*syntax.Error](err); ok {
		return fmt.Sprintf("%s in %s", bad.Code, quote.Value(bad.Expr))
	}
	return err.Error()
}

func smaller(e *match.SizeError, literal bool) string {
	switch {
	case literal:
		return "Search for one line of the text, or a distinctive part of it"
	case e.What == "bytes":
		return "Search for what its words have in common, or in several calls"
	}
	return "Use smaller repetitions, fewer alternatives and fewer character classes, or search in several calls"
}

// maxCommand is the longest command that fits in an error, in bytes.
const maxCommand = 300

// instead says what to do without the features that RE2 lacks. meant is a pattern to try, or "".
func (p Pattern) instead(path workspace.Path, has func(tool string) bool, meant string) string {
	if meant != "" {
		return "Try " + quote.Value(meant)
	}
	if !has("bash") {
		return "Search for the part that RE2 can express, and look through the lines"
	}
	info, err := path.Stat()
	command := notice.SearchCommand(p.Text, path.Name, p.IgnoreCase, err == nil && info.IsDir())
	if len(command) > maxCommand || p.Multiline {
		return "Use bash with grep -P"
	}
	return "Use bash: " + command
}

var (
	globPattern = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[\w./-]*[\w-]\*\.\w{1,5}$`) })
	wordEnds    = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\\[<>]`) })
)

// Nothing returns a suggestion for a pattern that finds nothing and may have been meant differently; "" for others.
func (p Pattern) Nothing() string {
	switch {
	case p.Literal:
	case p.plain():
		return ". Set literal=true, which finds it as plain text"
	case !p.Multiline && strings.Contains(p.Text, `\n`):
		return ". Set multiline=true to match across lines"
	case strings.Contains(p.Text, `\|`):
		return `. \| stands for the character itself: write | for one or the other`
	case wordEnds().MatchString(p.Text):
		return `. \< and \> stand for the characters themselves: write \b for the end of a word`
	case globPattern().MatchString(p.Text):
		return ". The pattern is a regular expression; a glob goes into glob"
	case groupsNothing(p.Text):
		return `. ( and ) only group here: write \( and \) for the characters themselves`
	}
	return ""
}

// groupsNothing reports whether a pattern has a group without effect, as in func (s *Suite): it has no alternatives,
// and is not repeated.
func groupsNothing(pattern string) bool {
	re, err := syntax.Parse(pattern, syntax.Perl)
	return err == nil && !strings.Contains(pattern, "|") && hasIdleGroup(re)
}

func hasIdleGroup(re *syntax.Regexp) bool {
	for _, sub := range re.Sub {
		switch re.Op {
		case syntax.OpStar, syntax.OpPlus, syntax.OpQuest, syntax.OpRepeat:
			if sub.Op == syntax.OpCapture {
				sub = sub.Sub[0]
			}
		}
		if sub.Op == syntax.OpCapture && sub.Name == "" || hasIdleGroup(sub) {
			return true
		}
	}
	return false
}

var (
	emptyBetween = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\s*\|(\s*\|)+\s*`) })
	escaped      = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\\.|\[[^\]]*\]`) })
)

// EmptyAlternative says that a pattern such as a || b matches every line, and what was probably meant. It is empty for
// other patterns.
func (p Pattern) EmptyAlternative() notice.Notice {
	if p.Literal || escaped().MatchString(p.Text) {
		return ""
	}
	meant := strings.Trim(emptyBetween().ReplaceAllString(p.Text, "|"), "|")
	if re, err := regexp.Compile(p.Text); meant == p.Text || err != nil || !re.MatchString("") {
		return ""
	}
	if re, err := regexp.Compile(meant); err != nil || re.MatchString("") {
		return ""
	}
	return notice.EmptyAlternative(quote.Value(meant))
}
