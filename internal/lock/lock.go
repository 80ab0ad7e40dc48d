// Package lock locks files, across processes. A lock ends with its process.
//
// [Take] locks an open file, at once or not at all. A [Mutex] is held by one call of one process at a time; the others
// wait.
package lock

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"sync"
	"time"

	"github.com/spillway-go/spillway/internal/workspace"
)

const (
	// patience is how long Lock waits for others. A change of files takes some milliseconds, most of it for the disk.
	patience = 30 * time.Second
	// The time between two attempts to get a lock.
	pause, longestPause = time.Millisecond, 20 * time.Millisecond
)

var (
	// ErrBusy is the error of Take if the file is locked.
	ErrBusy = errors.New("the file is locked")
	// ErrTimeout is the error of Lock if others have held the lock for half a minute.
	ErrTimeout = errors.New("another process has been busy in it for half a minute")
)

// Take locks f, which was opened as name in dir, until it is closed. The error is [ErrBusy] if another holder has the
// lock, and [fs.ErrNotExist] if f is not, or no longer, the file of that name. On Windows an unlocked file could be
// removed while it is written, because os.Root opens files so.
func Take(dir *os.Root, name string, f *os.File) error {
	if err := exclusive(f); err != nil {
		return err
	}
	return Same(dir, name, f)
}

// Same returns [fs.ErrNotExist] if f is not, or no longer, the file of that name in dir.
func Same(dir *os.Root, name string, f *os.File) error {
	mine, err := f.Stat()
	if err != nil {
		return err
	}
	found, err := dir.Lstat(name)
	if err == nil && !os.SameFile(mine, found) {
		err = fs.ErrNotExist
	}
	return err
}

// Mutex is a lock that processes share by a file. The zero value is not locked.
type Mutex struct {
	once sync.Once
	held chan struct{} // has an element while a call of this process has the lock, or waits for it as the next
}

type Held struct {
	// Left is the note of the previous holder, if it was killed before it called Unlock.
	Left []byte

	mutex *Mutex
	file  *os.File
	noted bool // the file is not empty
}

// maxNote bounds how much is read of a note, because anyone who can write to the directory may have written it.
const maxNote = 1 << 20

// Note keeps text, in place of an earlier note, for the next holder of the lock if this process is killed.
func (h *Held) Note(text []byte) error {
	if h.noted {
		if err := h.file.Truncate(0); err != nil {
			return err
		}
	}
	h.noted = true
	_, err := h.file.WriteAt(text, 0)
	return err
}

// Unlock drops the note, including that of the previous holder, and releases the lock. Call it once.
func (h *Held) Unlock() {
	if h.noted {
		h.file.Truncate(0)
	}
	h.file.Close()
	<-h.mutex.held
}

// Lock acquires the named lock, waiting for other processes. open returns the directory of its file, which may have
// been made anew since the last call. The lock ends with [Held.Unlock], and with the process. The error is that of
// ctx, [ErrTimeout] after half a minute, or that of the directory or the file.
func (m *Mutex) Lock(ctx context.Context, open func() (*os.Root, error), name string) (*Held, error) {
	timeout := time.NewTimer(patience)
	defer timeout.Stop()
	m.once.Do(func() { m.held = make(chan struct{}, 1) })
	select {
	case m.held <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-timeout.C:
		return nil, ErrTimeout
	}
	f, err := await(ctx, timeout.C, open, name)
	if err != nil {
		<-m.held
		return nil, err
	}
	h := &Held{mutex: m, file: f}
	h.Left, err = io.ReadAll(io.NewSectionReader(f, 0, maxNote)) // after an error it may be partial
	h.noted = len(h.Left) > 0 || err != nil
	return h, nil
}

// await opens the file of a lock and locks it as soon as no other process has the lock.
func await(
	ctx context.Context, timeout <-chan time.Time, open func() (*os.Root, error), name string,
) (*os.File, error) {
	for pause := pause; ; pause = min(2*pause, longestPause) {
		f, err := openLocked(open, name)
		if !errors.Is(err, ErrBusy) {
			return f, err
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-timeout:
			return nil, ErrTimeout
		}
	}
}

// openLocked opens the file of a lock and locks it, or returns ErrBusy.
func openLocked(open func() (*os.Root, error), name string) (*os.File, error) {
	dir, err := open()
	if err != nil {
		return nil, err
	}
	f, err := dir.OpenFile(name, os.O_CREATE|os.O_RDWR, 0o600)
	if errors.Is(err, fs.ErrClosed) {
		return nil, ErrBusy // the directory was made anew
	}
	if err != nil {
		return nil, err
	}
	if err := takeOwn(dir, name, f); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// takeOwn takes the lock of a lock file, or returns ErrBusy. A command may have given the name of the lock to another
// file, or made it a link: that is an error.
func takeOwn(dir *os.Root, name string, f *os.File) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	switch found, err := dir.Lstat(name); {
	case errors.Is(err, fs.ErrNotExist):
		return ErrBusy // removed; the next attempt makes it anew
	case err != nil:
		return err
	case !found.Mode().IsRegular():
		return fmt.Errorf("%s is not a regular file", name)
	case !workspace.Owned(info):
		return fmt.Errorf("%s belongs to another user", name)
	}
	if several, err := workspace.SeveralNames(dir, name, info); err != nil {
		return err
	} else if several {
		return fmt.Errorf("%s has another name, too (a hard link), so nothing is written to it; remove it", name)
	}
	if err = Take(dir, name, f); errors.Is(err, fs.ErrNotExist) {
		err = ErrBusy
	}
	return err
}
