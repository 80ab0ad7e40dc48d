// Package permission judges calls before they are made: by [config.Rules], and by a person ([config.Config.Ask]) where
// these do not decide. It also tells a [config.Config.Guard] what a command line runs and writes, refuses commands that
// name a hidden file by a pattern or a variable, and keeps functions and aliases with [config.Bash.KeepState]: all that needs
// a parser of the shell's language. Hand [Part] to tools.New.
//
// It adds about 1.1 MB to a program. Rules judge what a line says, and ask about what they cannot know; they do not
// confine what runs. That is what tools/sandbox does.
package permission

import (
	"strconv"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/rules"
	"github.com/spillway-go/spillway/tools"
)

// Part returns the part, for tools.New.
func Part() tools.Part {
	return tools.Part{Path: "tools/permission", Check: check, Judge: newJudge, Shell: newShell}
}

// check returns what is refused of the rules.
func check(cfg config.Config) (refused []*config.OptionError) {
	for _, list := range []struct {
		option string
		rules  []string
		check  func(string) error
	}{
		{"Rules.Allow", cfg.Rules.Allow, rules.Check},
		{"Rules.Ask", cfg.Rules.Ask, rules.CheckStrict}, {"Rules.Deny", cfg.Rules.Deny, rules.CheckStrict},
	} {
		for _, rule := range list.rules {
			if err := list.check(rule); err != nil {
				_, source, _ := cfg.Lookup(list.option)
				refused = append(refused, &config.OptionError{
					Option: list.option, Value: strconv.Quote(rule), Want: err.Error(), Source: source,
				})
			}
		}
	}
	return refused
}
