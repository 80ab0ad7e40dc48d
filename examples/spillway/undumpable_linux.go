package main

import "golang.org/x/sys/unix"

// undumpable keeps commands, which run as the same user, from reading this program's
// memory and the environment that it was started with (PR_SET_DUMPABLE of prctl(2)):
// there are the token, and what the environment of commands leaves out. Root reads
// both all the same.
func undumpable() error { return unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0) }
