// Package ignore reports, for every entry of a directory tree, whether git ignores it, like "git check-ignore
// --no-index" and "git ls-files --others --exclude-standard" on an empty index. It follows gitignore(5) and, where the
// manual is silent, git's behavior; a differential test compares the two. It never runs git, which need not be
// installed.
//
// A walk begins with [Top] and descends with [Dir.Enter]. A Dir shares its parent's rules and adds those of its own
// .gitignore.
//
// Precedence, highest first: the .gitignore of the directory, those of the directories above it up to the root of the
// repository, .git/info/exclude, core.excludesFile. In one file the last matching rule decides. An entry below an
// ignored directory is ignored whatever the rules say; the walker ensures that by not entering ignored directories.
//
// # How a pattern is matched
//
// Most patterns in use are a plain name or "*.suffix". A map finds these, by name or by extension, however many there
// are. The others are compared part by part, if the name contains their longest literal. Nothing is compiled, and a
// match takes at most as many steps as the pattern's parts times the path's bytes.
//
// # What is bounded
//
// Rules come with a repository, which may be anyone's. Constants bound the bytes and lines of all rules in force in
// one place. The walk's context is checked before a pattern is matched. Package gitdir decides which files may be read
// as rules at all.
//
// # Versions of git
//
// Up to 2.51 git read "lit**/x" in a pattern with a slash as "lit" followed by a "**/" that crosses directories. Since
// 2.52 "**" is special only as a whole component, as the manual always said. This package follows the newer reading.
package ignore
