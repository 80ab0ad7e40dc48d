// Command needles measures how much of what matters a bounded output shows. Its corpus are outputs of programs,
// recorded by record/record.sh, with what a reader must see of each; see Text.
//
//	go -C internal/bench run ./needles                     # a row for each strategy
//	go -C internal/bench run ./needles -v                  # also what was missed, and which lines stood out for nothing
//	go -C internal/bench run ./needles -half second -write # the table of docs/truncation.md, and its chart
package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spillway-go/spillway/internal/docs/section"
)

const page = "../../docs/truncation.md"

func main() {
	half := flag.String("half", "all", "the `part` of the corpus: first, second, third, fourth, fifth, unseen, json, json-second, or all")
	verbose := flag.Bool("v", false, "print what each strategy makes of each text")
	only := flag.String("strategy", "", "leave out strategies whose names lack this `text`")
	write := flag.Bool("write", false, "put the table into "+page+", and draw "+picture)
	texts := flag.Bool("json", false, "print the texts with their needles, for examples/bench, and measure nothing")
	flag.Parse()
	do := run
	if *texts {
		do = func(out io.Writer, half, _ string, _, _ bool) error { return printTexts(out, half) }
	}
	err := do(os.Stdout, *half, *only, *verbose, *write)
	if err != nil {
		fmt.Fprintln(os.Stderr, "needles:", err)
		os.Exit(1)
	}
}

// printTexts prints the texts of a part with their needles, as JSON.
func printTexts(out io.Writer, half string) error {
	texts, err := load(half)
	if err != nil {
		return err
	}
	type printed struct {
		Text
		Recorded string `json:"Text"`
	}
	var list []printed
	for _, t := range texts {
		list = append(list, printed{t.Text, string(t.text)})
	}
	return json.NewEncoder(out).Encode(list)
}

func run(out io.Writer, half, only string, verbose, write bool) error {
	texts, err := load(half)
	if err != nil {
		return err
	}
	var rows []row
	for _, s := range strategies {
		if !strings.Contains(s.name, only) {
			continue
		}
		r := row{strategy: s}
		for _, t := range texts {
			o := t.measure(s)
			r.add(o)
			if verbose {
				o.print(out)
			}
		}
		rows = append(rows, r)
	}
	printed := table(texts, rows)
	if write {
		if only != "" {
			return fmt.Errorf("-write is for all strategies, not for %q", only)
		}
		if err := section.Write(page, "needles", printed); err != nil {
			return err
		}
		byPart, err := partTable()
		if err != nil {
			return err
		}
		if err := section.Write(page, "parts", byPart); err != nil {
			return err
		}
		printed, err := documentTable()
		if err != nil {
			return err
		}
		if err := section.Write(page, "documents", printed); err != nil {
			return err
		}
		return errors.Join(redraw(), writeAllowance())
	}
	_, err = io.WriteString(out, printed)
	return err
}

// byDefault is what bash does, of which the table has the rows of all parts.
const byDefault = "`tail`, 2000 lines or 30 KB, and what stands out"

// others are the strategies beside which those that name lines are set, on the texts that nothing was tuned on.
var others = []string{"`tail`, 2000 lines or 30 KB"}

// partTable returns how many needles of each part of the corpus the default shows, and of the unseen one others too.
func partTable() (string, error) {
	var b strings.Builder
	b.WriteString("| part | strategy | needles shown | tokens, mean | all of the text | texts | needles | false lines |\n")
	b.WriteString("|---|---|---|---|---|---|---|---|\n")
	for _, h := range halves {
		texts, err := load(h.name)
		if err != nil {
			return "", err
		}
		whole := row{strategy: strategies[0]}
		for _, t := range texts {
			whole.add(t.measure(whole.strategy))
		}
		for _, s := range strategies {
			if h.name == "unseen" && !s.names && !slices.Contains(others, s.name) || h.name != "unseen" && s.name != byDefault {
				continue
			}
			r := row{strategy: s}
			for _, t := range texts {
				r.add(t.measure(s))
			}
			named := "–"
			if s.names {
				named = fmt.Sprint(r.falseWith + r.falseWithout)
			}
			fmt.Fprintf(&b, "| %s | %s | %.0f%% | %d | %d | %d | %d | %s |\n", h.name, s.name,
				r.share(), r.tokens/r.texts, whole.tokens/r.texts, r.texts, r.needles, named)
		}
	}
	return b.String(), nil
}

// row is what a strategy makes of all texts.
type row struct {
	strategy
	texts, needles, shown         int
	bytes, tokens                 int
	falseWith, falseWithout, most int // false lines in texts with and without needles; most of a text without
}

func (r *row) add(o outcome) {
	r.texts++
	r.needles += len(o.Needles)
	r.shown += len(o.Needles) - len(o.missed)
	r.bytes += o.bytes
	r.tokens += o.tokens
	if o.Needles != nil {
		r.falseWith += len(o.false)
	} else {
		r.falseWithout += len(o.false)
		r.most = max(r.most, len(o.false))
	}
}

// share is the percentage of needles that are shown.
func (r *row) share() float64 { return 100 * float64(r.shown) / float64(max(r.needles, 1)) }

// table returns the rows in Markdown, below a line that says what was measured.
func table(texts []recording, rows []row) string {
	var b strings.Builder
	with, needles, size := 0, 0, 0
	for _, t := range texts {
		size += len(t.text)
		needles += len(t.Needles)
		if t.Needles != nil {
			with++
		}
	}
	fmt.Fprintf(&b, "%d texts with %d needles and %d without, %.0f KB on average:\n\n",
		with, needles, len(texts)-with, float64(size)/1024/float64(len(texts)))
	b.WriteString("| strategy | needles shown | bytes, mean | tokens, mean | false lines | in texts without needles |\n")
	b.WriteString("|---|---|---|---|---|---|\n")
	for _, r := range rows {
		named, nothing := "–", "–"
		if r.names {
			named, nothing = fmt.Sprint(r.falseWith), fmt.Sprintf("%d, at most %d in one", r.falseWithout, r.most)
		}
		fmt.Fprintf(&b, "| %s | %.0f%% | %d | %d | %s | %s |\n",
			r.name, r.share(), r.bytes/max(r.texts, 1), r.tokens/max(r.texts, 1), named, nothing)
	}
	return b.String()
}

// print lists what was missed and what stood out for nothing.
func (o outcome) print(out io.Writer) {
	fmt.Fprintf(out, "%-38s %-16s %d of %d needles, %d bytes",
		o.strategy, o.Name, len(o.Needles)-len(o.missed), len(o.Needles), o.bytes)
	if o.named > 0 {
		fmt.Fprintf(out, ", %d lines stand out, %d of them false", o.named, len(o.false))
	}
	fmt.Fprintln(out)
	for _, m := range o.missed {
		fmt.Fprintf(out, "    missed: %s\n", m)
	}
	for _, f := range o.false {
		fmt.Fprintf(out, "    false:  %.160s\n", cmp.Or(f, "(an empty line)"))
	}
}
