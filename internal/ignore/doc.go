// Package ignore answers, for every entry of a directory tree, whether git
// ignores it: the answer of "git check-ignore --no-index" and of
// "git ls-files --others --exclude-standard" on an empty index. It follows
// gitignore(5), and where the manual is silent what git does when it is asked;
// the differential test holds both side by side. git itself is never run: it
// need not be installed where a walk takes place.
//
// A walk begins with [Top] and goes down with [Dir.Enter]. A [Dir] is an
// immutable node: it shares the rules of its parent and adds those of its own
// .gitignore, so a walk may fan out over goroutines without locks.
//
// Precedence, highest first: the .gitignore of the directory, those of the
// directories above it up to the root of the repository, .git/info/exclude,
// core.excludesFile. In one file the last rule that matches decides. An entry
// below an ignored directory is ignored whatever the rules say; that part is
// the walker's, which does not enter ignored directories.
//
// # How a pattern is matched
//
// Most patterns in use are a plain name or "*.suffix". These never meet a
// regular expression: they are found in a map, by name or by extension, and
// the number of such rules costs nothing. What remains is matched by
// github.com/sabhiram/go-gitignore, one glob at a time. That package as it
// comes misreads "?", classes, escapes, anchors and negation (14% of the
// decisions of a random differential test were wrong), but it hands regular
// expression syntax through; so each glob is respelled first in a form that
// leaves it nothing to interpret. Order, negation, anchoring, "directories
// only" and nesting are decided here. A glob is compiled when a path passes its
// literal prefix and suffix for the first time, and most globs never are.
//
// # Versions of git
//
// Up to 2.51 git read "lit**/x" in a pattern with a slash as "lit" followed by
// a "**/" that crosses directories. Since 2.52 "**" is special only as a
// component of its own, as the manual had always said. This package follows
// the newer reading.
package ignore
