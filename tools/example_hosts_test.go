package tools_test

import (
	"fmt"
	"os"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/tools"
)

// Only a sandbox keeps commands to the hosts of a list.
func ExampleNew_hosts() {
	dir, _ := os.MkdirTemp("", "")
	defer os.RemoveAll(dir)
	cfg := config.Config{Workspace: dir}
	cfg.Bash.Hosts = []string{"proxy.golang.org", "*.example.org", "db.example.org:5432"}
	_, err := tools.New(cfg)
	fmt.Println(err) // cfg.Bash.Sandbox = config.SandboxAuto is missing

	cfg.Bash.Hosts = []string{"https://example.org/"}
	_, err = tools.New(cfg)
	fmt.Println(err)
	// Output:
	// config: Bash.Sandbox is off, but must be auto, landlock or bwrap with Bash.Hosts or Bash.PrivateHosts: only a sandbox keeps commands to them
	// config: Bash.Hosts is "https://example.org/", but must be a host with or without a port, such as "example.org", "*.example.org", "db.internal:5432", "example.org:*" or "[2001:db8::1]:443" (it is an address of a page: write its host alone)
}
