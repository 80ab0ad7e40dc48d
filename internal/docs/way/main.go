// Way makes one call of a tool, and writes how often the functions on its way were entered. Build it with
// -cover -covermode=atomic.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"runtime/coverage"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/tools"
)

func main() {
	if err := call(os.Args[1], os.Args[2], os.Args[3], os.Args[4]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// call calls a tool in a workspace, with the defaults, and writes what was covered to a directory.
func call(workspace, dir, tool, args string) error {
	s, err := tools.New(config.Config{Workspace: workspace, Spill: config.Spill{SweepInterval: -1}})
	if err != nil {
		return err
	}
	defer s.Close()
	if err := coverage.ClearCounters(); err != nil { // those of New
		return err
	}
	res, err := s.Call(context.Background(), tool, json.RawMessage(args))
	if err != nil || res.IsError {
		return fmt.Errorf("%s: %v: %s", tool, err, res.Text)
	}
	if err := coverage.WriteMetaDir(dir); err != nil {
		return err
	}
	return coverage.WriteCountersDir(dir)
}
