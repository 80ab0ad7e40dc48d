package all_test

import (
	"fmt"
	"os"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/all"
)

// The program spillway has every part, and with it every option.
func ExampleParts() {
	dir, _ := os.MkdirTemp("", "")
	defer os.RemoveAll(dir)
	cfg, err := config.Config{Workspace: dir}.Set("Rules.Deny", "bash(rm *)", "the flag -deny")
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = tools.Check(cfg)
	fmt.Println(err)
	_, err = tools.Check(cfg, all.Parts()...)
	fmt.Println(err)
	// Output:
	// config: the flag -deny: Rules.Deny is bash(rm *), but must be empty without its part: import github.com/spillway-go/spillway/tools/permission and give tools.New permission.Part() too
	// <nil>
}
