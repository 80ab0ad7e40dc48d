package checkpoint_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/checkpoint"
)

// A host takes a checkpoint before each turn of the user, and puts the files back when the user wants that.
func ExampleCheckpoints() {
	dir, _ := os.MkdirTemp("", "")
	defer os.RemoveAll(dir)
	workspace, kept := filepath.Join(dir, "workspace"), filepath.Join(dir, "kept")
	_ = os.Mkdir(workspace, 0o755)
	_ = os.WriteFile(filepath.Join(workspace, "a.txt"), []byte("one\n"), 0o644)

	points := checkpoint.New()
	cfg := config.Config{Workspace: workspace, Checkpoint: config.Checkpoint{Dir: kept}}
	suite, err := tools.New(cfg, points.Part())
	if err != nil {
		fmt.Println(err)
		return
	}
	defer suite.Close()
	ctx := context.Background()
	id, _ := points.Take(ctx)
	res, _ := suite.Bash(ctx, tools.BashParams{Command: "echo two >a.txt; echo new >b.txt"})
	fmt.Println(res.Text)

	list, _ := points.List(ctx)
	fmt.Println(len(list), "checkpoints, the last one before", list[1].About)
	d, _ := points.Diff(ctx, id)
	done, err := d.Rewind(ctx)
	fmt.Println(done.Files, err)
	suite.Forget()

	_, err = points.Rewind(ctx, done.Undo) // the files are as the command left them
	content, _ := os.ReadFile(filepath.Join(workspace, "a.txt"))
	fmt.Printf("%s%v\n", content, err)
	// Output:
	// (no output)
	//
	// [Changed 2 files: a.txt (+1 -1), b.txt (new)]
	// 2 checkpoints, the last one before echo two >a.txt; echo new >b.txt
	// [a.txt: 1 line added, 1 removed b.txt: created, 1 line added] <nil>
	// two
	// <nil>
}

// A user sees what would be put back, and says yes: then it is that which is put back, or nothing.
func ExampleDiff_Rewind() {
	dir, _ := os.MkdirTemp("", "")
	defer os.RemoveAll(dir)
	workspace, kept := filepath.Join(dir, "workspace"), filepath.Join(dir, "kept")
	_ = os.Mkdir(workspace, 0o755)
	_ = os.WriteFile(filepath.Join(workspace, "a.txt"), []byte("one\n"), 0o644)
	points := checkpoint.New()
	suite, err := tools.New(config.Config{Workspace: workspace, Checkpoint: config.Checkpoint{Dir: kept}}, points.Part())
	if err != nil {
		fmt.Println(err)
		return
	}
	defer suite.Close()
	ctx := context.Background()
	id, _ := points.Take(ctx)
	_, _ = suite.Bash(ctx, tools.BashParams{Command: "rm a.txt"})

	d, _ := points.Diff(ctx, id)
	fmt.Println(d.Text)
	_ = os.WriteFile(filepath.Join(workspace, "a.txt"), []byte("an editor's\n"), 0o644)
	_, err = d.Rewind(ctx)
	fmt.Println(err)
	// Output:
	// diff --git a/a.txt b/a.txt
	// deleted file mode 100644
	// --- a/a.txt
	// +++ /dev/null
	// @@ -1 +0,0 @@
	// -one
	//
	// Not covered: what git ignores (Checkpoint.Ignored)
	// stale: nothing was put back: a.txt was changed by somebody else than the suite, or since the difference was shown. Look at it again, and name those that are to be put back all the same
}
