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
// Most patterns in use are a plain name or "*.suffix". These are found in a map,
// by name or by extension, and the number of such rules costs nothing. What
// remains is compared part by part, if the longest literal in it is in the name.
// Nothing is compiled, and a match takes at most as many steps as
// the pattern has parts times the bytes of the path.
//
// # What is bounded
//
// Rules and configuration come with a repository, which may be anybody's. How
// many files of configuration are read is bounded, and so are their bytes, those of
// all rules that are in force in one place, and their lines: see the constants.
// The context of the walk is looked at before a pattern is matched.
//
// # What a repository may have read
//
// The user's configuration, that of the system and the environment are read as
// git reads them. What a repository supplies stays inside of it: its config,
// what that includes, its core.excludesFile and info/exclude are read if they are in
// its work tree or its git directory, and no link leads out of these. A "~" in its
// config is nobody's home.
//
// The git directory is what .git is, or what it leads to. If that is outside of the
// work tree, it counts only if it leads back: by the file gitdir, which git
// worktree writes there, or by core.worktree, as git submodule sets it. So it is
// with the commondir of a linked worktree, which must be the directory whose
// "worktrees" holds its own. Where a .git leads to a git directory that does not
// lead back (made by git init --separate-git-dir, for example), it is the root of a
// repository, as it is to git, but nothing is read out of that directory.
//
// # Versions of git
//
// Up to 2.51 git read "lit**/x" in a pattern with a slash as "lit" followed by
// a "**/" that crosses directories. Since 2.52 "**" is special only as a
// component of its own, as the manual had always said. This package follows
// the newer reading.
package ignore
