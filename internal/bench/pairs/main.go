// Command pairs compares the speed of two builds of the tools. It is built once with each, and runs both side by side:
//
//	pairs OLD NEW
//
// OLD and NEW are this program, built with the tools that are compared. They make the same calls in turn, so that what
// else the machine does hits both alike. The ratio of a row is that of the least times: load only ever adds to a time.
// A row above the limit is measured once more, and fails if it is above it again.
package main

import (
	"bufio"
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"
)

const (
	// limit is the ratio above which a row fails. Beside three busy loops on two processors, two builds of one commit
	// differ by up to 1.1 in the least times, and by up to 1.5 in the median of the pairs.
	limit = 1.25
	// A row takes rowTime, but at least minPairs and at most maxPairs.
	rowTime  = 5 * time.Second
	minPairs = 9
	maxPairs = 100
)

func main() {
	serves := flag.String("serve", "", "make the calls that stdin names in this `DIRECTORY`")
	flag.Parse()
	var err error
	switch {
	case *serves != "":
		err = serve(*serves, os.Stdin, os.Stdout)
	case flag.NArg() == 2:
		err = compare(flag.Arg(0), flag.Arg(1), rows, os.Stdout)
	default:
		err = errors.New("usage: pairs OLD NEW")
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "pairs:", err)
		os.Exit(1)
	}
}

// build is a running build of the tools.
type build struct {
	command *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Scanner
}

func start(program, dir string) (*build, error) {
	b := &build{command: exec.Command(program, "-serve", dir)}
	b.command.Stderr = os.Stderr
	in, err := b.command.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := b.command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	b.in, b.out = in, bufio.NewScanner(out)
	return b, b.command.Start()
}

// call makes the call of a row, and returns how long that took.
func (b *build) call(row string) (time.Duration, error) {
	if _, err := fmt.Fprintln(b.in, row); err != nil {
		return 0, err
	}
	if !b.out.Scan() {
		return 0, cmp.Or(b.out.Err(), fmt.Errorf("%s ended in the row %q", b.command.Path, row))
	}
	n, err := strconv.ParseInt(b.out.Text(), 10, 64)
	return time.Duration(n), err
}

func (b *build) stop() error {
	b.in.Close()
	return b.command.Wait()
}

// compare measures rows with both builds.
func compare(before, after string, rows []row, w io.Writer) error {
	dir, err := os.MkdirTemp("", "spillway-pairs-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := makeFiles(dir); err != nil {
		return err
	}
	var builds [2]*build
	for i, program := range []string{before, after} {
		b, err := start(program, dir)
		if err != nil {
			return err
		}
		defer b.stop()
		builds[i] = b
	}
	fmt.Fprintf(w, "%-32s %9s %9s %7s %7s %6s\n", "", "old, ms", "new, ms", "ratio", "median", "pairs")
	var slower []string
	for _, r := range rows {
		m, err := measure(builds, r.name)
		if err != nil {
			return err
		}
		fmt.Fprintln(w, m)
		if m.ratio() > limit {
			if m, err = measure(builds, r.name); err != nil {
				return err
			}
			fmt.Fprintln(w, m, "measured again")
		}
		if m.ratio() > limit {
			slower = append(slower, r.name)
		}
	}
	if slower != nil {
		return fmt.Errorf("more than %.2f times as slow as before: %s", limit, strings.Join(slower, ", "))
	}
	return nil
}

// measured are the times of a row.
type measured struct {
	row    string
	least  [2]time.Duration // of the old build and the new
	ratios []float64        // new over old, of each pair
}

func measure(builds [2]*build, row string) (m measured, err error) {
	m.row = row
	for began, n := time.Now(), 0; n < minPairs || n < maxPairs && time.Since(began) < rowTime; n++ {
		var took [2]time.Duration
		for i := range builds {
			which := (n + i) % 2 // each is first half of the time
			if took[which], err = builds[which].call(row); err != nil {
				return m, err
			}
			if m.least[which] == 0 || took[which] < m.least[which] {
				m.least[which] = took[which]
			}
		}
		m.ratios = append(m.ratios, float64(took[1])/float64(took[0]))
	}
	slices.Sort(m.ratios)
	return m, nil
}

func (m measured) ratio() float64 { return float64(m.least[1]) / float64(m.least[0]) }

func (m measured) String() string {
	return fmt.Sprintf("%-32s %9.3f %9.3f %7.2f %7.2f %6d", m.row, m.least[0].Seconds()*1e3, m.least[1].Seconds()*1e3, m.ratio(),
		m.ratios[len(m.ratios)/2], len(m.ratios))
}
