// Package slowfs is a file system for tests, whose operations can be made to take long or forever, as on a network or a
// broken disk.
//
// It is in memory and mounted through FUSE, which needs Linux and the right to mount.
package slowfs
