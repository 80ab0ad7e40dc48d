// Command anthropic serves the agent toolset of Anthropic's SDK, called as its runner calls it, but for the model.
package main

import (
	"context"
	"encoding/json"
	"strings"

	anthropic "github.com/anthropics/anthropic-sdk-go/v2"
	"github.com/anthropics/anthropic-sdk-go/v2/tools/agenttoolset"
	"github.com/spillway-go/spillway/internal/bench/peers/programs/serve"
)

func main() { serve.Main(create) }

type toolset []anthropic.BetaTool

func create(dir string) (serve.Suite, error) {
	return toolset(agenttoolset.BetaAgentToolset20260401(&agenttoolset.AgentToolContext{Workdir: dir})), nil
}

func (s toolset) Call(tool string, args json.RawMessage) (string, bool) {
	for _, t := range s {
		if t.Name() != tool {
			continue
		}
		blocks, err := t.Execute(context.Background(), args)
		if err != nil {
			return err.Error(), true
		}
		var text strings.Builder
		for _, b := range blocks {
			if b.OfText != nil {
				text.WriteString(b.OfText.Text)
			}
		}
		return text.String(), false
	}
	return "there is no tool " + tool, true
}

func (s toolset) Close() { agenttoolset.CloseAll(s) }
