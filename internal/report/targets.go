package report

import (
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/spillway-go/spillway/internal/nearest"
)

// target is what a call was about: a failure is answered by a call of the same tool with the same target.
type target struct {
	values []string // of its pattern, command and id, and its paths without what does not change them
	names  []string // of the files that its paths lead to
	words  []string // of its pattern and its command, in small letters
}

// The bounds of a target.
const (
	maxTargets    = 20      // values, and names
	maxTargetWord = 50      // words
	shortestWord  = 3       // characters: shorter ones are in most commands
	maxTargetText = 1 << 10 // bytes of a value
)

// inPatch matches the paths of the files that a patch changes.
var inPatch = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)^(?:\*\*\* (?:Add|Update|Delete) File: |\+\+\+ b/)(\S.*)$`)
})

func targetOf(args arguments) (t target) {
	for _, name := range []string{"pattern", "command", "id"} {
		text := args.text(name)
		if text == "" {
			text = strings.Trim(string(args.values[name]), `"`) // a number
		}
		t.value(text)
		if name == "command" { // without the program, which another command may have for another purpose
			_, text, _ = strings.Cut(strings.TrimSpace(text), " ")
		}
		t.addWords(text)
	}
	paths := append(args.list("paths"), args.text("path"))
	for _, m := range inPatch().FindAllStringSubmatch(args.text("patch"), maxTargets) {
		paths = append(paths, m[1])
	}
	for _, p := range paths {
		if p = strings.TrimSpace(p); p != "" && len(t.names) < maxTargets {
			t.value(fileOf(p))
			t.names = append(t.names, bounded(path.Base(filepath.ToSlash(p))))
		}
	}
	return t
}

func (t *target) value(text string) {
	if text != "" && text != "." && len(t.values) < 2*maxTargets {
		t.values = append(t.values, bounded(text))
	}
}

func bounded(text string) string { return strings.Clone(text[:min(len(text), maxTargetText)]) }

func (t *target) addWords(text string) {
	for _, word := range strings.FieldsFunc(text[:min(len(text), maxWords)], func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_'
	}) {
		if utf8.RuneCountInString(word) >= shortestWord && len(t.words) < maxTargetWord {
			t.words = append(t.words, strings.ToLower(bounded(word)))
		}
	}
}

// same reports whether two targets share a value or a word, or have files whose names are alike. A call that names no
// target, as one whose arguments were not understood, may have had any.
func (t target) same(other target) bool {
	if len(t.values) == 0 || slices.ContainsFunc(t.values, func(v string) bool { return slices.Contains(other.values, v) }) {
		return true
	}
	if slices.ContainsFunc(t.words, func(w string) bool { return slices.Contains(other.words, w) }) {
		return true
	}
	return slices.ContainsFunc(t.names, func(name string) bool {
		return len(nearest.Among(other.names, name, max(1, utf8.RuneCountInString(name)/3), 1)) > 0
	})
}
