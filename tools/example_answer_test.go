package tools_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/tools"
)

// A server whose clients give up has each call answered before that: the command goes on as a job.
func ExampleWithAnswerBy() {
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
	ctx := tools.WithAnswerBy(context.Background(), time.Now().Add(time.Second))
	res, err := suite.Call(ctx, "bash", json.RawMessage(`{"command": "sleep 600"}`))
	if err != nil {
		panic(err)
	}
	fmt.Println(strings.Contains(res.Text, "continues as a job. Job 1 is running."))
	// Output: true
}

// A tool of your own ends with what it has when its call must be answered.
func ExampleAnswerBy() {
	search := func(ctx context.Context, places []string) (found []string, complete bool) {
		by := tools.AnswerBy(ctx)
		for _, place := range places {
			if !by.IsZero() && time.Now().After(by) {
				return found, false
			}
			found = append(found, place)
		}
		return found, true
	}
	fmt.Println(search(context.Background(), []string{"a", "b"}))
	fmt.Println(search(tools.WithAnswerBy(context.Background(), time.Unix(0, 0)), []string{"a", "b"}))
	// Output:
	// [a b] true
	// [] false
}
