package patch_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/patch"
)

// A suite has apply_patch if Tools names it, and the part is there.
func ExamplePart() {
	dir, _ := os.MkdirTemp("", "")
	defer os.RemoveAll(dir)
	cfg := config.Config{Workspace: dir, Tools: []string{"read", "bash", "apply_patch"}}
	_, err := tools.New(cfg)
	fmt.Println(err)

	suite, _ := tools.New(cfg, patch.Part())
	defer suite.Close()
	for _, tool := range suite.Tools() {
		fmt.Println(tool.Name())
	}
	// Output:
	// config: Tools is apply_patch, but must be another without its part: import github.com/spillway-go/spillway/tools/patch and give tools.New patch.Part() too
	// read
	// bash
	// apply_patch
}

func ExampleApply() {
	dir, _ := os.MkdirTemp("", "")
	defer os.RemoveAll(dir)
	os.WriteFile(filepath.Join(dir, "log.txt"), []byte("line 1\nline 2\nline 3\n"), 0o600)
	suite, _ := tools.New(config.Config{Workspace: dir, Tools: []string{"read", "apply_patch"}}, patch.Part())
	defer suite.Close()
	res, err := patch.Apply(context.Background(), suite, patch.Params{Patch: `*** Begin Patch
*** Update File: log.txt
@@
 line 1
-line 2
+line two
*** Add File: notes.txt
+See log.txt.
*** End Patch`})
	if err != nil {
		panic(err)
	}
	fmt.Println(res.Text)
	fmt.Println(res.Files[0].Spans, res.Files[1].Created)
	// Output:
	// Updated log.txt: 1 line added, 1 removed.
	// Created notes.txt (1 line).
	// @@ -1,3 +1,3 @@
	//  line 1
	// -line 2
	// +line two
	//  line 3
	// [{2 1 1}] true
}
