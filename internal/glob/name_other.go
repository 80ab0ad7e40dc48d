//go:build !windows

package glob

func slashed(glob string) string { return glob }

func sameName(a, b string) bool { return a == b }

func folded(name string) string { return name }
