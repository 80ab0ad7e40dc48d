package bench_test

import (
	"bufio"
	"bytes"
	"os/exec"
	"testing"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/tools"
)

// unlimited lets a search go to its end.
func unlimited(c *config.Config) {
	c.MaxFileBytes = 1 << 40
	c.Grep.Limit = 1 << 30
}

// BenchmarkScan searches all of Go's source tree.
func BenchmarkScan(b *testing.B) {
	rg, dir := peer(b, "rg"), goroot(b)
	s := suite(b, dir, unlimited)
	for _, c := range []struct {
		name, pattern string
		ignoreCase    bool
	}{
		{"literal-rare", "prefixSuffixSaver", false},
		{"literal-none", "qwertzuiopasdf", false},
		{"literal-many", "return", false},
		{"inner-literal", `\w+Reader\b`, false},
		{"alternation", "Sherlock|Holmes|Watson|goroutine leak", false},
		{"ignore-case", "prefixsuffixsaver", true},
		{"ignore-case-alternation", "sherlock|holmes|watson", true},
		{"no-literal", `[A-Z][a-z]+[0-9]{3,}`, false},
	} {
		b.Run(c.name, func(b *testing.B) {
			args := []string{"--hidden", "--no-messages", "-n", "-e", c.pattern}
			if c.ignoreCase {
				args = append(args, "-i")
			}
			compare(b,
				func() { call(b, s, "grep", tools.GrepParams{Pattern: c.pattern, IgnoreCase: c.ignoreCase, OutputMode: "count"}) },
				func() { run(b, dir, rg, append(args, "-c", ".")...) })
		})
	}
}

// BenchmarkFirst100 stops at the limit of a call, as most searches of an agent do.
func BenchmarkFirst100(b *testing.B) {
	rg, dir := peer(b, "rg"), goroot(b)
	s := suite(b, dir, nil)
	for _, pattern := range []string{"return", "func Test", `\w+Reader\b`} {
		b.Run(pattern, func(b *testing.B) {
			compare(b,
				func() { call(b, s, "grep", tools.GrepParams{Pattern: pattern}) },
				func() { first100(b, exec.Command(rg, "--json", "--sort", "path", "--hidden", "-e", pattern, "."), dir) })
		})
	}
}

// first100 reads the program's output up to the hundredth match and kills it.
func first100(b *testing.B, cmd *exec.Cmd, dir string) {
	cmd.Dir = dir
	out, err := cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	for n := 0; n < 100 && lines.Scan(); {
		if bytes.HasPrefix(lines.Bytes(), []byte(`{"type":"match"`)) {
			n++
		}
	}
	cmd.Process.Kill()
	cmd.Wait()
}

// BenchmarkFind lists Go's source files.
func BenchmarkFind(b *testing.B) {
	fd, dir := peer(b, "fd", "fdfind"), goroot(b)
	s := suite(b, dir, func(c *config.Config) { c.Find.Limit = 1 << 30; c.MaxBytes = 1 << 30; c.MaxLines = 1 << 30 })
	compare(b,
		func() { call(b, s, "find", tools.FindParams{Pattern: "**/*.go"}) },
		func() { run(b, dir, fd, "-H", "-g", "*.go", ".") })
}
