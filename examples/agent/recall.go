package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spillway-go/spillway/examples/agent/loop"
	"github.com/spillway-go/spillway/tools"
)

const (
	// recallPrompt is the task that recall does.
	recallPrompt = "Read the logs of all services and tell me which order was not packed, and why."
	// recallContext has room for six of the logs.
	recallContext = 32_000
)

var services = []string{"auth", "basket", "billing", "catalog", "delivery", "mail", "search", "warehouse"}

// logs makes a directory with the logs, which the caller removes.
func logs() (dir string, err error) {
	if dir, err = os.MkdirTemp("", "spillway-agent-"); err != nil {
		return "", err
	}
	for _, service := range services {
		var log strings.Builder
		for order := 2501; order <= 2900; order++ {
			what := "done"
			switch {
			case order == 2718 && service == "billing":
				what = "refused: the card expired in May"
			case order == 2718 && service == "warehouse":
				what = "not packed: refused by billing"
			}
			fmt.Fprintf(&log, "12:%02d:%02d %s order %d %s\n", order/60%60, order%60, service, order, what)
		}
		path := filepath.Join(dir, service+".log")
		if err := os.WriteFile(path, []byte(log.String()), 0o644); err != nil {
			return "", err
		}
	}
	return dir, nil
}

// recall reads more than it has room for. Unlike the other scripts it has a context: what it knows
// of earlier results is what is there.
type recall struct {
	script

	context map[string]string // texts of results, by their calls
	paths   []string          // the logs that are not read yet
	calls   map[string]string // which call read a log
	order   string
}

func newRecall() *recall {
	r := &recall{context: map[string]string{}, calls: map[string]string{}}
	r.step = r.look
	return r
}

// Next takes what is said into the context.
func (r *recall) Next(ctx context.Context, said loop.Input) (loop.Reply, error) {
	for _, s := range said.Shelved {
		r.context[s.ID] = s.Line
	}
	for _, a := range said.Results {
		r.context[a.Call.ID] = a.Result.Text
	}
	return r.script.Next(ctx, said)
}

// The turns, in order, as those of survey.

func (r *recall) look(string) loop.Reply {
	return r.call("I look for the logs.", "find", tools.FindParams{Pattern: "*.log"}, r.found)
}

func (r *recall) found(result string) loop.Reply {
	for line := range strings.Lines(result) {
		if path := strings.TrimSpace(line); strings.HasSuffix(path, ".log") {
			r.paths = append(r.paths, path)
		}
	}
	return r.read(result)
}

// read reads the next log, or thinks about all of them.
func (r *recall) read(result string) loop.Reply {
	if len(r.paths) == 0 {
		return r.think(result)
	}
	path := r.paths[0]
	r.paths = r.paths[1:]
	reply := r.call("", "read", tools.ReadParams{Path: path}, r.read)
	r.calls[path] = reply.Calls[0].ID
	return reply
}

func (r *recall) think(result string) loop.Reply {
	r.order = first(`order (\d+) not packed`, result)
	service := first(`not packed: refused by (\w+)`, result)
	known, read := r.context[r.calls[service+".log"]]
	if r.order == "" || !read {
		return give("The logs do not say what was not packed:", result)
	}
	file := first(`Full result: ([^\],]+)`, known)
	if file == "" {
		return r.answer(known)
	}
	say := fmt.Sprintf("Order %s was refused by %s. Of its log I have but a line, which names a file with all of it. I search that.", r.order, service)
	return r.call(say, "grep", tools.GrepParams{Path: file, Pattern: "order " + r.order + " "}, r.answer)
}

func (r *recall) answer(result string) loop.Reply {
	why := first(`order `+r.order+` (refused: .*)`, result)
	if why == "" {
		return give("It does not say why:", result)
	}
	return loop.Reply{Text: fmt.Sprintf("Order %s was not packed. It was %s.", r.order, why)}
}
