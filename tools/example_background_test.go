package tools_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/tools"
)

// The person at the terminal does not want to wait for a command. Its call returns, and the next result tells its end.
func ExampleSuite_Background() {
	workspace, err := os.MkdirTemp("", "")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(workspace)
	suite, err := tools.New(config.Config{Workspace: workspace})
	if err != nil {
		panic(err)
	}
	defer suite.Close()
	ctx := context.Background()
	returned := make(chan tools.Result)
	go func() {
		ctx := tools.WithCallID(ctx, "toolu_01")
		res, _ := suite.Call(ctx, "bash", json.RawMessage(`{"command": "until [ -e go ]; do sleep 0.01; done"}`))
		returned <- res
	}()
	for suite.Background("toolu_01") != nil { // until the command runs
		time.Sleep(time.Millisecond)
	}
	moved, _, _ := strings.Cut((<-returned).Text, ". Job")
	fmt.Println(moved)
	job := suite.Jobs()[0]
	fmt.Println(job.State().State)

	os.WriteFile(filepath.Join(workspace, "go"), nil, 0o644)
	job.Wait(ctx)
	res, _ := suite.Call(ctx, "read", json.RawMessage(`{"path": "gone"}`))
	fmt.Println(strings.Contains(res.Text, "[Job 1 has ended: exited with code 0 "))
	// Output:
	// (no new output)
	//
	// [The user moved the command to the background, and it continues as a job
	// running
	// true
}
