package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/question"
	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/checkpoint"
)

// defineCheckpoint adds the flag that has a suite know what commands change.
func (o *options) defineCheckpoint(flags *flag.FlagSet) {
	const about = "say which files each command has changed, and keep what they held, for spillway rewind"
	flags.BoolFunc("checkpoint", about, func(value string) error {
		on, err := strconv.ParseBool(value)
		if o.parts = nil; on {
			o.addCheckpoint()
		}
		return err
	})
}

func (o *options) addCheckpoint() { o.parts = []tools.Part{checkpoint.New().Part()} }

// rewindFlags are those of the command rewind.
type rewindFlags struct {
	options
	others []string
	yes    bool
}

// rewindCommand is spillway rewind.
func rewindCommand(flags *flag.FlagSet) runner {
	var set rewindFlags
	set.define(flags, "workspace", "set", "config")
	flags.BoolVar(&set.yes, "yes", false, "put it back without showing the diff and asking")
	flags.Func("others", "put back `PATH`, a file or a directory, although somebody else has changed it; again for more",
		func(path string) error {
			set.others = append(set.others, path)
			return nil
		})
	return func(args []string, out io.Writer) error {
		if len(args) > 1 {
			return usage("unexpected argument %q: give one ID", args[1])
		}
		if len(args) == 0 && (set.yes || set.others != nil) {
			return usage("-yes and -others are for an ID: spillway rewind lists them")
		}
		cfg, err := set.config()
		if err != nil {
			return err
		}
		points := checkpoint.New()
		set.parts = []tools.Part{points.Part()}
		suite, err := newSuite(cfg, unasked, set.parts...)
		if err != nil {
			return err
		}
		defer suite.Close()
		ctx, stop := untilSignal()
		defer stop()
		list, err := points.List(ctx)
		switch {
		case err == nil && len(args) == 0:
			printCheckpoints(out, list, suite.Workspace())
		case err == nil:
			r := rewinding{rewindFlags: set, points: points, workspace: suite.Workspace(), out: out}
			err = r.to(ctx, list, args[0])
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		return errors.Join(err, suite.Close())
	}
}

// printCheckpoints lists checkpoints, the newest last.
func printCheckpoints(out io.Writer, list []checkpoint.Checkpoint, workspace string) {
	if len(list) == 0 {
		fmt.Fprintf(os.Stderr, "spillway: no command was seen to change a file of %s: spillway call and mcp look with "+
			"-checkpoint\n", quote.Inline(workspace))
		return
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "ID\tTIME\tFILES\tBEFORE")
	for _, c := range list {
		fmt.Fprintf(w, "%s\t%s\t%5d\t%s\n", question.Plain(c.ID), when(c), c.Files, question.Plain(before(c)))
	}
	w.Flush()
	fmt.Fprintln(os.Stderr, "spillway: spillway rewind ID shows what has changed since then, and asks before it puts that back")
}

func when(c checkpoint.Checkpoint) string { return c.Time.Local().Format(time.DateTime) }

// before says what a checkpoint was made before.
func before(c checkpoint.Checkpoint) string {
	switch {
	case c.About != "":
		return c.About
	case c.Files > 0:
		return "(changes of somebody else)"
	}
	return "(asked for)"
}

// maxBefore is how many characters of a command a sentence has.
const maxBefore = 40

// as says on which state files are put back.
func as(c checkpoint.Checkpoint) string {
	return fmt.Sprintf("%s, before %s", when(c), question.Plain(quote.Short(before(c), maxBefore)))
}

// rewinding puts files back.
type rewinding struct {
	rewindFlags
	points    *checkpoint.Checkpoints
	workspace string
	out       io.Writer
}

// to shows what has changed since a checkpoint, asks, and puts it back.
func (r *rewinding) to(ctx context.Context, list []checkpoint.Checkpoint, id string) error {
	i := slices.IndexFunc(list, func(c checkpoint.Checkpoint) bool { return c.ID == id })
	if i < 0 {
		return usage("there is no checkpoint %q: spillway rewind lists them", id)
	}
	d, err := r.points.Diff(ctx, id)
	if err != nil {
		return err
	}
	if len(d.Files) == 0 {
		fmt.Fprintf(r.out, "Nothing has changed since %s.\n", id)
		return nil
	}
	if !slices.ContainsFunc(d.Files, func(c checkpoint.Change) bool { return !c.Lost }) {
		fmt.Fprintln(r.out, d.Text+"\n\nNothing of this can be put back: see spillway config Checkpoint")
		return nil
	}
	others, err := r.named(d)
	if !r.yes && (err != nil || !isTerminal(os.Stdin)) {
		fmt.Fprintln(r.out, d.Text)
	}
	if err != nil {
		return err
	}
	if yes, err := r.ask(ctx, list[i], d); err != nil || !yes {
		return err
	}
	done, err := d.Rewind(ctx, others...)
	if err != nil {
		return err
	}
	r.say(list[i], done)
	return nil
}

// named returns what somebody else has changed and -others names. All that somebody else has changed must be named.
func (r *rewinding) named(d *checkpoint.Diff) (others []string, err error) {
	var rest []string
	used := make([]bool, len(r.others))
	for _, c := range d.Files {
		if !c.Others || c.Lost {
			continue
		}
		names := false
		for i, path := range r.others {
			if within(c.Path, r.relative(path)) {
				names, used[i] = true, true
			}
		}
		if names {
			others = append(others, c.Path)
		} else {
			rest = append(rest, c.Path)
		}
	}
	if i := slices.Index(used, false); i >= 0 {
		return nil, usage("-others %s: nobody else has changed that since %s", quote.Value(r.others[i]), d.Since)
	}
	if len(rest) == 0 {
		return others, nil
	}
	const few = 5
	text, flags := "", ""
	for i, path := range rest[:min(len(rest), few)] {
		if i > 0 {
			text += ", "
		}
		text += quote.Inline(path)
		flags += " -others " + question.Quoted(path)
	}
	if more := len(rest) - few; more > 0 {
		text, flags = fmt.Sprintf("%s and %d more", text, more), " -others ."
	}
	return nil, fmt.Errorf("nothing was put back: somebody else has changed %s since %s, which would be undone too. "+
		"If it may be: %s", text, d.Since, r.command(flags+" "+d.Since))
}

// relative returns a path as those of changes are: relative to the workspace, with slashes.
func (r *rewinding) relative(path string) string {
	if filepath.IsAbs(path) {
		if rel, err := filepath.Rel(r.workspace, path); err == nil {
			path = rel
		}
	}
	return filepath.ToSlash(filepath.Clean(path))
}

func within(path, dir string) bool {
	return dir == "." || path == dir || strings.HasPrefix(path, dir+"/")
}

// command is how this command is typed again.
func (r *rewinding) command(rest string) string {
	text := "spillway rewind"
	for _, g := range r.given {
		value := g.value
		if g.flag == "-set" {
			value = g.option + "=" + value
		}
		text += " " + g.flag + " " + question.Quoted(value)
	}
	if r.file != "" {
		text += " -config " + question.Quoted(r.file)
	}
	return text + " " + strings.TrimSpace(rest)
}

// ask shows what has changed, and asks at the terminal whether it is to be put back.
func (r *rewinding) ask(ctx context.Context, to checkpoint.Checkpoint, d *checkpoint.Diff) (bool, error) {
	if r.yes {
		return true, nil
	}
	if !isTerminal(os.Stdin) {
		return false, usage("nothing was put back, as nobody can be asked here. To put it back: %s", r.command("-yes "+to.ID))
	}
	terminal := question.NewTerminal(os.Stdin, os.Stderr, isTerminal(os.Stderr) && os.Getenv("NO_COLOR") == "")
	yes, err := terminal.Confirm(ctx, "Undo all that has changed since "+as(to)+"?", d.Text)
	if err == nil && !yes {
		fmt.Fprintln(os.Stderr, "spillway: nothing was put back")
	}
	return yes, err
}

// maxNamed is how many files are named that were put back.
const maxNamed = 20

// say says what was put back, what was not, and how that is undone.
func (r *rewinding) say(to checkpoint.Checkpoint, done checkpoint.Rewound) {
	if len(done.Files) > 0 {
		fmt.Fprintf(r.out, "Put back %s, as of %s:\n", notice.Count(len(done.Files), "file"), as(to))
		listFiles(r.out, done.Files, putBack)
	}
	if len(done.Left) > 0 {
		fmt.Fprintf(r.out, "Left %s, as what it held or holds is not covered (spillway config Checkpoint):\n",
			notice.Count(len(done.Left), "file"))
		listFiles(r.out, done.Left, func(c checkpoint.Change) string { return quote.Name(c.Path) })
	}
	if done.Undo != "" {
		fmt.Fprintf(r.out, "To undo this: %s\n", r.command(done.Undo))
	}
}

func listFiles(out io.Writer, files []checkpoint.Change, say func(checkpoint.Change) string) {
	for _, c := range files[:min(len(files), maxNamed)] {
		fmt.Fprintf(out, "  %s\n", question.Plain(say(c)))
	}
	if more := len(files) - maxNamed; more > 0 {
		fmt.Fprintf(out, "  and %d more\n", more)
	}
}

// putBack says what has become of a file by putting it back.
func putBack(c checkpoint.Change) string {
	name := quote.Name(c.Path)
	switch {
	case c.Created:
		return name + ", removed"
	case c.Removed:
		return name + ", there again"
	case c.MovedFrom != "":
		return quote.Name(c.MovedFrom) + ", back from " + name
	}
	return name
}
