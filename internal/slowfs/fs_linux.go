package slowfs

import (
	"fmt"
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
	answers sync.WaitGroup // requests that are being answered

	mu       sync.Mutex // guards what follows, and the nodes
	nodes    map[uint64]*node
	delay    time.Duration
	requests int
	left     int           // requests that are answered before one is held; negative for all
	held     chan struct{} // closed when one is
	release  chan struct{} // closed when they are answered again
}

// node is a file, a directory or a symbolic link.
type node struct {
	id       uint64
	mode     uint32
	data     []byte // of a file, or the target of a link
	children map[string]*node
}

// Mount mounts a file system with files, by their paths, until the test ends. The content
// of a file whose name ends in "@" is the target of a symbolic link. The test is skipped
// where it may not mount.
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

// patience is the time after which a file system is given up: a test that waits for an
// operation would hold even the end of its own process, which waits for it in the kernel.
const patience = time.Minute

func (f *FS) mount(t testing.TB) {
	t.Helper()
	var err error
	// Not an os.File: to add one of this file system to the runtime's poller may be an
	// operation, which a server that depends on the poller would never get to see.
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
	end := func() { unix.Unmount(f.Dir, unix.MNT_FORCE) } // whatever still waits fails
	tooLong := time.AfterFunc(patience, end)
	t.Cleanup(func() {
		tooLong.Stop()
		f.Release()
		end()
		unix.Unmount(f.Dir, unix.MNT_DETACH)
		<-served
		f.answers.Wait()
		unix.Close(f.device)
	})
	f.refusePoll(t)
}

// refusePoll lets the kernel find out that operations cannot be waited for here. It
// remembers that, and no longer asks whenever Go opens a file, in a system call of which
// the runtime does not expect that it takes long.
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

// Delay makes every operation take at least that long.
func (f *FS) Delay(d time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.delay = d
}

// Hold answers n more operations and then none until Release. The channel is closed when
// the first one is held.
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
	if f.left = -1; f.release != nil {
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

// wait makes a request wait for its turn.
func (f *FS) wait() {
	f.mu.Lock()
	f.requests++
	delay, hold := f.delay, f.left == 0
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
	time.Sleep(delay)
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

// names are those in a directory, in order.
func (n *node) names() []string {
	var names []string
	for name := range n.children {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
