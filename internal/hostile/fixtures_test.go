//go:build linux

package hostile_test

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"
)

// piece is a text that stands in a file so many times.
type piece struct {
	text  string
	times int64
}

// hole is a piece of zeros that take no room on the disk.
const hole = "\x00"

type builder = func(dir string) error

// together builds one after the other.
func together(builders ...builder) builder {
	return func(dir string) error {
		for _, b := range builders {
			if err := b(dir); err != nil {
				return err
			}
		}
		return nil
	}
}

// create makes a file and the directories above it.
func create(dir, name string) (*os.File, error) {
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, err
	}
	return os.Create(path)
}

// fill makes a file of pieces.
func fill(name string, pieces ...piece) builder {
	return func(dir string) error {
		f, err := create(dir, name)
		if err != nil {
			return err
		}
		defer f.Close()
		for _, p := range pieces {
			if p.text == hole {
				at, err := f.Seek(p.times, 1)
				if err == nil {
					err = f.Truncate(at)
				}
				if err != nil {
					return err
				}
				continue
			}
			block := strings.Repeat(p.text, int(max(1, min(p.times, 1<<20/int64(len(p.text))))))
			for left := p.times * int64(len(p.text)); left > 0; left -= int64(len(block)) {
				if _, err := f.WriteString(block[:min(left, int64(len(block)))]); err != nil {
					return err
				}
			}
		}
		return nil
	}
}

// lines makes a file of n lines, each with a number in it.
func lines(name string, n int, format string) builder {
	return func(dir string) error {
		f, err := create(dir, name)
		if err != nil {
			return err
		}
		defer f.Close()
		w := bufio.NewWriterSize(f, 1<<20)
		for i := range n {
			fmt.Fprintf(w, format+"\n", i)
		}
		return w.Flush()
	}
}

// manyFiles makes n empty files with names of so many bytes in sub, and a file name.
func manyFiles(n, length int) builder {
	return together(fill("name", piece{"x\n", 1}), manyIn("sub", n, strings.Repeat("a", max(length-8, 0))+"%08d"))
}

func manyIn(sub string, n int, format string) builder {
	return func(dir string) error {
		at := filepath.Join(dir, sub)
		if err := os.MkdirAll(at, 0o700); err != nil {
			return err
		}
		for i := range n {
			if err := syscall.Mknod(filepath.Join(at, fmt.Sprintf(format, i)), syscall.S_IFREG|0o600, 0); err != nil {
				return err
			}
		}
		return nil
	}
}

// deep makes n directories in each other, the last of which holds a file. Their path
// may be longer than the system allows for one.
func deep(n int) builder {
	return func(dir string) error {
		root, err := os.OpenRoot(dir)
		if err != nil {
			return err
		}
		for range n {
			if err := root.Mkdir("ddddddddd", 0o755); err != nil {
				return err
			}
			next, err := root.OpenRoot("ddddddddd")
			root.Close()
			if err != nil {
				return err
			}
			root = next
		}
		defer root.Close()
		return root.WriteFile("file", []byte("x\n"), 0o644)
	}
}

// circles makes links that lead to each other, and a tree that links back to its top.
func circles(dir string) error {
	for i := range 200 {
		sub := filepath.Join(dir, fmt.Sprint("d", i))
		if err := os.Mkdir(sub, 0o755); err != nil {
			return err
		}
		for k := range 50 {
			if err := os.Symlink("..", filepath.Join(sub, fmt.Sprint("up", k))); err != nil {
				return err
			}
		}
		if err := os.Symlink(fmt.Sprint("nme", (i+1)%200), filepath.Join(dir, fmt.Sprint("nme", i))); err != nil {
			return err
		}
	}
	return os.Symlink("nme", filepath.Join(dir, "nme"))
}

// repository makes what git takes for a repository.
func repository(dir string) error { return repositoryIn(dir, "") }

func repositoryIn(dir, sub string) error {
	for _, d := range []string{"objects", "refs", "info"} {
		if err := os.MkdirAll(filepath.Join(dir, sub, ".git", d), 0o755); err != nil {
			return err
		}
	}
	return fill(filepath.Join(sub, ".git/HEAD"), piece{"ref: refs/heads/main\n", 1})(dir)
}

// includes makes n files of configuration, each of which includes ten others.
func includes(n int) builder {
	return func(dir string) error {
		for i := range n {
			text := "[include]\n"
			for k := range 10 {
				text += fmt.Sprintf("\tpath = c%d\n", (i*10+k)%n)
			}
			name := fmt.Sprint(".git/c", i)
			if i == 0 {
				name = ".git/config"
				text = strings.ReplaceAll(text, "path = c0\n", "path = config\n")
			}
			if err := fill(name, piece{text, 1})(dir); err != nil {
				return err
			}
		}
		return nil
	}
}

// repositories makes n repositories beside each other, with a configuration that
// includes itself and rules of their own.
func repositories(n int) builder {
	return func(dir string) error {
		for i := range n {
			sub := fmt.Sprint("r", i)
			if err := repositoryIn(dir, sub); err != nil {
				return err
			}
			err := together(fill(sub+"/.git/config", piece{"[include]\n", 1}, piece{"\tpath = config\n", 10}),
				fill(sub+"/.gitignore", piece{"?\n", 10_000}))(dir)
			if err != nil {
				return err
			}
		}
		return nil
	}
}

// ignoredEverywhere makes n directories with a large file of rules each.
func ignoredEverywhere(n int) builder {
	return func(dir string) error {
		for i := range n {
			sub := fmt.Sprint("d", i)
			if err := together(lines(sub+"/.gitignore", 20_000, "a*%d[x-z]"), fill(sub+"/aname", piece{"x\n", 1}))(dir); err != nil {
				return err
			}
		}
		return nil
	}
}

func fifo(name string) builder {
	return func(dir string) error {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		return syscall.Mkfifo(path, 0o644)
	}
}

// swapped exchanges a file and a FIFO, over and over.
func swapped(name string) func(dir string) func() {
	return meanwhile(func(path string, ended <-chan struct{}) {
		other := path + ".other"
		syscall.Mkfifo(other, 0o644)
		for {
			for range 2 {
				unix.Renameat2(unix.AT_FDCWD, path, unix.AT_FDCWD, other, unix.RENAME_EXCHANGE)
			}
			select {
			case <-ended:
				os.Remove(other)
				return
			default:
			}
		}
	}, name)
}

// growing appends a text to a file, again and again for as long as the case lasts.
func growing(name, text string) func(dir string) func() {
	return meanwhile(func(path string, ended <-chan struct{}) {
		f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			return
		}
		defer f.Close()
		for size := 0; size < 1<<30; size += len(text) {
			f.WriteString(text)
			select {
			case <-ended:
				os.Truncate(path, 9_000_000)
				return
			default:
			}
		}
	}, name)
}

// meanwhile runs do in the background until the function that it returns is called.
func meanwhile(do func(path string, ended <-chan struct{}), name string) func(dir string) func() {
	return func(dir string) func() {
		ended := make(chan struct{})
		var done sync.WaitGroup
		done.Go(func() { do(filepath.Join(dir, name), ended) })
		return func() { close(ended); done.Wait() }
	}
}
