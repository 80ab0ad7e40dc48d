package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/replay"
)

// completions are what makes a shell ask `spillway completion words`, with the command line up
// to the cursor in COMP_LINE, for the words that may stand there. The bash function leaves out
// of each word what bash does not replace: all before the last of COMP_WORDBREAKS, which has =.
var completions = map[string]string{
	"bash": `_spillway() {
  local IFS=$'\n' line=${COMP_LINE:0:COMP_POINT}
  local word=${line##*[[:blank:]]}
  COMPREPLY=($(COMP_LINE=$line spillway completion words))
  COMPREPLY=("${COMPREPLY[@]#"${word%"$2"}"}")
  [[ -z ${COMPREPLY[*]} ]] || return
  word=${word#*=} word=${word#@} # the name of a file; bash completes it unless more belongs to its word
  [[ $2 != ?*"$word" ]] || COMPREPLY=($(compgen -f -- "$word" | while read -r; do printf '%s%q\n' "${2%"$word"}" "$REPLY"; done))
}
complete -o default -o nospace -F _spillway spillway
`,
	"zsh": `_spillway() {
  local -a found=("${(@f)$(COMP_LINE="${words[1,CURRENT-1]} $PREFIX" spillway completion words)}")
  if [[ -z $found ]]; then compset -P '*='; compset -P @; _files; return; fi
  compadd -S '' -- ${(M)found:#*=}
  compadd -- ${${found:#*=}% }
}
compdef _spillway spillway
`,
	"fish": `complete -c spillway -n __fish_use_subcommand -f
complete -c spillway -a '(COMP_LINE=(commandline -cp) spillway completion words | string trim)'
`,
}

// completionCommand is spillway completion.
func completionCommand(*flag.FlagSet) runner {
	return func(args []string, out io.Writer) error {
		switch {
		case len(args) > 0 && args[0] == "words": // bash may add more
			for _, word := range complete(os.Getenv("COMP_LINE")) {
				fmt.Fprintln(out, word)
			}
		case len(args) == 1 && completions[args[0]] != "":
			fmt.Fprint(out, completions[args[0]])
		default:
			return usage("name the shell: bash, zsh or fish")
		}
		return nil
	}
}

// complete is what the last word of a command line may become. What is whole ends in a space.
// Nothing means that it may be the name of a file.
func complete(line string) (found []string) {
	words := strings.Fields(line)
	if len(words) == 0 || strings.HasSuffix(line, " ") {
		words = append(words, "")
	}
	for _, word := range candidates(words[1:]) {
		if !strings.HasPrefix(word, words[len(words)-1]) {
			continue
		}
		if !strings.HasSuffix(word, "=") {
			word += " "
		}
		found = append(found, word)
	}
	return found
}

// candidates are the words that may stand where the last one does.
func candidates(words []string) (list []string) {
	if len(words) < 2 {
		for _, c := range commands() {
			list = append(list, c.name)
		}
		return list
	}
	c, err := commandNamed(words[0])
	if err != nil {
		return nil
	}
	flags := flag.NewFlagSet("", flag.ContinueOnError)
	c.start(flags)
	last, rest := words[len(words)-1], words[1:len(words)-1]
	var before []string // without flags
	var opts options    // that the flags before set
	set := flag.NewFlagSet("", flag.ContinueOnError)
	opts.define(set)
	for len(rest) > 0 {
		word := rest[0]
		rest = rest[1:]
		switch {
		case word == "--":
			return operands(words[0], append(before, rest...), last, opts)
		case !isFlag(word):
			before = append(before, word)
		case takesValue(flags, flagName(word)) && !strings.Contains(word, "="):
			if len(rest) == 0 {
				return values(words[0], flagName(word), last)
			}
			apply(set, flagName(word), rest[0])
			rest = rest[1:]
		default:
			_, value, given := strings.Cut(word, "=")
			if !given {
				value = "true"
			}
			apply(set, flagName(word), value)
		}
	}
	if strings.HasPrefix(last, "-") {
		return flagWords(words[0], flags, last)
	}
	return operands(words[0], before, last, opts)
}

// apply sets a flag, if there is one of that name and it takes the value: a line that is not complete may have any.
func apply(flags *flag.FlagSet, name, value string) {
	if flags.Lookup(name) != nil {
		_ = flags.Set(name, value)
	}
}

// flagWords are the flags with as many dashes as the last word has; once that names one and
// has a "=", they are the values of that.
func flagWords(command string, flags *flag.FlagSet, last string) (list []string) {
	text := strings.TrimLeft(last, "-")
	dashes := strings.TrimSuffix(last, text)
	if name, value, ok := strings.Cut(text, "="); ok {
		return behind(dashes+name+"=", values(command, name, value))
	}
	flags.VisitAll(func(f *flag.Flag) { list = append(list, dashes+f.Name) })
	return list
}

// behind is the list with a text in front of each.
func behind(text string, list []string) []string {
	list = slices.Clone(list)
	for i := range list {
		list[i] = text + list[i]
	}
	return list
}

// values are those of a command's flag: what the text may become that stands in their place.
func values(command, name, text string) (list []string) {
	if name == "print-config" {
		return configuredNames()
	}
	option, _, named := strings.Cut(text, "=")
	for _, o := range config.Options() {
		switch {
		case command == "replay" && !replay.Changes(o.Name):
			continue
		case name == "sandbox" && o.Name == "Bash.Sandbox":
			return o.Values
		case (name == "set" || name == "sweep") && !named:
			list = append(list, o.Name+"=")
		case (name == "set" || name == "sweep") && o.Name == option:
			return behind(o.Name+"=", o.Values)
		}
	}
	return list
}

// operands are what may stand behind other operands of a command.
func operands(command string, before []string, last string, opts options) (list []string) {
	switch {
	case command == "completion" && len(before) == 0:
		return []string{"bash", "zsh", "fish"}
	case command == "help" && len(before) == 0:
		return candidates(nil)
	case command == "config":
		return groups()
	case command != "call" && command != "tools":
		return nil
	}
	cfg, err := opts.config()
	if err != nil {
		return nil
	}
	cfg.Workspace = "" // it need not be there yet
	key, _, named := strings.Cut(last, "=")
	for _, t := range allTools(cfg) {
		if command == "tools" || len(before) == 0 {
			list = append(list, t.Name())
		} else if t.Name() == before[0] {
			args, _ := argumentsOf(t)
			for _, a := range args {
				if named && a.name == key {
					return behind(key+"=", a.values)
				}
				list = append(list, a.name+"=")
			}
		}
	}
	return slices.DeleteFunc(list, func(word string) bool { // what is there already
		return slices.ContainsFunc(before, func(b string) bool { return strings.HasPrefix(b, word) })
	})
}
