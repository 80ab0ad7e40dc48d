// Package slowfs provides a file system for tests whose every operation can be made to
// take long, or not to end: what a network or a broken disk does.
//
// It is kept in memory and mounted through FUSE, so it needs Linux and the right to mount.
package slowfs
