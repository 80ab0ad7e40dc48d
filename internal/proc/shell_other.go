//go:build unix && !linux

package proc

// shellFor returns the shell that runs the command's script.
func shellFor(c Command) (*shell, error) {
	if len(c.Script) > maxScriptArgument {
		return loadingShell(c.Script, "", "")
	}
	path, name, err := findShell()
	if err != nil {
		return nil, err
	}
	return &shell{path: path, argv: shellLine(name, c.Script)}, nil
}
