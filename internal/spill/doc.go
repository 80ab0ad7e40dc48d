// Package spill keeps on disk what is too long to show, such as the full output of a command whose result has only the
// end, and the old contents of changed files.
//
// A [Dir] creates files with random names in one directory. [Sweep] shrinks that directory once, and [Dir.Limit] keeps
// it small; nothing else removes a kept file. A [Writer] takes a stream that may turn out to be too long: it holds the
// beginning in memory, and moves to a file when told to or when the memory is used up.
//
//	d := spill.NewDir("/src/project/.clarvis")
//	w := d.NewWriter("bash")
//	defer w.Close()
//	...                     // write to w while the command runs
//	path, err := w.Keep()   // now there is a file with everything
//
// The directory is created with the first file: mode 0700, with a .gitignore of "*". A directory that is a symbolic
// link, or another user's, is not used. Files have mode 0600. A file is locked while it is written, so that a sweep by
// any process leaves it alone.
//
// A disk error never stops the stream: the file is removed, further writes succeed, and [Writer.Keep] returns the
// error.
//
// On Windows there are no owner checks.
package spill
