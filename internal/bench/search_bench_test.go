package bench_test

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/tools"
	"github.com/stretchr/testify/require"
)

// unlimited lets a search go to its end.
func unlimited(c *config.Config) {
	c.MaxFileBytes = 1 << 40
	c.Grep.Limit = 1 << 30
}

// BenchmarkScan searches all of Go's source tree.
func BenchmarkScan(b *testing.B) {
	rg := peer(b, "rg")
	dir := goroot(b)
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
				func() {
					call(b, s, "grep", tools.GrepParams{Pattern: c.pattern, IgnoreCase: c.ignoreCase, OutputMode: "count"})
				},
				func() { run(b, dir, rg, append(args, "-c", ".")...) })
		})
	}
}

// manyFiles makes a tree of 100,000 small files in 2,000 directories, of which a
// tenth have an ignore file that leaves out a tenth of what is below them.
func manyFiles(b *testing.B) string {
	dir := filepath.Join(os.TempDir(), "spillway-bench-tree")
	if _, err := os.Stat(filepath.Join(dir, "complete")); err == nil {
		return dir
	}
	text := bytes.Repeat([]byte("func name(argument int) error { return nil } // an ordinary line\n"), 20)
	for d := range 2000 {
		at := filepath.Join(dir, fmt.Sprintf("pkg%d", d%40), fmt.Sprintf("sub%d", d))
		require.NoError(b, os.MkdirAll(at, 0o755))
		for f := range 50 {
			require.NoError(b, os.WriteFile(filepath.Join(at, fmt.Sprintf("file%d.go", f)), text, 0o644))
		}
		if d%10 == 0 {
			rules := "*.tmp\n/file1?.go\n!file10.go\nbuild/\n**/*.gen.*\n"
			require.NoError(b, os.WriteFile(filepath.Join(at, ".gitignore"), []byte(rules), 0o644))
		}
	}
	run(b, dir, "git", "init", "-q", ".")
	require.NoError(b, os.WriteFile(filepath.Join(dir, "complete"), nil, 0o644))
	return dir
}

// BenchmarkManyFiles searches 100,000 files with nested ignore files, in path
// order, to the end.
func BenchmarkManyFiles(b *testing.B) {
	rg := peer(b, "rg")
	dir := manyFiles(b)
	s := suite(b, dir, unlimited)
	for _, c := range [][2]string{{"literal", "qwertzuiopasdf"}, {"regexp", `[A-Z][a-z]+[0-9]{3,}`}} {
		b.Run(c[0], func(b *testing.B) {
			compare(b,
				func() { call(b, s, "grep", tools.GrepParams{Pattern: c[1]}) },
				func() { run(b, dir, rg, "--hidden", "--sort", "path", "-n", "-e", c[1], ".") })
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			call(b, s, "grep", tools.GrepParams{Pattern: c[1]})
			runtime.ReadMemStats(&after)
			b.ReportMetric(float64(after.Mallocs-before.Mallocs)/100_000, "allocs/file")
		})
	}
}

// BenchmarkSmallRepository searches 60 files for what is not there: what counts is
// how fast a call starts and ends.
func BenchmarkSmallRepository(b *testing.B) {
	rg, dir := peer(b, "rg"), b.TempDir()
	for i := range 60 {
		text := bytes.Repeat([]byte("func name(argument int) error { return nil }\n"), 100)
		require.NoError(b, os.WriteFile(filepath.Join(dir, fmt.Sprintf("file%d.go", i)), text, 0o644))
	}
	run(b, dir, "git", "init", "-q", ".")
	s := suite(b, dir, nil)
	compare(b,
		func() { call(b, s, "grep", tools.GrepParams{Pattern: "qwertzuiopasdf"}) },
		func() { run(b, dir, rg, "--hidden", "-n", "-e", "qwertzuiopasdf", ".") })
}

// BenchmarkFirst100 stops at the limit of a call, as most searches of an agent do.
func BenchmarkFirst100(b *testing.B) {
	rg := peer(b, "rg")
	dir := goroot(b)
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
	require.NoError(b, err)
	require.NoError(b, cmd.Start())
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
	fd := peer(b, "fd", "fdfind")
	dir := goroot(b)
	s := suite(b, dir, func(c *config.Config) { c.Find.Limit = 1 << 30; c.MaxBytes = 1 << 30; c.MaxLines = 1 << 30 })
	compare(b,
		func() { call(b, s, "find", tools.FindParams{Pattern: "**/*.go"}) },
		func() { run(b, dir, fd, "-H", "-g", "*.go", ".") })
}

// bigLog is a file of 1 GiB.
func bigLog(b *testing.B) (dir string) {
	dir = filepath.Join(os.TempDir(), "spillway-bench-log")
	name := filepath.Join(dir, "app.log")
	if info, err := os.Stat(name); err == nil && info.Size() > 1<<30 {
		return dir
	}
	require.NoError(b, os.MkdirAll(dir, 0o755))
	var block bytes.Buffer
	for i := range 200_000 {
		fmt.Fprintf(&block, "2026-11-20T12:%02d:%02d.%06dZ level=info msg=\"request served\" path=/api/v1/items/%d status=200 took=%dus\n", i/60%60, i%60, i*7919%1000000, i*31, i*17%100000)
	}
	f, err := os.Create(name)
	require.NoError(b, err)
	defer f.Close()
	for n := 0; n <= 1<<30; n += block.Len() {
		f.Write(block.Bytes())
	}
	fmt.Fprintln(f, "needle in the last line")
	return dir
}

// BenchmarkBigFile searches one file of 1 GiB.
func BenchmarkBigFile(b *testing.B) {
	rg := peer(b, "rg")
	dir := bigLog(b)
	s := suite(b, dir, unlimited)
	for name, pattern := range map[string]string{"literal": "needle in", "digits": "123456789", "regexp": `took=[0-9]{6}us`} {
		b.Run(name, func(b *testing.B) {
			compare(b,
				func() { call(b, s, "grep", tools.GrepParams{Pattern: pattern, Path: "app.log"}) },
				func() { run(b, dir, rg, "--no-mmap", "-n", "-e", pattern, "app.log") })
		})
	}
}

// BenchmarkLs lists a directory of 50,000 entries.
func BenchmarkLs(b *testing.B) {
	ls, dir := peer(b, "ls"), b.TempDir()
	for i := range 50_000 {
		require.NoError(b, os.WriteFile(filepath.Join(dir, fmt.Sprintf("entry-%d.txt", i*7919%50_000)), nil, 0o644))
	}
	for name, change := range map[string]func(*config.Config){"first500": nil, "all": func(c *config.Config) {
		c.Ls.Limit, c.MaxBytes, c.MaxLines = 1<<30, 1<<30, 1<<30
	}} {
		s := suite(b, dir, change)
		b.Run(name, func(b *testing.B) {
			compare(b,
				func() { call(b, s, "ls", tools.LsParams{}) },
				func() { run(b, dir, ls, "-A") })
		})
	}
}
