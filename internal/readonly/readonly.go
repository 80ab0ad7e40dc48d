// Package readonly knows commands that change nothing, and the options that make them change something.
package readonly

import "github.com/spillway-go/spillway/internal/commandline"

// Check returns "" if a command is known to change nothing: no file, no process, nothing elsewhere, and it runs no other
// program. Otherwise it returns why that is not known: "sort -o writes a file".
func Check(words []commandline.Word) (why string) {
	return "it is not known to change nothing"
}

// Runs returns the argument that makes a command run another program, such as --pre of rg, or "" if
// it has none that is known. A rule with a * does not allow those.
func Runs(words []commandline.Word) (argument string) { return "" }
