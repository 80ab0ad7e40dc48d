package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
)

// programs are what the steps need, with the Debian package that has each.
var programs = []struct{ name, pkg string }{
	{"git", "git"},
	{"make", "make"},
	{"python3", "python3"},
	{"gcc", "gcc"}, {"gcc", "libc6-dev"}, // for the race detector
	{"node", "nodejs"}, {"npm", "npm"}, // for the MCP clients that examples/spillway is tested with
	{"rg", "ripgrep"}, // whose counts grep's are compared with
	{"unshare", "util-linux"}, {"setpriv", "util-linux"},
	{"bwrap", "bubblewrap"},                  // a sandbox of commands
	{"setfattr", "attr"}, {"setfacl", "acl"}, // what a replaced file must keep
	{"chromium", "chromium"},                     // what internal/report/browser opens reports in
	{"sshd", "openssh-server"}, {"runc", "runc"}, // what examples/remote reaches other machines with
	{"busybox", "busybox-static"},                                        // what it puts into a container
	{"gawk", "gawk"}, {"mawk", "mawk"}, {"original-awk", "original-awk"}, // what rules say of awk's programs
}

// install makes sure of the programs that the steps need.
func install(ctx context.Context) error {
	var missing []string
	for _, p := range programs {
		if _, err := exec.LookPath(p.name); err != nil && !slices.Contains(missing, p.pkg) {
			missing = append(missing, p.pkg)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	packages := strings.Join(missing, " ")
	if os.Getenv("CI") != "true" {
		return fmt.Errorf("programs are missing: apt-get install %s (CI=true does it; quick needs none of them)", packages)
	}
	var out output
	env := []string{"DEBIAN_FRONTEND=noninteractive"}
	err := out.command(ctx, "", env, "sh", "-c", "apt-get update -qq && apt-get install -y -qq "+packages)
	if err != nil {
		return fmt.Errorf("installing %s: %w\n%s", packages, err, out.Bytes())
	}
	return nil
}
