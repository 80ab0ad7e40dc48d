//go:build !windows

package workspace

func sameName(a, b string) bool { return a == b }

// isLocal returns true, because there is only one volume.
func isLocal(string) bool { return true }

func fileError(err error) error { return err }
