package notebook_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/notebook"
)

// A cell is read, and edited as it is shown.
func ExamplePart() {
	dir, _ := os.MkdirTemp("", "")
	defer os.RemoveAll(dir)
	plot := `{"cells": [{"cell_type": "code", "source": ["x = 1\n", "print(x)"], "outputs": []}]}`
	os.WriteFile(filepath.Join(dir, "plot.ipynb"), []byte(plot), 0o600)
	suite, err := tools.New(config.Config{Workspace: dir}, notebook.Part())
	if err != nil {
		panic(err)
	}
	defer suite.Close()
	res, _ := suite.Read(context.Background(), tools.ReadParams{Path: "plot.ipynb"})
	fmt.Print(res.Text)
	done, _ := suite.Edit(context.Background(), tools.EditParams{Path: "plot.ipynb", OldString: "x = 1", NewString: "x = 2"})
	fmt.Println(done.Text)
	// Output:
	// --- cell 1, code ---
	// x = 1
	// print(x)
	// Edited plot.ipynb, cell 1: 1 line added, 1 removed.
	// @@ -1,3 +1,3 @@
	//  --- cell 1, code ---
	// -x = 1
	// +x = 2
	//  print(x)
}
