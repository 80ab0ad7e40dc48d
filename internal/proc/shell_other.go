//go:build unix && !linux

package proc

// shellFor returns the shell that runs the command's script.
func shellFor(c Command) (*shell, error) { return plainShell(c.Script) }
