//go:build !unix

package testkit

// NoMounts does nothing where nothing is mounted.
func NoMounts() {}

func mounting() (done func()) { return func() {} }
