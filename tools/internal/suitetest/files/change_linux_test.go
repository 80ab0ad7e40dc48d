package files_test

import (
	"bufio"
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/internal/suitetest"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// again runs a test of this binary as a process of its own.
func again(test string, env ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], "-test.run=^"+test+"$", "-test.v")
	cmd.Env = append(os.Environ(), env...)
	return cmd
}

// Four processes write to one file at once, and none of what they write is lost.
func TestProcessesTakeTurns(t *testing.T) {
	t.Parallel()
	const processes, each, env = 4, 10, "WRITE_TURNS"
	if job := os.Getenv(env); job != "" {
		dir, name, _ := strings.Cut(job, "|")
		s := newSuite(t, config.Config{Workspace: dir}, nil)
		for n := 0; n < each; {
			page := suitetest.Do(t, s.Read, tools.ReadParams{Path: "log"})
			_, err := s.Write(t.Context(), tools.WriteParams{Path: "log", Content: page.Page + fmt.Sprintln(name, n)})
			if tools.CodeOf(err) != tools.CodeStale { // somebody came in between
				require.NoError(t, err)
				n++
			}
		}
		return
	}
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "log"), nil, 0o644))
	var running []*exec.Cmd
	for i := range processes {
		cmd := again(t.Name(), fmt.Sprintf("%s=%s|%d", env, dir, i))
		said := new(strings.Builder)
		cmd.Stderr, cmd.Stdout = said, said
		require.NoError(t, cmd.Start())
		running = append(running, cmd)
	}
	for _, cmd := range running {
		require.NoError(t, cmd.Wait(), "%s", cmd.Stdout)
	}
	data := testkit.ReadFile(t, filepath.Join(dir, "log"))
	require.Len(t, strings.SplitAfter(strings.TrimSpace(data), "\n"), processes*each)
	for i := range processes {
		require.Equal(t, each, strings.Count("\n"+data, fmt.Sprintf("\n%d ", i)))
	}
}

// A process that is killed while it writes leaves the old content or the new, and no lock. What
// else it leaves has the names of temporary files and of copies.
func TestWriterIsKilled(t *testing.T) {
	t.Parallel()
	const env = "WRITE_KILLED"
	ones, twos := strings.Repeat("1\n", 2000), strings.Repeat("2\n", 1501)
	if dir := os.Getenv(env); dir != "" {
		s := newSuite(t, config.Config{Workspace: dir}, nil)
		for i := 0; ; i++ {
			_, err := s.Write(t.Context(), tools.WriteParams{Path: "file", Content: []string{ones, twos}[i%2]})
			if err != nil && tools.CodeOf(err) != tools.CodeStale {
				fmt.Println("failed:", err)
			}
			if i == 1 {
				fmt.Println("running")
			}
		}
	}
	dir := t.TempDir()
	s := newSuite(t, config.Config{Workspace: dir}, nil)
	for range testkit.Some(8) {
		cmd := again(t.Name(), env+"="+dir)
		out, err := cmd.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, cmd.Start())
		lines := bufio.NewScanner(out)
		for lines.Scan() && lines.Text() != "running" {
			require.NotContains(t, lines.Text(), "failed")
		}
		time.Sleep(rand.N(3 * time.Millisecond)) // to be at any step
		require.NoError(t, cmd.Process.Kill())
		cmd.Wait()
		data := contentOf(t, s, "file")
		require.True(t, data == ones || data == twos, "%d bytes", len(data))
		entries := testkit.Must(t, os.ReadDir, dir)
		for _, e := range entries {
			require.Regexp(t, `^(\.spillway-[A-Z2-7]{26}\.tmp|file|\.clarvis)$`, e.Name())
		}
		kept := testkit.Must(t, os.ReadDir, filepath.Join(dir, ".clarvis"))
		for _, e := range kept {
			require.Regexp(t, `^(before-[b-z2-9]{8}\.log(\.part)?|turn\.lock|\.gitignore)$`, e.Name())
		}
	}
	write(t, s, "other", "the lock is free\n")
	require.Empty(t, testkit.Must(t, filepath.Glob, filepath.Join(dir, ".spillway-*")), "the next call tidies up")
}

// What a file is besides its content stays: through a write, and through Restore.
func TestWriteKeepsWhatAFileIs(t *testing.T) {
	t.Parallel()
	s := newSuite(t, config.Config{}, map[string]string{"a": "1\n", "dir/b": "1\n"})
	at := func(name string) string { return filepath.Join(s.Workspace(), name) }
	statOf := func(name string) *syscall.Stat_t {
		info := testkit.Must(t, os.Stat, at(name))
		return info.Sys().(*syscall.Stat_t)
	}
	if os.Geteuid() == 0 {
		require.NoError(t, os.Chown(at("a"), 1234, 4321))
	}
	require.NoError(t, unix.Chmod(at("a"), 0o4751))
	attributes := unix.Setxattr(at("a"), "user.spillway", []byte("x"), 0) == nil
	before := statOf("a")
	res := write(t, s, "a", "2\n")
	check := func() {
		now := statOf("a")
		require.Equal(t, [3]uint32{before.Mode, before.Uid, before.Gid}, [3]uint32{now.Mode, now.Uid, now.Gid})
		if attributes {
			value := make([]byte, 8)
			n, err := unix.Getxattr(at("a"), "user.spillway", value)
			require.NoError(t, err)
			require.Equal(t, "x", string(value[:n]))
		}
	}
	check()
	_, err := s.Restore(t.Context(), res.Before)
	require.NoError(t, err)
	check()

	require.NoError(t, os.Link(at("dir/b"), at("c")))
	inode := statOf("c").Ino
	res = write(t, s, "c", "2\n")
	require.Equal(t, "2\n", contentOf(t, s, "dir/b"))
	require.Equal(t, "1\n", contentOf(t, s, res.Before))
	require.Equal(t, inode, statOf("dir/b").Ino)
	info := testkit.Must(t, os.Stat, at(res.Before))
	require.EqualValues(t, 0o600, info.Mode(), "nobody else may read what is kept")
}

// A disk without room, be it for the file or for the copy of what it held.
// It is alone: what another test starts may keep the mount in use.
func TestWriteOnAFullDisk(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("for root")
	}
	if !testkit.OwnMounts(t) {
		return
	}
	full := t.TempDir()
	if err := unix.Mount("spillway-test", full, "tmpfs", 0, "size=128k"); err != nil {
		t.Skip(err)
	}
	defer unix.Unmount(full, unix.MNT_DETACH)
	large := strings.Repeat("x", 100_000)
	require.NoError(t, os.WriteFile(filepath.Join(full, "a"), []byte("1\n"), 0o644))
	s := newSuite(t, config.Config{Workspace: full, Spill: config.Spill{Dir: filepath.Join(t.TempDir(), "spill")}}, nil)
	_, err := s.Write(t.Context(), tools.WriteParams{Path: "a", Content: large + large})
	refusedAs(t, err, tools.CodeIOError, "no room on the disk for a; nothing was changed")
	require.Equal(t, "1\n", contentOf(t, s, "a"))

	require.NoError(t, os.WriteFile(filepath.Join(full, "a"), []byte(large), 0o644))
	s = newSuite(t, config.Config{Workspace: full}, nil)
	_, err = s.Write(t.Context(), tools.WriteParams{Path: "a", Content: "1\n"})
	refusedAs(t, err, tools.CodeIOError, "nothing was changed, because the old content is kept in .clarvis first, and that failed: no space left on device")
	require.True(t, bytes.Equal([]byte(large), []byte(contentOf(t, s, "a"))))
}
