package docs_test

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/internal/docs/chart"
	"github.com/spillway-go/spillway/internal/docs/section"
	"github.com/stretchr/testify/require"
)

// The numbers of README.md are those of the table that is measured.
func TestSaved(t *testing.T) {
	readme := filepath.Join(root, "README.md")
	parts, err := section.Read(filepath.Join(root, "docs", "truncation.md"), "parts")
	require.NoError(t, err)
	generated(t, readme, "saved", saved(t, parts))
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

// saved says what a model need not read, of texts that the code was not tuned on.
func saved(t *testing.T, parts string) string {
	part := func(name, row string) []string { return cells(t, parts, name+" | "+row) }
	tail, short, plain := part(unseen, spillway), part(unseen, digest), part(unseen, "`tail`, 2000 lines or 30 KB")
	all, ours := number(t, tail[2]), number(t, tail[1])
	return wrapped(fmt.Sprintf("Of a long output, the model reads **%s tokens instead of %s** on average, %.0f%% fewer. "+
		"**%s of the lines that say what failed** are among them, as the notice names those further up; the end alone has %s. A digest has %[7]s in %[6]s tokens. "+
		"[Measured](docs/truncation.md#what-a-cut-shows) on %[8]s recorded outputs that the code was never tuned on "+
		"(`go -C internal/bench run ./needles -half %[9]s`).",
		chart.Thousands(ours), chart.Thousands(all), 100*(1-float64(ours)/float64(all)), tail[0], plain[0], grouped(t, short[1]), short[0], tail[3], unseen))
}

// number reads a cell.
func number(t *testing.T, cell string) int {
	n, err := strconv.Atoi(cell)
	require.NoError(t, err)
	return n
}

// grouped prints the number of a cell as the manual does.
func grouped(t *testing.T, cell string) string { return chart.Thousands(number(t, cell)) }
