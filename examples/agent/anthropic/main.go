// Command anthropic is the agent of the directory above with a model of Anthropic's.
//
//	ANTHROPIC_API_KEY=... go run . [-workspace DIR] [-model M] [-config FILE] [-sandbox ENGINE] PROMPT
package main

import (
	"errors"
	"io"
	"os"

	"github.com/spillway-go/spillway/examples/agent/loop"
	"github.com/spillway-go/spillway/tools"
)

func main() { loop.Main(parse) }

func parse(args []string, stderr io.Writer) (loop.Task, error) {
	flags := loop.NewFlags()
	model := flags.String("model", defaultModel, "`MODEL` of Anthropic's")
	prompt, err := flags.Parse(args, stderr)
	switch {
	case err != nil:
		return loop.Task{}, err
	case prompt == "":
		return loop.Task{}, errors.New("what should the model do? Write it behind the flags")
	case os.Getenv("ANTHROPIC_API_KEY") == "":
		return loop.Task{}, errors.New("ANTHROPIC_API_KEY is not set: set it to a key of the API")
	}
	cfg, err := flags.Config()
	return loop.Task{
		Config:  cfg,
		Record:  flags.Record,
		Chat:    flags.Chat,
		Prompt:  prompt,
		Context: flags.Context,
		Model:   func(suite *tools.Suite) loop.Provider { return newClaude(*model, suite) },
	}, err
}
