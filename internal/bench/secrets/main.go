// Command secrets measures how many secrets internal/redact masks, and how many look-alikes. Its corpus is made by a
// generator: nothing in it was ever anybody's.
//
//	go -C internal/bench run ./secrets         # a row for each part of the corpus
//	go -C internal/bench run ./secrets -v      # also what was missed, and what was masked for nothing
//	go -C internal/bench run ./secrets -tree D # what is masked in the files below a directory
//	go -C internal/bench run ./secrets -write  # the table of docs/redaction.md
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"

	"github.com/spillway-go/spillway/internal/docs/section"
)

const page = "../../docs/redaction.md"

func main() {
	verbose := flag.Bool("v", false, "print what was missed, and what was masked for nothing")
	tree := flag.String("tree", "", "print what is masked in the files below a `directory` instead")
	write := flag.Bool("write", false, "put the table into "+page)
	flag.Parse()
	var err error
	if *tree != "" {
		err = scanTree(os.Stdout, *tree)
	} else {
		err = run(os.Stdout, *verbose, *write)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "secrets:", err)
		os.Exit(1)
	}
}

var parts = []part{first, second, third}

// measured are the outcomes of each part in each mode.
var measured = sync.OnceValue(func() (all [][]outcome) {
	for _, p := range parts {
		var of []outcome
		for _, m := range modes {
			of = append(of, m.measure(p))
		}
		all = append(all, of)
	}
	return all
})

func run(out io.Writer, verbose, write bool) error {
	var b strings.Builder
	b.WriteString("| corpus | secrets | `known` masks | `secrets` masks | look-alikes | touched |\n|---|---|---|---|---|---|\n")
	for i, p := range parts {
		var masked []string
		most := 0.0 // of the look-alikes, in either mode
		var o outcome
		for j, m := range modes {
			o = measured()[i][j]
			masked = append(masked, fmt.Sprintf("%.1f%%", 100-100*float64(len(o.missed))/float64(o.secrets)))
			most = max(most, 100*float64(len(o.touched))/float64(o.plain))
			if verbose {
				o.print(out, p.name+", "+m.name)
			}
		}
		fmt.Fprintf(&b, "| %s | %d of %d kinds | %s | %d | %.1f%% |\n", p.name, o.secrets, o.kinds, strings.Join(masked, " | "), o.plain, most)
	}
	if write {
		return section.Write(page, "secrets", b.String())
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// print lists what was missed, and what was masked for nothing.
func (o outcome) print(out io.Writer, title string) {
	for _, s := range o.missed {
		fmt.Fprintf(out, "%s: missed %s in %s: %.60q in %.300q\n", title, s.kind, s.carrier, s.secret, around(s))
	}
	for _, s := range o.touched {
		fmt.Fprintf(out, "%s: touched %s: %.300q\n", title, s.kind, s.text)
	}
}

// around returns the text near the secret.
func around(s sample) string {
	i := max(0, strings.Index(string(s.text), s.secret))
	return string(s.text[max(0, i-60):min(len(s.text), i+240)])
}
