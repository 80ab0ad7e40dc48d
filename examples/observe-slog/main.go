// Command observe-slog hands every call of a suite to log/slog, with its arguments, and
// prints at the end how often output was truncated, and by how much.
//
//	go run ./examples/observe-slog [DIR]
package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"os"
	"slices"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/tools"
)

func main() {
	dir := "."
	if len(os.Args) > 1 {
		dir = os.Args[1]
	}
	if err := run(context.Background(), dir, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "observe-slog:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, dir string, out io.Writer) error {
	logger := slog.New(slog.NewTextHandler(out, nil))
	suite, err := tools.New(config.Config{Workspace: dir, MaxLines: 20, Observe: observer(logger)})
	if err != nil {
		return err
	}
	defer suite.Close()
	suite.Call(ctx, "ls", nil)
	// The id that the model gave the call; the adapters pass it on.
	suite.Call(tools.WithCallID(ctx, "toolu_01"), "bash", []byte(`{"command": "seq 100000"}`))
	suite.Call(ctx, "read", []byte(`{"path": "no such file"}`))

	stats := suite.Stats()
	for _, tool := range slices.Sorted(maps.Keys(stats)) {
		s := stats[tool]
		fmt.Fprintf(out, "%s: calls %d, failed %d, truncated %d, ended by a limit %d; bytes produced %d, shown %d\n",
			tool, s.Calls, s.Errors, s.Truncated, s.LimitReached, s.BytesProduced, s.BytesShown)
	}
	return nil
}

// observer logs calls, failures as warnings, and what becomes of jobs. Arguments may hold
// what a log must not: a program that knows its tools leaves those out.
func observer(logger *slog.Logger) func(context.Context, config.Event) {
	return func(ctx context.Context, e config.Event) {
		if e.Job > 0 {
			logger.LogAttrs(ctx, slog.LevelInfo, "job", slog.String("id", e.ID), slog.Int("job", e.Job),
				slog.String("state", e.JobState), slog.Duration("duration", e.Duration), slog.Int("bytes_produced", e.BytesProduced))
			return
		}
		level := slog.LevelInfo
		if e.Code != "" {
			level = slog.LevelWarn
		}
		attrs := []slog.Attr{
			slog.String("id", short(e.ID, maxID)), slog.String("tool", e.Tool), slog.String("args", short(string(e.Args), maxArgs)),
			slog.Duration("duration", e.Duration),
			slog.Int("bytes_produced", e.BytesProduced), slog.Int("bytes_shown", e.BytesShown),
			slog.Int("lines_produced", e.LinesProduced), slog.Int("lines_shown", e.LinesShown),
		}
		if e.Truncated {
			attrs = append(attrs, slog.String("truncated_by", string(e.TruncatedBy)), slog.String("spill", e.SpillPath))
		}
		if e.LimitReached {
			attrs = append(attrs, slog.Bool("limit_reached", true))
		}
		if e.Code != "" {
			attrs = append(attrs, slog.String("error", string(e.Code)))
		}
		logger.LogAttrs(ctx, level, "tool call", attrs...)
	}
}

// How many characters of a call's id and arguments are logged.
const (
	maxID   = 100
	maxArgs = 200
)

// short cuts a text after so many characters. The handlers of log/slog quote what could
// pass for another line or another field.
func short(text string, most int) string {
	n := 0
	for i := range text {
		if n == most {
			return text[:i] + "..."
		}
		n++
	}
	return text
}
