package sandbox_test

import (
	"fmt"
	"os"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/sandbox"
)

// Commands write only in the workspace and reach only the hosts of a list.
func ExamplePart() {
	dir, _ := os.MkdirTemp("", "")
	defer os.RemoveAll(dir)
	cfg := config.Config{Workspace: dir}
	cfg.Bash.Hosts = []string{"proxy.golang.org", "*.example.org", "db.example.org:5432"}
	_, err := tools.New(cfg)
	fmt.Println(err)

	_, err = tools.New(cfg, sandbox.Part())
	fmt.Println(err) // cfg.Bash.Sandbox = config.SandboxAuto is missing
	// Output:
	// config: Bash.Hosts is proxy.golang.org, *.example.org, db.example.org:5432, but must be empty without its part: import github.com/spillway-go/spillway/tools/sandbox and give tools.New sandbox.Part() too
	// config: Bash.Sandbox is off, but must be auto, landlock or bwrap with Bash.Hosts or Bash.PrivateHosts: only a sandbox keeps commands to them
}
