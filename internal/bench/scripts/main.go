// Command scripts does twelve tasks twice, by calls of the tools and by one script each, and prints what both take: the
// table of docs/script.md; with -write it puts it there.
//
//	go -C internal/bench run ./scripts -write
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"regexp"
	"strings"
	"time"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/docs/chart"
	"github.com/spillway-go/spillway/internal/docs/section"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/script"
)

const page = "../../docs/script.md"

func main() {
	write := flag.Bool("write", false, "write the table into "+page)
	flag.Parse()
	rows, err := measure()
	if err == nil {
		fmt.Print(table(rows))
		if *write {
			err = section.Write(page, "tasks", table(rows))
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "scripts:", err)
		os.Exit(1)
	}
}

// cost is what a way to do a task takes: its calls, the bytes that the model writes and reads for them, and the time.
type cost struct {
	calls, bytes int
	took         time.Duration
}

type row struct {
	name       string
	by, script cost
}

// measure does every task both ways, each in a workspace of its own, and checks that both end in the answer.
func measure() (rows []row, err error) {
	for _, t := range tasks {
		r := row{name: t.name}
		for _, way := range []struct {
			steps []step
			cost  *cost
		}{{t.steps, &r.by}, {[]step{{"script", map[string]any{"code": t.script}, ""}}, &r.script}} {
			text, c, err := do(way.steps)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", t.name, err)
			}
			if !regexp.MustCompile(t.answer(len(way.steps) > 1 || way.cost == &r.by)).MatchString(text) {
				return nil, fmt.Errorf("%s: the answer is not in %.2000s", t.name, text)
			}
			*way.cost = c
		}
		rows = append(rows, r)
	}
	return rows, nil
}

// do makes calls, and returns the texts of their results.
func do(steps []step) (text string, c cost, err error) {
	dir, err := os.MkdirTemp("", "spillway-scripts")
	if err != nil {
		return "", c, err
	}
	defer os.RemoveAll(dir)
	if err := build(dir); err != nil {
		return "", c, err
	}
	suite, err := tools.New(config.Config{Workspace: dir})
	if err != nil {
		return "", c, err
	}
	defer suite.Close()
	tool, err := script.New(suite, script.Options{})
	if err == nil {
		err = suite.Add(tool)
	}
	if err != nil {
		return "", c, err
	}
	last, began := "", time.Now()
	for _, s := range steps {
		list, err := s.calls(last)
		if err != nil {
			return "", c, err
		}
		for _, args := range list {
			raw, err := json.Marshal(args)
			if err != nil {
				return "", c, err
			}
			res, err := suite.Call(context.Background(), s.tool, raw)
			if err != nil || res.IsError {
				return "", c, fmt.Errorf("%s %s: %s %w", s.tool, raw, res.Text, err)
			}
			last = res.Text
			text += res.Text + "\n"
			c.calls++
			c.bytes += len(raw) + len(res.Text)
		}
	}
	c.took = time.Since(began)
	return text, c, nil
}

// table is the rows as the manual has them.
func table(rows []row) string {
	var b strings.Builder
	b.WriteString("| task | calls | bytes | ms | bytes by script | ms |\n|---|---|---|---|---|---|\n")
	var by, script cost
	add := func(sum *cost, c cost) {
		sum.calls, sum.bytes, sum.took = sum.calls+c.calls, sum.bytes+c.bytes, sum.took+c.took
	}
	line := func(name string, by, script cost) {
		ms := func(d time.Duration) string { return chart.Digits(float64(d.Microseconds()) / 1000) }
		fmt.Fprintf(&b, "| %s | %d | %s | %s | %s | %s |\n", name, by.calls, chart.Thousands(by.bytes), ms(by.took),
			chart.Thousands(script.bytes), ms(script.took))
	}
	for _, r := range rows {
		line(r.name, r.by, r.script)
		add(&by, r.by)
		add(&script, r.script)
	}
	line("together", by, script)
	return b.String()
}
