//go:build linux && (amd64 || arm64)

package sandbox

import (
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"
)

const (
	tempPrefix = "spillway-tmp-"
	// removeTime is how long Close waits until the temporary directory is removed, which depends
	// on what commands put there.
	removeTime = 500 * time.Millisecond
	// maxStale is how many directories of dead programs New removes.
	maxStale = 16
)

// makeTemp makes the private temporary directory.
func (s *Sandbox) makeTemp() (err error) {
	s.temp, s.lock, err = makeTempDir()
	return err
}

// makeTempDir makes a private directory and locks it. It removes the directories of programs that died, which nobody
// has locked.
func makeTempDir() (dir string, held *os.File, err error) {
	root, err := filepath.EvalSymlinks(os.TempDir())
	if err == nil {
		root, err = filepath.Abs(root)
	}
	if err != nil {
		return "", nil, err
	}
	stale, _ := filepath.Glob(filepath.Join(root, tempPrefix+"*"))
	go removeStale(stale[:min(len(stale), maxStale)])
	for {
		if dir, err = os.MkdirTemp(root, tempPrefix); err != nil {
			return "", nil, err
		}
		if held, err = os.Open(dir); err != nil && !os.IsNotExist(err) {
			return "", nil, err
		}
		// Another program may have removed it as stale before it was locked.
		if err == nil && lock(held) && len(existing(dir)) == 1 {
			return dir, held, nil
		}
		held.Close()
	}
}

func lock(f *os.File) bool { return unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) == nil }

func removeStale(dirs []string) {
	for _, dir := range dirs {
		var info unix.Stat_t
		if unix.Lstat(dir, &info) != nil || info.Mode&unix.S_IFMT != unix.S_IFDIR || int(info.Uid) != os.Geteuid() {
			continue
		}
		f, err := os.Open(dir)
		if err != nil {
			continue
		}
		if lock(f) {
			removeAll(dir)
		}
		f.Close()
	}
}

// removeAll removes a directory, even if it contains directories without permissions.
func removeAll(dir string) {
	if os.RemoveAll(dir) == nil {
		return
	}
	if root, err := os.OpenRoot(dir); err == nil {
		fs.WalkDir(root.FS(), ".", func(name string, entry fs.DirEntry, err error) error {
			if entry != nil && entry.IsDir() && err == nil {
				root.Chmod(name, 0o700)
			}
			return nil
		})
		root.Close()
	}
	os.RemoveAll(dir)
}

func (s *Sandbox) removeTemp() {
	if s.lock == nil {
		return
	}
	removed := make(chan struct{})
	go func() {
		defer close(removed)
		removeAll(s.temp)
		s.lock.Close()
	}()
	select {
	case <-removed:
	case <-time.After(removeTime):
	}
}
