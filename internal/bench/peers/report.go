package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spillway-go/spillway/internal/docs/chart"
	"github.com/spillway-go/spillway/internal/docs/section"
)

const (
	pageName = "performance.md"
	svgName  = "peers.svg"
	dataName = "measured.md" // what each call took and gave, beside the command
)

// outcome is all that was measured.
type outcome struct {
	contenders []*contender
	rows       []row
	edits      string // the table of what became of edited files
	rounds     int
	load       string // of the machine, before it began
}

// write puts the counts between the markers of the page, the tables of each call between those of data, and draws the
// chart beside the page.
func (o outcome) write(docs, data string) error {
	counts, calls := o.markdown()
	if err := section.Write(filepath.Join(docs, pageName), "peers", counts); err != nil {
		return err
	}
	if err := section.Write(filepath.Join(docs, pageName), "edits", o.edits); err != nil {
		return err
	}
	if err := section.Write(data, "costs", calls); err != nil {
		return err
	}
	return redraw(docs, data)
}

// redraw draws the chart from the tables of each call.
func redraw(docs, data string) error {
	text, err := section.Read(data, "costs")
	if err != nil {
		return err
	}
	names, rows, err := tabled(text)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(docs, svgName), []byte(svg(names, rows)), 0o644)
}

func (o outcome) markdown() (counts, calls string) {
	return o.suites() + "\n" + o.summary() + "\n" + o.machine(), o.costs() + "\n" + o.shown()
}

// table writes the header of a table.
func table(b *strings.Builder, columns ...string) {
	fmt.Fprintf(b, "| %s |\n|%s\n", strings.Join(columns, " | "), strings.Repeat("---|", len(columns)))
}

func (o outcome) names() (list []string) {
	for _, c := range o.contenders {
		list = append(list, c.name)
	}
	return list
}

func (o outcome) suites() string {
	var b strings.Builder
	table(&b, "suite", "version", "limits, as they come", "idle, MiB", sizeTitle, askingTitle)
	for _, c := range o.contenders {
		fmt.Fprintf(&b, "| %s | %s | %s | %.0f | %s |\n", c.name, c.version, c.limits, c.rest, c.program.words())
	}
	return b.String()
}

// summary counts the scenarios in which all was well.
func (o outcome) summary() string {
	var b strings.Builder
	table(&b, "suite", "bounded", "recoverable", "valid UTF-8", "process left behind")
	for _, c := range o.contenders {
		var all, bounded, kept, valid, running, left int
		count := func(n *int, yes bool) {
			if yes {
				*n++
			}
		}
		for _, row := range o.rows {
			r := row.results[c.id]
			if r.absent != "" {
				continue
			}
			all++
			count(&bounded, r.Bounded)
			count(&kept, r.Rest != lost)
			count(&valid, r.Sound)
			count(&running, r.Left != "")
			count(&left, r.Left == "left behind")
		}
		behind := "waits for it"
		if running > 0 {
			behind = fmt.Sprintf("%d of %d", left, running)
		}
		fmt.Fprintf(&b, "| %s | %d of %d | %d of %d | %d of %d | %s |\n", c.name, bounded, all, kept, all, valid, all, behind)
	}
	return b.String()
}

// costs is the table of times and memory. The quickest of those without a fault is
// set off.
func (o outcome) costs() string {
	var b strings.Builder
	table(&b, append([]string{"ms, MiB"}, o.names()...)...)
	for _, row := range o.rows {
		least := 0.0
		for _, r := range row.results {
			if r.good() && (least == 0 || r.ms < least) {
				least = r.ms
			}
		}
		fmt.Fprintf(&b, "| %s: %s ", row.group(), row.title)
		for _, c := range o.contenders {
			r := row.results[c.id]
			switch {
			case r.absent != "":
				b.WriteString("| – ")
			case r.good() && r.ms == least:
				fmt.Fprintf(&b, "| **%s**, %.0f ", chart.Digits(r.ms), r.peak)
			default:
				fmt.Fprintf(&b, "| %s, %.0f ", chart.Digits(r.ms), r.peak)
			}
		}
		b.WriteString("|\n")
	}
	return b.String()
}

// shown is the table of what the model gets, with the notes below it.
func (o outcome) shown() string {
	var b strings.Builder
	var notes []string
	numbers := map[string]int{}
	marks := func(list ...string) (text string) {
		for _, note := range list {
			if numbers[note] == 0 {
				notes = append(notes, note)
				numbers[note] = len(notes)
			}
			text += fmt.Sprintf(" (%d)", numbers[note])
		}
		return text
	}
	table(&b, append([]string{"to the model"}, o.names()...)...)
	for _, row := range o.rows {
		fmt.Fprintf(&b, "| %s: %s ", row.group(), row.title)
		for _, c := range o.contenders {
			r := row.results[c.id]
			if r.absent != "" {
				fmt.Fprintf(&b, "| –%s ", marks(r.absent))
				continue
			}
			fmt.Fprintf(&b, "| %s%s ", r.words(), marks(r.Notes...))
		}
		b.WriteString("|\n")
	}
	b.WriteByte('\n')
	for i, n := range notes {
		fmt.Fprintf(&b, "%d. %s\n", i+1, n)
	}
	return b.String()
}

// words says what a result was, and what became of the rest.
func (r *result) words() string {
	list := []string{size(r.bytes)}
	add := func(word string, yes bool) {
		if yes {
			list = append(list, word)
		}
	}
	add("**refused**", r.refused())
	add("rest recovered", r.Rest == recovered)
	add("rest **lost**", r.Rest == lost && r.Told && !r.refused())
	add("rest **lost, unsaid**", r.Rest == lost && !r.Told && !r.refused())
	add("**no bound**", !r.Bounded)
	add("**broken characters**", !r.Sound)
	add("process ended", r.Left == "ended")
	add("process **left behind**", r.Left == "left behind")
	return strings.Join(list, ", ")
}

func (o outcome) machine() string {
	var programs []string
	list := []string{"rg", "fd"}
	if _, err := exec.LookPath("fd"); err != nil {
		list[1] = "fdfind"
	}
	for _, c := range o.contenders {
		if c.runtime != "" {
			list = append(list, c.runtime)
		}
	}
	for _, program := range list {
		name := filepath.Base(program)
		out, err := exec.Command(program, "--version").Output()
		if err != nil {
			continue
		}
		line, _, _ := strings.Cut(string(out), "\n")
		fields := strings.Fields(line)
		programs = append(programs, name+" "+fields[min(1, len(fields)-1)])
	}
	return fmt.Sprintf("Medians of %d rounds on %d processors, %s/%s, %s; load average before: %s. Programs: %s.\n",
		o.rounds, runtime.NumCPU(), runtime.GOOS, runtime.GOARCH, runtime.Version(), o.load, strings.Join(programs, ", "))
}

// loadAverage is how busy the machine is, of the last minute.
func loadAverage() string {
	data, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	first, _, _ := strings.Cut(string(data), " ")
	return first
}
