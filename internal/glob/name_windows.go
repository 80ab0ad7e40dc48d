package glob

import "strings"

// slashed returns a glob with slashes alone: a backslash divides names on Windows, as in the paths
// that people write there, and so escapes nothing. A class does, as [[].
func slashed(glob string) string { return strings.ReplaceAll(glob, `\`, "/") }

// sameName reports whether two names are the same but for the case of letters, which
// Windows disregards.
func sameName(a, b string) bool { return strings.EqualFold(a, b) }

// folded returns the same for names that differ in the case of letters alone.
func folded(name string) string { return strings.ToLower(name) }
