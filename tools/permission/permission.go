// Package permission judges calls before they are made, by [config.Rules]. Hand [Part] to tools.New.
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
