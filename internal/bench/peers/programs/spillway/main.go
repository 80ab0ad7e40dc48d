// Command spillway serves Spillway's tools.
package main

import (
	"context"
	"encoding/json"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/bench/peers/programs/serve"
	"github.com/spillway-go/spillway/tools"
)

func main() { serve.Main(create) }

type suite struct{ *tools.Suite }

func create(dir string) (serve.Suite, error) {
	s, err := tools.New(config.Config{Workspace: dir})
	return suite{s}, err
}

func (s suite) Call(tool string, args json.RawMessage) (string, bool) {
	res, err := s.Suite.Call(context.Background(), tool, args)
	if err != nil {
		return err.Error(), true
	}
	return res.Text, res.IsError
}

func (s suite) Close() { s.Suite.Close() }
