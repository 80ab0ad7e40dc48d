package bench_test

import (
	"os/exec"
	"testing"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/all"
)

// BenchmarkSandbox is the cost of a call under each engine: against the same call without
// one, and of the engine bwrap against the program started for the same.
func BenchmarkSandbox(b *testing.B) {
	echo := tools.BashParams{Command: "echo hi"}
	for _, engine := range []string{"landlock", "bwrap"} {
		dir := b.TempDir()
		confined, err := tools.New(config.Config{Workspace: dir, Bash: config.Bash{Sandbox: config.Sandbox(engine)}}, all.Parts()...)
		need.Sandbox(b, err)
		b.Cleanup(func() { confined.Close() })
		ours := func() { call(b, confined, "bash", echo) }
		plain := suite(b, dir, nil)
		b.Run(engine+"/plain", func(b *testing.B) {
			compare(b, ours, func() { call(b, plain, "bash", echo) })
		})
		b.Run(engine+"/program", func(b *testing.B) {
			bwrap := peer(b, "bwrap")
			compare(b, ours, func() {
				cmd := exec.Command(bwrap, "--unshare-pid", "--unshare-net", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--bind", dir, dir, "bash", "-c", "echo hi")
				cmd.Dir = dir
				if out, err := cmd.CombinedOutput(); err != nil || string(out) != "hi\n" {
					b.Fatal(err, string(out))
				}
			})
		})
	}
}
