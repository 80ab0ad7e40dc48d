// Package slowfs_test calls the tools over a file system whose operations can be held forever, as on a network or a
// broken disk.
//
// It is in memory and mounted through FUSE, which needs Linux and the right to mount.
package slowfs_test

import (
	"fmt"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// FS is a mounted file system. It is safe for concurrent use.
type FS struct {
	Dir string // where it is mounted

	device  int            // the descriptor of /dev/fuse
	answers sync.WaitGroup // of the goroutines that answer requests

	mu       sync.Mutex // guards what follows, and the nodes
	nodes    map[uint64]*node
	requests int
	left     int           // requests to answer before one is held; negative for all
	held     chan struct{} // closed when a request is held
	release  chan struct{} // closed by Release
}

// node is a file, a directory or a symbolic link.
type node struct {
	id       uint64
	mode     uint32
	data     []byte // of a file, or the target of a link
	children map[string]*node
}

// Mount mounts a file system with these files, by path, until the test ends. A name that ends in "@" is that of a
// symbolic link, whose target is the content. The test is skipped if it may not mount.
func Mount(t testing.TB, files map[string]string) *FS {
	t.Helper()
	f := &FS{Dir: t.TempDir(), nodes: map[uint64]*node{}, left: -1}
	root := f.add(nil, "", unix.S_IFDIR|0o755)
	for name, content := range files {
		dir := root
		for element := range strings.SplitSeq(path.Dir(name), "/") {
			if element == "." {
				continue
			}
			if dir.children[element] == nil {
				f.add(dir, element, unix.S_IFDIR|0o755)
			}
			dir = dir.children[element]
		}
		mode := uint32(unix.S_IFREG | 0o644)
		base, link := strings.CutSuffix(path.Base(name), "@")
		if link {
			mode = unix.S_IFLNK | 0o777
		}
		f.add(dir, base, mode).data = []byte(content)
	}
	f.mount(t)
	return f
}

// timeout is the time after which a file system is unmounted. A process cannot end while an operation waits in the
// kernel.
const timeout = time.Minute

func (f *FS) mount(t testing.TB) {
	t.Helper()
	var err error
	// It is no os.File, which depends on the runtime's poller: adding a file of this file system to the poller may be
	// an operation, and would wait for itself.
	if f.device, err = unix.Open("/dev/fuse", unix.O_RDWR|unix.O_CLOEXEC, 0); err != nil {
		t.Skip(err)
	}
	options := fmt.Sprintf("fd=%d,rootmode=40000,user_id=%d,group_id=%d,allow_other", f.device, os.Getuid(), os.Getgid())
	if err := unix.Mount("slowfs", f.Dir, "fuse", unix.MS_NODEV|unix.MS_NOSUID, options); err != nil {
		unix.Close(f.device)
		t.Skip(err)
	}
	served := make(chan struct{})
	go func() {
		defer close(served)
		f.serve()
	}()
	end := func() { unix.Unmount(f.Dir, unix.MNT_FORCE) } // operations that still wait fail
	timer := time.AfterFunc(timeout, end)
	t.Cleanup(func() {
		timer.Stop()
		f.Release()
		end()
		unix.Unmount(f.Dir, unix.MNT_DETACH)
		<-served
		f.answers.Wait()
		unix.Close(f.device)
	})
	f.refusePoll(t)
}

// refusePoll makes the kernel learn that this file system does not support poll. Otherwise it would ask whenever Go
// opens a file, in a system call that the runtime expects to be short.
func (f *FS) refusePoll(t testing.TB) {
	t.Helper()
	name := path.Join(f.Dir, "poll")
	fd, err := unix.Open(name, unix.O_CREAT|unix.O_RDWR|unix.O_CLOEXEC, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	unix.Poll([]unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}, 0)
	unix.Close(fd)
	unix.Unlink(name)
}

// Hold answers n more operations and then none until Release. The channel is closed when the first operation is held.
func (f *FS) Hold(n int) <-chan struct{} {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.left, f.held, f.release = n, make(chan struct{}), make(chan struct{})
	return f.held
}

// Release answers all held operations.
func (f *FS) Release() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.left = -1
	if f.release != nil {
		close(f.release)
		f.release = nil
	}
}

// Requests returns the number of operations requested so far.
func (f *FS) Requests() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.requests
}

// wait counts a request, and holds it if Hold says so.
func (f *FS) wait() {
	f.mu.Lock()
	f.requests++
	hold := f.left == 0
	if f.left > 0 {
		f.left--
	}
	release := f.release
	if hold {
		select {
		case <-f.held:
		default:
			close(f.held)
		}
	}
	f.mu.Unlock()
	if hold {
		<-release
	}
}

func (f *FS) add(dir *node, name string, mode uint32) *node {
	n := &node{id: uint64(len(f.nodes) + 1), mode: mode}
	if mode&unix.S_IFMT == unix.S_IFDIR {
		n.children = map[string]*node{}
	}
	if dir != nil {
		dir.children[name] = n
	}
	f.nodes[n.id] = n
	return n
}

// names returns the names in a directory, in order.
func (n *node) names() []string { return slices.Sorted(maps.Keys(n.children)) }
