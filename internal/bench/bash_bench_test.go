package bench_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/tools"
)

// BenchmarkEcho is the cost of a call: against starting bash for the same.
func BenchmarkEcho(b *testing.B) {
	bash, dir := peer(b, "bash"), b.TempDir()
	s := suite(b, dir, nil)
	compare(b,
		func() { call(b, s, "bash", tools.BashParams{Command: "echo hi"}) },
		func() {
			cmd := exec.Command(bash, "-c", "echo hi")
			cmd.Dir = dir
			if _, err := cmd.CombinedOutput(); err != nil {
				b.Fatal(err)
			}
		})
}

// BenchmarkEchoDash is the same with a shell that starts much faster: what is left is the call's.
func BenchmarkEchoDash(b *testing.B) {
	dash, dir := peer(b, "dash"), b.TempDir()
	s := suite(b, dir, func(c *config.Config) { c.Bash.Shell = dash })
	compare(b,
		func() { call(b, s, "bash", tools.BashParams{Command: "echo hi"}) },
		func() { run(b, dir, dash, "-c", "echo hi") })
}

// BenchmarkGigabyte runs commands that print 1 GiB, all of which is on disk at the
// end, against what a shell takes to put it there.
func BenchmarkGigabyte(b *testing.B) {
	bash := peer(b, "bash")
	log := filepath.Join(bigLog(b), "app.log")
	dir := inMemory(b)
	s := suite(b, dir, func(c *config.Config) { c.Bash.MaxCaptureBytes = 4 << 30; c.Spill.MaxTotalBytes = 8 << 30 })
	for name, command := range map[string]string{"cat": "cat " + log, "yes": "yes | head -c 1G"} {
		ours := func() {
			res := call(b, s, "bash", tools.BashParams{Command: command})
			os.Remove(filepath.Join(dir, res.Details.(tools.BashResult).FullOutputPath))
		}
		for shape, redirect := range map[string]string{"to-file": " > out", "tee": " | tee out | tail -n 2000"} {
			b.Run(name+"/"+shape, func(b *testing.B) {
				compare(b, ours, func() {
					run(b, dir, bash, "-c", command+redirect)
					os.Remove(filepath.Join(dir, "out"))
				})
			})
		}
	}
}

// BenchmarkDisk runs a command that prints 100 MB, which a disk has at the end, against one
// whose output goes to a file, of which the end is read.
func BenchmarkDisk(b *testing.B) {
	bash, dir := peer(b, "bash"), b.TempDir()
	s := suite(b, dir, nil)
	const command = "seq 1 12400000"
	compare(b,
		func() {
			res := call(b, s, "bash", tools.BashParams{Command: command})
			os.Remove(filepath.Join(dir, res.Details.(tools.BashResult).FullOutputPath))
		},
		func() {
			run(b, dir, bash, "-c", command+" > out; tail -n 2000 out")
			os.Remove(filepath.Join(dir, "out"))
		})
}

// inMemory is a directory in memory, if there is one: a disk that writes back what
// one program wrote while the other runs would be what is measured.
func inMemory(b *testing.B) string {
	dir, err := os.MkdirTemp("/dev/shm", "spillway-bench")
	if err != nil {
		return b.TempDir()
	}
	b.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}
