package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"
	"time"

	anthropic "github.com/anthropics/anthropic-sdk-go/v2"
	"github.com/anthropics/anthropic-sdk-go/v2/tools/agenttoolset"
	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/tools"
)

// suite is what the helper process needs of a contender written in Go.
type suite interface {
	call(tool string, args json.RawMessage) (text string, failed bool)
	close()
}

// builtin are the contenders written in Go, by their id.
var builtin = map[string]func(dir string) (suite, error){
	"spillway":  newSpillway,
	"anthropic": newAnthropic,
	"naive":     func(dir string) (suite, error) { return naive{dir}, nil },
}

// helperVariable names the contender that this process is to be.
const helperVariable = "SPILLWAY_PEER"

// helper starts this program again, as the process of a contender.
func helper(id string) func(dir string) *exec.Cmd {
	return func(dir string) *exec.Cmd {
		program, err := os.Executable()
		if err != nil {
			program = os.Args[0]
		}
		cmd := exec.Command(program)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), helperVariable+"="+id, "TMPDIR="+dir)
		return cmd
	}
}

// serve is the helper process.
func serve(id string, in io.Reader, out io.Writer) error {
	create, ok := builtin[id]
	if !ok {
		return fmt.Errorf("no contender %q", id)
	}
	dir, err := os.Getwd()
	if err != nil {
		return err
	}
	s, err := create(dir)
	if err != nil {
		return err
	}
	defer s.close()
	answers, requests := json.NewEncoder(out), json.NewDecoder(in)
	if err := answers.Encode(reply{}); err != nil {
		return err
	}
	for {
		var r struct {
			Tool string
			Args json.RawMessage
			Text bool
		}
		if err := requests.Decode(&r); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		begin := time.Now()
		text, failed := s.call(r.Tool, r.Args)
		a := reply{Nanoseconds: time.Since(begin).Nanoseconds(), Bytes: len(text), Error: failed}
		if err := answers.Encode(a); err != nil {
			return err
		}
		if r.Text {
			if _, err := io.WriteString(out, text); err != nil {
				return err
			}
		}
	}
}

type spillway struct{ *tools.Suite }

func newSpillway(dir string) (suite, error) {
	s, err := tools.New(config.Config{Workspace: dir})
	return spillway{s}, err
}

func (s spillway) call(tool string, args json.RawMessage) (string, bool) {
	res, err := s.Call(context.Background(), tool, args)
	if err != nil {
		return err.Error(), true
	}
	return res.Text, res.IsError
}

func (s spillway) close() { s.Close() }

// toolset is the agent toolset of Anthropic's SDK, called as its runner calls it,
// but for the model.
type toolset []anthropic.BetaTool

func newAnthropic(dir string) (suite, error) {
	return toolset(agenttoolset.BetaAgentToolset20260401(&agenttoolset.AgentToolContext{Workdir: dir})), nil
}

func (s toolset) call(tool string, args json.RawMessage) (string, bool) {
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

func (s toolset) close() { agenttoolset.CloseAll(s) }

// naive is what an agent does that has no suite: the whole file, the whole output.
type naive struct{ dir string }

func (n naive) call(tool string, args json.RawMessage) (string, bool) {
	var a struct{ Path, Command string }
	if err := json.Unmarshal(args, &a); err != nil {
		return err.Error(), true
	}
	if tool == "read" {
		data, err := os.ReadFile(filepath.Join(n.dir, a.Path))
		if err != nil {
			return err.Error(), true
		}
		return string(data), false
	}
	cmd := exec.Command("bash", "-c", a.Command)
	cmd.Dir = n.dir
	out, err := cmd.CombinedOutput()
	return string(out), err != nil
}

func (naive) close() {}

// moduleVersion is the version of a module that this program is built with.
func moduleVersion(path string) string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, m := range info.Deps {
			if m.Path == path {
				return m.Version
			}
		}
	}
	return "of unknown version"
}
