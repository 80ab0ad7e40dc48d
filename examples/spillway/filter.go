package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/spillway-go/spillway/config"
)

const (
	filterTime  = 10 * time.Second // for one result
	maxFiltered = 4 << 20          // bytes that a filter may answer
)

// defineFilter adds the flag that has a program change results.
func (o *options) defineFilter(flags *flag.FlagSet) {
	flags.Func("filter", "have `CMD` change every result: it gets the event as JSON on stdin, and has 10s to print the text "+
		"for the model; if it fails, the result is withheld", func(command string) error {
		if strings.TrimSpace(command) == "" {
			return errors.New("name the command")
		}
		o.filter = command
		return nil
	})
}

// filtered has the command of -filter, if there is one, change the results of a suite with cfg. It runs as this program
// does, outside of the sandbox.
func (o *options) filtered(cfg *config.Config) {
	if o.filter == "" {
		return
	}
	command := o.filter
	cfg.Filter = func(ctx context.Context, e config.Event) (string, error) {
		// What a call that was cancelled has gathered is filtered, too.
		return runFilter(context.WithoutCancel(ctx), command, e, filterTime)
	}
}

// runFilter returns what the command of a filter makes of an event.
func runFilter(ctx context.Context, command string, e config.Event, patience time.Duration) (string, error) {
	input, err := json.Marshal(struct {
		config.Event
		Text string // which the JSON form of an event leaves out
	}{e, e.Text})
	if err != nil {
		return "", fmt.Errorf("the event cannot be encoded: %w", err)
	}
	ctx, stop := context.WithTimeout(ctx, patience)
	defer stop()
	words := strings.Fields(command)
	if strings.ContainsAny(command, "'\"\\$`|&;<>()*?~#=%\n") {
		words = []string{"sh", "-c", command}
	}
	cmd := exec.CommandContext(ctx, words[0], words[1:]...)
	answer := &bounded{}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(input), answer, os.Stderr
	defer endsAll(cmd)()
	cmd.WaitDelay = time.Second // of a process that it has left with its stdout
	err = cmd.Run()
	switch {
	case errors.Is(err, exec.ErrWaitDelay):
		return "", errors.New("the filter has left a process that keeps its output open")
	case ctx.Err() != nil:
		return "", fmt.Errorf("the filter did not end within %v", patience)
	case answer.over:
		return "", fmt.Errorf("the filter printed over %d bytes", maxFiltered)
	case err != nil:
		return "", fmt.Errorf("the filter failed: %w", err)
	}
	return strings.TrimSuffix(answer.String(), "\n"), nil
}

// bounded is a buffer of at most maxFiltered bytes.
type bounded struct {
	bytes.Buffer
	over bool
}

func (b *bounded) Write(p []byte) (int, error) {
	if b.Len()+len(p) > maxFiltered {
		b.over = true
		return 0, errors.New("too long")
	}
	return b.Buffer.Write(p)
}

// ReadFrom keeps io.Copy from the one of the buffer, which has no bound.
func (b *bounded) ReadFrom(r io.Reader) (int64, error) {
	return io.Copy(struct{ io.Writer }{b}, r)
}
