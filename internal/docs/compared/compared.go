// Package compared writes the part of README.md that sets Spillway beside other suites. Its numbers are those of the
// tables that internal/bench/peers and internal/bench/needles measure.
package compared

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/spillway-go/spillway/internal/docs/chart"
	"github.com/spillway-go/spillway/internal/docs/section"
)

// Write puts the part into README.md of the directory.
func Write(root string) error {
	text, err := Text(root)
	if err != nil {
		return err
	}
	return section.Write(filepath.Join(root, "README.md"), "compared", text)
}

// Text returns the part, from the pages below the directory.
func Text(root string) (string, error) {
	var t tables
	for _, s := range []struct {
		into       *string
		page, name string
	}{
		{&t.peers, filepath.Join("docs", "performance.md"), "peers"},
		{&t.costs, filepath.Join("internal", "bench", "peers", "measured.md"), "costs"},
		{&t.parts, filepath.Join("docs", "truncation.md"), "parts"},
	} {
		text, err := section.Read(filepath.Join(root, s.page), s.name)
		if err != nil {
			return "", err
		}
		*s.into = text
	}
	text := t.text()
	return text, t.err
}

// tables are what was measured. The first cell that is missing sets err.
type tables struct {
	peers, costs, parts string
	err                 error
}

// suites are the columns, by their names in the tables.
var suites = []string{"Spillway", "agenttoolset", "pi-coding-agent", "naive"}

// cuts are the rows of the table of needles, by suite. The last reads everything.
var cuts = []string{"`tail`, 2000 lines or 30 KB, and what stands out", "agenttoolset, 100 KB", "pi-coding-agent, 2000 lines or 50 KB"}

// text is the table, and in which rows Spillway loses.
func (t *tables) text() string {
	var b strings.Builder
	_, suite, _ := strings.Cut(t.peers, "| suite | version |")
	fmt.Fprintf(&b, "The tools of Anthropic's Go SDK (`tools/agenttoolset` %s), of pi\n(`@earendil-works/pi-coding-agent` %s), and "+
		"`os.ReadFile` and `bash -c` alone:\n\n", t.cell(suite, suites[1], 0), t.cell(suite, suites[2], 0))
	b.WriteString("| | Spillway | agenttoolset | pi | no suite |\n|---|---|---|---|---|\n")
	row := func(title string, cell func(i int) string) {
		fmt.Fprintf(&b, "| %s ", title)
		for i := range suites {
			fmt.Fprintf(&b, "| %s ", cell(i))
		}
		b.WriteString("|\n")
	}
	of := func(table, form string, columns ...int) func(int) string {
		return func(i int) string {
			var cells []any
			for _, c := range columns {
				cells = append(cells, t.cell(table, suites[i], c))
			}
			return fmt.Sprintf(form, cells...)
		}
	}
	row("[lines that say what failed](docs/truncation.md#what-a-cut-shows), in so many tokens", t.told)
	_, counts, _ := strings.Cut(t.peers, "| suite | bounded |")
	row("the rest can be fetched as the text says", of(counts, "%s", 1))
	row("processes left behind", of(counts, "%s", 3))
	row("what commands changed can be put back", func(i int) string {
		if i == 0 {
			return "[with a part](docs/checkpoint.md)"
		}
		return "no"
	})
	row("100 MB of output: time, memory", t.took("bash: `seq 1 12400000`, 100 MB", "MS ms, MIB MiB"))
	row("7 matches in 20,000 files", t.took("grep: 7 matches in 20000 files", "MS ms"))
	row("a program with the tools; with Anthropic's SDK too", func(i int) string {
		return strings.ReplaceAll(of(suite, "%s MB; %s MB", 3, 4)(i), "– MB; – MB", "–")
	})
	echo, first := t.took("bash: `echo hi`", "MS ms"), t.took("read: 200 MB log, its first page", "MS ms")
	fmt.Fprintf(&b, "\nSpillway loses where it starts a shell for each command (`echo hi`: %s, agenttoolset %s), where it counts the\n"+
		"lines of a log for its first page (200 MB: %s, agenttoolset %s), and in what it adds to a program with\nAnthropic's SDK.\n",
		echo(0), echo(1), first(0), first(1))
	return b.String()
}

// told is how many of the lines that say what failed a suite shows, of the outputs that the code was not tuned on.
func (t *tables) told(i int) string {
	const part = "unseen | "
	if i == len(cuts) {
		return "100% in " + grouped(t.cell(t.parts, part+cuts[0], 2))
	}
	return t.cell(t.parts, part+cuts[i], 0) + " in " + grouped(t.cell(t.parts, part+cuts[i], 1))
}

var cost = regexp.MustCompile(`^\**([\d.]+)\**, (\d+)$`)

// took returns what the call of a scenario took, in the form.
func (t *tables) took(scenario, form string) func(int) string {
	costs, _, _ := strings.Cut(t.costs, "| to the model |")
	return func(i int) string {
		m := cost.FindStringSubmatch(t.cell(costs, scenario, i))
		if m == nil {
			return "–"
		}
		return strings.NewReplacer("MS", m[1], "MIB", m[2]).Replace(form)
	}
}

// cell returns a cell of the row whose first cell is given.
func (t *tables) cell(table, first string, i int) string {
	_, rest, ok := strings.Cut("\n"+table, "\n| "+first+" | ")
	line, _, _ := strings.Cut(rest, " |\n")
	cells := strings.Split(line, " | ")
	if !ok || i >= len(cells) {
		if t.err == nil {
			t.err = fmt.Errorf("no table has cell %d of the row %s", i+1, first)
		}
		return ""
	}
	return cells[i]
}

// grouped prints the number of a cell as the manual does.
func grouped(cell string) string {
	var n int
	if _, err := fmt.Sscan(cell, &n); err != nil {
		return cell
	}
	return chart.Thousands(n)
}
