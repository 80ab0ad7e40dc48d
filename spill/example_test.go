package spill_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/spill"
	"github.com/spillway-go/spillway/tools"
)

func ExampleSweep() {
	workspace, _ := os.MkdirTemp("", "")
	defer os.RemoveAll(workspace)
	suite, err := tools.New(config.Config{Workspace: workspace})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer suite.Close()
	dir := filepath.Join(workspace, ".clarvis")
	for i := range 4 { // each keeps what the one before wrote: nothing, and then 1000 bytes
		suite.Write(context.Background(), tools.WriteParams{Path: "a.txt", Content: strings.Repeat(fmt.Sprint(i), 1000)})
	}
	kept, _ := filepath.Glob(filepath.Join(dir, "*.log"))
	for i, path := range kept { // of 20, 40 and 60 hours
		written := time.Now().Add(-20 * time.Hour * time.Duration(i+1))
		os.Chtimes(path, written, written)
	}
	report, err := spill.Sweep(context.Background(), dir, spill.Options{MaxAge: 24 * time.Hour, UndoMaxAge: 48 * time.Hour, MaxTotalBytes: 1500})
	fmt.Println(report, err)
	// Output: removed 2 files (2.0KB), kept 1 (1000B) <nil>
}

func ExampleReport_String() {
	fmt.Println(spill.Report{Removed: 1, RemovedBytes: 4096, Kept: 2, KeptBytes: 512, Busy: 1, Failed: 1})
	// Output: removed 1 file (4KB), kept 2 (512B); 1 due, but being written; 1 due, but could not be removed
}
