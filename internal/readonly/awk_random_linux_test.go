package readonly_test

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/internal/testkit"
)

var awkToken = regexp.MustCompile(`[A-Za-z_]+|[0-9.]+|\s+|[-+*/%^=!<>]=|\+\+|--|&&|\|\||\|&|>>|.`)

// awkTraps are pieces in which one awk may see a string or a regular expression, and another one code.
var awkTraps = []string{
	`"HIT"`, `"`, `/`, `"/; system("touch HIT"); x = "`, `/"; system("touch HIT"); x = "/`, `; print > "HIT"`, `print > "HIT"`,
	`>"HIT"`, `(1 > "HIT")`, `[`, `]`, `[^]`, `[]`, `[/]`, `\`, "\\\n", "\n", "#", "# \"\n", "#/\n", `++ / 2`, `length / 2`,
	` /x/ `, `/=`, `/ 2 /`, `x++`, `--x`, `$`, `!`, `~`, ` in a`, ` ? x : `, `getline`, `getline x`, ` | "cat >HIT"`,
	`for (;x < 1;x++) `, `while (x++ < 1) `, `if (x) `, `else `, `do `, `print `, `printf `, `return `, `delete a`, `f(`,
	`function f(x) {`, `{`, `}`, `(`, `)`, `;`, `,`, ` `, `-`, `é`,
}

// awkMutant returns a program of the tables with pieces of others in it.
func awkMutant(r *rand.Rand, seeds [][]string) string {
	pick := func() []string { return seeds[r.IntN(len(seeds))] }
	program := append([]string{}, pick()...)
	for range 1 + r.IntN(5) {
		at := r.IntN(len(program) + 1)
		end := min(at+r.IntN(3), len(program))
		piece := []string{awkTraps[r.IntN(len(awkTraps))]}
		if other := pick(); r.IntN(3) == 0 {
			from := r.IntN(len(other))
			piece = other[from:min(from+r.IntN(8), len(other))]
		}
		program = append(append(append([]string{}, program[:at]...), piece...), program[end:]...)
	}
	return strings.Join(program, "")
}

// TestAwkRandom runs programs that nobody wrote: those that are allowed change nothing.
func TestAwkRandom(t *testing.T) {
	if testing.Short() || testkit.Race {
		t.Skip("runs hundreds of programs")
	}
	var seeds [][]string
	for _, program := range slices.Concat(awkAllowed, awkHostile, awkUnknown) {
		seeds = append(seeds, awkToken.FindAllString(program, -1))
	}
	r := rand.New(rand.NewPCG(1, 2))
	p := newAwkPlace(t)
	before := p.state(t)
	line := `ulimit -v 1000000 -t 1; `
	for _, awk := range awks {
		line += `[ $? -lt 128 ] && { type ` + strings.Fields(awk)[0] + ` && ` + awk + ` "$PROGRAM" a.txt; } </dev/null; `
	}
	done, tried := 0, 0
	for ; done < 300; tried++ {
		program := awkMutant(r, seeds)
		// What has nothing to do harm with shows nothing.
		if !strings.Contains(program, "HIT") && !strings.Contains(program, ">") || !awkAllows(program) {
			continue
		}
		done++
		p.run(line, nil, "PROGRAM="+program)
		if changed := difference(before, p.state(t)); changed != nil {
			t.Fatalf("%s\n%s", program, strings.Join(changed, "\n"))
		}
	}
	t.Log(done, "of", tried, "programs are allowed")
}
