// Package slowfs provides a file system for tests whose operations can be made slow or
// endless, as on a network or a broken disk.
//
// It is kept in memory and mounted through FUSE, so it needs Linux and the right to mount.
package slowfs
