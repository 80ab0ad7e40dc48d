package readonly_test

import (
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/internal/commandline"
	"github.com/spillway-go/spillway/internal/readonly"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// awks are the programs of that name.
var awks = []string{"gawk", "mawk", "original-awk", "busybox awk"}

// awkAllows reports whether a program may run without a question.
func awkAllows(program string) bool {
	return readonly.Check([]commandline.Word{{Text: "awk", Known: true}, {Text: program, Known: true},
		{Text: "a.txt", Known: true}}) == ""
}

// newAwkPlace makes a directory with two files that programs read.
func newAwkPlace(t *testing.T) *place {
	t.Helper()
	p := at(t.TempDir())
	for _, dir := range []string{p.tree, p.home, filepath.Join(p.root, "tmp")} {
		require.NoError(t, os.Mkdir(dir, 0o777))
	}
	require.NoError(t, os.WriteFile(filepath.Join(p.tree, "a.txt"), []byte("package a\n1 x\n22 y\n"), 0o666))
	return p
}

// each runs a program by each awk that is installed.
func (p *place) each(t *testing.T, program string, ran func(awk, out string, err error)) {
	t.Helper()
	for _, awk := range awks {
		name, _, _ := strings.Cut(awk, " ")
		if _, err := exec.LookPath(name); err != nil {
			continue
		}
		out, err := p.run(`ulimit -v 1000000; exec `+awk+` "$PROGRAM" a.txt </dev/null`, nil, "PROGRAM="+program)
		ran(awk, out, err)
	}
}

func TestAwkAllowed(t *testing.T) {
	require.GreaterOrEqual(t, len(awkAllowed), 60)
	for _, program := range awkAllowed {
		assert.True(t, awkAllows(program), "%s is not allowed", program)
	}
	if testing.Short() || testkit.Race {
		return
	}
	p := newAwkPlace(t)
	before := p.state(t)
	for _, program := range awkAllowed {
		works, all := false, ""
		p.each(t, program, func(awk, out string, err error) {
			works = works || err == nil || program == `END {exit NR > 10}`
			all += awk + ": " + out
			if changed := difference(before, p.state(t)); changed != nil {
				t.Fatalf("%s: %s: %s", awk, program, strings.Join(changed, "\n"))
			}
		})
		if !works && all != "" {
			t.Errorf("%s: no awk takes it: %s", program, all)
		}
	}
}

func TestAwkUnknown(t *testing.T) {
	for _, program := range awkUnknown {
		assert.False(t, awkAllows(program), "%s is allowed", program)
	}
}

// TestAwkHostile demands that each program is refused, and that one awk does with it what it is refused for.
func TestAwkHostile(t *testing.T) {
	require.GreaterOrEqual(t, len(awkHostile), 100)
	listener := testkit.Listen(t)
	connected := make(chan struct{}, 1000)
	testkit.Accept(listener, func(net.Conn) { connected <- struct{}{} })
	_, port, _ := net.SplitHostPort(listener.Addr().String())
	for _, program := range awkHostile {
		program = strings.ReplaceAll(program, "PORT", port)
		assert.False(t, awkAllows(program), "%s is allowed", program)
		if testing.Short() || testkit.Race {
			continue
		}
		p := newAwkPlace(t)
		before, all := p.state(t), ""
		p.each(t, program, func(awk, out string, err error) { all += awk + ": " + out })
		// Nothing is left to wait for: a client that has ended was accepted, or waits in the queue.
		hit := difference(before, p.state(t)) != nil
		if strings.Contains(program, port) {
			hit = drained(t, listener.Addr().String(), connected)
		}
		if !hit && all != "" {
			t.Errorf("%s does no harm: %s", program, all)
		}
	}
}

// drained connects once more, and reports whether others had before. Connections are accepted in their order.
func drained(t *testing.T, address string, connected chan struct{}) bool {
	t.Helper()
	c, err := net.Dial("tcp", address)
	require.NoError(t, err)
	defer c.Close()
	if _, err := c.Read(make([]byte, 1)); err == nil {
		t.Fatal("somebody else listens")
	}
	n := 0
	for len(connected) > 0 {
		<-connected
		n++
	}
	return n > 1
}

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
