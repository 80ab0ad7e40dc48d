// Package lock locks files, against other processes too. A lock ends with its process.
//
// [Take] locks a file that is open, at once or not at all. A [Mutex] is held by one call of one
// process at a time; the others wait.
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
	// patience is how long Lock waits for others. A change of files takes some milliseconds, most
	// of it for the disk.
	patience = 30 * time.Second
	// The time between two looks at a lock that another has.
	pause, longestPause = time.Millisecond, 20 * time.Millisecond
)

var (
	// ErrBusy is the error of Take for a file that is locked already.
	ErrBusy = errors.New("the file is locked")
	// ErrTimeout is the error of Lock for a lock that others have had for half a minute.
	ErrTimeout = errors.New("another process has been busy in it for half a minute")
)

// Take locks f, which was opened as name in dir, until it is closed. The error is [ErrBusy] if
// another has the lock, and [fs.ErrNotExist] if f is not the file of that name, or not any more.
// On Windows an unlocked file could be removed while it is written, as os.Root opens files so.
func Take(dir *os.Root, name string, f *os.File) error {
	if err := exclusive(f); err != nil {
		return err
	}
	return Same(dir, name, f)
}

// Same returns [fs.ErrNotExist] if f is not the file of that name in dir, or not any more.
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
	held chan struct{} // holds an element while a call of this process has the lock, or is the next to have it
}

// Held is a lock that is held.
type Held struct {
	// Left is what the holder before had noted, if it was killed and did not call Unlock.
	Left []byte

	mutex *Mutex
	file  *os.File
	noted bool // there is something in the file
}

// maxNote bounds what is read of a note: anybody who may write in the directory may have
// written it.
const maxNote = 1 << 20

// Note keeps text, in place of an earlier one, for the next holder of the lock if this process is
// killed.
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

// Unlock drops the note, also that of the holder before, and gives up the lock. Call it once.
func (h *Held) Unlock() {
	if h.noted {
		h.file.Truncate(0)
	}
	h.file.Close()
	<-h.mutex.held
}

// Lock waits until nobody else holds the lock by the file of that name, in whatever process, and
// takes it. open returns the file's directory, which may have been made anew since the last call.
// The lock ends with [Held.Unlock], and with the process. The error is that of ctx, [ErrTimeout]
// after half a minute, or that of the directory or the file.
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
	h.Left, err = io.ReadAll(io.NewSectionReader(f, 0, maxNote)) // none is read where that fails
	h.noted = len(h.Left) > 0 || err != nil
	return h, nil
}

// await opens the file of a lock and locks it, as soon as no other process has the lock.
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

// takeOwn takes the lock of a file that is there for that, or returns ErrBusy. A command can give
// a file that holds something else the name of the lock, or make a link of it: those are errors.
func takeOwn(dir *os.Root, name string, f *os.File) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	switch found, err := dir.Lstat(name); {
	case errors.Is(err, fs.ErrNotExist):
		return ErrBusy // it was removed, and is made anew
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
