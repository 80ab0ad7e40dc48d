// Package demo makes the calls of an agent over a directory, and prints what a model
// would see: what examples/quickstart and spillway demo show.
package demo

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/tools"
)

// lines is the limit for every result here; the default is 2000.
const lines = 6

// Run makes the calls over dir. The limits are set far below their defaults, so that
// a few lines show all of it. The full output of its command stays in dir, in .clarvis.
func Run(ctx context.Context, dir string, screen Screen) error {
	suite, err := tools.New(config.Config{
		Workspace: dir,
		MaxLines:  lines,
		Ls:        config.Ls{Limit: 5},
		Find:      config.Find{Limit: 5},
		Grep:      config.Grep{Limit: 3, MaxLineChars: 80},
	})
	if err != nil {
		return err
	}
	defer suite.Close()
	d := demo{suite: suite, screen: screen}

	d.call(ctx, "ls: what is here (limits are low, to show the notices)", "ls", tools.LsParams{})
	d.call(ctx, "find: files by name", "find", tools.FindParams{Pattern: "*", Type: "file"})
	d.call(ctx, "grep: lines that match", "grep", tools.GrepParams{Pattern: "func|the", IgnoreCase: true})

	path, err := longFile(ctx, suite)
	if err != nil {
		return err
	}
	if path != "" {
		res := d.call(ctx, "read: a file that is longer than the limit", "read", tools.ReadParams{Path: path})
		if page, ok := res.Details.(tools.ReadResult); ok && page.NextOffset > 0 {
			d.call(ctx, "read: on from the offset that the notice gave", "read", tools.ReadParams{Path: path, Offset: page.NextOffset})
		}
	}

	res := d.call(ctx, "bash: a command that prints too much; its end is shown", "bash",
		tools.BashParams{Command: "seq -f 'step %.0f of 5000: ok' 5000"})
	if out, ok := res.Details.(tools.BashResult); ok && out.Truncation != nil && out.FullOutputPath != "" {
		d.call(ctx, "read: what stands before that, from the file with the full output", "read",
			tools.ReadParams{Path: out.FullOutputPath, Offset: max(out.Truncation.LinesRemoved()-3, 1), Limit: 4})
	}
	d.call(ctx, "read: a wrong path, on purpose; the error says what to do", "read", tools.ReadParams{Path: path + "x"})
	return d.err
}

// demo makes calls, and prints them. It keeps the first error, after which it makes none.
type demo struct {
	suite  *tools.Suite
	screen Screen
	n      int // calls
	err    error
}

// call is one call, made with JSON as a model makes it.
func (d *demo) call(ctx context.Context, title, tool string, params any) tools.Result {
	if d.err != nil {
		return tools.Result{}
	}
	args, err := json.Marshal(params)
	if err != nil {
		d.err = err
		return tools.Result{}
	}
	res, err := d.suite.Call(ctx, tool, args)
	if err != nil {
		d.err = err
		return res
	}
	d.n++
	d.err = d.screen.print(d.n, title, string(args), res)
	return res
}

// longFile is a text file of more lines than the limit, or else any: a source file
// if there is one, as its lines are short. It is "" if there is no text file.
func longFile(ctx context.Context, suite *tools.Suite) (string, error) {
	last := ""
	for _, pattern := range []string{"*.{go,py,ts,js,rs,c,java,rb}", "*.{md,txt}"} {
		found, err := suite.Find(ctx, tools.FindParams{Pattern: pattern, Type: "file", Limit: 1000})
		if err != nil {
			return "", err
		}
		for path := range strings.Lines(found.Text) {
			path = strings.TrimSuffix(path, "\n")
			if path == "" { // the notice follows
				break
			}
			res, err := suite.Read(ctx, tools.ReadParams{Path: path})
			if err != nil {
				continue
			}
			if last = path; res.NextOffset > 0 {
				return path, nil
			}
		}
	}
	return last, nil
}
