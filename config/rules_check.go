package config

import "github.com/spillway-go/spillway/internal/rules"

// Without this file, tools/rules.go and the folder internal/rules, there are no rules.
func init() { splitRules, checkRule, checkStrictRule = rules.Split, rules.Check, rules.CheckStrict }
