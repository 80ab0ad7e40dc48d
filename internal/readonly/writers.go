package readonly

import (
	_ "embed" // the table
	"slices"
	"strings"
	"sync"
)

//go:embed writes.txt
var writesText string

// writer is a row of writes.txt.
type writer struct {
	letters [128]byte       // what stands behind a short option in the line
	long    map[string]byte // the same for all others; 0 is a flag
	starts  []string
	role    string // which operands are written to
	turns   bool   // they are only with an option

	words, isFor, below, remote bool

	reads []string // the options with which other operands are only read, and what such a word begins with; nil if never
}

// writers returns the rows of writes.txt, by name.
var writers = sync.OnceValue(func() map[string]*writer {
	all := map[string]*writer{}
	for _, r := range must(readRows(writesText, 2)) {
		w := &writer{long: map[string]byte{}}
		for _, token := range strings.Fields(r.columns[0]) {
			w.learn(token)
		}
		w.reads = strings.Fields(r.columns[1])
		for _, name := range r.names {
			all[name] = w
		}
	}
	return all
})

func (w *writer) learn(token string) {
	switch token {
	case "words":
		w.words = true
		return
	case "for":
		w.isFor = true
		return
	case "below":
		w.below = true
		return
	case "remote":
		w.remote = true
		return
	}
	option := strings.TrimRight(token, ">!*:~")
	mark := byte(0)
	if len(option) < len(token) {
		mark = token[len(option)]
	}
	w.turns = w.turns || mark == '!'
	switch {
	case token[0] == '^':
		w.starts = append(w.starts, option[1:])
	case token[0] != '-' || token == "--":
		w.role = token
	case len(option) == 2 && !w.words:
		w.letters[option[1]] = mark
	default:
		w.long[option] = mark
	}
}

// writing returns the options of a program, or of a subcommand of git, that have a path to which it writes.
func writing(name string) (options []string) {
	w := writers()[name]
	if w == nil || w.isFor {
		return nil
	}
	for letter, mark := range w.letters {
		if mark == '>' {
			options = append(options, "-"+string(rune(letter)))
		}
	}
	for option, mark := range w.long {
		if mark == '>' {
			options = append(options, option)
		}
	}
	slices.Sort(options)
	return options
}
