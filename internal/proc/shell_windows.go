package proc

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"golang.org/x/sys/windows"
)

// A command line has at most 32,767 UTF-16 units; for cmd it has at most 8,191.
const (
	maxBashLine = 24 << 10
	maxCmdLine  = 7 << 10
)

// KeepsState reports whether this system supports Command.KeepState.
const KeepsState = false

type shell struct {
	path   string
	argv   []string
	line   string // the command line, if argv cannot express it
	remove string // the script's file, for close to remove; "" if there is none or a tree owns it

	state, defined *os.File // always nil
}

func (s *shell) close() {
	if s.remove != "" {
		os.Remove(s.remove)
	}
}

// shellFor returns the shell that runs the command's script: Command.Shell, else bash if there is one, else cmd. A
// script that does not fit into a command line, or has several lines and is for cmd, is run from a temporary file,
// which is then its $0.
func shellFor(c Command) (*shell, error) {
	script := c.Script
	if path, name := findShell(c.Shell); name != "cmd" {
		s := &shell{path: path, argv: []string{name}}
		if name == "bash" {
			s.argv = append(s.argv, bashOptions...)
		}
		if len(script) <= maxBashLine {
			s.argv = append(s.argv, "-c", script)
			return s, nil
		}
		file, err := scriptFile("spillway-*.sh", script)
		if err != nil {
			return nil, err
		}
		s.argv, s.remove = append(s.argv, file), file
		return s, nil
	}
	system, err := windows.GetSystemDirectory() // PATH may lack it
	if err != nil {
		return nil, fmt.Errorf("no shell: %w", err)
	}
	// Even a console without a window has a code page, which cmd and other programs use to read
	// files and to print.
	line, quiet := `"`+system+`\chcp.com" 65001 >nul 2>&1 & `, ""
	s := &shell{path: system + `\cmd.exe`, argv: []string{"cmd"}}
	if len(script) <= maxCmdLine && !strings.ContainsAny(script, "\r\n") {
		line += script
	} else {
		name, err := scriptFile("spillway-*.cmd", strings.ReplaceAll(script, "\n", "\r\n"))
		if err != nil {
			return nil, err
		}
		line, quiet = line+syscall.EscapeArg(name), "/Q "
		s.remove = name
	}
	s.line = `cmd ` + quiet + `/D /S /C "` + line + `"`
	return s, nil
}

// findShell returns the path of the shell and its name. For cmd the path is "".
func findShell(asked string) (path, name string) {
	if path = cmp.Or(asked, findBash()); path == "" {
		return "", "cmd"
	}
	return path, strings.TrimSuffix(strings.ToLower(filepath.Base(path)), ".exe")
}

func ShellName(asked string) string {
	_, name := findShell(asked)
	return name
}

func scriptFile(pattern, script string) (string, error) {
	f, err := os.CreateTemp("", pattern)
	if err != nil {
		return "", err
	}
	_, err = f.WriteString(script)
	if failed := f.Close(); err == nil {
		err = failed
	}
	if err != nil {
		os.Remove(f.Name())
		return "", err
	}
	return f.Name(), nil
}
