//go:build !windows

package workspace

// sameName reports whether two paths are the same.
func sameName(a, b string) bool { return a == b }

// isLocal returns true: there is only one volume.
func isLocal(string) bool { return true }

// fileError returns err.
func fileError(err error) error { return err }
