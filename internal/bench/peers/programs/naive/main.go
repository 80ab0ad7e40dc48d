// Command naive does what an agent does that has no suite: the whole file, the whole output.
package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/spillway-go/spillway/internal/bench/peers/programs/serve"
)

func main() {
	serve.Main(func(dir string) (serve.Suite, error) { return naive{dir}, nil })
}

type naive struct{ dir string }

func (n naive) Call(tool string, args json.RawMessage) (string, bool) {
	var a struct{ Path, Command string }
	if err := json.Unmarshal(args, &a); err != nil {
		return err.Error(), true
	}
	if tool == "read" {
		data, err := os.ReadFile(filepath.Join(n.dir, a.Path))
		if err != nil {
			return err.Error(), true
		}
		return string(data), false
	}
	cmd := exec.Command("bash", "-c", a.Command)
	cmd.Dir = n.dir
	out, err := cmd.CombinedOutput()
	return string(out), err != nil
}

func (naive) Close() {}
