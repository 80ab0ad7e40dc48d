// Package serve makes a program of a suite of tools: it answers a line of JSON for each call, and the text behind it if
// that is wanted.
package serve

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"
)

// Suite is what a program needs of its tools.
type Suite interface {
	Call(tool string, args json.RawMessage) (text string, failed bool)
	Close()
}

// Reply is what a call gave.
type Reply struct {
	Nanoseconds int64  `json:"ns"` // taken in the process, around the call alone
	Bytes       int    `json:"bytes"`
	Error       bool   `json:"error"` // the tool says that it failed
	Text        []byte `json:"-"`     // follows the line as it is: it may be long, and not UTF-8
}

// Main answers the calls of standard input, for the tools over the working directory.
func Main(create func(dir string) (Suite, error)) {
	if err := serve(create, os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func serve(create func(dir string) (Suite, error), in io.Reader, out io.Writer) error {
	dir, err := os.Getwd()
	if err != nil {
		return err
	}
	s, err := create(dir)
	if err != nil {
		return err
	}
	defer s.Close()
	answers, requests := json.NewEncoder(out), json.NewDecoder(in)
	if err := answers.Encode(Reply{}); err != nil {
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
		text, failed := s.Call(r.Tool, r.Args)
		a := Reply{Nanoseconds: time.Since(begin).Nanoseconds(), Bytes: len(text), Error: failed}
		if err := answers.Encode(a); err != nil {
			return err
		}
		if r.Text {
			if err := deliver(out, text); err != nil {
				return err
			}
		}
	}
}
