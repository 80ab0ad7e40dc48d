// Package program finds the programs that the library starts by itself, outside of any sandbox. A
// PATH may begin with a directory of the workspace (.venv/bin, node_modules/.bin), where a command
// can put a program of any name. So a program comes from a fixed list of directories, if nobody but
// root and the user can change what it is.
package program

import "errors"

// ErrNotFound is wrapped by the error for a program that is in none of the directories.
var ErrNotFound = errors.New("not in " + Where)
