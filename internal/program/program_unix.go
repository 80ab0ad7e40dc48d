//go:build unix

package program

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"

	"github.com/spillway-go/spillway/internal/workspace"
)

// Where names the places where Find looks.
const Where = "the system's directories (/usr/bin, /bin and their like)"

// dirs are the system's directories: of most systems, then of NixOS, Guix and Android, then those of administrators
// and package managers.
var dirs = []string{
	"/usr/bin", "/bin", "/usr/sbin", "/sbin",
	"/run/current-system/sw/bin", "/run/current-system/profile/bin", "/nix/var/nix/profiles/default/bin", "/system/bin",
	"/usr/local/bin", "/usr/pkg/bin", "/opt/local/bin", "/opt/homebrew/bin", "/home/linuxbrew/.linuxbrew/bin",
}

// Unconfined are the programs that run outside of the sandbox on Linux: the shell that starts bwrap,
// and the shell that cleans up after a dead host with the others.
var Unconfined = []string{"sh", "grep", "rmdir"}

// found caches the routes of programs by name. Only root and the user can invalidate it.
var found sync.Map

// route is a path, and the paths of all directories, links and files that it leads through.
type route struct {
	path  string
	steps []string
}

// Find returns the path of a program. It fails if commands that may write to the directories and
// files writable could replace the program.
func Find(name string, writable ...string) (string, error) {
	r, err := find(name)
	if err != nil {
		return "", err
	}
	for _, step := range r.steps {
		if i := slices.IndexFunc(writable, func(root string) bool { return workspace.Within(root, step) }); i >= 0 {
			return "", fmt.Errorf(
				"the program %s is %s, which sandboxed commands could replace: they may write to %s",
				name, r.path, writable[i])
		}
	}
	return r.path, nil
}

func find(name string) (route, error) {
	if known, ok := found.Load(name); ok {
		return known.(route), nil
	}
	refused := fmt.Errorf("the program %s is %w", name, ErrNotFound)
	for _, dir := range dirs {
		r := route{path: filepath.Join(dir, name)}
		var err error
		if r.steps, err = follow(r.path); err == nil {
			found.Store(name, r)
			return r, nil
		}
		if !errors.Is(err, fs.ErrNotExist) && errors.Is(refused, ErrNotFound) {
			refused = fmt.Errorf("the program %s cannot be used: %w", r.path, err)
		}
	}
	return route{}, refused
}

// Path returns a value for PATH: the directories to which only root and the user can write.
func Path() string {
	return strings.Join(slices.DeleteFunc(slices.Clone(dirs), func(dir string) bool {
		_, err := follow(dir)
		return err != nil && !errors.Is(err, errNoProgram)
	}), ":")
}

var errNoProgram = errors.New("it is no file that can be executed")

const maxLinks = 40

// follow returns the paths of all directories, links and files that a path leads through. They must belong to root or
// the user, and nobody else may have write permission.
func follow(path string) (steps []string, err error) {
	elements := func(path string) []string { return strings.Split(filepath.Clean(path), "/") }
	at, rest, links := "/", elements(path), 0
	for {
		info, err := os.Lstat(at)
		if err == nil {
			err = trusted(at, info)
		}
		if err != nil {
			return nil, err
		}
		steps = append(steps, at)
		if info.Mode().Type() == fs.ModeSymlink {
			target, err := os.Readlink(at)
			links++
			if err != nil || links > maxLinks {
				return nil, errors.Join(err, syscall.ELOOP)
			}
			if at = filepath.Dir(at); filepath.IsAbs(target) {
				at = "/"
			}
			rest = append(elements(target), rest...)
		} else if len(rest) == 0 {
			if !info.Mode().IsRegular() || info.Mode()&0o111 == 0 {
				err = errNoProgram
			}
			return steps, err
		}
		at, rest = filepath.Join(at, rest[0]), rest[1:]
	}
}

// trusted returns an error if anybody but root and the user can replace what is in a directory, or
// write to a file. In a sticky directory, such as that of Nix, users replace only their own files.
func trusted(path string, info fs.FileInfo) error {
	owner := info.Sys().(*syscall.Stat_t).Uid
	if owner != 0 && owner != uint32(os.Geteuid()) && !(owner == overflow && unmapped()) {
		return fmt.Errorf("%s belongs to the user %d", path, owner)
	}
	sticky := info.IsDir() && info.Mode()&fs.ModeSticky != 0
	if info.Mode().Type() != fs.ModeSymlink && info.Mode()&0o022 != 0 && !sticky {
		return fmt.Errorf("others than its owner may write to %s", path)
	}
	return nil
}

// overflow owns the files of root in a user namespace without root, such as one of bubblewrap.
const overflow = 65534

// unmapped reports whether no real user has the number overflow. Without /proc it returns true, so
// that commands run: the listed directories belong to root.
var unmapped = sync.OnceValue(func() bool {
	users, _ := os.ReadFile("/proc/self/uid_map")
	for line := range strings.Lines(string(users)) {
		var first, outside, n int64
		if _, err := fmt.Sscan(line, &first, &outside, &n); err != nil || first <= overflow && overflow < first+n {
			return false
		}
	}
	return true
})
