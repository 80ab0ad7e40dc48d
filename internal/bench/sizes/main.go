// Command sizes measures how read, bash and ls grow with what they are given, and prints
// the tables of docs/performance.md; with -write it puts them there.
//
//	go -C internal/bench run ./sizes -write
//
// It takes a few minutes and 12 GB in the temporary directory; -most 1000000000 leaves the
// largest sizes out. Linux only.
package main

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spillway-go/spillway/internal/docs/chart"
	"github.com/spillway-go/spillway/internal/docs/section"
)

const (
	page = "../../docs/performance.md"
	line = "2026-01-02T03:04:05Z info request served in 12 ms, 200 OK, cache miss, user 4711, node 12, zone b1\n"
)

func main() {
	most := flag.Int64("most", 10e9, "the largest size, in bytes")
	write := flag.Bool("write", false, "write the tables into "+page)
	calls := flag.String("calls", "", "make these calls, a JSON list, and print what they took: the program starts itself with it")
	flag.Parse()
	var err error
	if *calls != "" {
		err = helper(*calls)
	} else {
		err = measure(*most, *write)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "sizes:", err)
		os.Exit(1)
	}
}

func measure(most int64, write bool) error {
	dir, err := os.MkdirTemp("", "spillway-sizes")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	var out strings.Builder
	for _, table := range []func(*strings.Builder, string, int64) error{readTable, bashTable, lsTable, atOnce} {
		if err := table(&out, dir, most); err != nil {
			return err
		}
		out.WriteString("\n")
	}
	fmt.Print(out.String())
	if !write {
		return nil
	}
	return section.Write(page, "sizes", out.String())
}

var sizes = []int64{1e6, 1e8, 1e9, 1e10}

func readTable(out *strings.Builder, dir string, most int64) error {
	out.WriteString("| read: a file of | first page, ms | middle, ms | last page, ms | first page again, ms | MiB | system calls |\n|---|---|---|---|---|---|---|\n")
	name := filepath.Join(dir, "file")
	defer os.Remove(name)
	for _, size := range sizes {
		if size > most {
			break
		}
		if err := fill(name, size); err != nil {
			return err
		}
		var row []string
		peak, first := 0.0, call{"read", `{"path":"file","limit":2000}`}
		for _, args := range []string{`{"path":"file","limit":2000}`, fmt.Sprintf(`{"path":"file","offset":%d}`, max(size/int64(len(line))/2, 1)), `{"path":"file","offset":-500}`} {
			took, err := run(dir, 5, []call{{"read", args}})
			if err != nil {
				return err
			}
			row, peak = append(row, chart.Digits(took.First)), max(peak, took.Peak)
		}
		again, err := run(dir, 5, []call{first})
		if err != nil {
			return err
		}
		traced, err := trace(dir, []call{first})
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "| %s | %s | %s | %.0f | %s |\n", bytesOf(size), strings.Join(row, " | "), chart.Digits(again.Again), peak, traced)
	}
	return nil
}

func bashTable(out *strings.Builder, dir string, most int64) error {
	out.WriteString("| bash: a command prints | ms | the same `> file`, ms | MiB | system calls |\n|---|---|---|---|---|\n")
	for _, size := range sizes {
		if size > most {
			break
		}
		command := fmt.Sprintf("yes '%s' | head -c %d", strings.TrimSuffix(line, "\n"), size)
		calls := []call{{"bash", fmt.Sprintf(`{"command":%q,"timeout_ms":600000}`, command)}}
		rounds := 5
		if size > 1e9 {
			rounds = 1
		}
		took, err := run(dir, rounds, calls)
		if err != nil {
			return err
		}
		var plain []float64
		for range rounds {
			cmd := exec.Command("bash", "-c", command+" > out")
			cmd.Dir = dir
			began := time.Now()
			if err := cmd.Run(); err != nil {
				return err
			}
			plain = append(plain, time.Since(began).Seconds()*1e3)
			os.Remove(filepath.Join(dir, "out"))
		}
		traced := "–"
		if size <= 1e6 { // traced, a command of more is so slow that it is read in smaller pieces
			if traced, err = trace(dir, calls); err != nil {
				return err
			}
		}
		fmt.Fprintf(out, "| %s | %s | %s | %.0f | %s |\n", bytesOf(size), chart.Digits(took.First), chart.Digits(median(plain)), took.Peak, traced)
	}
	return nil
}

func lsTable(out *strings.Builder, dir string, most int64) error {
	out.WriteString("| ls: a directory of | first page, ms | last page, ms | `ls -A`, ms | MiB | system calls |\n|---|---|---|---|---|---|\n")
	sub, made := filepath.Join(dir, "names"), 0
	if err := os.Mkdir(sub, 0o755); err != nil {
		return err
	}
	defer os.RemoveAll(sub)
	for _, n := range []int{1e3, 1e5, 1e6} {
		if int64(n)*1e4 > most {
			break
		}
		for ; made < n; made++ {
			if err := os.WriteFile(filepath.Join(sub, fmt.Sprintf("entry-%d.txt", made*7919%1_000_000)), nil, 0o644); err != nil {
				return err
			}
		}
		first := []call{{"ls", `{"path":"names"}`}}
		a, err := run(dir, 5, first)
		if err != nil {
			return err
		}
		b, err := run(dir, 5, []call{{"ls", fmt.Sprintf(`{"path":"names","offset":%d}`, n-10)}})
		if err != nil {
			return err
		}
		var plain []float64
		for range 5 {
			began := time.Now()
			if err := exec.Command("ls", "-A", sub).Run(); err != nil {
				return err
			}
			plain = append(plain, time.Since(began).Seconds()*1e3)
		}
		traced, err := trace(dir, first)
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "| %d names | %s | %s | %s | %.0f | %s |\n", n, chart.Digits(a.First), chart.Digits(b.First), chart.Digits(median(plain)), max(a.Peak, b.Peak), traced)
	}
	return nil
}

func atOnce(out *strings.Builder, dir string, most int64) error {
	if err := fill(filepath.Join(dir, "log"), 1e8); err != nil {
		return err
	}
	sub := filepath.Join(dir, "some")
	if err := os.Mkdir(sub, 0o755); err != nil {
		return err
	}
	for i := range 10_000 {
		if err := os.WriteFile(filepath.Join(sub, strconv.Itoa(i)), nil, 0o644); err != nil {
			return err
		}
	}
	cases := []struct {
		name string
		call call
	}{
		{"read: a page of 100 MB", call{"read", `{"path":"log","offset":-500}`}},
		{"bash: `echo hi`", call{"bash", `{"command":"echo hi"}`}},
		{"bash: 10 MB", call{"bash", `{"command":"yes 1234567890 | head -c 10000000"}`}},
		{"ls: 10000 names", call{"ls", `{"path":"some"}`}},
	}
	out.WriteString("| calls at once: ms until the last has ended, MiB | 1 | 4 | 16 | 64 |\n|---|---|---|---|---|\n")
	for _, c := range cases {
		fmt.Fprintf(out, "| %s |", c.name)
		for _, n := range []int{1, 4, 16, 64} {
			calls := slices.Repeat([]call{c.call}, n)
			took, err := run(dir, 5, calls)
			if err != nil {
				return err
			}
			fmt.Fprintf(out, " %s, %.0f |", chart.Digits(took.First), took.Peak)
		}
		out.WriteString("\n")
	}
	return nil
}

// fill makes a file of whole lines and of about that size.
func fill(name string, size int64) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	block := []byte(strings.Repeat(line, 10_000))
	for size > 0 && err == nil {
		n := min(size, int64(len(block)))
		_, err = f.Write(block[:n])
		size -= n
	}
	if err == nil {
		err = f.Close()
	}
	// Not just now: the count of a file that was just written is not remembered.
	before := time.Now().Add(-time.Hour)
	return cmp.Or(err, os.Chtimes(name, before, before))
}

func median(list []float64) float64 {
	slices.Sort(list)
	return list[len(list)/2]
}

func bytesOf(n int64) string {
	switch {
	case n >= 1e9:
		return fmt.Sprintf("%d GB", n/1e9)
	case n >= 1e6:
		return fmt.Sprintf("%d MB", n/1e6)
	}
	return fmt.Sprintf("%d KB", n/1e3)
}
