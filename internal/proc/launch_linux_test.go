package proc

import (
	"errors"
	"fmt"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/spillway-go/spillway/internal/testkit"
	"golang.org/x/sys/unix"
)

// TestMainThread checks that the main thread goes on to share the descriptors of the
// program, of which /proc/self shows its, and that threads of their own end.
func TestMainThread(t *testing.T) {
	before := threads(t)
	for range 50 {
		var running sync.WaitGroup
		for range 20 {
			running.Go(func() {
				done := make(chan struct{})
				go onOwnThread(func() {
					defer close(done)
					if unix.Gettid() == os.Getpid() {
						t.Error("it runs on the main thread")
					}
					closeOnExec()
				})
				<-done
			})
		}
		running.Wait()
	}
	f, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := os.Stat(fmt.Sprintf("/proc/self/fd/%d", f.Fd())); err != nil {
		t.Error(err)
	}
	eventually(t, func() error {
		if n := threads(t); n > before+50 {
			return fmt.Errorf("%d threads, %d before", n, before)
		}
		return nil
	})
}

func threads(t *testing.T) int {
	entries, err := os.ReadDir("/proc/self/task")
	if err != nil {
		t.Skip(err)
	}
	return len(entries)
}

// TestKeepDescriptors checks the ways in which a thread keeps its descriptors to itself,
// and that the program's own stay as they were.
func TestKeepDescriptors(t *testing.T) {
	testkit.NeedProc(t)
	fd, err := unix.FcntlInt(0, unix.F_DUPFD, 3) // without close-on-exec
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(fd)
	flags := func() int {
		n, err := unix.FcntlInt(uintptr(fd), unix.F_GETFD, 0)
		if err != nil {
			t.Error(err)
		}
		return n
	}
	for name, keep := range map[string]func(){"in one call": closeOnExec, "one by one": func() {
		if unix.Unshare(unix.CLONE_FILES) == nil {
			closeEachOnExec()
		}
	}} {
		done := make(chan struct{})
		go onOwnThread(func() {
			defer close(done)
			if keep(); flags() != unix.FD_CLOEXEC {
				t.Errorf("%s: a command inherits a descriptor", name)
			}
		})
		<-done
		if flags() != 0 {
			t.Errorf("%s: a descriptor of the program has changed", name)
		}
	}
}

// TestForbidden checks that nothing of a command runs if it is given up while it starts.
func TestForbidden(t *testing.T) {
	t.Parallel()
	eachMode(t, func(t *testing.T, g *Group) {
		b := newBench(t, g)
		for range 20 {
			call, err := g.start(b.command("echo $$ >>$PIDS"), time.Now(), func() bool { return false })
			if call != nil || !errors.Is(err, errForbidden) {
				t.Errorf("start = %v, %v", call, err)
			}
		}
		if pids := b.pids(); len(pids) > 0 {
			t.Errorf("%d commands have run", len(pids))
		}
	})
}

// A directory that is held open, but was removed meanwhile, is no working directory.
func TestRemovedOpenDir(t *testing.T) {
	dir, err := os.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer dir.Close()
	c := Command{OpenDir: dir}
	if got, err := c.openDir(); got != dir || err != nil {
		t.Errorf("before: %v, %v", got, err)
	}
	if err := os.Remove(dir.Name()); err != nil {
		t.Fatal(err)
	}
	if _, err := c.openDir(); !errors.Is(err, ErrDir) || !errors.Is(err, os.ErrNotExist) {
		t.Errorf("removed: %v", err)
	}
}

// A script cannot fill the memory by what it writes to the file for its state.
func TestStateFileIsBounded(t *testing.T) {
	f, err := stateFile(MaxState)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if f.Name() != "state" {
		t.Skip("it is not in memory here")
	}
	if _, err := f.WriteAt([]byte("x"), MaxState-1); err != nil {
		t.Errorf("the last byte: %v", err)
	}
	if _, err := f.WriteAt([]byte("x"), MaxState); !errors.Is(err, unix.EPERM) {
		t.Errorf("one more: %v", err)
	}
}
