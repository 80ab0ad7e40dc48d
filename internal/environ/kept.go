package environ

import (
	"slices"
	"strings"
)

// shellsOwn are variables that the shell sets for each command anew.
var shellsOwn = []string{"_", "SHLVL", "SPILLWAY_CALL"}

// Reserved are the functions that would keep a shell from starting a script.
var Reserved = []string{"read", "exec", "exit", "unset", "trap", "eval", "builtin"}

// Kept returns what the next command gets of the environment that one has left, which had before when it started. lost
// names the variables and functions that it does not get, since they change how a shell runs a command.
func Kept(left, before []string) (kept, lost []string) {
	for _, v := range left {
		name, _, _ := strings.Cut(v, "=")
		function, isFunction := strings.CutPrefix(name, exportedFunction)
		function, _, _ = strings.Cut(function, "%%")
		switch {
		case slices.Contains(shellsOwn, name):
		case slices.Contains(before, v), !isShells(name), isFunction && !slices.Contains(Reserved, function):
			kept = append(kept, v)
		case isFunction:
			lost = append(lost, "the function "+function)
		default:
			lost = append(lost, name)
		}
	}
	for _, v := range before {
		if name, _, _ := strings.Cut(v, "="); slices.Contains(shellsOwn, name) {
			kept = append(kept, v)
		}
	}
	slices.Sort(lost)
	return kept, lost
}

// Functions returns the names of the functions in an environment.
func Functions(env []string) (names []string) {
	for _, v := range env {
		if name, ok := strings.CutPrefix(v, exportedFunction); ok {
			name, _, _ = strings.Cut(name, "=")
			names = append(names, strings.TrimSuffix(name, "%%"))
		}
	}
	return names
}
