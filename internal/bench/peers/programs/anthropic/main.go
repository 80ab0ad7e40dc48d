// Command anthropic is a small program that has the tools of agenttoolset: its arguments are the name of one and JSON.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	"github.com/anthropics/anthropic-sdk-go/v2/tools/agenttoolset"
	"github.com/spillway-go/spillway/internal/bench/peers/programs/ask"
)

func main() {
	if err := run(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(name, args string) error {
	suite := agenttoolset.BetaAgentToolset20260401(&agenttoolset.AgentToolContext{Workdir: "."})
	defer agenttoolset.CloseAll(suite)
	for _, tool := range suite {
		if tool.Name() != name {
			continue
		}
		blocks, err := tool.Execute(context.Background(), json.RawMessage(args))
		if err != nil {
			return err
		}
		for _, b := range blocks {
			if b.OfText != nil {
				return ask.About(b.OfText.Text)
			}
		}
	}
	return fmt.Errorf("no text of a tool %s", name)
}
