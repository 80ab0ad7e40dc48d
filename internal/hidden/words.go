package hidden

import (
	"context"
	"path"
	"slices"
	"strings"

	"github.com/spillway-go/spillway/internal/fault"
	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/internal/shellpath"
	"github.com/spillway-go/spillway/internal/workspace"
)

// Named returns the error for a word of a command line that names a hidden file.
func Named(word string) error {
	return fault.Errorf(fault.Denied, "the command names %s, which is hidden from the tools, whether it exists or not "+
		"(Hidden or HiddenFile). Do it without that file, or ask the user", quote.Value(word))
}

// Excludes reports whether a word of grep, tar, rsync or git excludes what it names.
func Excludes(word string) bool {
	return slices.ContainsFunc([]string{"--exclude=", "--exclude-dir=", ":!", ":^", ":(exclude"}, func(begin string) bool {
		return strings.HasPrefix(word, begin)
	})
}

// maxDirs bounds the directories in which the words of a line are looked up.
const maxDirs = 16

// InWords returns the error for the first plain word of a command line that names a hidden file, for suites without a
// parser. A word is the text between white space and operators, without its quotes. It is looked up in the directory
// where the line starts and in those that it changes to. Patterns, braces, variables and what a program does by itself
// are not seen.
func InWords(ctx context.Context, ws *workspace.Workspace, f shellpath.Finder, line string) error {
	hidden, dirs, before := ws.Hidden(), []string{""}, ""
	seen := map[string]int{} // in how many of dirs a word was looked up
	for _, word := range words(line) {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if !Excludes(word) && before != "--exclude" && seen[word] < len(dirs) {
			seen[word] = len(dirs)
			for _, dir := range dirs {
				for _, name := range named(word) {
					if abs := f.Find(dir, name); abs != "" && hidden(abs) {
						return Named(word)
					}
				}
			}
		}
		if before == "cd" || before == "pushd" || before == "-C" {
			for _, dir := range dirs[:max(0, min(len(dirs), maxDirs-len(dirs)))] {
				dirs = append(dirs, path.Join(dir, word))
			}
		}
		before = word
	}
	return nil
}

// named returns the paths that a word may name: itself, the text behind its first = or :, and the text behind an @
// there.
func named(word string) (names []string) {
	names = append(names, word)
	for _, sign := range []string{"=", ":"} {
		if _, value, ok := strings.Cut(word, sign); ok {
			names = append(names, value)
		}
	}
	for _, name := range names {
		if rest, ok := strings.CutPrefix(name, "@"); ok {
			names = append(names, rest)
		}
	}
	return slices.DeleteFunc(names, func(name string) bool { return name == "" })
}

func words(line string) (list []string) {
	var word strings.Builder
	begun := false
	end := func() {
		if begun {
			list = append(list, word.String())
		}
		word.Reset()
		begun = false
	}
	var quote rune
	escaped := false
	for _, r := range line {
		switch {
		case escaped:
			if escaped = false; r != '\n' {
				word.WriteRune(r)
			}
		case r == '\\' && quote != '\'':
			escaped, begun = true, true
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(r)
		case r == '\'' || r == '"':
			quote, begun = r, true
		case strings.ContainsRune(" \t\r\n;|&<>()`", r):
			end()
		default:
			word.WriteRune(r)
			begun = true
		}
	}
	end()
	return list
}
