package main

import (
	"context"
	"strings"

	"github.com/spillway-go/spillway/examples/agent/loop"
	"github.com/spillway-go/spillway/tools"
)

// rewindPrompt is the first task that hasty does.
const rewindPrompt = "Of three teas, one should be free. Mend bill.sh."

// hasty does more than it was asked to, unless it is told not to.
type hasty struct {
	script
	prompt string
}

func newHasty() *hasty {
	h := &hasty{}
	h.step = h.mend
	return h
}

// Next takes in what the user has said.
func (h *hasty) Next(ctx context.Context, said loop.Input) (loop.Reply, error) {
	if said.Prompt != "" {
		h.prompt = said.Prompt
	}
	return h.script.Next(ctx, said)
}

// The turns, in order, as those of survey.

func (h *hasty) mend(string) loop.Reply {
	return h.call("Every third thing gets a price here.", "edit", tools.EditParams{Path: "bill.sh",
		OldString: "three_for_two() {\n\tsum=$((sum + count * cents))",
		NewString: "three_for_two() {\n\tsum=$((sum + (count - count / 3) * cents))"}, h.mended)
}

func (h *hasty) mended(string) loop.Reply {
	h.step = h.indent
	return loop.Reply{Text: "bill.sh is mended. What else?"}
}

func (h *hasty) indent(string) loop.Reply {
	command := "expand -t 2 bill.sh >b && mv b bill.sh"
	if !strings.Contains(h.prompt, "keep") {
		command += "; rm test.sh"
	}
	return h.call("", "bash", tools.BashParams{Command: command}, h.indented)
}

func (h *hasty) indented(string) loop.Reply {
	h.step = h.indent
	return loop.Reply{Text: "Done."}
}
