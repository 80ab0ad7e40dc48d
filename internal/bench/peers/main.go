// Command peers compares Spillway with the tool suites of other agents: the same
// calls on the same files, what they cost, and whether anything is lost.
//
//	go -C internal/bench/peers run .
//
// It writes two sections of docs/performance.md, measured.md beside this file, docs/peers.svg, and the table of README.md.
// For the first two log rows the log's modification time is reset, so that no suite remembers it. "Recovered" is what
// the suite's own tools got by doing what the text says; "unsaid", that the text does not tell of more.
// pi-coding-agent takes part where npm is installed.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"regexp"

	"github.com/spillway-go/spillway/internal/docs/compared"
)

func main() {
	var o options
	flag.IntVar(&o.rounds, "rounds", 11, "calls of each contender that are measured")
	flag.BoolVar(&o.quick, "quick", false, "small files; prints only, and leaves the document as it is")
	flag.BoolVar(&o.edits, "edits", false, "only what becomes of files that are edited; prints only")
	flag.BoolVar(&o.sizes, "sizes", false, "only how large a program is that has the tools; prints only")
	flag.StringVar(&o.only, "run", "", "only scenarios that match, as grep/; prints only")
	flag.StringVar(&o.dir, "dir", "", "where to make the files, 1 GB; default memory if there is a /dev/shm, else the temporary directory")
	flag.StringVar(&o.docs, "docs", filepath.Join("..", "..", "..", "docs"), "directory of performance.md")
	again := flag.Bool("redraw", false, "only draw the chart, from the tables of "+dataName)
	flag.Parse()
	if *again {
		if err := redraw(o.docs, dataName); err != nil {
			fmt.Fprintln(os.Stderr, "peers:", err)
			os.Exit(1)
		}
		return
	}
	if err := o.compare(os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "peers:", err)
		os.Exit(1)
	}
}

type options struct {
	rounds    int
	quick     bool
	edits     bool
	sizes     bool
	only      string
	dir, docs string
}

func (o options) compare(log io.Writer) error {
	if o.rounds < 1 {
		return fmt.Errorf("-rounds %d: it takes one at least", o.rounds)
	}
	only, err := regexp.Compile(o.only)
	if err != nil {
		return fmt.Errorf("-run: %w", err)
	}
	scratch, err := o.scratch()
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	load := loadAverage()
	programs, err := os.MkdirTemp("", "spillway-peers")
	if err != nil {
		return err
	}
	defer os.RemoveAll(programs)
	list, err := goContenders(programs)
	if err != nil {
		return err
	}
	pi, err := newPi(".", scratch)
	if err != nil {
		fmt.Fprintln(log, "without pi-coding-agent:", err)
	} else {
		list = append(list[:2:2], pi, list[2])
	}
	if o.sizes {
		if err := weigh(programs, list); err != nil {
			return err
		}
		_, err := io.WriteString(log, programSizes(list))
		return err
	}
	edited, err := edits(filepath.Join(scratch, "world"), list)
	if err != nil || o.edits {
		fmt.Fprint(log, edited)
		return err
	}
	s := full
	if o.quick {
		s = small
	}
	w, err := newWorld(filepath.Join(scratch, "world"), s)
	if err != nil {
		return fmt.Errorf("the files to work on (another place for them: -dir): %w", err)
	}
	var rows []row
	for _, s := range scenarios(w) {
		if !only.MatchString(s.name) {
			continue
		}
		r, err := run(s, w, list, o.rounds, log)
		if err != nil {
			return err
		}
		rows = append(rows, r)
	}
	if o.quick || o.only != "" {
		return nil
	}
	if err := weigh(programs, list); err != nil {
		return err
	}
	if err := (outcome{list, rows, edited, o.rounds, load}).write(o.docs, dataName); err != nil {
		return err
	}
	return compared.Write(filepath.Dir(o.docs))
}

// scratch makes the directory for everything.
func (o options) scratch() (string, error) {
	dir := o.dir
	if dir == "" {
		if info, err := os.Stat("/dev/shm"); err == nil && info.IsDir() {
			dir = "/dev/shm"
		}
	}
	scratch, err := os.MkdirTemp(dir, "spillway-peers")
	if err != nil {
		return "", err
	}
	err = os.Mkdir(filepath.Join(scratch, "world"), 0o755)
	if err == nil {
		scratch, err = filepath.EvalSymlinks(scratch)
	}
	return scratch, errors.Join(err)
}

// group is what a scenario is about: read, bash, grep, find or ls.
func (s scenario) group() string { return path.Dir(s.name) }
