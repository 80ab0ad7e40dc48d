//go:build !unix

package testkit

// NoMounts does nothing where nothing is mounted.
func NoMounts() {}

// Mounting does nothing where nothing is mounted.
func Mounting() {}
