//go:build !linux

package proc

// CommandLine returns "": it is not known here how a process was started.
func CommandLine(int) string { return "" }
