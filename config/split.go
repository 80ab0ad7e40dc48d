package config

import "strings"

// splitRules splits a list of rules at its commas, except those in parentheses, as in bash(git log --format=%h,%s). In
// patterns for bash, quotes and backslashes protect parentheses and commas as they protect spaces.
func splitRules(list string) (rules []string) {
	for list != "" {
		rule, rest := firstRule(list)
		if rule = strings.TrimSpace(rule); rule != "" {
			rules = append(rules, rule)
		}
		list = rest
	}
	return rules
}

// firstRule returns the first rule of a list, and what follows its comma. An unclosed parenthesis takes the rest,
// because the part that judges rules reports it best.
func firstRule(list string) (rule, rest string) {
	depth, quoting := 0, false
	var quote byte
	for i := 0; i < len(list); i++ {
		switch c := list[i]; {
		case quote != 0:
			if c == '\\' && quote == '"' {
				i++
			} else if c == quote {
				quote = 0
			}
		case c == ',' && depth == 0:
			return list[:i], list[i+1:]
		case c == '(':
			if depth == 0 {
				quoting = strings.TrimSpace(list[:i]) == "bash"
			}
			depth++
		case c == ')' && depth > 0:
			depth--
		case depth > 0 && quoting && c == '\\':
			i++
		case depth > 0 && quoting && (c == '\'' || c == '"'):
			quote = c
		}
	}
	return list, ""
}
