// Command spillway is a small program that has Spillway's tools: its arguments are the name of one and JSON.
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/bench/peers/programs/ask"
	"github.com/spillway-go/spillway/tools"
)

func main() {
	if err := run(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(name, args string) error {
	suite, err := tools.New(config.Config{Workspace: "."})
	if err != nil {
		return err
	}
	defer suite.Close()
	res, err := suite.Call(context.Background(), name, []byte(args))
	if err != nil {
		return err
	}
	return ask.About(res.Text)
}
