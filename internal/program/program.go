// Package program finds the programs that the library itself starts, outside of any sandbox. A PATH may begin with a
// directory of the workspace (.venv/bin, node_modules/.bin), where a command can put a program of any name. So Find
// ignores PATH and looks in a fixed list of directories, for programs that only root and the user can change.
package program

import "errors"

// ErrNotFound is wrapped by the error for a program that is in none of the directories.
var ErrNotFound = errors.New("not in " + Where)
