package docs_test

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/internal/docs/chart"
	"github.com/spillway-go/spillway/internal/docs/section"
	"github.com/stretchr/testify/require"
)

// The numbers of README.md are those of the tables that are measured.
func TestCompared(t *testing.T) {
	peers, err := section.Read(filepath.Join(root, "docs", "performance.md"), "peers")
	require.NoError(t, err)
	costs, err := section.Read(filepath.Join(root, "internal", "bench", "peers", "measured.md"), "costs")
	require.NoError(t, err)
	needles, err := section.Read(filepath.Join(root, "docs", "truncation.md"), "needles")
	require.NoError(t, err)
	readme := filepath.Join(root, "README.md")
	parts, err := section.Read(filepath.Join(root, "docs", "truncation.md"), "parts")
	require.NoError(t, err)
	generated(t, readme, "saved", saved(t, needles, parts))
	generated(t, readme, "compared", compared(t, peers, costs, parts))
}

// cells are those behind the first cell of a table's row.
func cells(t *testing.T, text, first string) []string {
	_, rest, ok := strings.Cut("\n"+text, "\n| "+first+" | ")
	require.True(t, ok, "no row begins with %s", first)
	line, _, _ := strings.Cut(rest, " |\n")
	return strings.Split(line, " | ")
}

// The rows of the table of needles, by the names in the README.
const (
	spillway = "`tail`, 2000 lines or 30 KB, and what stands out"
	digest   = "`digest`, 4 KiB"
)

// unseen is the part of the corpus that the code was not tuned on.
const unseen = "unseen"

// saved says what a model need not read: first of texts that the code was not tuned on, then of the others.
func saved(t *testing.T, needles, parts string) string {
	part := func(name, row string) []string { return cells(t, parts, name+" | "+row) }
	tail, short, plain := part(unseen, spillway), part(unseen, digest), part(unseen, "`tail`, 2000 lines or 30 KB")
	all, ours := number(t, tail[2]), number(t, tail[1])
	tuned, tunedShort := cells(t, needles, spillway), cells(t, needles, digest)
	return wrapped(fmt.Sprintf("Of a long output, the model reads **%s tokens instead of %s** on average, %.0f%% fewer. "+
		"**%s of the lines that say what failed** are among them; the end alone has %s. A digest has %[7]s in %[6]s tokens. "+
		"[Measured](docs/truncation.md#what-a-cut-shows) on %[8]s recorded outputs that the code was never tuned on "+
		"(`go -C internal/bench run ./needles -half %[9]s`); on those that it was tuned on: %[10]s, and %[11]s in a digest.",
		chart.Thousands(ours), chart.Thousands(all), 100*(1-float64(ours)/float64(all)), tail[0], plain[0], grouped(t, short[1]), short[0], tail[3], unseen, tuned[0], tunedShort[0]))
}

// number reads a cell.
func number(t *testing.T, cell string) int {
	n, err := strconv.Atoi(cell)
	require.NoError(t, err)
	return n
}

// grouped prints the number of a cell as the manual does.
func grouped(t *testing.T, cell string) string { return chart.Thousands(number(t, cell)) }

// compared is the table beside other suites, and where Spillway loses.
func compared(t *testing.T, peers, costs, parts string) string {
	var b strings.Builder
	b.WriteString("| | Spillway | agenttoolset | pi | no suite |\n|---|---|---|---|---|\n")
	row := func(title string, columns ...string) {
		require.Len(t, columns, 4, title)
		fmt.Fprintf(&b, "| %s | %s |\n", title, strings.Join(columns, " | "))
	}
	var told []string
	for _, name := range []string{spillway, "agenttoolset, 100 KB", "pi-coding-agent, 2000 lines or 50 KB"} {
		part := cells(t, parts, unseen+" | "+name)
		told = append(told, fmt.Sprintf("%s in %s", part[0], grouped(t, part[1])))
	}
	told = append(told, fmt.Sprintf("100%% in %s", grouped(t, cells(t, parts, unseen+" | "+spillway)[2])))
	row("[lines that say what failed](docs/truncation.md#what-a-cut-shows), in so many tokens", told...)

	var rest, left []string
	for _, name := range []string{"Spillway", "agenttoolset", "pi-coding-agent", "naive"} {
		all := cells(t, peers[strings.Index(peers, "| suite | bounded |"):], name)
		rest, left = append(rest, all[1]), append(left, all[3])
	}
	row("the rest can be fetched as the text says", rest...)
	row("processes left behind", left...)

	costs, _, ok := strings.Cut(costs, "| to the model |")
	require.True(t, ok)
	cost := regexp.MustCompile(`^\**([\d.]+)\**, (\d+)$`)
	took := func(scenario, form string) (list []string) {
		for _, cell := range cells(t, costs, scenario) {
			m := cost.FindStringSubmatch(cell)
			require.NotNil(t, m, "%s: %s", scenario, cell)
			list = append(list, strings.NewReplacer("MS", m[1], "MIB", m[2]).Replace(form))
		}
		return list
	}
	row("100 MB of output: time, memory", took("bash: `seq 1 12400000`, 100 MB", "MS ms, MIB MiB")...)
	row("7 matches in 20,000 files", took("grep: 7 matches in 20000 files", "MS ms")...)

	echo, first := took("bash: `echo hi`", "MS ms"), took("read: 200 MB log, its first page", "MS ms")
	fmt.Fprintf(&b, "\nSpillway loses where it starts a shell for each command (`echo hi`: %s, agenttoolset %s) and where it counts\n"+
		"the lines of a log for its first page (200 MB: %s, agenttoolset %s).\n", echo[0], echo[1], first[0], first[1])
	return b.String()
}
