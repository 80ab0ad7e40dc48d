package record

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/spillway-go/spillway/internal/lock"
	"github.com/spillway-go/spillway/internal/spill"
	"github.com/spillway-go/spillway/internal/workspace"
)

const (
	// patience is how long Append waits for a disk. One that answers takes some microseconds.
	patience = 250 * time.Millisecond
	// tries is how often a file is opened that another process is just then putting aside.
	tries = 100
	// older is behind the name of a file that was put aside.
	older = ".1"
)

// journal is the file of a record, to which lines are appended. It is safe for concurrent use, and several journals,
// also in several processes, may share one path: each line is one write. A disk that fails or does not answer costs
// lines, which Close counts.
type journal struct {
	path string
	most int64
	head []byte // the line at the beginning of what this journal writes to a file

	busy   chan struct{} // holds an element while something is written
	file   *os.File      // nil, or open; belongs to whoever holds busy
	closed bool          // so does this

	mu    sync.Mutex
	stuck bool  // the last write has not returned in time, and has not since
	lost  int   // lines that were not written
	err   error // why the first of them was not
}

// openJournal opens the record at path, an absolute path, or makes it, with the directory that it is in, and appends
// head to it, a line without its end. A file that would grow over most bytes is put aside, as path with ".1" behind it,
// in place of the one put aside before. The error is for a path that leads through a link or to something that is not
// this user's own file and nobody else's to read, or not a record.
func openJournal(path string, most int64, head []byte) (*journal, error) {
	j := &journal{path: path, most: most, head: ended(head), busy: make(chan struct{}, 1)}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	if err := j.open(); err != nil {
		return nil, err
	}
	return j, nil
}

func ended(line []byte) []byte { return append(line, '\n') }

// Append appends a line without its end, whose memory it takes over. It returns after a moment even if the disk does
// not answer, and then loses the lines that follow until it does.
func (j *journal) Append(line []byte) {
	timeout := time.NewTimer(patience)
	defer timeout.Stop()
	if !j.take(timeout.C) {
		j.Lose(errors.New("the disk does not answer"))
		return
	}
	done := make(chan struct{})
	go func() {
		err := j.write(ended(line))
		j.setStuck(false)
		<-j.busy
		if err != nil {
			j.Lose(err)
		}
		close(done)
	}()
	select {
	case <-done:
	case <-timeout.C:
		j.setStuck(true)
	}
}

// take waits for the file, but not where the one before has waited in vain.
func (j *journal) take(timeout <-chan time.Time) bool {
	select {
	case j.busy <- struct{}{}:
		return true
	default:
	}
	j.mu.Lock()
	stuck := j.stuck
	j.mu.Unlock()
	if stuck {
		return false
	}
	select {
	case j.busy <- struct{}{}:
		return true
	case <-timeout:
		return false
	}
}

func (j *journal) setStuck(stuck bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.stuck = stuck
}

// Lose counts a line that could not be written.
func (j *journal) Lose(err error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.lost++; j.err == nil {
		j.err = err
	}
}

// Close closes the file. The error says how many lines are not in it, and why the first of them is not. A call that
// ends later still appends its line, behind another head.
func (j *journal) Close() error {
	timeout := time.NewTimer(patience)
	defer timeout.Stop()
	if j.take(timeout.C) {
		j.closed = true
		j.release()
		<-j.busy
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.lost == 0 {
		return nil
	}
	what := "lines are"
	if j.lost == 1 {
		what = "line is"
	}
	return fmt.Errorf("%d %s not in the record %s: %w", j.lost, what, j.path, j.err)
}

// release closes the file until the next write.
func (j *journal) release() {
	if j.file != nil {
		j.file.Close()
		j.file = nil
	}
}

// write appends a line to the file that has the name now.
func (j *journal) write(line []byte) error {
	for try := 0; ; try++ {
		size, err := j.current()
		if err != nil {
			return err
		}
		if size == 0 || size+int64(len(line)) <= j.most || size <= int64(len(j.head)) {
			err = j.append(line, size)
			if j.closed {
				j.release()
			}
			return err
		}
		err = j.putAside()
		elsewhere := errors.Is(err, lock.ErrBusy) || errors.Is(err, fs.ErrNotExist) // another process does, or did
		if try == tries || err != nil && !elsewhere {
			return err
		}
		j.release() // and with it the lock
		if err != nil {
			time.Sleep(time.Millisecond)
		}
	}
}

// current opens the file unless it is open, and returns its size. Another process may have put it aside, or somebody
// may have removed it.
func (j *journal) current() (size int64, err error) {
	if j.file != nil {
		mine, err := j.file.Stat()
		if err == nil {
			if found, err := os.Lstat(j.path); err == nil && os.SameFile(mine, found) {
				return mine.Size(), nil
			}
		}
		j.release()
	}
	if err = j.open(); err != nil {
		return 0, err
	}
	info, err := j.file.Stat()
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

// append writes a line at the end, behind what a process that was killed may have left unfinished.
func (j *journal) append(line []byte, size int64) error {
	if size > 0 {
		var last [1]byte
		if _, err := j.file.ReadAt(last[:], size-1); err != nil {
			return err
		}
		if last[0] != '\n' {
			line = append([]byte("\n"), line...)
		}
	}
	_, err := j.file.Write(line)
	return reason(err)
}

// putAside renames the file. The error is lock.ErrBusy, or fs.ErrNotExist, if another process is doing so, or has.
func (j *journal) putAside() error {
	root, err := spill.OpenOwn(filepath.Dir(j.path))
	if err != nil {
		return err
	}
	defer root.Close()
	name := filepath.Base(j.path)
	if err := lock.Take(root, name, j.file); err != nil {
		return err
	}
	return reason(root.Rename(name, name+older))
}

// open opens the file, which it makes if there is none, and appends the head.
func (j *journal) open() error {
	root, err := spill.OpenOwn(filepath.Dir(j.path))
	if err != nil {
		return err
	}
	defer root.Close()
	name := filepath.Base(j.path)
	for try := 0; ; try++ {
		j.file, err = root.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_RDWR|os.O_APPEND, 0o600)
		if err == nil || !errors.Is(err, fs.ErrExist) {
			break
		}
		j.file, err = openOld(root, name)
		if err == nil || !errors.Is(err, fs.ErrNotExist) || try == tries {
			break
		}
	}
	if err != nil {
		return reason(err)
	}
	info, err := j.file.Stat()
	if err == nil {
		err = j.append(bytes.Clone(j.head), info.Size())
	}
	if err != nil {
		j.release()
	}
	return err
}

// openOld opens a record that is there already.
func openOld(root *os.Root, name string) (*os.File, error) {
	found, err := root.Lstat(name)
	if err != nil {
		return nil, err
	}
	switch {
	case !found.Mode().IsRegular():
		return nil, fmt.Errorf("it is %s, not a regular file", workspace.Kind(found.Mode()))
	case !workspace.Owned(found):
		return nil, errors.New("it belongs to another user")
	}
	if err := private(found); err != nil {
		return nil, err
	}
	file, err := root.OpenFile(name, os.O_RDWR|os.O_APPEND|workspace.OpenFlags, 0)
	if err != nil {
		return nil, err
	}
	if err = check(file, found); err != nil {
		file.Close()
		return nil, err
	}
	return file, nil
}

// prefix is that of every record.
const prefix = `{"kind":"`

// check refuses an open file that is not the one that was found, or that does not begin as a record does.
func check(file *os.File, found fs.FileInfo) error {
	info, err := file.Stat()
	if err != nil {
		return err
	}
	if !os.SameFile(info, found) {
		return fs.ErrNotExist
	}
	text := make([]byte, len(prefix))
	n, err := file.ReadAt(text, 0)
	if err != nil && err != io.EOF {
		return err
	}
	if !bytes.HasPrefix([]byte(prefix), text[:n]) {
		return fmt.Errorf("it is not a record: it does not begin with %s", prefix)
	}
	return nil
}

// reason leaves out of an error the operation and the path, which Close names.
func reason(err error) error {
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		return pe.Err
	}
	return err
}
