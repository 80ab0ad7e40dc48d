//go:build unix

package files_test

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/tools"
	"github.com/stretchr/testify/require"
)

// What is no file is refused, and who waits at its other end goes on waiting.
func TestReadTouchesNothingButFiles(t *testing.T) {
	t.Parallel()
	dir, err := os.MkdirTemp("", "") // short enough for a socket's name
	require.NoError(t, err)
	t.Cleanup(func() { os.RemoveAll(dir) })
	s := newSuite(t, config.Config{Workspace: dir, AllowedRoots: []string{"/dev"}}, nil)
	fifo := filepath.Join(dir, "fifo")
	require.NoError(t, syscall.Mkfifo(fifo, 0o600))
	wrote := make(chan error, 1)
	go func() { wrote <- os.WriteFile(fifo, []byte("for somebody else"), 0) }()
	socket, err := net.Listen("unix", filepath.Join(dir, "socket"))
	require.NoError(t, err)
	defer socket.Close()
	for path, want := range map[string]string{
		"fifo":        "not_a_file: fifo is a FIFO (named pipe), which cannot be read as a file",
		"fifo:1-2":    "not_a_file: fifo is a FIFO (named pipe), which cannot be read as a file",
		"socket":      "not_a_file: socket is a socket, which cannot be read as a file",
		"/dev/zero":   "not_a_file: /dev/zero is a device, which cannot be read as a file",
		"/dev/random": "not_a_file: /dev/random is a device, which cannot be read as a file",
	} {
		for range 3 {
			require.Equal(t, want, call(t, s, "read", tools.ReadParams{Path: path}).Text)
		}
	}
	data, err := os.ReadFile(fifo)
	require.NoError(t, err)
	require.Equal(t, "for somebody else", string(data))
	require.NoError(t, <-wrote)
}

// A file that grows, shrinks and is replaced while pages are read of it gives its
// lines, or says that there are not so many.
func TestReadWhileTheFileChanges(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "f")
	text := strings.Repeat("0123456789\n", 2<<20) // over what is counted first
	s := newSuite(t, config.Config{Workspace: dir, MaxLines: 5}, map[string]string{"f": text})
	done := make(chan struct{})
	var writers sync.WaitGroup
	writers.Go(func() {
		for i := 0; ; i++ {
			select {
			case <-done:
				return
			default:
			}
			switch i % 3 {
			case 0:
				os.Truncate(file, int64(11*(1+i%2)<<19))
			case 1:
				if f, err := os.OpenFile(file, os.O_APPEND|os.O_WRONLY, 0); err == nil {
					f.WriteString(text[:11<<20])
					f.Close()
				}
			case 2:
				os.WriteFile(file+".new", []byte(text), 0o600)
				os.Rename(file+".new", file)
			}
			time.Sleep(time.Millisecond)
		}
	})
	for i := range 60 {
		offset := []int{1, -3, 600_000, 1_500_000, 2_000_000}[i%5]
		res := call(t, s, "read", tools.ReadParams{Path: "f", Offset: offset})
		if res.IsError {
			require.Regexp(t, `^invalid_input: Offset \d+ is beyond end of file \(\d+ lines total\)$`, res.Text)
			continue
		}
		text, _, _ := strings.Cut(res.Text, "\n\n[")
		lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
		for i, line := range lines {
			if i < len(lines)-1 { // the last one may be half written, or half gone
				require.Equal(t, "0123456789", line, "%q", res.Text)
			}
		}
	}
	close(done)
	writers.Wait()
}

// A path that is longer than is taken names its length, and one with a name that no file has, itself.
func TestNameTooLong(t *testing.T) {
	t.Parallel()
	s := newSuite(t, config.Config{}, nil)
	res := call(t, s, "read", tools.ReadParams{Path: strings.Repeat("n", 300)})
	require.Equal(t, "invalid_input: the path is too long: "+strings.Repeat("n", 200)+"...", res.Text)
}
