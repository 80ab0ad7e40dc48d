package tools_test

import (
	"context"
	"fmt"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/tools"
)

// A log says which command ran, by the id that the model gave the call.
func ExampleWithCallID() {
	suite, done := project(config.Config{Observe: func(_ context.Context, e config.Event) {
		fmt.Printf("%s: %s %s %q\n", e.ID, e.Tool, e.Args, e.Code)
	}}, "log.txt", 1)
	defer done()
	ctx := context.Background()
	suite.Call(tools.WithCallID(ctx, "toolu_01"), "read", []byte(`{"path": "log.txt", "limit": "1"}`))
	suite.Call(ctx, "read", []byte(`{"path": "gone.txt"}`))
	// Output:
	// toolu_01: read {"path":"log.txt","limit":1} ""
	// call-1: read {"path":"gone.txt"} "not_found"
}

// A program that calls tools as a model does finds what a command had printed before it failed.
func ExampleError_Details() {
	suite, done := project(config.Config{Bash: config.Bash{FailOnExit: true}}, "log.txt", 1)
	defer done()
	res, err := suite.Call(context.Background(), "bash", []byte(`{"command": "echo begun; exit 3"}`))
	if err != nil {
		panic(err)
	}
	failed := res.Details.(*tools.Error)
	fmt.Printf("%s: %q\n", failed.Code, failed.Details().(tools.BashResult).Output)
	// Output:
	// io_error: "begun\n"
}
