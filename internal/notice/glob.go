package notice

import "fmt"

// GlobLiterally says that a glob matches nothing but by a name that its brackets or braces are a part of.
func GlobLiterally(glob string) Notice {
	return Notice(short(glob) + " matches nothing as a glob, so its brackets and braces were also taken literally")
}

// GlobExcludes says that a glob also excludes by a name that its brackets or braces are a part of.
func GlobExcludes(glob string) Notice {
	return Notice(short(glob) + " also excludes names with its brackets and braces taken literally")
}

// GlobRespelled says that another glob was used for one that matches nothing.
func GlobRespelled(glob, used string) Notice {
	return Notice(fmt.Sprintf("%s matches nothing, so %s was used", short(glob), short(used)))
}

// GlobAlike says that a glob was matched against what names look like.
func GlobAlike(glob string) Notice {
	return Notice(short(glob) + " matches nothing, so names that look like it in quotes, spaces, hyphens or accents were used")
}

// short returns a glob, unless it is long.
func short(glob string) string {
	if len(glob) > roomForNames/2 {
		return "The glob"
	}
	return glob
}
