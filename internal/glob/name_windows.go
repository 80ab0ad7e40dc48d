package glob

import "strings"

// slashed returns a glob with slashes only. A backslash divides names on Windows, as in the paths that people write
// there, so it cannot escape. A class can, as in [[].
func slashed(glob string) string { return strings.ReplaceAll(glob, `\`, "/") }

func sameName(a, b string) bool { return strings.EqualFold(a, b) }

// folded returns the same text for names that differ only in case.
func folded(name string) string { return strings.ToLower(name) }
