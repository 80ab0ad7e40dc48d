// Package spill keeps, on disk, what is too long to be shown: the full output of
// a command whose result holds only the end of it.
//
// Read [Dir] first, then [Writer] and [Sweep]. A [Dir] makes files of unguessable names
// in one directory. [Sweep] makes that directory small, once, and [Dir.Limit] keeps it so;
// nothing else removes a file that was kept. A [Writer] takes a stream of which it is not yet known whether it will
// be too long: it holds the beginning in memory and moves to a
// file when it is told to, or when it has held enough.
//
//	d := spill.NewDir("/src/project/.clarvis")
//	w := d.NewWriter("bash")
//	defer w.Close()
//	...                     // write to w while the command runs
//	path, err := w.Keep()   // now there is a file with everything
//
// The directory is made when the first file is: mode 0700, with a .gitignore of
// "*". A directory that is a symbolic link, or another user's, is not used.
// Files are 0600. While a file is written it is locked, so that a sweep by this
// or by another process leaves it alone.
//
// Trouble with the disk never stops what is being written: the file is given up
// and removed, writes go on to succeed, and [Writer.Keep] says what happened.
//
// On systems other than Unix there are no locks and no owners: what is said of them
// here does not hold there.
package spill
