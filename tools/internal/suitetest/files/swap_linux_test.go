package files_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/testkit"
)

// A directory that changes places with a FIFO all the time holds no call up, whichever
// of the two it finds at each of its steps.
func TestDirectorySwappedForFIFO(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ dir, tool, args string }{
		{".", "ls", `{}`},
		{"sub", "find", `{"pattern":"*"}`},
		{"sub", "find", `{"pattern":"*","path":"sub"}`},
		{"sub", "grep", `{"pattern":"x"}`},
		{"sub", "ls", `{"path":"sub"}`},
		{"sub", "bash", `{"command":"true","cwd":"sub"}`},
		{".git", "find", `{"pattern":"*"}`},
		{".clarvis", "bash", `{"command":"seq 3000"}`},
	} {
		t.Run(c.dir+" "+c.tool, func(t *testing.T) {
			base := t.TempDir()
			ws, fifo := filepath.Join(base, "ws"), filepath.Join(base, "fifo")
			for _, dir := range []string{"sub/deep", ".git/objects", ".git/refs", ".clarvis"} {
				require.NoError(t, os.MkdirAll(filepath.Join(ws, dir), 0o700))
			}
			for _, name := range []string{"sub/f", ".git/HEAD", ".gitignore"} {
				require.NoError(t, os.WriteFile(filepath.Join(ws, name), []byte("x\n"), 0o644))
			}
			require.NoError(t, unix.Mkfifo(fifo, 0o600))
			s := newSuite(t, config.Config{Workspace: ws}, nil)
			dir := filepath.Join(ws, c.dir)
			stop, stopped := make(chan struct{}), make(chan struct{})
			go func() {
				defer close(stopped)
				for n := 0; ; n++ {
					select {
					case <-stop:
						return
					default:
					}
					_ = unix.Renameat2(unix.AT_FDCWD, dir, unix.AT_FDCWD, fifo, unix.RENAME_EXCHANGE)
					if n%8 == 0 {
						time.Sleep(10 * time.Microsecond)
					}
				}
			}()
			done := make(chan struct{})
			go func() {
				defer close(done)
				for range testkit.Few(swapCalls) {
					_, _ = s.Call(t.Context(), c.tool, json.RawMessage(c.args))
				}
			}()
			waits := false
			select {
			case <-done:
			case <-time.After(time.Minute):
				waits = true
			}
			close(stop)
			<-stopped
			if waits {
				for _, name := range []string{dir, fifo} { // lets it go on
					if fd, err := unix.Open(name, unix.O_RDWR|unix.O_NONBLOCK, 0); err == nil {
						defer unix.Close(fd)
					}
				}
				<-done
				t.Error("a call waited for a writer")
			}
		})
	}
}

// swapCalls is how often each tool is called.
const swapCalls = 200
