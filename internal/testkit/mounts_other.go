//go:build !unix

package testkit

// Sandboxing does nothing where nothing is mounted.
func Sandboxing() {}

// Mounting does nothing where nothing is mounted.
func Mounting() {}
