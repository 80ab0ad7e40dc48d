// Command quickstart runs ls, find, grep, read and bash over a directory and prints
// what a model would see of each: a listing, two searches, a file that is read in
// pages, and a command whose output is too long, with the file that its notice names.
//
//	go run ./examples/quickstart [DIR]
//
// The limits are set far below their defaults, so that a few lines show all of
// it. On a terminal notices are yellow and errors red, unless NO_COLOR is set.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/signal"
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/tools"
)

func main() {
	dir := "."
	if len(os.Args) > 1 {
		dir = os.Args[1]
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, dir, os.Stdout, colourful(os.Stdout)); err != nil {
		fmt.Fprintln(os.Stderr, "quickstart:", err)
		os.Exit(1)
	}
}

// colourful says whether out is a terminal, and its owner likes colours.
func colourful(out *os.File) bool {
	info, err := out.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0 && os.Getenv("NO_COLOR") == ""
}

// lines is the limit for every result here; the default is 2000.
const lines = 6

func run(ctx context.Context, dir string, out io.Writer, colour bool) error {
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
	d := demo{ctx: ctx, suite: suite, out: out, colour: colour}

	d.call("ls: what is here", "ls", tools.LsParams{})
	d.call("find: files by name", "find", tools.FindParams{Pattern: "*", Type: "file"})
	d.call("grep: lines that match", "grep", tools.GrepParams{Pattern: "func|the", IgnoreCase: true})

	path, err := longFile(ctx, suite)
	if err != nil {
		return err
	}
	if path != "" {
		res := d.call("read: a file that is longer than the limit", "read", tools.ReadParams{Path: path})
		if next := number(`offset=(\d+) to continue`, res.Text); next > 0 {
			d.call("read: on from the offset that the notice gave", "read", tools.ReadParams{Path: path, Offset: next})
		}
	}

	res := d.call("bash: a command that prints too much; its end is shown", "bash",
		tools.BashParams{Command: "seq -f 'step %.0f of 5000: ok' 5000"})
	spilled := regexp.MustCompile(`Full output: (\S+\.log)`).FindStringSubmatch(res.Text)
	if first := number(`Showing lines (\d+)-`, res.Text); first > 1 && spilled != nil {
		d.call("read: what stands before that, from the file with the full output", "read",
			tools.ReadParams{Path: spilled[1], Offset: max(first-4, 1), Limit: 4})
	}
	d.call("a failure tells the model what to do", "read", tools.ReadParams{Path: path + "x"})
	return d.err
}

// demo makes the calls of an agent, and prints them.
type demo struct {
	ctx    context.Context // of the whole demo, which is one sequence of calls
	suite  *tools.Suite
	out    io.Writer
	colour bool
	n      int
	err    error
}

// The styles, as parameters of the escape sequence.
const (
	bold   = "1"
	dim    = "2"
	green  = "32"
	yellow = "33"
	red    = "31"
)

func (d *demo) style(s, text string) string {
	if !d.colour || s == "" {
		return text
	}
	return "\x1b[" + s + "m" + text + "\x1b[0m"
}

// call is one call, made with JSON as a model makes it.
func (d *demo) call(title, tool string, params any) tools.Result {
	args, err := json.Marshal(params)
	if err != nil {
		d.err = err
		return tools.Result{}
	}
	res, err := d.suite.Call(d.ctx, tool, args)
	if err != nil {
		d.err = err
		return res
	}
	d.n++
	if d.n > 1 {
		fmt.Fprintln(d.out)
	}
	fmt.Fprintf(d.out, "%s\n   %s %s\n", d.style(bold, fmt.Sprintf("%d. %s", d.n, title)), d.style(green, tool), harmless(string(args)))
	all := strings.Split(strings.TrimSuffix(res.Text, "\n"), "\n")
	for i, line := range all {
		style := ""
		switch {
		case res.IsError:
			style = red
		case i == len(all)-1 && strings.HasPrefix(line, "["): // the notice
			style = yellow
		}
		bar := d.style(dim, "   │")
		if line != "" {
			bar += " "
		}
		line = strings.ReplaceAll(line, "\t", "    ") // behind the bar a tab would end anywhere
		fmt.Fprintln(d.out, bar+d.style(style, harmless(line)))
	}
	return res
}

// harmless is a line that does nothing to a terminal but print: a file may hold
// escape sequences, and characters that turn the direction of what follows.
func harmless(line string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\t' || unicode.Is(unicode.Bidi_Control, r) {
			return '·'
		}
		return r
	}, line)
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

// number is the number that an expression finds in a notice, or 0.
func number(expr, text string) int {
	m := regexp.MustCompile(expr).FindStringSubmatch(text)
	if m == nil {
		return 0
	}
	n, _ := strconv.Atoi(m[1])
	return n
}
