package main

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"strings"

	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/report"
	"github.com/spillway-go/spillway/tools/record"
)

// reportCommand is spillway report.
func reportCommand(flags *flag.FlagSet) runner {
	page := flags.String("o", "",
		"write the page to `FILE` (default: that of the record, ending in .html), or to stdout: -")
	text := flags.Bool("text", false, "print the summary for a terminal instead of writing a page")
	return func(args []string, out io.Writer) error {
		if len(args) == 0 {
			return usage("name the record: spillway report session.jsonl")
		}
		if err := noArguments(args[1:]); err != nil {
			return err
		}
		record := args[0]
		if *text && *page != "" {
			return usage("-text prints to stdout, so that -o has no use: leave one of them out")
		}
		r, err := report.Read(filepath.Base(record), recorded(record))
		switch {
		case err != nil:
			return unreadable(record, err)
		case *text:
			return r.WriteText(out)
		case *page == "-":
			return r.WriteHTML(out)
		}
		if *page == "" {
			*page = strings.TrimSuffix(record, filepath.Ext(record)) + ".html"
		}
		if err := writeReport(*page, r); err != nil {
			return err
		}
		fmt.Fprintf(out, "%s: %s, %d wasted\n", *page, notice.Count(r.Sums.Calls, "call"), r.Sums.Wasted)
		return nil
	}
}

// recorded reads a record, and before it what was rotated away from it last.
func recorded(path string) iter.Seq2[record.Line, error] {
	return func(yield func(record.Line, error) bool) {
		older := path + ".1"
		if info, err := os.Lstat(older); err == nil && info.Mode().IsRegular() {
			for line, err := range record.Read(older) {
				if !yield(line, err) {
					return
				}
			}
		}
		for line, err := range record.Read(path) {
			if !yield(line, err) {
				return
			}
		}
	}
}

// writeReport writes a page as a whole, for this user alone: it has what the model read. What is there already stays,
// unless it is a report.
func writeReport(path string, r *report.Report) error {
	if err := replaceable(path); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".report-*.html") // which makes it 0600
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // after an error
	err = r.WriteHTML(f)
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// replaceable returns an error if there is something in the place of a page that is none.
func replaceable(path string) error {
	info, err := os.Lstat(path)
	if os.IsNotExist(err) {
		return nil
	}
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("%s is no regular file, and no page is written there: "+
			"name another file with -o, or - for stdout", path)
	}
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	beginning, _ := bufio.NewReader(f).Peek(len(report.Beginning))
	if string(beginning) != report.Beginning {
		return fmt.Errorf("%s is no report, and stays as it is: name another file with -o", path)
	}
	return nil
}
