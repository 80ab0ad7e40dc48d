package readonly

import (
	"slices"
	"strings"

	"github.com/spillway-go/spillway/internal/commandline"
)

// Sources reports for each word of a command whether it is a path that the command is known to read and not to change,
// such as the first operand of cp. It returns nil if there is none.
func Sources(words []commandline.Word) (only []bool) {
	f, from := look(words)
	if f == nil || len(f.reads) == 0 || !f.onlyReads() {
		return nil
	}
	first, last := f.written()
	only = make([]bool, len(words))
	for i, at := range f.at {
		if i >= first && i <= last && f.operands[i].Many {
			return nil // if it becomes no word, another one is written to
		}
		only[from+at] = i != last
	}
	for i, w := range f.args {
		if slices.ContainsFunc(f.reads, func(o string) bool { return o[0] == '^' && strings.HasPrefix(w.Begin(), o[1:]) }) {
			only[from+i] = true
		}
	}
	return only
}

// onlyReads reports whether all options are among those with which operands are only read, and no other word may be one.
func (f *finding) onlyReads() bool {
	if slices.ContainsFunc(f.args, func(w commandline.Word) bool { return !w.Known && mayBeOption(w) }) {
		return false
	}
	if f.tar && !slices.Contains(f.given, "-c") && !slices.Contains(f.given, "--create") {
		return false
	}
	return !slices.ContainsFunc(f.given, func(o string) bool {
		mark := f.long[o]
		if len(o) == 2 && !f.words {
			mark = f.letters[o[1]]
		}
		return mark != '>' && !slices.Contains(f.reads, o)
	})
}

// written returns the operand that is written to, last, and the first of those that decide which one that is; -1 is none.
func (f *finding) written() (first, last int) {
	n := len(f.operands)
	switch {
	case f.role == "last" && f.target == (commandline.Word{}):
		return n - 1, n - 1
	case f.role == "first":
		return 0, 0
	case f.role == "second":
		return 0, 1
	}
	return -1, -1
}
