package spill

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"github.com/spillway-go/spillway/internal/workspace"
)

// lockName is the file whose lock Lock takes. No sweep removes it.
const lockName = "turn.lock"

const (
	// lockPatience is how long Lock waits for others. What a change of files takes is some
	// milliseconds, most of it for the disk.
	lockPatience = 30 * time.Second
	// The time between two looks at a lock that another process has.
	lockPause, longestLockPause = time.Millisecond, 20 * time.Millisecond
)

// ErrLocked is the error for a lock that others have had for half a minute.
var ErrLocked = errors.New("another process has been busy in it for half a minute")

// Lock is the lock of a directory, which one call of one process has at a time.
type Lock struct {
	// Left is what the holder before had noted, if it was killed and did not call Unlock.
	Left []byte

	dir   *Dir
	file  *os.File
	noted bool // there is something in the file
}

// maxNote bounds what is read of a note: anybody who may write in the directory may have
// written it.
const maxNote = 1 << 20

// Note keeps text, in place of an earlier one, for the next holder of the lock if this process is
// killed.
func (l *Lock) Note(text []byte) error {
	if err := l.clear(); err != nil {
		return reason(err)
	}
	l.noted = true
	_, err := l.file.WriteAt(text, 0)
	return reason(err)
}

// clear empties the file, unless it is empty.
func (l *Lock) clear() error {
	if !l.noted {
		return nil
	}
	return l.file.Truncate(0)
}

// Unlock drops the note, also that of the holder before, and gives up the lock. Call it once.
func (l *Lock) Unlock() {
	l.clear()
	l.file.Close()
	<-l.dir.locked
}

// Lock waits until no other Dir with this path, in whatever process, holds the lock, and takes
// it: with it, tools change files one at a time. The lock ends with [Lock.Unlock], and with the
// process. The error is that of ctx, [ErrLocked] after half a minute, or that of the directory.
func (d *Dir) Lock(ctx context.Context) (*Lock, error) {
	timeout := time.NewTimer(lockPatience)
	defer timeout.Stop()
	select {
	case d.locked <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-timeout.C:
		return nil, ErrLocked
	}
	for pause := lockPause; ; pause = min(2*pause, longestLockPause) {
		f, err := d.tryLock()
		if err == nil {
			l := &Lock{dir: d, file: f}
			l.Left, err = io.ReadAll(io.NewSectionReader(f, 0, maxNote)) // none is read where that fails
			l.noted = len(l.Left) > 0 || err != nil
			return l, nil
		}
		if errors.Is(err, errBusy) {
			select {
			case <-time.After(pause):
				continue
			case <-ctx.Done():
				err = ctx.Err()
			case <-timeout.C:
				err = ErrLocked
			}
		}
		<-d.locked
		return nil, reason(err)
	}
}

// tryLock takes the lock, or returns errBusy.
func (d *Dir) tryLock() (*os.File, error) {
	root, err := d.open()
	if err != nil {
		return nil, err
	}
	f, err := root.OpenFile(lockName, os.O_CREATE|os.O_RDWR|noWait, 0o600)
	if errors.Is(err, fs.ErrClosed) {
		return nil, errBusy // the directory was made anew
	}
	if err != nil {
		return nil, err
	}
	if err = lock(f); err == nil {
		err = isLock(root, f)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// isLock reports, as an error, that the file which was locked is not the one that others look
// at: it was removed, and is made anew, or it is a link or no regular file. Nor is it one that
// holds something else, for which a command can make the name stand.
func isLock(root *os.Root, f *os.File) error {
	found, err := root.Lstat(lockName)
	if err == nil && !found.Mode().IsRegular() {
		return fmt.Errorf("%s is not a regular file", lockName)
	}
	if same(root, f, lockName) != nil {
		return errBusy
	}
	mine, err := f.Stat()
	if err != nil {
		return err
	}
	if !owned(mine) {
		return fmt.Errorf("%s belongs to another user", lockName)
	}
	several, err := workspace.SeveralNames(root, lockName, mine)
	if several {
		return fmt.Errorf("%s has another name, too (a hard link), so nothing is written to it; remove it", lockName)
	}
	return err
}
