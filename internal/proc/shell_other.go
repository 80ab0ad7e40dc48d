//go:build unix && !linux

package proc

func shellFor(c Command) (s *shell, err error) {
	if s, err = newShell(c); err != nil {
		return nil, err
	}
	if err = s.load("", c.Script); err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}
