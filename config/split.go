package config

import "strings"

// splitRules returns the rules of a list that commas separate: those in parentheses separate nothing, as in
// bash(git log --format=%h,%s). In patterns for bash, quotes and backslashes take parentheses and commas as
// they take spaces.
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

// firstRule returns the first rule of a list, and what follows the comma behind it. A parenthesis that is never closed has all
// that follows in it: the part that judges by rules says what is wrong with that.
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
