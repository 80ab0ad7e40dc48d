//go:build linux && (amd64 || arm64)

package sandbox

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

const (
	// maxFilled is how much of a stand-in is line feeds, which mean nothing in most files that programs read. The rest
	// is a hole, which takes no room.
	maxFilled = 64 << 10

	standInMode = 0o444
	dirMode     = 0o755
)

// standInTime is when stand-ins say that they were changed: long ago for make, and when no file was. If it were that of
// the hidden file, git outside could take a changed file for the one that git looked at inside.
var standInTime = time.Unix(1, 234_567_891)

// standIns is a private directory of files that take the place of others. Those that stay as they are keep their inodes,
// so that git need not look into them again.
type standIns struct {
	dir   string
	held  *os.File            // dir, locked
	names map[string]string   // names in dir, by what they take the place of
	files map[string]standIn  // by path
	texts map[string]string   // the contents of others, by path
	kept  map[string]struct{} // those of files that were asked for since the last sweep
}

// standIn is a file of a size, a link, or an empty directory.
type standIn struct {
	size uint32
	mode fs.FileMode
	link string
}

// newStandIns makes the directory.
func newStandIns() (*standIns, error) {
	dir, held, err := makeTempDir()
	if err != nil {
		return nil, err
	}
	return &standIns{dir: dir, held: held, names: map[string]string{}, files: map[string]standIn{},
		texts: map[string]string{}, kept: map[string]struct{}{}}, nil
}

// nameOf returns the path of what takes a place.
func (d *standIns) nameOf(place string) string {
	name, ok := d.names[place]
	if !ok {
		name = strconv.Itoa(len(d.names))
		d.names[place] = name
	}
	return filepath.Join(d.dir, name)
}

// put makes a stand-in at a path below the directory, unless it is there.
func (d *standIns) put(path string, is standIn) error {
	d.kept[path] = struct{}{}
	if was, ok := d.files[path]; ok && was == is {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(path), dirMode); err != nil {
		return err
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	delete(d.files, path)
	if err := is.create(path); err != nil {
		return err
	}
	d.files[path] = is
	return nil
}

func (s standIn) create(path string) error {
	switch {
	case s.link != "":
		return os.Symlink(s.link, path)
	case s.mode.IsDir():
		return os.Mkdir(path, dirMode)
	}
	return s.write(path)
}

func (s standIn) write(path string) error {
	filled := bytes.Repeat([]byte("\n"), int(min(s.size, maxFilled)))
	err := os.WriteFile(path, filled, 0o600)
	if err == nil {
		err = os.Truncate(path, int64(s.size))
	}
	if err == nil {
		err = os.Chmod(path, s.mode)
	}
	if err == nil {
		err = os.Chtimes(path, standInTime, standInTime)
	}
	return err
}

// putText makes a file with a content in a place, and returns its path. What a command has bound stays as it is.
func (d *standIns) putText(place, content string) (string, error) {
	path := d.nameOf(place)
	if was, ok := d.texts[path]; ok && was == content {
		return path, nil
	}
	if err := os.WriteFile(path+".new", []byte(content), 0o644); err != nil {
		return "", err
	}
	if err := os.Rename(path+".new", path); err != nil {
		return "", err
	}
	d.texts[path] = content
	return path, nil
}

// sweep removes the stand-ins that nothing has asked for since the last sweep.
func (d *standIns) sweep() {
	for path := range d.files {
		if _, ok := d.kept[path]; !ok {
			os.Remove(path)
			delete(d.files, path)
		}
	}
	clear(d.kept)
}

func (d *standIns) close() {
	if d != nil {
		removeAll(d.dir)
		d.held.Close()
	}
}
