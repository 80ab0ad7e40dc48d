//go:build !linux

package testkit

// InMemory does nothing: where other systems have a directory in memory is not known.
func InMemory() {}
