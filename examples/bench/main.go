// Command bench measures the tools of a coding agent by facts: what of an output they show and let be reached, whether
// files can be read and edited byte by byte, what hostile files and left processes do to them, and what they cost. It
// knows no suite's wording and asks no model. docs/bench.md has the method, and what was measured here.
//
//	go -C examples/bench run .                                          # this project's tools, and the plain ones
//	go -C examples/bench run . -server "npx -y some-mcp-server DIR"     # any MCP server; DIR is the workspace
//	go -C examples/bench run . -server http://localhost:8080/mcp -dir W # one that runs over the directory W
//	go -C examples/bench run . -suite all                               # every suite that comes with the bench
//	go -C examples/bench run . -suite pi -run edits/crlf -v             # one case, with what was sent and returned
//	go -C examples/bench run . -suite all -write                        # docs/bench.md, its page and the README's table
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"regexp"
	"strings"
	"time"
)

func main() {
	if len(os.Args) == 3 && os.Args[1] == "serve" {
		if err := serve(os.Args[2]); err != nil {
			fmt.Fprintln(os.Stderr, "bench:", err)
			os.Exit(1)
		}
		return
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := command(ctx, os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// flags are the program's.
type flags struct {
	servers, maps                    []string
	headers                          http.Header
	suites, only, part               string
	json, page, against, onto, where string
	verbose, write, redraw, mapping  bool
	options
}

func parse(args []string) (f flags, err error) {
	set := flag.NewFlagSet("bench", flag.ContinueOnError)
	repeated := func(list *[]string) func(string) error {
		return func(s string) error {
			*list = append(*list, s)
			return nil
		}
	}
	set.Func("server", "a `COMMAND` that starts an MCP server, in which DIR is the workspace, or a URL; may be repeated", repeated(&f.servers))
	set.Func("map", "a `FILE` that maps the server's tools to roles; by default, it is guessed", repeated(&f.maps))
	f.headers = http.Header{}
	set.Func("header", "a `NAME: VALUE` that is sent to a server by URL; may be repeated", func(s string) error {
		name, value, ok := strings.Cut(s, ": ")
		if !ok {
			return errors.New("it has no colon and space")
		}
		f.headers.Add(name, value)
		return nil
	})
	set.StringVar(&f.suites, "suite", "", "`NAMES` of suites that come with the bench, or all; default spillway,plain, none beside a server")
	set.StringVar(&f.only, "run", "", "only cases that match the `PATTERN`, such as edits/")
	set.StringVar(&f.part, "needles", "unseen", "the `PART` of the recorded outputs; see internal/bench/needles")
	set.StringVar(&f.json, "json", "", "write all results to `FILE`")
	set.StringVar(&f.page, "page", "", "write a page with all results to `FILE`")
	set.StringVar(&f.against, "against", "", "print what differs from the results in `FILE`")
	set.StringVar(&f.workspace, "dir", "", "the `DIRECTORY`, which is empty, that a server by URL works in")
	set.StringVar(&f.where, "scratch", scratchDir(), "where to make files, 1 GB for speed")
	set.DurationVar(&f.patience, "patience", 20*time.Second, "how long a call may take")
	set.DurationVar(&f.rest, "rest", 3*time.Second, "how long a process may take to be gone")
	set.IntVar(&f.rounds, "rounds", 9, "calls of each that are timed")
	set.BoolVar(&f.verbose, "v", false, "print what was sent and returned")
	set.BoolVar(&f.mapping, "maps", false, "print how the tools are mapped to roles, and do nothing else")
	set.StringVar(&f.onto, "onto", "", "keep the results in `FILE` of what is not measured now")
	set.BoolVar(&f.write, "write", false, "keep the results in testdata, and write the documents of them")
	set.BoolVar(&f.redraw, "redraw", false, "write the documents of the results in testdata")
	if err := set.Parse(args); err != nil {
		return f, err
	}
	if len(f.maps) > len(f.servers) {
		return f, errors.New("-map is for a -server, in the same order")
	}
	if f.rounds < 1 || set.NArg() > 0 {
		return f, errors.New("see -help")
	}
	return f, nil
}

func scratchDir() string {
	if info, err := os.Stat("/dev/shm"); err == nil && info.IsDir() {
		return "/dev/shm"
	}
	return os.TempDir()
}

func command(ctx context.Context, args []string, out io.Writer) error {
	f, err := parse(args)
	if err != nil {
		return err
	}
	if f.redraw {
		r, err := readRun(recorded)
		if err != nil {
			return err
		}
		return r.document(documents)
	}
	only, err := regexp.Compile(f.only)
	if err != nil {
		return fmt.Errorf("-run: %w", err)
	}
	if err := f.checkWorkspace(); err != nil {
		return err
	}
	if f.scratch, err = os.MkdirTemp(f.where, "bench"); err != nil {
		return err
	}
	defer os.RemoveAll(f.scratch)
	suites, err := f.chosen()
	if err != nil {
		return err
	}
	if err := f.introduce(ctx, suites, out); err != nil || f.mapping {
		return err
	}
	cases, err := f.cases(only)
	if err != nil {
		return err
	}
	r, err := measure(ctx, cases, suites, f.options, os.Stderr)
	if err != nil {
		return err
	}
	return f.report(r, out)
}

// checkWorkspace refuses a directory that has something in it, which searches would find.
func (f *flags) checkWorkspace() error {
	if f.workspace == "" {
		return nil
	}
	entries, err := os.ReadDir(f.workspace)
	if err == nil && len(entries) > 0 {
		err = fmt.Errorf("-dir %s: it is not empty", f.workspace)
	}
	return err
}

// chosen are the suites that are to be measured.
func (f *flags) chosen() (list []*suite, err error) {
	if f.suites != "" || len(f.servers) == 0 {
		if list, err = suitesNamed(cmp.Or(f.suites, "spillway,plain")); err != nil {
			return nil, err
		}
	}
	for i, server := range f.servers {
		var m mapping
		if i < len(f.maps) {
			data, err := os.ReadFile(f.maps[i])
			if err == nil {
				m, err = parseMap(data)
			}
			if err != nil {
				return nil, fmt.Errorf("-map: %w", err)
			}
		}
		list = append(list, served(server, m, f.headers))
	}
	return list, nil
}

// introduce starts each suite once, and prints how its tools are mapped.
func (f *flags) introduce(ctx context.Context, suites []*suite, out io.Writer) error {
	for _, s := range suites {
		w, err := newWorld(f.scratch, f.workspace, &benchCase{})
		if err != nil {
			return err
		}
		opened, err := s.open(ctx, w, f.patience)
		if err != nil {
			return err
		}
		s.meet(opened)
		if err := errors.Join(opened.close(), w.remove()); err != nil {
			return err
		}
		fmt.Fprintf(out, "%s %s\n%s", s.Name, s.Version, s.mapping)
	}
	return nil
}

// cases are those that match. The recorded outputs belong to another module, which prints them.
func (f *flags) cases(only *regexp.Regexp) ([]*benchCase, error) {
	list, err := loadCases(embedded, only)
	if err != nil {
		return nil, err
	}
	if f.part != "" {
		data, err := exec.Command("go", "-C", "../../internal/bench", "run", "./needles", "-half", f.part, "-json").Output()
		if err != nil {
			return nil, fmt.Errorf("the recorded outputs (-needles '' does without): %w", err)
		}
		more, err := recordedCases(data, only)
		if err != nil {
			return nil, err
		}
		list = append(more, list...)
	}
	if len(list) == 0 {
		return nil, errors.New("no case matches")
	}
	return list, nil
}

// report prints and writes what was asked for.
func (f *flags) report(r *run, out io.Writer) error {
	if f.verbose {
		r.exchanges(out)
	}
	if f.onto != "" {
		before, err := readRun(f.onto)
		if err != nil {
			return err
		}
		r = r.onto(before)
	}
	r.table(out)
	if f.against != "" {
		before, err := readRun(f.against)
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "%d results differ from %s\n", r.against(before, out), f.against)
	}
	if f.json != "" {
		if err := r.write(f.json); err != nil {
			return err
		}
	}
	if f.page != "" {
		if err := r.writePage(f.page); err != nil {
			return err
		}
	}
	if !f.write {
		return nil
	}
	r = r.slim()
	if err := r.write(recorded); err != nil {
		return err
	}
	return r.document(documents)
}

// exchanges prints what was sent and returned in each case.
func (r *run) exchanges(out io.Writer) {
	for _, one := range r.Results {
		fmt.Fprintf(out, "== %s, %s: %s %s\n", one.Suite, one.Case, one.Status, one.Why)
		for _, e := range one.Log {
			fmt.Fprintf(out, "> %s %s\n", e.Tool, e.Args)
			fmt.Fprintf(out, "< %d bytes, error: %v\n%s\n", e.Bytes, e.Error, e.Text)
		}
	}
}
