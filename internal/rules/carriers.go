package rules

import (
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/spillway-go/spillway/internal/commandline"
	"github.com/spillway-go/spillway/internal/readonly"
)

// codes returns what commands run that is neither words nor a text for a shell: code of another language, and the
// arguments with which programs run others.
func codes(list [][]commandline.Word) (code []string) {
	for _, words := range list {
		for _, w := range commandline.Code(words) {
			code = append(code, w.Text)
		}
		argument := readonly.Runs(words)
		if argument == "" {
			continue
		}
		for i, w := range words[1:] {
			_, text, found := strings.Cut(w.Text, strings.TrimLeft(argument, "-")) // of -vx and --long as well
			switch {
			case w.Text == argument: // a script, or an option in front of its value
				text = argument
			case !found:
				continue
			}
			if i+2 < len(words) {
				text += " " + words[i+2].Text
			}
			code = append(code, text)
		}
	}
	return code
}

// mentioned reports whether some code has all of the words that a rule begins with.
func (r rule) mentioned(code []string) bool {
	return slices.ContainsFunc(code, func(text string) bool {
		for i, p := range r.words {
			word, ok := p.literal()
			if !ok {
				return i > 0
			}
			if !hasWord(text, word) {
				return false
			}
		}
		return true
	})
}

// hasWord reports whether a word is in a text by itself, and not as a part of another name.
func hasWord(text, word string) bool {
	isName := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("_-.", r) }
	for word != "" {
		before, after, found := strings.Cut(text, word)
		if !found {
			return false
		}
		last, _ := utf8.DecodeLastRuneInString(before)
		first, _ := utf8.DecodeRuneInString(after)
		if (before == "" || !isName(last)) && (after == "" || !isName(first)) {
			return true
		}
		text = after
	}
	return false
}

// setsAlias reports whether the words of git may give it an alias, which can be any command.
func setsAlias(words []commandline.Word) bool {
	if len(words) == 0 || path.Base(words[0].Text) != "git" {
		return false
	}
	for i, w := range words[1:] {
		setting, is := strings.CutPrefix(w.Begin(), "--config-env=")
		if before := words[i].Text; before == "-c" || before == "--config-env" {
			setting, is = w.Begin(), true
		}
		if is && (!w.Known && setting == "" || strings.HasPrefix(strings.ToLower(setting), "alias.")) {
			return true
		}
	}
	return false
}

// elsewhere returns why a command may be another one in the directory that it runs in: a program with a relative path,
// and git, which reads the configuration of the repository where it is, which can name programs to run. It also returns
// the options that make git read another configuration.
func (j *judging) elsewhere(c *commandline.Command) (why string, options []string) {
	name := c.Words[0].Text
	moved := !slices.Equal(c.Dirs, []string{""}) || j.start != "."
	if path.Base(name) == "git" {
		options, _ = gitOptions(c.Words)
	}
	switch {
	case len(options) > 0:
		return "git " + shown(options[0]) + " may read a configuration that runs programs", options
	case moved && path.Base(name) == "git" && !j.sameRepository(c.Dirs):
		return "in another directory, git may read a configuration that runs programs", nil
	case moved && strings.Contains(name, "/") && !absolute(name):
		return "in another directory, " + shown(name) + " is another program", nil
	}
	return "", nil
}

// sameRepository reports whether git finds the workspace's repository in all of these directories, and no other one:
// they are in the workspace, and neither they nor what is between has what makes a repository. The line must not be
// able to make one before git runs.
func (j *judging) sameRepository(dirs []string) bool {
	if len(dirs) == 0 || j.place == nil || j.call.Holds == nil || !j.still() {
		return false
	}
	for _, dir := range dirs {
		name, ok := j.place(dir, ".")
		if !ok || isAbs(name) || strings.HasPrefix(name, "~") || strings.HasPrefix(name, "..") {
			return false
		}
		for ; name != "."; name = path.Dir(name) {
			if j.placed++; j.placed > maxPlaced || j.call.Holds(name, ".git") || j.call.Holds(name, "HEAD") {
				return false
			}
		}
	}
	return true
}

// still reports whether all commands of the line are known to change nothing.
func (j *judging) still() bool {
	return !slices.ContainsFunc(j.call.Line.Commands, func(c commandline.Command) bool {
		return c.Unknown != "" || slices.ContainsFunc(c.Redirects, func(r commandline.Redirect) bool { return r.Writes }) ||
			len(c.Words) > 0 && !c.ShellOnly && readonly.Check(inPlace(&c).Words) != ""
	})
}

// inPlace returns git -C DIR log as what it is: git log in DIR. A path with .. is left, as links change what it means.
func inPlace(c *commandline.Command) *commandline.Command {
	words, dirs := c.Words, c.Dirs
	for len(words) > 2 && words[0].Text == "git" && words[1].Text == "-C" && words[1].Known && words[2].Known {
		to := words[2].Text
		if strings.HasPrefix(to, "~") || slices.Contains(strings.Split(to, "/"), "..") {
			break
		}
		words = slices.Concat(words[:1], words[3:])
		from := dirs
		dirs = nil
		for _, dir := range from {
			if dir = path.Join(dir, to); isAbs(to) {
				dir = path.Clean(to)
			} else if dir == "." {
				dir = ""
			}
			dirs = append(dirs, dir)
		}
	}
	placed := *c
	placed.Words, placed.Dirs = words, dirs
	return &placed
}

// gitOptions returns the options of git in front of its command that change what it reads, and the command.
func gitOptions(words []commandline.Word) (options []string, command []commandline.Word) {
	i := 1
	for ; i < len(words) && strings.HasPrefix(words[i].Text, "-"); i++ {
		name, _, has := strings.Cut(words[i].Text, "=")
		switch name {
		case "-C", "-c", "--git-dir", "--work-tree", "--namespace", "--exec-path",
			"--config-env", "--super-prefix", "--attr-source":
			options = append(options, name)
			if !has && name != "--exec-path" {
				i++
			}
		case "--no-pager", "-P", "--no-replace-objects", "--no-lazy-fetch", "--no-optional-locks",
			"--literal-pathspecs", "--version", "--help":
		default:
			options = append(options, name)
		}
	}
	return options, words[min(i, len(words)):]
}
