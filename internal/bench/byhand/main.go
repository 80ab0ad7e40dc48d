// Command byhand replays the calls of twenty tasks that were done by hand, led by the tools' texts, and writes what
// they take into docs/models.md and measured.md: ours, the same calls with three options, and those made with pi's tools.
//
//	go -C internal/bench run ./byhand
//
// Pi's bytes are those that pi.txt has. With -node they are measured anew, by that Node (22.19 or later), after npm
// install in the directory pi, with rg and fd in the PATH. The numbers in pi.txt are of an fd too old to know
// --no-require-git, behind a script that leaves that flag out; two failed calls of find from before it are not in them.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/docs/chart"
	"github.com/spillway-go/spillway/internal/docs/section"
	"github.com/spillway-go/spillway/internal/testkit/shop"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/all"
)

const (
	page      = "../../docs/models.md"
	oursFile  = "byhand/ours.txt"
	piFile    = "byhand/pi.txt"
	measured  = "byhand/measured.md"
	megabytes = 170
)

func main() {
	node := flag.String("node", "", "measure pi's tools too, with this Node")
	flag.Parse()
	if err := run(*node); err != nil {
		fmt.Fprintln(os.Stderr, "byhand:", err)
		os.Exit(1)
	}
}

func run(node string) error {
	dir, err := os.MkdirTemp("", "byhand")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := shop.Build(dir, megabytes); err != nil {
		return err
	}
	pi, err := load(piFile)
	if err != nil {
		return err
	}
	if node != "" {
		if err := replayPi(node, dir, pi); err != nil {
			return err
		}
		if err := save(piFile, pi); err != nil {
			return err
		}
	}
	byDefault, err := replayOurs(dir, "ours", nil)
	if err != nil {
		return err
	}
	optional, err := replayOurs(dir, "ours with options", options)
	if err != nil {
		return err
	}
	all, differ := table(byDefault, optional, pi)
	fmt.Print(all)
	if err := os.WriteFile(measured, []byte(all), 0o644); err != nil {
		return err
	}
	return section.Write(page, "byhand", differ)
}

// options are those that make results shorter, and are off by default.
var options = map[string]string{"Bash.Strategy": "digest", "Read.Repeat": "receipt", "Grep.Grouped": "true"}

// A task is a question, what the last text says if it is answered, and the calls. One without calls is answered by the
// last text of the task before it.
type task struct {
	question, answer string
	calls            []call
}

type call struct {
	tool, args string
	bytes      int // of the result
}

// load reads tasks: "# QUESTION => ANSWER", and below it the calls as "[BYTES ]TOOL ARGUMENTS".
func load(path string) ([]task, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var tasks []task
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSuffix(line, "\n")
		if head, is := strings.CutPrefix(line, "# "); is {
			question, answer, _ := strings.Cut(head, " => ")
			tasks = append(tasks, task{question: question, answer: answer})
			continue
		}
		var c call
		first, rest, _ := strings.Cut(line, " ")
		if n, err := strconv.Atoi(first); err == nil {
			c.bytes = n
			first, rest, _ = strings.Cut(rest, " ")
		}
		c.tool, c.args = first, rest
		if len(tasks) == 0 || !json.Valid([]byte(c.args)) {
			return nil, fmt.Errorf("%s: not a call of a task: %s", path, line)
		}
		last := &tasks[len(tasks)-1]
		last.calls = append(last.calls, c)
	}
	return tasks, nil
}

func save(path string, tasks []task) error {
	var b strings.Builder
	for _, t := range tasks {
		fmt.Fprintf(&b, "# %s => %s\n", t.question, t.answer)
		for _, c := range t.calls {
			fmt.Fprintf(&b, "%d %s %s\n", c.bytes, c.tool, c.args)
		}
	}
	return os.WriteFile(path, []byte(b.String()), 0o644)
}

// replay makes the calls, counts the bytes of their results, and checks the answers.
func replay(who string, tasks []task, do func(tool, args string) (string, error)) error {
	last := ""
	for i := range tasks {
		t := &tasks[i]
		for j := range t.calls {
			text, err := do(t.calls[j].tool, t.calls[j].args)
			if err != nil {
				return err
			}
			t.calls[j].bytes, last = len(text), text
		}
		answered, err := regexp.MatchString(t.answer, last)
		if err != nil {
			return err
		}
		if !answered {
			return fmt.Errorf("%s: %s: no %s in the last text: %.1000s", who, t.question, t.answer, last)
		}
	}
	return nil
}

// replayOurs makes the calls in one session, as a model does: what was said once is not said again.
func replayOurs(dir, who string, set map[string]string) ([]task, error) {
	tasks, err := load(oursFile)
	if err != nil {
		return nil, err
	}
	cfg := config.Config{Workspace: dir}
	for name, value := range set {
		if cfg, err = cfg.Set(name, value, name); err != nil {
			return nil, err
		}
	}
	suite, err := tools.New(cfg, all.Parts()...)
	if err != nil {
		return nil, err
	}
	defer suite.Close()
	return tasks, replay(who, tasks, func(tool, args string) (string, error) {
		res, err := suite.Call(context.Background(), tool, json.RawMessage(args))
		return res.Text, err
	})
}

func replayPi(node, dir string, tasks []task) error {
	cmd := exec.Command(node, "byhand/pi/driver.mjs", dir)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	answers := json.NewDecoder(out)
	err = replay("pi", tasks, func(tool, args string) (string, error) {
		if _, err := fmt.Fprintf(in, "{\"tool\":%q,\"args\":%s}\n", tool, args); err != nil {
			return "", err
		}
		var answer struct{ Text string }
		err := answers.Decode(&answer)
		return answer.Text, err
	})
	in.Close()
	if ended := cmd.Wait(); err == nil {
		err = ended
	}
	return err
}

// cost returns the calls and the bytes that a model writes and reads for them.
func cost(tasks ...task) (calls, bytes int) {
	for _, t := range tasks {
		for _, c := range t.calls {
			calls, bytes = calls+1, bytes+len(c.args)+c.bytes
		}
	}
	return calls, bytes
}

// table returns a row for each task and one for all, and the same with only those tasks in which the ways are a
// thousand bytes apart.
func table(ways ...[]task) (all, differ string) {
	const head = "| task | calls | bytes | calls, options | bytes | calls, pi | bytes |\n|---|---|---|---|---|---|---|\n"
	row := func(name string, of func(way []task) []task) (line string, apart int) {
		line = "| " + name
		var sizes []int
		for _, way := range ways {
			calls, bytes := cost(of(way)...)
			line += fmt.Sprintf(" | %d | %s", calls, chart.Thousands(bytes))
			sizes = append(sizes, bytes)
		}
		return line + " |\n", slices.Max(sizes) - slices.Min(sizes)
	}
	all, differ = head, head
	for i, t := range ways[0] {
		line, apart := row(t.question, func(way []task) []task { return way[i : i+1] })
		all += line
		if apart >= 1000 {
			differ += line
		}
	}
	line, _ := row("together", func(way []task) []task { return way })
	return all + line, differ + line
}
